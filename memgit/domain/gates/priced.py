"""Counts at prices: what `7 nibs at $4 each` and the like come to.

The one rule: where one part is no count at a price, there is no total.
"""

from collections.abc import Sequence

from memgit.domain.gates.patterns import Pattern
from memgit.domain.gates.recomputing import NUMBER

PRICED = Pattern(
    rf"(?P<count>{NUMBER})\s+[^\d$€£¥]{{1,40}}?\s+at\s+[$€£¥](?P<price>{NUMBER})\s+(?:each|apiece)\b"
)

CLAIMED = Pattern(
    rf"(?i)\b(?:total|sum|in all|altogether|comes? to|came to)\b[^\d%]{{0,40}}?"
    rf"[$€£¥]\s?(?P<number>{NUMBER})(?!\S*[\d%])"
)
"""A total that is stated."""


def total(parts: Sequence[str]) -> float | None:
    """What the parts come to; None where one of them is no count at a price."""
    found = [PRICED.search(part) for part in parts]
    if not found or not all(found):
        return None
    rows = [(match["count"], match["price"]) for match in found if match]
    return sum(float(a.replace(",", "")) * float(b.replace(",", "")) for a, b in rows)
