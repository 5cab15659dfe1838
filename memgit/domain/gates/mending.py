"""Mending what the gates find, where there is one right way to do it.

The one rule: the words of a person stay as they are; only what carries them is made whole. Files
are written, nothing is committed.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memgit.domain.gates.characters import without_hidden
from memgit.domain.gates.scope import File
from memgit.domain.memory import decode, parse, split
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.store import Store
from memgit.ports.frontmatter import BrokenFrontmatter, load_frontmatter, with_quotes


def mend_all(store: Store) -> Iterator[tuple[str, list[str]]]:
    """Mend every memory of the work tree; (path, what was done) of those that changed."""
    store.expect_known_format()
    for path in store.paths():
        before = store.content(path)
        after, done = mend(path, before)
        if done:
            _write(store.root / path, after)
            yield path, done


def mend(path: str, data: bytes) -> tuple[bytes, list[str]]:
    """The file with what can be mended mended, and a phrase for each thing that was done."""
    done = []
    text, encoding = decode(data)
    if encoding != "utf-8" and "\0" not in text:
        data = text.encode("utf-8", "surrogatepass")
        done.append(f"{encoding} to UTF-8")
    clean = without_hidden(text)
    if clean != text and "\0" not in text:
        done.append(f"{len(text) - len(clean)} hidden characters taken out")
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        data = mark + clean.encode("utf-8", "surrogatepass")
    if (quoted := _with_quotes(data)) is not None:
        data = quoted
        done.append("values of the frontmatter put into quotes")
    named = _with_name(path, data)
    if named != data:
        data = named
        done.append("named by its file")
    return data, done


def _with_quotes(data: bytes) -> bytes | None:
    """The file with its frontmatter readable; None where it is so, or quotes do not help."""
    text = decode(data)[0]
    head, _, _ = split(text)
    if head is None:
        return None
    try:
        load_frontmatter(head)
        return None
    except BrokenFrontmatter:
        quoted = with_quotes(head)
    try:
        load_frontmatter(quoted)
    except BrokenFrontmatter:
        return None
    at = text.index("\n") + 1
    return f"{text[:at]}{quoted}{text[at + len(head) :]}".encode("utf-8", "surrogatepass")


def _with_name(path: str, data: bytes) -> bytes:
    """The file with a name between its fences, where there are fences that can be read."""
    file = File(path, data)
    if file.frontmatter is None or file.is_named or file.faults:
        return data
    memory = parse(path, data)[0]
    if memory.name != PurePosixPath(path).stem:
        return data
    first, newline, rest = decode(data)[0].partition("\n")
    ending = "\r\n" if first.endswith("\r") else "\n"
    name = with_keys("x.md", b"---\nname: x\n---\n", {"name": memory.name}).decode().split("\n")[1]
    lines = rest.split("\n")
    lines = [line for line in lines if line.rstrip("\r") not in ("name:", 'name: ""', "name: ''")]
    return f"{first}{newline}{name}{ending}{chr(10).join(lines)}".encode("utf-8", "surrogatepass")


def _write(target: Path, data: bytes) -> None:
    """Replace a file in one step, its mode kept."""
    number, aside = tempfile.mkstemp(prefix=".mending-", dir=target.parent)
    with open(number, "wb") as file:
        file.write(data)
    os.chmod(aside, target.stat().st_mode & 0o7777)
    os.replace(aside, target)
