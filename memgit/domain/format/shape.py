"""The shape of a memory's file in the newest format, and the line of `memgit.toml` that names it.

The one rule: only what carries the words changes. The body stays character for character, no value
gets lost, and a file with a fault stays as it is until somebody has mended that.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memgit.domain.memory import Memory, decode, parse, render, split
from memgit.domain.settings import FILE, FIRST, FORMAT
from memgit.domain.store import Store
from memgit.errors import Fault, StoreError
from memgit.ports.frontmatter import load_frontmatter

LISTS = ("topics", "entities", "aliases", "asked_as", "derived_from")
"""Keys that hold many words, and may hold one without a list around it."""

_ABOUT = {"name", "description"}
_TOP = {*_ABOUT, "metadata"}
_BELOW = {"node_type", "type"}

_NAMED = re.compile(r"(?m)\A((?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*format[ \t]*=[ \t]*)\d+")
"""The first setting of the file, where that is the format."""


def shaped(path: str, data: bytes) -> tuple[bytes, Fault | None]:
    """(the file in its shape, None), or the file as it is with the fault that stands in the way."""
    memory, faults = parse(path, data)
    if faults:
        return data, faults[0]
    wanted = replace(memory, metadata=_metadata(memory))
    if wanted == memory and _stands_right(data):
        return data, None
    text = render(wanted).decode("utf-8", "surrogatepass")
    if decode(data)[0].partition("\n")[0].endswith("\r"):
        head = text.removesuffix(memory.body)
        text = head.replace("\n", "\r\n") + memory.body
    after = text.encode("utf-8", "surrogatepass")
    if not _says_the_same(wanted, path, after):
        return data, Fault(path, 1, "shape", "its frontmatter would not say the same")
    return after, None


def fitting(store: Store) -> int:
    """The format that a store has as its memories stand: the newest where all are in its shape."""
    for path in store.paths():
        data = store.content(path)
        if shaped(path, data)[0] != data:
            return FIRST
    return FORMAT


def stamped(data: bytes, number: int = FORMAT) -> bytes:
    """The text of a `memgit.toml` with the number of a format in it; all else stays.

    Raises StoreError where its lines are too unusual for that.
    """
    text = data.decode("utf-8", "surrogateescape")
    newline = "\r\n" if "\r\n" in text else "\n"
    found = _NAMED.match(text)
    after = (
        f"{found[1]}{number}{text[found.end() :]}" if found
        else f"format = {number}{newline}{text}"
    )  # fmt: skip
    try:
        if tomllib.loads(after).get("format") == number:
            return after.encode("utf-8", "surrogateescape")
    except (ValueError, RecursionError):
        pass
    raise StoreError(
        f"{FILE}: its format cannot be set to {number}",
        f"let `format = {number}` be its first setting, then run it again",
    )


def _stands_right(data: bytes) -> bool:
    """Whether each key of a file without faults stands where it belongs, however it is quoted."""
    head, _, _ = split(decode(data)[0])
    keys = load_frontmatter(head) if head is not None else {}
    below = keys.get("metadata")
    if not isinstance(below, dict) or not keys.get("name"):
        return False
    return keys.keys() <= _TOP and below.keys() >= _BELOW and not _ABOUT & below.keys()


def _metadata(memory: Memory) -> Mapping[str, Any]:
    """The keys with many words as lists, and a link to a successor as its name."""
    found = dict(memory.metadata)
    for key in LISTS:
        if isinstance(value := found.get(key), str) and value:
            found[key] = [value]
    follows = found.get("superseded_by")
    many = isinstance(follows, list) and len(follows) > 1
    if memory.superseded_by and not many:
        found["superseded_by"] = memory.superseded_by
    return found


def _says_the_same(wanted: Memory, path: str, after: bytes) -> bool:
    """Whether a file reads as the memory that it shall be, with its kind and type written out."""
    found, faults = parse(path, after)
    added = {key: found.metadata[key] for key in ("node_type", "type")
             if key in found.metadata and key not in wanted.metadata}  # fmt: skip
    return not faults and found == replace(wanted, metadata={**wanted.metadata, **added})
