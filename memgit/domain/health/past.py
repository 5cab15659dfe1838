"""The history of a store in figures: how it grew, what was done when, and what was done to some.

The one rule: one walk through `git log`, and nothing is kept of it but counts and the deeds on the
memories that were asked for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memgit.domain.memory import is_memory_path, key_of
from memgit.domain.operations.history import Event

WRITTEN, CORRECTED, DOUBTED, UNDONE, OTHER = "written", "corrected", "doubted", "undone", "other"

GROUPS: Mapping[str, str] = {
    **dict.fromkeys(("add", "import", "save", "init", "promote"), WRITTEN),
    **dict.fromkeys(("edit", "supersede", "rename", "unlabel", "restore"), CORRECTED),
    **dict.fromkeys(("label", "cascade", "retire"), DOUBTED),
    **dict.fromkeys(("undo", "uncascade"), UNDONE),
}
"""Kind of operation → what a person takes it for; what is not here is `other`."""

ORDER = (WRITTEN, CORRECTED, DOUBTED, UNDONE, OTHER)

DAY, WEEK, MONTH = "day", "week", "month"

PERIODS = 36
"""Bars of a chart over time at most."""

DEEDS = 6
"""Deeds that are kept for one memory, the newest."""


@dataclass(frozen=True)
class Deed:
    """One operation on a memory; `to` and `because` are its own words, `is_undone` taken back.

    `about` names the memory that it was about, where it only reached this one; else it is "".
    """

    commit: str
    day: str
    kind: str
    actor: str
    to: str = ""
    because: str = ""
    is_undone: bool = False
    about: str = ""


@dataclass(frozen=True)
class Period:
    """Some days from `start` on: operations by group, and the memories there were at its end."""

    start: date
    counts: Mapping[str, int]
    memories: int


@dataclass(frozen=True)
class Past:
    """`step` is what a period is: DAY, WEEK or MONTH. `deeds` are by a memory's key, the
    newest first. `first` and `last` are None where nothing ever happened.
    """

    operations: int
    first: date | None
    last: date | None
    kinds: Mapping[str, int]
    actors: Mapping[str, int]
    step: str
    periods: Sequence[Period]
    deeds: Mapping[str, Sequence[Deed]]


def past(events: Iterable[Event], memories: int, about: Iterable[str], today: date) -> Past:
    """What these events (newest first) come to, with so many memories now.

    `about` are the names, and former names, of the memories whose deeds are wanted.
    """
    wanted = set(map(key_of, about))
    kinds: Counter[str] = Counter()
    actors: Counter[str] = Counter()
    days: dict[date, _Day] = {}
    deeds: dict[str, list[Deed]] = {}
    undone: set[str] = set()
    for event in events:
        kind, operation = event.kind, event.operation
        day = date.fromisoformat(event.day)
        kinds[kind] += 1
        actors[event.actor] += 1
        noted = days.setdefault(day, _Day())
        noted.groups[GROUPS.get(kind, OTHER)] += 1
        noted.grown += _growth(event)
        if operation and operation.undoes and event.id not in undone:
            undone.add(operation.undoes)
        for key in wanted.intersection(map(key_of, event.memories)) if wanted else ():
            deeds.setdefault(key, []).append(_deed(event, kind, key, event.id in undone))
    step, starts = _starts(days, today)
    return Past(
        kinds.total(), min(days, default=None), max(days, default=None), dict(kinds.most_common()),
        dict(actors.most_common()), step, list(_periods(days, starts, memories)), deeds,
    )  # fmt: skip


def _deed(event: Event, kind: str, key: str, is_undone: bool) -> Deed:
    """An event on the memory with this key; its `kind` is given, for to tell it may cost."""
    operation = event.operation
    subject = event.memories[0] if operation else ""
    return Deed(
        event.id, event.day, kind, event.actor, operation.to if operation else "",
        operation.because if operation else "", is_undone,
        subject if subject and key_of(subject) != key else "",
    )  # fmt: skip


class _Day:
    def __init__(self) -> None:
        self.groups: Counter[str] = Counter()
        self.grown = 0


def _growth(event: Event) -> int:
    """By how many memories an event made the store larger."""
    return sum(
        bool(touched.path and is_memory_path(touched.path))
        - bool(touched.old_path and is_memory_path(touched.old_path))
        for touched in event.commit.touched
        if touched.path != touched.old_path
    )


def _starts(days: Iterable[date], today: date) -> tuple[str, list[date]]:
    """What the periods are, and where each starts, so that they are few enough for a chart."""
    first = min(days, default=today)
    span = (max(today, first) - first).days + 1
    if span <= PERIODS:
        return DAY, [first + timedelta(days=number) for number in range(span)]
    monday = first - timedelta(days=first.weekday())
    if span <= 7 * (PERIODS - 1):
        weeks = (max(today, first) - monday).days // 7 + 1
        return WEEK, [monday + timedelta(weeks=number) for number in range(weeks)]
    starts: list[date] = []
    month = max(today, first).replace(day=1)
    while len(starts) < PERIODS and (not starts or starts[-1] > first):
        starts.append(month)
        month = (month - timedelta(days=1)).replace(day=1)
    return MONTH, starts[::-1]


def _periods(days: Mapping[date, _Day], starts: Sequence[date], memories: int) -> Iterator[Period]:
    """The periods in order; what is older than the first counts in none but was there before it."""
    rows: list[Period] = []
    left = sorted(days, reverse=True)
    for start in reversed(starts):
        groups: Counter[str] = Counter()
        grown = 0
        while left and left[0] >= start:
            day = days[left.pop(0)]
            groups += day.groups
            grown += day.grown
        rows.append(Period(start, {key: groups[key] for key in ORDER}, max(0, memories)))
        memories -= grown
    yield from reversed(rows)
