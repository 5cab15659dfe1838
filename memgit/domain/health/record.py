"""How a memory is as one JSON document: the same facts that the page shows.

The one rule: plain values, and every list as long as the page has it or longer.
"""

from dataclasses import asdict
from typing import Any

from memgit.domain.always_on.measured import Gauge
from memgit.domain.health.gathering import Health
from memgit.domain.health.judging import Judgement
from memgit.domain.health.marked import MARKS
from memgit.domain.health.recalls import BUDGET, FAULT, LATE, SHOWN, SILENT, STEPS


def record(health: Health, judgement: Judgement) -> dict[str, Any]:
    """The document."""
    past, use, descent = health.past, health.use, health.descent
    return {
        "state": judgement.state,
        "concerns": [asdict(concern) for concern in judgement.concerns],
        "store": str(health.root),
        "at": health.now.isoformat(timespec="seconds"),
        "commit": health.commit,
        "memories": health.memories,
        "types": dict(health.types),
        "marks": {mark: health.count(mark) for mark in MARKS},
        "always_on": [_gauge(one) for one in health.gauges],
        "operations": {
            "all": past.operations, "kinds": dict(past.kinds), "actors": dict(past.actors),
            "step": past.step,
            "periods": [{"start": one.start.isoformat(), **one.counts, "memories": one.memories}
                        for one in past.periods],
        },
        "recall": _recall(health),
        "shown": {
            "since": use.since.isoformat() if use.since else None, "times": use.times,
            "sessions": use.sessions,
            "memories": [{**asdict(one), "last": one.last.isoformat()} for one in use.shown],
            "never": list(use.never),
        },
        "marked": [asdict(one) for one in health.marked],
        "verdicts": [asdict(one) for one in health.verdicts],
        "proposals": [{"id": held.proposal.id, "kind": held.proposal.kind,
                       "about": held.proposal.told, "until": held.until or None}
                      for held in health.proposals],
        "sessions": asdict(health.sessions),
        "cost": [{"day": day.isoformat(), "calls": spent.calls, "failed": spent.failed,
                  **asdict(spent.usage)} for day, spent in health.spent.items()],
        "battery": [asdict(run) for run in health.runs],
        "descent": {"trees": [asdict(tree) for tree in descent.trees],
                    "left_out": descent.left_out, "supersessions": descent.supersessions,
                    "derivations": descent.derivations},
    }  # fmt: skip


def _gauge(gauge: Gauge) -> dict[str, Any]:
    of = gauge.measure
    return {"file": gauge.file, "limit": gauge.whose, "lines": of.lines,
            "most_lines": of.limit.lines or None, "units": of.units,
            "most_units": of.limit.units, "over": of.is_over}  # fmt: skip


def _recall(health: Health) -> dict[str, Any]:
    found = health.latency
    return {
        "prompts": len(found.recalls),
        **{key: found.count(key) for key in (SHOWN, SILENT, LATE, FAULT)},
        **{name: round(found.quantile(share), 2) for name, share in
           (("median_ms", 0.5), ("p95_ms", 0.95), ("p99_ms", 0.99), ("slowest_ms", 1.0))},
        "budget_ms": BUDGET, "classes": dict(zip([*map(str, STEPS), "more"], found.classes,
                                                 strict=True)),
    }  # fmt: skip
