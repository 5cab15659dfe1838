"""An operation: one change as one commit, told by a subject line and trailers.

The one rule: what `git log` says of an operation is enough to tell who did what to which memory,
and why; the message is written and read back here, and nowhere else.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

_PREFIX = "Memgit-"

SUBJECT = 200
"""Columns of a message's first line, of which wide characters take two."""


@dataclass(frozen=True)
class Provenance:
    """Who wants an operation and on what ground: see `Operation` for the fields."""

    actor: str = "user"
    because: str = ""
    confidence: float | None = None
    guards: Sequence[str] = ()
    sources: Sequence[str] = ()
    proposal: str = ""


BY_THE_USER = Provenance()


@dataclass(frozen=True)
class Operation:
    """`kind` is the verb (`add`, `import`, `init`); `actor` is `user`, `agent` or a pass's name.

    `memories` are names, the one that it is about first. `to` is what it leads to: the successor,
    the new name, the label. `undoes` is the commit that it takes back, `confidence` from 0 to 1,
    `demoted` what `MEMORY.md` listed before and does not any more.
    """

    kind: str
    subject: str
    memories: Sequence[str] = ()
    actor: str = "user"
    details: Sequence[str] = field(default=())
    to: str = ""
    because: str = ""
    confidence: float | None = None
    guards: Sequence[str] = ()
    sources: Sequence[str] = ()
    undoes: str = ""
    demoted: Sequence[str] = ()
    proposal: str = ""

    @classmethod
    def of(
        cls, kind: str, subject: str, memories: Sequence[str], by: Provenance,
        to: str = "", undoes: str = "", guards: Sequence[str] = (),
    ) -> "Operation":  # fmt: skip
        """An operation with its provenance; `guards` are those that it passed by itself."""
        return cls(
            kind, subject, memories, by.actor, to=to, because=by.because, undoes=undoes,
            confidence=by.confidence, guards=(*by.guards, *guards), sources=by.sources,
            proposal=by.proposal,
        )  # fmt: skip

    def message(self) -> str:
        """The commit message: subject, details, trailers. One line each, whatever they hold."""
        trailers = [("Operation", self.kind), ("Actor", self.actor)]
        trailers += [("Memory", name) for name in self.memories]
        if self.confidence is not None:
            trailers.append(("Confidence", f"{self.confidence:.2f}"))
        trailers += [("To", self.to), ("Because", self.because), ("Undoes", self.undoes)]
        trailers += [("Guard", guard) for guard in self.guards]
        trailers += [("Source", source) for source in self.sources]
        trailers += [("Demoted", name) for name in self.demoted]
        trailers.append(("Proposal", self.proposal))
        lines = [f"{_PREFIX}{key}: {text}" for key, value in trailers if (text := one_line(value))]
        head = shortened(f"{one_line(self.kind)}: {one_line(self.subject)}", SUBJECT)
        body = [one_line(detail) for detail in self.details]
        return "\n".join([head, "", *body, *([""] if body else []), *lines, ""])

    @classmethod
    def parse(cls, message: str) -> "Operation | None":
        """The operation that a commit message tells of; None for a commit of another program.

        Details are left out. Only the last paragraph counts, so that no text that a person gave
        can pass for a trailer.
        """
        found: dict[str, list[str]] = {}
        for line in message.rstrip().rpartition("\n\n")[2].split("\n"):
            key, colon, value = line.partition(": ")
            if colon and key.startswith(_PREFIX):
                found.setdefault(key.removeprefix(_PREFIX), []).append(value.strip())
        if not (kind := _first(found, "Operation")):
            return None
        return cls(
            kind=kind,
            subject=message.partition("\n")[0].removeprefix(f"{kind}: "),
            memories=tuple(found.get("Memory", ())),
            actor=_first(found, "Actor") or "user",
            to=_first(found, "To"),
            because=_first(found, "Because"),
            confidence=_number(_first(found, "Confidence")),
            guards=tuple(found.get("Guard", ())),
            sources=tuple(found.get("Source", ())),
            undoes=_first(found, "Undoes"),
            demoted=tuple(found.get("Demoted", ())),
            proposal=_first(found, "Proposal"),
        )


def one_line(text: str) -> str:
    """One line of what can be printed: git takes no NUL, and a log is read on a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def shortened(text: str, columns: int) -> str:
    """A line in at most so many columns; where it was longer, cut between words, with an ellipsis.

    Only a word that takes more than half of the room is cut, and no character is.
    """
    widths = [_columns(character) for character in text]
    if sum(widths) <= columns:
        return text
    kept, room = 0, columns - 1
    while widths[kept] <= room:
        room -= widths[kept]
        kept += 1
    cut = text[:kept]
    splits = text[kept].isalnum() and widths[kept] == 1
    whole = cut[: _last_end(cut)] if splits else cut
    return f"{(whole if len(whole) > kept // 2 else cut).rstrip(' -,;:')}…"


def _last_end(text: str) -> int:
    """Where its last word ends that is surely whole: with a space, a hyphen, or a wide character,
    whose scripts put no spaces between words. 0 where none does."""
    place = len(text)
    while place and text[place - 1] not in " -_" and _columns(text[place - 1]) < 2:
        place -= 1
    while place and place < len(text) and not _columns(text[place]):
        place += 1
    return place


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _first(found: dict[str, list[str]], key: str) -> str:
    return found.get(key, [""])[0]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
