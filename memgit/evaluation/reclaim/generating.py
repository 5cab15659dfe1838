"""From a family, a seed and a number to a problem: the one table of generators.

The one rule: the same three give the same problem byte for byte.
"""

from collections.abc import Callable

from memgit.evaluation.reclaim import ledgers, logic, slots
from memgit.evaluation.reclaim.problem import ARITHMETIC, ASSIGNMENT, LEDGER, ORDER, SLOT, Problem

GENERATORS: dict[str, Callable[[int, int], Problem]] = {
    ARITHMETIC: ledgers.arithmetic,
    LEDGER: lambda number, seed: ledgers.ledger(number, seed, 8),
    ORDER: logic.order,
    ASSIGNMENT: logic.assignment,
    SLOT: slots.slot,
}


def problem(family: str, number: int, seed: int) -> Problem:
    """The problem of a family with this number."""
    return GENERATORS[family](number, seed)
