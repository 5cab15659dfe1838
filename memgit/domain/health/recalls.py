"""What recall did: how long the last prompts took, which memories they brought and which never.

The one rule: only what the prompt hook wrote down counts. What it did not note is not guessed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memgit.domain.store import Store
from memgit.domain.usage import uses
from memgit.prompt.hook import DEADLINE, OLDER_TIMES, TIMES
from memgit.prompt.place import content

LAST = 1_000
"""Prompts that are looked at, the newest."""

BUDGET = 1_000 * DEADLINE
"""Milliseconds after which the hook ends itself, with an answer or without."""

STEPS = (10, 15, 20, 30, 50, 75, 100, 150)
"""Where the classes of the histogram end, in milliseconds; the last one has no end."""

SHOWN, SILENT, LATE, FAULT = "shown", "silent", "late", "fault"
"""What became of a prompt: `late` when the budget ended it."""


@dataclass(frozen=True)
class Recall:
    """One prompt that was looked up: when, in how many milliseconds, and what became of it."""

    at: datetime
    milliseconds: float
    outcome: str


@dataclass(frozen=True)
class Latency:
    """The last prompts, oldest first."""

    recalls: Sequence[Recall]

    def quantile(self, share: float) -> float:
        """The time within which this share of the prompts was done, in milliseconds; 0 for none."""
        times = sorted(one.milliseconds for one in self.recalls)
        return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0

    def count(self, outcome: str) -> int:
        """How many ended so."""
        return sum(one.outcome == outcome for one in self.recalls)

    @property
    def classes(self) -> list[int]:
        """How many took up to each of STEPS, and how many longer than the last."""
        found = [0] * (len(STEPS) + 1)
        for one in self.recalls:
            found[sum(one.milliseconds > step for step in STEPS)] += 1
        return found


@dataclass(frozen=True)
class Shown:
    """A memory and how often it was shown, in how many sessions, and when last."""

    name: str
    path: str
    times: int
    sessions: int
    last: datetime


@dataclass(frozen=True)
class Use:
    """What was shown since `since` (None: nothing yet), most often first, and what never was.

    `never` are the current memories that no prompt brought in that time, the oldest first; what
    was shown under another name or is gone counts in `times` alone.
    """

    since: datetime | None
    times: int
    sessions: int
    shown: Sequence[Shown]
    never: Sequence[str]


def latency(store: Store) -> Latency:
    """How long the last prompts took, by the hook's own note."""
    rows = [row for name in (OLDER_TIMES, TIMES) for row in _rows(store, name)]
    return Latency(rows[-LAST:])


def use(store: Store, records: Iterable[Mapping[str, Any]]) -> Use:
    """What was shown of the memories in these records of the index."""
    noted = list(uses(store))
    by_place: dict[str, set[int]] = defaultdict(set)
    for number, (_, _, blob, path) in enumerate(noted):
        by_place[path].add(number)
        by_place[blob].add(number)
    shown: list[Shown] = []
    never: list[tuple[str, str]] = []
    for record in records:
        mine = by_place.get(record["path"], set()) | by_place.get(record["blob"], set())
        if mine:
            rows = [noted[number] for number in mine]
            shown.append(Shown(
                record["name"], record["path"], len(rows), len({row.session for row in rows}),
                max(rows).at,
            ))  # fmt: skip
        elif not (record["retired"] or record["superseded_by"]):
            never.append((record["recorded"], record["name"]))
    return Use(
        min(noted).at if noted else None, len(noted),
        len({one.session for one in noted}),
        sorted(shown, key=lambda one: (-one.times, one.path)), [name for _, name in sorted(never)],
    )  # fmt: skip


def _rows(store: Store, name: str) -> Iterator[Recall]:
    try:
        lines = content(str(store.derived / name)).decode("utf-8", "replace").split("\n")
    except OSError:
        return
    for line in lines:
        words = line.split(" ")
        try:
            at, spent = datetime.fromtimestamp(int(words[0]), UTC), int(words[1]) / 1_000
            outcome = words[2]
        except (ValueError, IndexError, OverflowError, OSError):
            continue
        if outcome in (SHOWN, SILENT, LATE, FAULT):
            yield Recall(at, spent, outcome)
