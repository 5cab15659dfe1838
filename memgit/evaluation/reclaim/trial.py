"""One trial of a run, and the trials that make up a condition.

The one rule: a plan is a plain list in a fixed order; what a trial is can be read from it alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from memgit.evaluation.reclaim import notes
from memgit.evaluation.reclaim.adapters import ADAPTERS
from memgit.evaluation.reclaim.notes import (
    AUTO,
    BLANK,
    BOTH,
    DENOISED,
    INTEGRITIES,
    LOSSY,
    MEMGIT,
    PADDED,
    SOURCE_FIRST,
    WITHOUT_GIT,
)
from memgit.evaluation.reclaim.problem import ARITHMETIC, ASSIGNMENT, LEDGER, ORDER, SLOT
from memgit.evaluation.reclaim.wording import (
    ABSTAIN,
    ARMS,
    CORRECTIONS,
    DIRECTED,
    FREE,
    GENERIC,
)

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32)
BUDGETS = (300, 600)
DECOYS = (0, 4, 6, 8, 16, 32)
NOISY, NOISY_BUDGET = 4, 420
HOPS = (1, 2, 4, 8)
HOP_BUDGET = 200
MEMGIT_BUDGET = 300
"""Characters of a note that recall may bring, in every condition."""


@dataclass(frozen=True)
class Trial:
    """What is measured once. `size` is of a ledger, `hops` of a cascade; 0 where neither is meant.
    `planted` is False in a control, in which the first session was right.
    """

    condition: str
    family: str
    number: int
    seed: int
    policy: str
    integrity: float = 0.1
    budget: int = notes.UNBOUNDED
    size: int = 0
    decoys: int = 0
    hops: int = 0
    correction: str = DIRECTED
    arm: str = FREE
    tagged: bool = False
    planted: bool = True

    def record(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


def _wall(family: str, number: int, seed: int) -> Iterator[Trial]:
    policies = (LOSSY, PADDED, SOURCE_FIRST, AUTO, BOTH, BLANK, MEMGIT, WITHOUT_GIT)
    for integrity, policy, correction in product(INTEGRITIES, policies, (GENERIC, DIRECTED)):
        if integrity == 0.1 or policy in (LOSSY, PADDED, SOURCE_FIRST):
            yield Trial("wall", family, number, seed, policy, integrity, correction=correction,
                        budget=_bound(policy))  # fmt: skip


def _others(family: str, number: int, seed: int) -> Iterator[Trial]:
    for policy, correction in product(ADAPTERS, (GENERIC, DIRECTED)):
        yield Trial("others", family, number, seed, policy, correction=correction)


def _size(family: str, number: int, seed: int) -> Iterator[Trial]:
    for size, budget, policy in product(
        SIZES, BUDGETS, (PADDED, SOURCE_FIRST, WITHOUT_GIT, MEMGIT)
    ):
        yield Trial("size", LEDGER, number, seed, policy, budget=budget, size=size)


def _noise(family: str, number: int, seed: int) -> Iterator[Trial]:
    for decoys, policy in product(DECOYS, (SOURCE_FIRST, DENOISED, AUTO, MEMGIT)):
        yield Trial("noise", LEDGER, number, seed, policy, budget=NOISY_BUDGET, size=NOISY,
                    decoys=decoys)  # fmt: skip


def _completeness(family: str, number: int, seed: int) -> Iterator[Trial]:
    for (budget, size), tagged in product(((300, 12), (300, 16), (600, 24), (600, 32)),
                                          (False, True)):  # fmt: skip
        yield Trial("completeness", LEDGER, number, seed, SOURCE_FIRST, budget=budget, size=size,
                    tagged=tagged, arm=ABSTAIN)  # fmt: skip


def _corrections(family: str, number: int, seed: int) -> Iterator[Trial]:
    for policy, correction in product((LOSSY, SOURCE_FIRST, MEMGIT), CORRECTIONS):
        yield Trial("corrections", family, number, seed, policy, correction=correction,
                    budget=_bound(policy))  # fmt: skip


def _fields(family: str, number: int, seed: int) -> Iterator[Trial]:
    for arm, policy in product(ARMS, (BLANK, LOSSY, SOURCE_FIRST, MEMGIT)):
        yield Trial("fields", family, number, seed, policy, arm=arm, budget=_bound(policy))


def _cascade(family: str, number: int, seed: int) -> Iterator[Trial]:
    policies = (LOSSY, SOURCE_FIRST, BLANK, WITHOUT_GIT, MEMGIT)
    for planted, hops, policy in product((True, False), HOPS, policies):
        budget = MEMGIT_BUDGET if policy in (MEMGIT, WITHOUT_GIT) else HOP_BUDGET
        yield Trial("cascade", LEDGER, number, seed, policy, budget=budget, size=hops, hops=hops,
                    planted=planted)  # fmt: skip


def _bound(policy: str) -> int:
    return MEMGIT_BUDGET if policy in (MEMGIT, WITHOUT_GIT) else notes.UNBOUNDED


CONDITIONS = {
    "wall": (_wall, (ARITHMETIC, ORDER, ASSIGNMENT, SLOT)),
    "others": (_others, (ARITHMETIC, ORDER, ASSIGNMENT, SLOT)),
    "size": (_size, (LEDGER,)),
    "noise": (_noise, (LEDGER,)),
    "completeness": (_completeness, (LEDGER,)),
    "corrections": (_corrections, (ARITHMETIC, ORDER, ASSIGNMENT, SLOT)),
    "fields": (_fields, (ARITHMETIC, ORDER, ASSIGNMENT, SLOT)),
    "cascade": (_cascade, (LEDGER,)),
}
"""Condition → what makes its trials, and the families of problems that it runs over."""


def plan(
    conditions: Sequence[str], families: Sequence[str], policies: Sequence[str], count: int,
    seeds: int, sizes: Sequence[int] = (), slots: int | None = None,
) -> list[Trial]:  # fmt: skip
    """Every trial, in order. No `families`, `policies` or `sizes` means all that there are; of the
    family `slot` there are `slots` problems, where that is given.
    """
    found = []
    for condition in conditions:
        make, known = CONDITIONS[condition]
        for family in (one for one in known if not families or one in families):
            there = count if slots is None or family != SLOT else min(count, slots)
            for seed, number in product(range(seeds), range(there)):
                found += [one for one in make(family, number, seed)
                          if (not policies or one.policy in policies)
                          and (not sizes or one.size in sizes)]  # fmt: skip
    return found
