"""A memory's text as extraction reads it: lines with their place, code spans and links in them.

The one rule: a thing keeps its place in the file, so that a verdict can point to the line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

LONGEST = 2000
"""Characters of a line that are read."""

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"(?<=\]\()<?([^)\s<>]+)>?(?=[)\s])")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s<>\"'`)\]}|]+")

_APART = r"\s\"'`|,;（）「」『』、。【】"
_TELLING = re.compile(rf"(?<![^{_APART}])[^./{_APART}]*+[./][^{_APART}]*+")


class Where(StrEnum):
    """What a word stands in."""

    TEXT = "text"
    CODE = "code"
    LINK = "link"
    FENCE = "fence"


@dataclass(frozen=True)
class Line:
    """A line of the file: `number` counts from 1; `is_fenced` in a block of code."""

    number: int
    text: str
    is_fenced: bool = False
    is_head: bool = False


@dataclass(frozen=True)
class Span:
    """A piece of a line, from `start` on, and what it stands in."""

    text: str
    start: int
    where: Where

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def lines(text: str) -> Iterator[Line]:
    """The description and the lines of the body, each with its number in the file."""
    rows = text.split("\n")
    start = 0
    if rows and rows[0].rstrip() == "---":
        ends = [number for number, row in enumerate(rows[1:], 1) if row.rstrip() in ("---", "...")]
        start = ends[0] + 1 if ends else 0
    for number, row in enumerate(rows[:start], 1):
        if row.startswith("description:"):
            yield Line(number, f"{' ' * 12}{row[12:LONGEST]}", is_head=True)
    fence = ""
    for number, row in enumerate(rows[start:], start + 1):
        mark = _FENCE.match(row)
        if fence:
            if mark and mark[1].startswith(fence) and not row.strip().strip("`~"):
                fence = ""
                continue
        elif mark:
            fence = mark[1]
            continue
        yield Line(number, row[:LONGEST].rstrip("\r"), bool(fence))


@lru_cache(maxsize=4)
def spans(line: Line) -> list[Span]:
    """The pieces of a line: code, targets of links, and the text between; URLs are left out."""
    text = line.text
    if line.is_fenced:
        return [Span(_without_urls(text), 0, Where.FENCE)]
    if "`" not in text and "](" not in text:
        return [Span(_without_urls(text), 0, Where.TEXT)]
    found: list[Span] = []
    rest = list(text)
    for code in _CODE.finditer(text):
        found.append(Span(_without_urls(code[2]), code.start(2), Where.CODE))
        rest[code.start() : code.end()] = " " * len(code[0])
    left = "".join(rest)
    for link in _LINK.finditer(left):
        if not _URL.match(link[1]):
            found.append(Span(link[1], link.start(1), Where.LINK))
        rest[link.start() : link.end()] = " " * len(link[0])
    found.append(Span(_without_urls("".join(rest)), 0, Where.TEXT))
    return sorted(found, key=lambda span: (span.where == Where.TEXT, span.start))


def words(span: Span) -> Iterator[Span]:
    """The words of a piece that have a slash or a dot in them, between spaces, quotes, bars."""
    if span.where == Where.LINK:
        yield span
        return
    for word in _TELLING.finditer(span.text):
        yield Span(word[0], span.start + word.start(), span.where)


def urls(line: Line) -> Iterator[Span]:
    """The URLs of a line."""
    if "://" not in line.text:
        return
    for found in _URL.finditer(line.text):
        text = found[0].rstrip(".,:;!?*_…'\"")
        yield Span(text, found.start(), Where.FENCE if line.is_fenced else Where.TEXT)


def _without_urls(text: str) -> str:
    if "://" not in text:
        return text
    return _URL.sub(lambda found: " " * len(found[0]), text)
