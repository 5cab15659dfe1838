"""Two answers to the same labelled prompts, before and after a change: is it better, or only noise?

The one rule: a difference that a fair coin would make as easily is called no difference.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memgit.evaluation.corpus import encodable
from memgit.evaluation.metrics import Judged, figures, sign_test

SURE = 0.05
"""The chance of error below which a difference is believed."""

BETTER, WORSE, NOISE, SAME = "better", "worse", "within noise", "no prompt changed"


@dataclass(frozen=True)
class Change:
    """A prompt that was answered otherwise."""

    before: Judged
    after: Judged

    @property
    def what(self) -> str:
        """`gained`, `lost`, or what became of the wrong memories beside it."""
        if self.before.good != self.after.good:
            return "gained" if self.after.good else "lost"
        step = self.after.signed - self.before.signed
        return "fewer wrong" if step > 0 else "more wrong" if step < 0 else "otherwise"


@dataclass(frozen=True)
class Comparison:
    """What a change did, prompt by prompt."""

    before: Sequence[Judged]
    after: Sequence[Judged]

    @property
    def changes(self) -> list[Change]:
        """The prompts on which something else was shown, or in another order."""
        return [
            Change(old, new)
            for old, new in zip(self.before, self.after, strict=True)
            if [shown.path for shown in old.shown] != [shown.path for shown in new.shown]
        ]

    @property
    def tests(self) -> dict[str, dict[str, Any]]:
        """Both paired tests: `right` on prompts done right (McNemar), `signed` on the score."""
        pairs = list(zip(self.before, self.after, strict=True))
        return {
            "right": _test(int(new.good) - int(old.good) for old, new in pairs),
            "signed": _test(new.signed - old.signed for old, new in pairs),
        }

    @property
    def verdict(self) -> str:
        """`worse` or `better` only where a test is sure of it; worse goes before better."""
        sure = [test for test in self.tests.values() if test["p"] < SURE]
        if any(test["down"] > test["up"] for test in sure):
            return WORSE
        if sure:
            return BETTER
        return NOISE if self.changes else SAME

    def record(self) -> dict[str, Any]:
        """Everything as plain JSON values."""
        return {
            "verdict": self.verdict,
            "tests": self.tests,
            "before": figures(self.before),
            "after": figures(self.after),
            "changes": [_change(change) for change in self.changes],
        }


def _test(steps: Iterable[int]) -> dict[str, Any]:
    found = list(steps)
    up, down = sum(step > 0 for step in found), sum(step < 0 for step in found)
    return {"n": len(found), "up": up, "down": down, "p": round(sign_test(up, down), 4)}


def _change(change: Change) -> dict[str, Any]:
    case = change.after.case
    return {
        "what": change.what,
        "store": case.store,
        "id": case.id,
        "kind": case.kind,
        "prompt": encodable(case.prompt),
        "before": [shown.path for shown in change.before.shown],
        "after": [shown.path for shown in change.after.shown],
        "belongs": list(case.relevant),
    }
