"""Ledgers: goods at prices, of which one subtotal is planted wrong.

The one rule: a seed gives the same ledger byte for byte, whatever was made before it.
"""

import random

from memgit.evaluation.reclaim.problem import ARITHMETIC, LEDGER, Problem
from memgit.evaluation.reclaim.scoring import Gold

GOODS = (
    "adapters", "anchors", "awnings", "badges", "banners", "baskets", "bearings", "bells",
    "benches", "binders", "blankets", "boxes", "brackets", "brooms", "brushes", "buckets",
    "buttons", "cables", "candles", "carpets", "chairs", "clamps", "clocks", "crates", "curtains",
    "cushions", "dials", "drums", "envelopes", "filters", "flags", "folders", "funnels", "gaskets",
    "gauges", "globes", "hammers", "handles", "hinges", "hooks", "hoses", "jars", "kettles",
    "ladders", "lamps", "lanterns", "levers", "magnets", "maps", "mirrors", "nozzles", "paddles",
    "pallets", "pencils", "pipes", "plugs", "pulleys", "racks", "ropes", "rulers", "sacks",
    "shelves", "sieves", "spools", "springs", "stencils", "stools", "straps", "tarps", "tiles",
    "trays", "valves", "vents", "washers", "wedges", "whistles",
)  # fmt: skip
PLACES = (
    "Harbour", "Mill", "Orchard", "Quarry", "Bridge", "Lighthouse", "Foundry", "Meadow", "Canal",
    "Chapel", "Tannery", "Observatory", "Brewery", "Weir", "Granary", "Ferry",
)  # fmt: skip
ROOMS = ("office", "workshop", "archive", "kitchen", "stage", "depot", "clinic", "library")
OFF = (-13, -9, -7, 7, 9, 11, 13)
"""By how much a planted subtotal is wrong; never so much that it is not positive."""


def subject(number: int, what: str = "order") -> str:
    """Whose order it is: another one for each of 128 numbers."""
    place = PLACES[number % len(PLACES)]
    return f"the {what} of the {place} {ROOMS[number // len(PLACES) % len(ROOMS)]}"


def arithmetic(number: int, seed: int) -> Problem:
    """Two goods, one of the subtotals planted wrong."""
    chance = random.Random(f"arithmetic {seed} {number}")  # noqa: S311 - a seed
    goods = chance.sample(GOODS, 2)
    rows = [(chance.randint(3, 12), good, chance.randint(2, 15)) for good in goods]
    return _problem(f"arithmetic-{seed}-{number}", ARITHMETIC, number, rows, chance.randrange(2),
                    chance)  # fmt: skip


def ledger(number: int, seed: int, size: int, decoys: int = 0) -> Problem:
    """`size` goods, the middle one planted wrong, and `decoys` that were looked at, not bought."""
    chance = random.Random(f"ledger {seed} {number} {size} {decoys}")  # noqa: S311 - a seed
    goods = chance.sample(GOODS, size + decoys)
    rows = [(chance.randint(1, 9), good, chance.randint(2, 15)) for good in goods]
    return _problem(f"ledger-{seed}-{number}-{size}-{decoys}", LEDGER, number, rows[:size],
                    size // 2, chance, rows[size:])  # fmt: skip


def bought(row: tuple[int, str, int]) -> str:
    """A row of a ledger as a sentence."""
    count, good, price = row
    return f"Bought {count} {good} at ${price} each."


def considered(row: tuple[int, str, int]) -> str:
    """A row that looks like one of a ledger."""
    count, good, price = row
    return f"Considered, not bought: {count} {good} at ${price} each."


def _problem(
    name: str, family: str, number: int, rows: list[tuple[int, str, int]], wrong: int,
    chance: random.Random, others: list[tuple[int, str, int]] | None = None,
) -> Problem:  # fmt: skip
    true = sum(count * price for count, _, price in rows)
    count, good, price = rows[wrong]
    off = chance.choice([one for one in OFF if count * price + one > 0])
    false_locus = rows[wrong - 1][1]
    return Problem(
        name, family, subject(number), "the total before tax", tuple(map(bought, rows)),
        f"A colleague worked out the {good} at ${count * price + off}.",
        f"the {good} subtotal", f"the {false_locus} subtotal",
        Gold(float(true), float(true + off)), tuple(map(considered, others or ())),
    )  # fmt: skip
