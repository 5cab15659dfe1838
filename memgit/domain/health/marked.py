"""The memories that something speaks against, each with its story and the commit to undo.

The one rule: a story is what commits say. What was written by hand has none, and says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgit.domain.health.past import DEEDS, Deed
from memgit.domain.memory import key_of

SUPERSEDED, REFUTED, UNVERIFIED, RETIRED = "superseded", "refuted", "unverified", "retired"

MARKS = (REFUTED, UNVERIFIED, SUPERSEDED, RETIRED)
"""The weightiest first."""

SETTLED = (RETIRED, SUPERSEDED)
"""The marks behind which nothing is looked up or asked any more, whatever else a memory bears."""

_MADE_BY: Mapping[str, tuple[str, ...]] = {
    SUPERSEDED: ("supersede",),
    REFUTED: ("label",),
    UNVERIFIED: ("label", "cascade", "supersede", "retire"),
    RETIRED: ("retire",),
}
"""Mark → kinds of operation that set it."""


@dataclass(frozen=True)
class Marked:
    """A memory that is superseded, refuted, unverified or retired.

    `why` are the labels as a reader is told them. `undo` is the operation that made it so; "" for
    one made by hand, or long ago under another name.
    """

    mark: str
    name: str
    path: str
    description: str
    recorded: str
    why: Sequence[str]
    to: str
    deeds: Sequence[Deed]
    undo: str


def is_marked(record: Mapping[str, Any]) -> bool:
    """Whether something speaks against the memory of a record of the index."""
    return bool(mark_of(record))


def mark_of(record: Mapping[str, Any]) -> str:
    """The mark of a record: one that settles it, else the weightiest; "" for none."""
    words = {label.split()[0].rstrip(":") for label in record["labels"] if label}
    return next((mark for mark in (*SETTLED, *MARKS) if mark in words), "")


def names_of(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names under which history may tell of what is marked."""
    return [
        name
        for record in records
        if is_marked(record)
        for name in (record["name"], *record["aliases"])
    ]


def marked(
    records: Iterable[Mapping[str, Any]], deeds: Mapping[str, Sequence[Deed]]
) -> list[Marked]:
    """What is marked, the weightiest mark first, then what happened last."""
    found = [_one(record, deeds) for record in records if is_marked(record)]
    found.sort(key=lambda one: one.deeds[0].day if one.deeds else "", reverse=True)
    return sorted(found, key=lambda one: MARKS.index(one.mark))


def _one(record: Mapping[str, Any], deeds: Mapping[str, Sequence[Deed]]) -> Marked:
    mark = mark_of(record)
    keys = dict.fromkeys(map(key_of, (record["name"], *record["aliases"])))
    mine = {deed.commit: deed for key in keys for deed in deeds.get(key, ())}
    told = sorted(mine.values(), key=lambda deed: deed.day, reverse=True) if len(keys) > 1 else [
        *mine.values()
    ]  # fmt: skip
    undo = next(
        (deed.commit for deed in told if _made(deed, mark) and not deed.is_undone), ""
    )  # fmt: skip
    return Marked(
        mark, record["name"], record["path"], record["description"], record["recorded"],
        record["labels"], record["superseded_by"], told[:DEEDS], undo,
    )  # fmt: skip


def _made(deed: Deed, mark: str) -> bool:
    if deed.kind not in _MADE_BY[mark]:
        return False
    return deed.kind != "label" or deed.to in (mark, "")
