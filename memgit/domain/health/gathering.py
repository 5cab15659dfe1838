"""Everything that tells how a memory is, gathered once from the store and its derived data.

The one rule: facts only, in one frozen value; it writes nothing but an index that was behind.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from memgit.domain.always_on.measured import Gauge, gauges, profile_lines
from memgit.domain.claims.journal import Journal
from memgit.domain.health import runs
from memgit.domain.health.descent import Descent, descent
from memgit.domain.health.marked import Marked, marked, names_of
from memgit.domain.health.past import Past, past
from memgit.domain.health.recalls import Latency, Use, latency, use
from memgit.domain.health.runs import Run
from memgit.domain.indexing.index import Index
from memgit.domain.memory import is_memory_path
from memgit.domain.operations.history import events
from memgit.domain.proposals.deciding import undecided
from memgit.domain.proposals.waiting import Held
from memgit.domain.queue.standing import DUE, FAILED, GIVEN_UP, LOST, WAITS, overview
from memgit.domain.settings import Models
from memgit.domain.spending import Ledger, Spent
from memgit.domain.store import Store

DAYS = 30
"""Days of cost that are told, today the last."""

LATER = "before probes were noted"
"""Whose verdicts they are that name no probe."""


@dataclass(frozen=True)
class Sessions:
    """How the queue of sessions stands: counts, and those deleted by the host before long."""

    waiting: int
    failed: int
    lost: int
    alarming: int


@dataclass(frozen=True)
class Verdicts:
    """What one probe said last of everything it was asked: verdict → count; when it was asked."""

    probe: str
    counts: Mapping[str, int]
    last: str


@dataclass(frozen=True)
class Health:
    """How the memory of a store is, at the time `now`.

    `was_behind` tells that the index did not tell of this commit until it was looked at;
    `unfinished` names a merge or rebase that stands in the way; `unsaved` are memories that are not
    committed.
    """

    root: Path
    now: datetime
    commit: str
    memories: int
    types: Mapping[str, int]
    gauges: Sequence[Gauge]
    profile: Sequence[str]
    past: Past
    use: Use
    latency: Latency
    marked: Sequence[Marked]
    verdicts: Sequence[Verdicts]
    proposals: Sequence[Held]
    sessions: Sessions
    spent: Mapping[date, Spent]
    caps: Models
    runs: Sequence[Run]
    descent: Descent
    was_behind: bool = False
    unfinished: str = ""
    unsaved: Sequence[str] = ()

    def count(self, mark: str) -> int:
        """How many memories have this mark as their weightiest."""
        return sum(one.mark == mark for one in self.marked)


def gather(store: Store, now: datetime) -> Health:
    """How the memory of a store is. Raises StoreError where that cannot be read."""
    index, commit = Index(store), store.repository.head()
    head = index.head()
    was_behind = bool(commit and head.get("commit") != commit)
    index.sync()
    records = index.records()
    today = now.astimezone().date()
    happened = past(events(store), len(records), names_of(records), today)
    return Health(
        root=store.root,
        now=now,
        commit=commit or "",
        memories=len(records),
        types=dict(Counter(record["type"] for record in records).most_common()),
        gauges=gauges(store),
        profile=profile_lines(store),
        past=happened,
        use=use(store, records),
        latency=latency(store),
        marked=marked(records, happened.deeds),
        verdicts=_verdicts(store),
        proposals=undecided(store),
        sessions=_sessions(store, now),
        spent=_spent(store, today),
        caps=store.settings.model,
        runs=runs.runs(store),
        descent=descent(records),
        was_behind=was_behind,
        unfinished=store.repository.in_progress() or "",
        unsaved=[row.path for row in store.repository.unsaved() if is_memory_path(row.path)],
    )


def _sessions(store: Store, now: datetime) -> Sessions:
    found = overview(store, now)
    alarming = sum(one.is_alarming(now) for one in found.sessions)
    return Sessions(
        found.count(DUE, WAITS), found.count(FAILED, GIVEN_UP), found.count(LOST), alarming
    )


def _verdicts(store: Store) -> list[Verdicts]:
    """By probe, the one that was asked most often first."""
    counts: dict[str, Counter[str]] = {}
    last: dict[str, str] = {}
    for one in Journal(store).standing().values():
        probe = one.probe or LATER
        counts.setdefault(probe, Counter())[one.verdict] += 1
        last[probe] = max(last.get(probe, ""), one.checked)
    found = [Verdicts(probe, dict(told), last[probe]) for probe, told in counts.items()]
    return sorted(found, key=lambda one: (-sum(one.counts.values()), one.probe))


def _spent(store: Store, today: date) -> dict[date, Spent]:
    """What each of the last days took, the oldest first; days without a call are there too."""
    first = today - timedelta(days=DAYS - 1)
    days = {first + timedelta(days=number): Spent() for number in range(DAYS)}
    for call in Ledger(store).calls(first):
        if call.day in days:
            days[call.day] = days[call.day].plus(call)
    return days
