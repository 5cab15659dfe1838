"""Editing one line of a memory, or its text in an editor.

The one rule: every other line stays byte for byte, but for the time of the last change that the
file itself tells.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from memgit.domain.memory import decode, key_of, parse, split
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import encoded, with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError

SHOWN = 80
"""Characters of a line that a message repeats."""


@dataclass(frozen=True)
class Edit:
    """One change: `line` becomes `to`, or goes where that is None; without a line, `to` is added
    at the end. `whole` is a text to put in place of one that was `read`.
    """

    line: str | None = None
    to: str | None = None
    whole: bytes | None = None
    read: bytes = b""


def edit(
    store: Store, name: str, wish: Edit, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> Changed:
    """Change one line of a memory. Raises StoreError unless exactly one line is the one meant."""

    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(name)
        before = catalogue.content(entry.path)
        after = (
            _whole(entry, before, wish) if wish.whole is not None else _edited(entry, before, wish)
        )
        if after != before:
            _keep_fences(entry, before, after)
            after = _stamped(entry, before, after, now)
            _keep_name(entry, after)
        note = "" if after != before else f"{entry.name} says so already"
        operation = Operation.of("edit", entry.name, (entry.name,), by)
        return Plan(operation, {entry.path: after}, note=note)

    return change(store, plan)


def _whole(entry: Entry, before: bytes, wish: Edit) -> bytes:
    if before != wish.read:
        raise StoreError(
            f"{entry.path} was changed by somebody else meanwhile",
            "nothing was overwritten; look at it, and edit again",
        )
    return wish.whole or b""


def _edited(entry: Entry, before: bytes, wish: Edit) -> bytes:
    text, encoding = decode(before)
    if encoded(entry.path, text, before, encoding) != before:
        raise StoreError(f"{entry.path}: not all of it is text", "save it as UTF-8, then try again")
    newline = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    to = None if wish.to is None else wish.to.replace("\r\n", "\n").replace("\n", newline)
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    if wish.line is None:
        gap = "" if not text or text.endswith("\n") else newline
        return encoded(entry.path, f"{text}{gap}{to}{newline}", before, encoding)
    at = _line(entry, text, lines, wish.line)
    ending = lines[at][len(lines[at].rstrip("\r\n")) :]
    lines[at] = "" if to is None else f"{to}{ending}"
    return encoded(entry.path, "".join(lines), before, encoding)


def _line(entry: Entry, text: str, lines: list[str], wanted: str) -> int:
    """The number of the line meant: one of the body, else one between the fences."""
    bare = [line.rstrip("\r\n") for line in lines]
    head = split(text)[2] - 1
    same = [number for number, line in enumerate(bare) if line == wanted]
    found = [number for number in same if number >= head] or [n for n in same if 0 < n < head - 1]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(str(number + 1) for number in found)
        raise StoreError(
            f"{entry.path}: lines {places} are all {_short(wanted)}",
            f"edit the file itself: `memgit edit {entry.name}` on a terminal",
        )
    near = [number for number, line in enumerate(bare) if _is_near(line, wanted)]
    told = "; ".join(f"line {number + 1} is {_short(bare[number])}" for number in near[:3])
    raise StoreError(
        f"{entry.path}: no line is exactly {_short(wanted)}",
        told or "`memgit show` prints them all",
    )


def _is_near(line: str, wanted: str) -> bool:
    key = key_of(wanted)
    return bool(key) and (key in key_of(line) or (len(line) > 3 and key_of(line) in key))


def _short(line: str) -> str:
    return repr(line if len(line) <= SHOWN else f"{line[:SHOWN]}…")


def _stamped(entry: Entry, before: bytes, after: bytes, now: datetime | None) -> bytes:
    """The file with the time of this change, where it tells the time of the last one."""
    memory = parse(entry.path, after)[0]
    told = memory.metadata.get("modified")
    if told is None or told != parse(entry.path, before)[0].metadata.get("modified"):
        return after
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return with_keys(entry.path, after, {"modified": stamp})


def _keep_fences(entry: Entry, before: bytes, after: bytes) -> None:
    if split(decode(before)[0])[0] is not None and split(decode(after)[0])[0] is None:
        raise StoreError(
            f"{entry.path} would have no frontmatter any more: its type and labels would be lost",
            "nothing was changed; leave both --- lines where they stand",
        )


def _keep_name(entry: Entry, after: bytes) -> None:
    named = parse(entry.path, after)[0].name
    if named != entry.name:
        raise StoreError(
            f"that would name {entry.name} {named}, and links to it would break",
            f"`memgit rename {entry.name} {named}` takes them along",
        )
