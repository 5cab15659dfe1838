"""A problem: what is given, what was planted, and what each of them leads to.

The one rule: the right answer and the planted one follow from the sentences alone, and differ.
"""

from dataclasses import dataclass, field

from memgit.evaluation.reclaim.scoring import Gold

ARITHMETIC, LEDGER, ORDER, ASSIGNMENT, SLOT = "arithmetic", "ledger", "order", "assignment", "slot"
FAMILIES = (ARITHMETIC, LEDGER, ORDER, ASSIGNMENT, SLOT)


@dataclass(frozen=True)
class Problem:
    """`facts` are sentences from which `asked` follows. `premise` is the planted sentence, which
    leads to `gold.planted`; `locus` names the part that it is wrong about, and `false_locus` one
    that is right, neither with a value. `decoys` are sentences that look like facts and are none.
    """

    id: str
    family: str
    subject: str
    asked: str
    facts: tuple[str, ...]
    premise: str
    locus: str
    false_locus: str
    gold: Gold
    decoys: tuple[str, ...] = ()
    dialogue: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """What was said around the facts, where that is a dialogue of its own."""

    @property
    def conclusion(self) -> str:
        """What the first session came to."""
        return f"For {self.subject}, {self.asked} was found to be {self.shown(self.gold.planted)}."

    def shown(self, value: object) -> str:
        """A value as it is written in this family."""
        if isinstance(value, float):
            return f"${value:g}"
        return str(value)
