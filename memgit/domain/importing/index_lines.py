"""The lines of a `MEMORY.md`: which of them point at a file, and which are knowledge themselves.

The one rule: every word of the index ends up in a pointer or in a passage, or is a comment.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import unquote

_BULLET = re.compile(r"(\s*)(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_LINK = re.compile(
    r"\[(?P<title>(?:[^\[\]]|\[[^\[\]]*\])+)\]\(\s*(?P<href><[^<>]+>|[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)"
    r"(?:\s+\"[^\"]*\")?\s*\)"
    r"|\[\[(?P<wiki>[^\[\]|#]+)(?:[|#](?P<label>[^\[\]]*))?\]\]"
    r"|`(?P<code>[^`\s]+\.md)`"
    r"|(?P<bare>[^\s\[\]()`*|]{1,200}\.md)(?=[\s:,;)|]|$)"
)
_SEPARATORS = " \t\r\n—–-:：·|>*_"
GENERIC = {
    "auto memory", "index", "memories", "memory", "memory index", "memory.md", "notes",
    "feedback", "project", "projects", "reference", "references", "user",
}  # fmt: skip
"""Titles that say nothing about what stands below them."""


@dataclass(frozen=True)
class Pointer:
    """A line that points at a file: `hook` is what it says beside the link, `text` the whole.

    `leads` tells whether the link comes first, as in a list, or within a sentence.
    """

    line: int
    target: str
    title: str
    hook: str
    text: str
    headings: tuple[str, ...]
    leads: bool = True


@dataclass(frozen=True)
class Passage:
    """Text that stands in the index alone, exactly as it is there, its `headings` outermost first.

    `target` is the file that its first link would point at, if there were one.
    """

    line: int
    text: str
    headings: tuple[str, ...]
    target: str = ""


def read_index(text: str, resolves: Callable[[str], bool]) -> list[Pointer | Passage]:
    """What an index holds, in order. `resolves` tells whether a link's target is a memory."""
    reader = _Reader(resolves)
    for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", text), 1):
        reader.take(number, line)
    reader.end()
    return reader.found


class _Reader:
    """Takes one line after the other, and groups those that belong together."""

    def __init__(self, resolves: Callable[[str], bool]) -> None:
        self.found: list[Pointer | Passage] = []
        self._resolves = resolves
        self._headings: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._start = 0
        self._indent: int | None = None
        self._fence = ""
        self._blanks: list[str] = []
        self._leads = False
        self._points = False
        self._comment = False
        self._bare: Passage | None = None

    def take(self, number: int, line: str) -> None:
        """Take the next line."""
        if self._fence:
            self._lines.append(line)
            if line.strip().startswith(self._fence):
                self._fence = ""
        elif self._comment or line.lstrip().startswith("<!--"):
            _, ended, rest = line.partition("-->")
            self._comment = not ended
            if rest.strip():
                self.take(number, rest)
        elif not line.strip():
            self._blanks.append(line)
        elif heading := _HEADING.match(line):
            self._begin_section(number, line, len(heading[1]), heading[2])
        elif _UNDERLINE.match(line) and self._one_plain_line():
            title = self._lines.pop()
            self._begin_section(self._start, title + line, 1 if "=" in line else 2, title)
        else:
            self._text(number, line)

    def end(self) -> None:
        """End what is open, and take a title that has nothing below it for what it says."""
        self._close()
        if self._bare:
            self.found.append(replace(self._bare, headings=self._titles()[:-1]))
        self._bare = None

    def _close(self) -> None:
        """End the lines that are open: they become a pointer or a passage."""
        text, self._lines = "".join(self._lines), []
        if self._points:
            self.found.append(self._pointer(text))
            self._bare = None
        elif any(map(str.isalnum, text)) and not _is_table_head(text):
            target = next((_target(link) for link in _LINK.finditer(text)), "")
            self.found.append(Passage(self._start, text, self._titles(), target))
            self._bare = None
        self._blanks = []
        self._points = self._leads = False
        self._indent = None

    def _text(self, number: int, line: str) -> None:
        bullet = _BULLET.match(line)
        points = self._first_link(line) is not None
        if points or not self._continues(line, bullet):
            self._close()
            self._start, self._points = number, points
            self._indent = len(bullet[1]) if bullet else None
        self._lines += [*self._blanks, line]
        self._blanks = []
        if fence := _FENCE.match(line):
            self._fence = fence[1]

    def _continues(self, line: str, bullet: re.Match[str] | None) -> bool:
        """Whether a line belongs to what is open: nested in it, or the same paragraph."""
        if not self._lines:
            return False
        deeper = len(line) - len(line.lstrip()) > (self._indent or 0)
        if self._points:
            return deeper
        if self._indent is not None:
            return deeper if bullet or self._blanks else True
        # A list or a command that follows "In short:" says nothing without that line.
        listed = bullet or _FENCE.match(line)
        if listed and self._lines[-1].rstrip().endswith((":", "：")):
            self._leads = True
        if bullet or (listed and self._blanks):
            return self._leads
        return deeper or not self._blanks

    def _begin_section(self, number: int, text: str, level: int, title: str) -> None:
        if self._headings and level > self._headings[-1][0]:
            self._close()
        else:
            self.end()
        self._headings = [row for row in self._headings if row[0] < level]
        self._headings.append((level, plain(title)))
        said = title.strip().lower() not in GENERIC
        self._bare = Passage(number, text, ()) if said else None

    def _titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._headings if title.lower() not in GENERIC)

    def _one_plain_line(self) -> bool:
        return len(self._lines) == 1 and self._indent is None and not (self._blanks or self._points)

    def _first_link(self, line: str) -> re.Match[str] | None:
        return next((link for link in _LINK.finditer(line) if self._resolves(_target(link))), None)

    def _pointer(self, text: str) -> Pointer:
        link = self._first_link(text)
        assert link is not None  # noqa: S101 - the line was told to be a pointer by this very link
        title = plain(link["title"] or link["label"] or "")
        before = plain(_BULLET.sub("", text[: link.start()], count=1)).strip(_SEPARATORS)
        after = plain(text[link.end() :]).strip(_SEPARATORS)
        hook = f"{before} {title} {after}".strip() if before else after
        return Pointer(self._start, _target(link), title, hook, text, self._titles(), not before)


def plain(text: str) -> str:
    """Markdown as one line of words: links become their titles, marks of emphasis and lists go."""
    text = _LINK.sub(lambda link: link["title"] or link["label"] or link["wiki"] or link[0], text)
    text = re.sub(r"(?m)^\s*(?:(?:[-*+>]|\d+[.)]|#{1,6})\s+)+(?:\[[ xX]\]\s+)?", " ", text)
    text = re.sub(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", r"\1", text)
    text = re.sub(r"(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])", r"\1", text)
    return " ".join(re.sub(r"`+|~~", "", text).split())


def _target(link: re.Match[str]) -> str:
    """The file or the name that a link points at."""
    href = link["href"]
    if href is None:
        return str(link["wiki"] or link["code"] or link["bare"]).strip()
    return unquote(href.strip("<>").partition("#")[0]).removeprefix("./")


def _is_table_head(text: str) -> bool:
    """Whether this is only a table's column titles and the line under them."""
    rows = text.strip().splitlines()
    return len(rows) == 2 and set(rows[1].strip()) <= set("|-: ") and "|" in rows[0]
