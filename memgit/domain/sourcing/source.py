"""One source of a memory: words that it rests on, and the place where they stood.

The one rule: a source is read as leniently as people write one, and what it quotes is never lost.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memgit.domain.memory import Memory

_PLACE = re.compile(r"(?P<path>\S.*?)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?\Z")
_BLOB = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True)
class Source:
    """Words and their place: a turn of a session, or lines of a file at one git blob.

    `lines` counts from 1, both ends included, () for a whole file. `digest` is the SHA-256 of the
    turn, in hex, so that one can tell whether it still says so.
    """

    quote: str = ""
    role: str = ""
    session: str = ""
    turn: str = ""
    digest: str = ""
    path: str = ""
    lines: tuple[int, int] | tuple[()] = ()
    blob: str = ""

    @property
    def place(self) -> str:
        """Where it stood, in a few words."""
        if self.session:
            who = f"{self.role or 'somebody'}, " if self.role or not self.path else ""
            return f"{who}session {self.session[:8]}, turn {self.turn[:8] or '?'}"
        if self.path:
            where = f"{self.path}:{self.lines[0]}-{self.lines[1]}" if self.lines else self.path
            return f"{where} (blob {self.blob[:12]})" if self.blob else where
        return "quoted"

    def as_source(self) -> dict[str, str]:
        """One item of a memory's `sources`."""
        lines = f"{self.lines[0]}-{self.lines[1]}" if self.lines else ""
        said = {"path": self.path, "lines": lines, "blob": self.blob, "quote": self.quote,
                "role": self.role, "session": self.session, "turn": self.turn,
                "sha256": self.digest}  # fmt: skip
        return {key: value for key, value in said.items() if value}


def sources_of(memory: Memory) -> Iterator[Source]:
    """The sources that a memory names, in order; what is no source is a quote."""
    given = memory.metadata.get("sources")
    for item in given if isinstance(given, list) else [given] if given else []:
        yield _of_mapping(item) if isinstance(item, Mapping) else of_place(str(item))


def of_place(text: str) -> Source:
    """A source written as `path`, `path:12` or `path:12-18`; a sentence is taken for a quote."""
    match = _PLACE.match(text.strip())
    if not match or re.search(r"\s", match["path"]) or not re.search(r"[./]", match["path"]):
        return Source(quote=text.strip())
    return Source(path=match["path"], lines=_span(match["first"], match["last"]))


def _of_mapping(item: Mapping[Any, Any]) -> Source:
    def text(key: str) -> str:
        return str(item.get(key) or "").strip()

    place = of_place(text("path")) if text("path") else Source()
    lines = re.fullmatch(r"\s*(\d+)(?:\s*-\s*(\d+))?\s*", text("lines"))
    blob = text("blob").lower()
    return Source(
        text("quote"), text("role"), text("session"), text("turn"),
        text("sha256") or text("digest"), place.path or text("path"),
        _span(lines[1], lines[2]) if lines else place.lines,
        blob if _BLOB.fullmatch(blob) else "",
    )  # fmt: skip


def _span(first: str | None, last: str | None) -> tuple[int, int] | tuple[()]:
    if not first:
        return ()
    start = max(1, int(first))
    return start, max(start, int(last or first))
