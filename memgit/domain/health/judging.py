"""The verdict on a memory's health: what needs attention, how urgently, and the command for it.

The one rule: a concern is a code and its numbers; each comes with one thing to do. The words for it
belong to whoever shows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from memgit.domain.always_on.measured import AGENT, TOGETHER
from memgit.domain.health.gathering import Health
from memgit.domain.health.marked import REFUTED, UNVERIFIED
from memgit.domain.health.recalls import FAULT, LATE

OK, WARN, BAD = "ok", "warn", "bad"
"""As an examination says it; its room is not opened for three words, for it takes time."""

RECENT = timedelta(days=7)
"""For how long a recall that failed is a concern."""

SHORT = 12

FALLEN = 0.05
"""By how much a share of the battery must fall to be told."""


@dataclass(frozen=True)
class Concern:
    """Something that is not as it should be. `code` names it, `count` says how much of it there is,
    `about` what it is about; `do` is a command.
    """

    code: str
    state: str
    do: str
    count: int = 0
    about: str = ""


@dataclass(frozen=True)
class Judgement:
    """The worst state of all concerns, `ok` where there is none, and the concerns by weight."""

    state: str
    concerns: tuple[Concern, ...]


def judge(health: Health) -> Judgement:
    """What there is to do about a memory, the most urgent first."""
    found = [*_store(health), *_always_on(health), *_recall(health), *_work(health)]
    found.sort(key=lambda one: one.state != BAD)
    return Judgement(found[0].state if found else OK, tuple(found))


def _store(health: Health) -> Iterator[Concern]:
    if what := health.unfinished:
        yield Concern("unfinished", BAD, "memgit doctor", about=what)
    if health.unsaved:
        yield Concern("unsaved", WARN, "memgit save", len(health.unsaved))
    if health.was_behind:
        yield Concern("behind", WARN, "memgit doctor")
    if not health.memories:
        yield Concern("empty", WARN, "memgit add")
    if number := health.count(REFUTED):
        yield Concern("refuted", WARN, "memgit verify", number)
    if number := health.count(UNVERIFIED):
        yield Concern("unverified", WARN, "memgit verify", number)


def _always_on(health: Health) -> Iterator[Concern]:
    for gauge in health.gauges:
        if gauge.file == TOGETHER:
            continue
        if gauge.measure.is_over:
            state = BAD if gauge.whose == AGENT else WARN
            lines = len(gauge.measure.past) or 1
            yield Concern("over", state, "memgit budget --fit", lines, gauge.file)
            break


def _recall(health: Health) -> Iterator[Concern]:
    since = health.now - RECENT
    recent = [one for one in health.latency.recalls if one.at >= since]
    for code in (FAULT, LATE):
        if number := sum(one.outcome == code for one in recent):
            yield Concern(code, WARN, "memgit doctor", number)
    if health.memories and not health.latency.recalls and not health.use.times:
        yield Concern("unasked", WARN, "memgit install claude-code")
    shares = [run.share for run in health.runs[-2:] if run.share is not None]
    if len(shares) == 2 and shares[0] - shares[1] > FALLEN:
        fallen = round(100 * (shares[0] - shares[1]))
        before = health.runs[-2].commit[:SHORT]
        yield Concern("fallen", WARN, f"memgit eval compare {before}", fallen)


def _work(health: Health) -> Iterator[Concern]:
    sessions = health.sessions
    if sessions.alarming:
        yield Concern("alarming", BAD, "memgit harvest", sessions.alarming)
    if sessions.failed:
        yield Concern("failed", WARN, "memgit queue", sessions.failed)
    ready = sum(not held.is_deferred(health.now) for held in health.proposals)
    if ready:
        yield Concern("proposals", WARN, "memgit review", ready)
    today = list(health.spent.values())[-1]
    if today.calls >= health.caps.calls_per_day or (
        today.usage.tokens >= health.caps.tokens_per_day
    ):
        yield Concern("spent", WARN, "memgit cost --days 1", today.calls)
