"""How a memory is, in ten lines and what to do next, for a terminal.

The one rule: a line says what a section of the page says, in the order of the page.
"""

from collections.abc import Iterator

from memgit.domain.always_on.measured import STORE
from memgit.domain.health.gathering import Health
from memgit.domain.health.judging import Judgement
from memgit.domain.health.marked import MARKS
from memgit.domain.health.recalls import BUDGET, LATE, SHOWN
from memgit.pages.verdict import headline, sentence
from memgit.pages.words import Words

Line = tuple[str, str, str]
"""Margin, text, style."""

STYLES = {"ok": "green", "warn": "yellow", "bad": "bold red"}

LISTED = 5
"""Concerns that are told; `memgit report` tells all."""

SHORT = 12


def lines(health: Health, judgement: Judgement) -> list[Line]:
    """The lines as (margin, text, style): the verdict, how things stand, then what to do."""
    words = Words("en")
    style = STYLES[judgement.state]
    found = [(_margin("health"), f"{words(f'state.{judgement.state}')}. "
              f"{headline(judgement, words)}", style)]  # fmt: skip
    found += [(_margin(name), said, "") for name, said in _facts(health)]
    for concern in judgement.concerns[:LISTED]:
        said = f"{sentence(concern, words)} {concern.do}"
        found.append(("→ ", said, STYLES[concern.state]))
    if (more := len(judgement.concerns) - LISTED) > 0:
        found.append(("→ ", f"and {more} more: memgit report", ""))
    return found


def _margin(name: str) -> str:
    return f"{name:<11}"


def _facts(health: Health) -> Iterator[tuple[str, str]]:
    past, use = health.past, health.use
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in health.types.items())
    since = f" since {past.first}" if past.first else ""
    yield (
        "memories",
        f"{health.memories:,}{f' ({kinds})' if kinds else ''}; "
        f"{_several(past.operations, 'operation')}{since}",
    )
    yield (
        "always on",
        "; ".join(
            f"{one.file} {one.measure.lines} of {one.measure.limit.lines} lines, "
            f"{one.measure.units:,} of {one.measure.limit.units:,} characters"
            for one in health.gauges
            if one.whose == STORE
        ),
    )
    yield "recall", _recall(health)
    if use.since:
        yield (
            "used",
            (
                f"{len(use.shown):,} memories shown {use.times:,} times since {use.since.date()}, "
                f"{len(use.never):,} never"
            ),
        )
    else:
        yield "used", "no memory was shown yet"
    yield "doubts", ", ".join(f"{health.count(mark):,} {mark}" for mark in MARKS)
    yield "claims", _claims(health)
    yield (
        "waiting",
        (
            f"{_several(len(health.proposals), 'proposal')}, "
            f"{_several(health.sessions.waiting, 'session')} to harvest"
        ),
    )
    yield "cost", _cost(health)
    yield "battery", _battery(health)


def _battery(health: Health) -> str:
    if not health.runs:
        return "not measured yet"
    last = health.runs[-1]
    return (
        f"{last.hits} of {last.asked} right, {last.silent} of {last.idle} rightly silent, "
        f"at {last.commit[:SHORT]}"
    )


def _recall(health: Health) -> str:
    found = health.latency
    if not (asked := len(found.recalls)):
        return "no prompt was noted yet"
    late = f", {found.count(LATE)} too late" if found.count(LATE) else ""
    return (
        f"{found.quantile(0.5):.1f} ms median, {found.quantile(0.95):.1f} ms 95 % of the last "
        f"{_several(asked, 'prompt')} (budget {BUDGET:.0f}); {found.count(SHOWN) / asked:.0%} "
        f"got a memory{late}"
    )


def _claims(health: Health) -> str:
    counts: dict[str, int] = {}
    for one in health.verdicts:
        for verdict, number in one.counts.items():
            counts[verdict] = counts.get(verdict, 0) + number
    told = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(counts.items()))
    return told or "none was looked up yet"


def _cost(health: Health) -> str:
    spent = list(health.spent.values())
    tokens = sum(day.usage.tokens for day in spent)
    return (
        f"{spent[-1].calls} of {health.caps.calls_per_day} questions to models today; "
        f"{tokens:,} tokens in {len(spent)} days"
    )


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
