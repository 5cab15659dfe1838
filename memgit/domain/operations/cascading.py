"""What an error in one memory means for those derived from it: each says so until it is mended.

The one rule: the reason names the memory at fault, and is taken away again exactly where it was
put; reasons of a memory's own stay beside it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memgit.domain.memory import Memory, key_of, parse
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.rewriting import with_keys

KEY = "unverified"

_REASON = re.compile(
    r"derived from (?P<origin>.+), which was (?P<fate>superseded|retired|refuted)"
    r"(?: by (?P<by>.+))? on (?P<date>\d{4}-\d\d-\d\d)"
)

Files = dict[str, bytes]
"""Path → new content."""


@dataclass(frozen=True)
class Reason:
    """Why a derived memory is unverified: `origin` met its `fate` (by a successor) on a date."""

    origin: str
    fate: str
    date: str
    by: str = ""

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        return f"derived from {self.origin}, which was {self.fate}{by} on {self.date}"

    @classmethod
    def parse(cls, text: str) -> "Reason | None":
        """The reason that a label gives, if an operation wrote it."""
        found = _REASON.fullmatch(text)
        return (
            cls(found["origin"], found["fate"], found["date"], found["by"] or "") if found else None
        )

    def is_told_by(self, text: str) -> bool:
        """Whether a label tells it already, of whatever day."""
        other = Reason.parse(text)
        return other is not None and _same(replace(other, date=self.date), self)

    def renamed(self, old: str, new: str) -> "Reason":
        """The same reason when a memory has another name."""
        origin, by = (
            new if key_of(name) == key_of(old) else name for name in (self.origin, self.by)
        )
        return replace(self, origin=origin, by=by)


def spread(catalogue: Catalogue, root: Entry, reason: Reason, but: str = "") -> Files:
    """The files of all that derives from `root`, each with the reason added.

    The memory at the path `but` (the successor, which may well be made from what it corrects) and
    what derives only from it are left alone.
    """
    files = {}
    for entry in catalogue.descendants(root, but):
        told = _reasons(catalogue, entry)
        if not any(reason.is_told_by(text) for text in told):
            files[entry.path] = with_reasons(catalogue, entry, [*told, str(reason)])
    return files


def withdraw(catalogue: Catalogue, root: Entry, fate: str) -> Files:
    """The files of all that says to be unverified because of this fate of `root`, without it."""
    files = {}
    for entry in catalogue.descendants(root):
        told = _reasons(catalogue, entry)
        kept = [text for text in told if not _is_because(text, root, fate)]
        if kept != told:
            files[entry.path] = with_reasons(catalogue, entry, kept)
    return files


def with_reasons(catalogue: Catalogue, entry: Entry, reasons: Iterable[str]) -> bytes:
    """A memory's file with exactly these reasons to be unverified."""
    return with_keys(entry.path, catalogue.content(entry.path), {KEY: value_of(reasons)})


def value_of(reasons: Iterable[str]) -> object:
    """Reasons as the value of a label: one stands alone, several are a list, none are no value."""
    told = [why or True for why in reasons]
    return told if len(told) > 1 else told[0] if told else None


def _reasons(catalogue: Catalogue, entry: Entry) -> list[str]:
    memory: Memory = parse(entry.path, catalogue.content(entry.path))[0]
    return list(memory.reasons(KEY))


def _same(one: Reason, other: Reason) -> bool:
    return key_of(str(one)) == key_of(str(other))


def _is_because(text: str, root: Entry, fate: str) -> bool:
    reason = Reason.parse(text)
    return reason is not None and key_of(reason.origin) == key_of(root.name) and reason.fate == fate
