"""Changing keys of a memory's frontmatter in the file as it stands.

The one rule: the body stays byte for byte, and of the frontmatter only the lines of the keys that
change are touched; where that cannot be done, the frontmatter alone is written anew.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memgit.domain.memory import DEFAULT, Memory, decode, parse, render, split
from memgit.errors import StoreError
from memgit.ports.frontmatter import dump_frontmatter

_TOP = ("name", "description")
_LAST = ("originSessionId", "modified")
"""Keys that Claude Code and we write at the end of `metadata`."""

_KEY = re.compile(r"""( *)(["']?)([\w.-]+)\2[ \t]*:(?=[\s]|\Z)[ \t]*(.*)""")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def with_keys(path: str, data: bytes, changes: Mapping[str, Any]) -> bytes:
    """The file with these keys set, or taken away where the value is None.

    `name` and `description` stand at the top, all others in the metadata. Raises StoreError where
    the file's encoding cannot hold the new values.
    """
    memory = parse(path, data)[0]
    wanted = changed(memory, changes)
    if wanted == memory:
        return data
    text, encoding = decode(data)
    for way in (_patched(text, changes), render(wanted).decode("utf-8", "surrogatepass")):
        if way is not None:
            written = encoded(path, way, data, encoding)
            if _is(wanted, path, written):
                return written
    raise StoreError(
        f"{path}: its frontmatter cannot be changed", f"mend it; see `memgit show {path}`"
    )


def changed(memory: Memory, changes: Mapping[str, Any]) -> Memory:
    """The memory with these keys set, or taken away where the value is None."""
    below = {key: value for key, value in changes.items() if key not in _TOP}
    rest = {key: value for key, value in {**memory.metadata, **below}.items()
            if value is not None or key not in below}  # fmt: skip
    name, about = changes.get("name", memory.name), changes.get("description", memory.description)
    kind = (changes["type"] or DEFAULT) if "type" in changes else memory.type
    return replace(memory, name=name, description=about or "", type=kind, metadata=rest)


def encoded(path: str, text: str, data: bytes, encoding: str) -> bytes:
    """A text as bytes of the encoding that a file has, with the file's own mark.

    Raises StoreError where it cannot hold the text.
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    if mark and encoding != "utf-8":
        encoding = {b"\xff\xfe": f"{encoding}-le", b"\xfe\xff": f"{encoding}-be"}.get(
            mark, encoding
        )
        mark = b"\xff\xfe\0\0" if encoding == "utf-32-le" else mark
    try:
        return mark + text.encode(encoding, "surrogatepass" if "utf" in encoding else "strict")
    except UnicodeEncodeError as fault:
        raise StoreError(
            f"{path}: is {encoding}, which has no {fault.object[fault.start]!r}",
            "save it as UTF-8, then try again",
        ) from None


def _is(wanted: Memory, path: str, data: bytes) -> bool:
    """Whether a file reads as the memory that is wanted; an absent description may be empty."""
    found = parse(path, data)[0]
    return found == wanted or found == replace(
        wanted, metadata={**wanted.metadata, **_added(found, wanted)}
    )


def _added(found: Memory, wanted: Memory) -> dict[str, Any]:
    """The keys that writing the whole frontmatter adds."""
    new = ("node_type", "type")
    return {key: found.metadata[key] for key in new
            if key in found.metadata and key not in wanted.metadata}  # fmt: skip


@dataclass(frozen=True)
class _Block:
    """The lines of one key: `start` to `end` of a list of lines."""

    key: str
    start: int
    end: int
    indent: str
    inline: str


def _patched(text: str, changes: Mapping[str, Any]) -> str | None:
    """The text with only the lines of these keys changed; None where their place is unclear."""
    head, body, _ = split(text)
    if head is None:
        return None
    fence = text[: text.index("\n") + 1]
    newline = "\r\n" if fence.endswith("\r\n") else "\n"
    closing = text[len(fence) + len(head) : len(text) - len(body)]
    lines = re.findall(r"[^\n]*\n|[^\n]+", head)
    for key, value in changes.items():
        place = _place(lines, key)
        if place is None:
            return None
        start, end, indent = place
        written = "" if value is None else dump_frontmatter({key: value})
        lines[start:end] = [f"{indent}{line}{newline}" for line in written.split("\n")[:-1]]
    return "".join([fence, *lines, closing, body])


def _place(lines: list[str], key: str) -> tuple[int, int, str] | None:
    """(start, end, indent) of the lines that a key has or would get; None where that is unclear."""
    top = _blocks(lines, 0, len(lines), "")
    about = {block.key: block for block in top}
    if key in about:
        return about[key].start, about[key].end, ""
    if key in _TOP:
        after = about["name"].end if key == "description" and "name" in about else 0
        return after, after, ""
    metadata = about.get("metadata")
    if metadata is None:
        # A flat file stays flat; one without any key of ours gets the whole shape.
        return (len(lines), len(lines), "") if set(about) - set(_TOP) else None
    if metadata.inline:
        return None
    inner = _inner(lines, metadata)
    for block in inner:
        if block.key == key:
            return block.start, block.end, block.indent
    if not inner:
        return None
    last = next((block.start for block in inner if block.key in _LAST), inner[-1].end)
    return last, last, inner[0].indent


def _inner(lines: list[str], outer: _Block) -> list[_Block]:
    for line in lines[outer.start + 1 : outer.end]:
        if line.strip() and not line.lstrip().startswith("#"):
            indent = line[: len(line) - len(line.lstrip(" "))]
            return _blocks(lines, outer.start + 1, outer.end, indent) if indent else []
    return []


def _blocks(lines: list[str], start: int, end: int, indent: str) -> list[_Block]:
    """The keys that stand at one indent, each with the lines that belong to it."""
    found: list[_Block] = []
    for number in range(start, end):
        key = _KEY.match(lines[number])
        if key and key[1] == indent:
            if found:
                found[-1] = replace(found[-1], end=number)
            found.append(_Block(key[3], number, end, indent, key[4].strip()))
    return found
