"""What is always on, measured as Claude Code measures an index that it loads as a session starts.

The one rule: it is exact. Frontmatter and block comments are not counted, whole lines are loaded,
and text is counted in UTF-16 units, as the agent counts it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memgit.domain.settings import Cap
from memgit.prompt.profile import units

CLIFF = Cap(200, 25_000)
"""Where Claude Code stops reading `MEMORY.md`."""

ALWAYS_ON = 3_575
"""UTF-16 units that all that is always on should take at most: what agents with a memory of fixed
size give it."""

NEAR = 0.8
"""The share of a limit from which on it is worth a warning."""

_FRONTMATTER = re.compile(r"---[ \t]*\n(?:.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r" {0,3}<!--")
_COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")


@dataclass(frozen=True)
class Measure:
    """A text against a limit: how much there is, and the (number, text) of lines that are `past`.

    `cut` is the number of a line that alone is longer than the limit, so that only its start is
    loaded; 0 where there is none. Numbers count the lines of the file, from 1.
    """

    lines: int
    units: int
    limit: Cap
    past: tuple[tuple[int, str], ...] = ()
    cut: int = 0

    @property
    def is_over(self) -> bool:
        """Whether anything is not loaded."""
        return bool(self.past or self.cut)

    @property
    def share(self) -> float:
        """How full the fuller of both limits is; 1.0 is full."""
        return max(_share(self.lines, self.limit.lines), _share(self.units, self.limit.units))

    @property
    def is_near(self) -> bool:
        """Whether it is time for a warning."""
        return self.share >= NEAR


def measure(text: str, limit: Cap = CLIFF) -> Measure:
    """A file's text against a limit, as Claude Code would load it."""
    rows = list(counted(text))
    total = sum(units(line) + 1 for _, line in rows) - 1 if rows else 0
    kept = size = cut = 0
    for number, line in rows[: limit.lines]:
        longer = size + units(line) + (1 if kept else 0)
        if longer > limit.units:
            cut = number if not kept and limit.units else 0
            break
        kept, size = kept + 1, longer
    past = tuple(rows[kept + bool(cut) :])
    return Measure(len(rows), total, limit, past, cut)


def counted(text: str) -> Iterator[tuple[int, str]]:
    """(number, text) of each line that would be loaded without a limit, blank ones included."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    head = _FRONTMATTER.match(plain)
    start = plain[: head.end()].count("\n") if head else 0
    rows = list(_without_comments(plain[head.end() if head else 0 :].split("\n")))
    while rows and not rows[0][1].strip():
        rows.pop(0)
    while rows and not rows[-1][1].strip():
        rows.pop()
    for place, (number, line) in enumerate(rows):
        line = line.lstrip() if not place else line
        yield number + start, line.rstrip() if place == len(rows) - 1 else line


def _without_comments(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines, but for comments that stand as blocks; those within a line or in code stay.

    A comment that is gone takes the blank lines below it along.
    """
    fence = ""
    in_item = False
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        nested = in_item and line.startswith("  ")
        if not fence and _COMMENT.match(line) and not nested:
            end = _end(lines, number - 1)
            if end is not None:
                rest = _COMMENTS.sub("", "\n".join(lines[number - 1 : end]))
                if rest.strip():
                    yield from enumerate(rest.split("\n"), number)
                number = end
                while not rest.strip() and number < len(lines) and not lines[number].strip():
                    number += 1
                continue
        fence = _fence(fence, line)
        if line.strip():
            in_item = bool(_ITEM.match(line)) or (in_item and line[:1] in (" ", "\t"))
        yield number, line


def _end(lines: list[str], start: int) -> int | None:
    """The line after the one that ends a comment begun at `start`; None where none does."""
    for number in range(start, len(lines)):
        text = lines[number].partition("<!--")[2] if number == start else lines[number]
        if "-->" in text:
            return number + 1
    return None


def _fence(fence: str, line: str) -> str:
    """The fence that is open after a line."""
    if fence:
        return "" if line.strip().startswith(fence) else fence
    found = _FENCE.match(line)
    return found[1] if found else ""


def _share(count: int, limit: int) -> float:
    return count / limit if limit else float(count > 0)
