"""Whether a change of a store may stand: the person's battery before it and after it.

The one rule: in doubt it may not. Any of three figures that falls, by however little, is a fall;
a battery is too small to say that it was only noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.domain.store import Store
from memgit.evaluation import battery, built_store
from memgit.evaluation.answers import asked
from memgit.evaluation.compare import Comparison
from memgit.evaluation.corpus import Case
from memgit.evaluation.metrics import Judged, figures, share


@dataclass(frozen=True)
class Kept:
    """The answers to the same prompts before a change and after it."""

    before: Sequence[Judged]
    after: Sequence[Judged]

    @property
    def fell(self) -> list[str]:
        """The figures that fell, each told with both values; empty where none did."""
        old, new = _three(self.before), _three(self.after)
        return [
            f"{name} {_told(old[name])} → {_told(new[name])}"
            for name in old
            if _is_less(old[name], new[name])
        ]

    def record(self) -> dict[str, Any]:
        """Everything as plain JSON values."""
        told = Comparison(self.before, self.after).record()
        three = {"before": _three(self.before), "after": _three(self.after)}
        return {"fell": self.fell, "prompts": len(self.before), "three": three, **told}


def answers(store: Store, revision: str, cases: Sequence[Case], cache: Path) -> list[Judged]:
    """What recall shows for the cases with the store as it was at a commit."""
    built = built_store.of_store(store, revision, battery.logged(store), cache)
    return [asked(built.held_out(case.prompt), case) for case in cases]


def _three(judged: Sequence[Judged]) -> dict[str, Any]:
    """hit@2 on prompts that memories belong to, precision, and silence where none belongs."""
    found = figures(judged)
    idle = [one for one in judged if not one.covered]
    silent = share(sum(not one.shown for one in idle), len(idle))
    return {
        "hit@2": found["hit2"]["value"],
        "precision": found["precision"]["value"],
        "silence": silent.record()["value"],
    }


def _is_less(old: float | None, new: float | None) -> bool:
    """Whether a figure fell. Where nothing was shown before, there is no precision: only wrong
    memories are a fall then.
    """
    if old is None:
        return new == 0.0
    return new is None or new < old


def _told(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
