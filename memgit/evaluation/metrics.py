"""What was shown for a labelled prompt, judged; and the figures over many, with intervals.

The one rule: silence and a wrong memory are never added up into one number, and no figure goes
without how many prompts it stands on and how sure it is.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memgit.domain.memory import key_of
from memgit.evaluation.corpus import Case

Z = 1.959964
"""Standard deviations on either side of 95 %."""

FIRST = 2
"""Memories within which a right one is a hit."""


@dataclass(frozen=True)
class Shown:
    """A memory that was shown: where it is, what it is called, its score, the terms that did it."""

    path: str
    name: str
    score: float = 0.0
    terms: dict[str, float] = field(default_factory=dict, hash=False, compare=False)

    def among(self, named: Sequence[str]) -> bool:
        """Whether one of these paths or names means it."""
        return self.path in named or key_of(self.name) in map(key_of, named)


@dataclass(frozen=True)
class Judged:
    """What was shown for one case, best first, and the seconds that it took."""

    case: Case
    shown: tuple[Shown, ...]
    seconds: float = 0.0

    def verdict(self, shown: Shown) -> str:
        """`right`, `also` or `wrong`."""
        if shown.among(self.case.relevant):
            return "right"
        return "also" if shown.among(self.case.also) else "wrong"

    def count(self, verdict: str) -> int:
        """How many of the shown memories have this verdict."""
        return sum(self.verdict(shown) == verdict for shown in self.shown)

    @property
    def covered(self) -> bool:
        """Whether a memory belongs to the prompt."""
        return bool(self.case.relevant)

    def hit(self, lenient: bool = False) -> bool:
        """Whether a right memory is among the first two; one that would also do, if `lenient`."""
        counted = ("right", "also") if lenient else ("right",)
        return any(self.verdict(shown) in counted for shown in self.shown[:FIRST])

    @property
    def good(self) -> bool:
        """What was to be done was done: a right memory shown, or silence where none belongs."""
        return self.hit() if self.covered else not self.shown

    @property
    def signed(self) -> int:
        """+1 where a right memory was shown, −1 for each wrong one; 0 for silence."""
        return (self.count("right") > 0) - self.count("wrong")


@dataclass(frozen=True)
class Figure:
    """A share or a mean over `n`, with its 95 % interval; without any, all three are None."""

    n: int
    value: float | None
    low: float | None
    high: float | None

    def record(self) -> dict[str, Any]:
        """As plain JSON values, rounded to three places."""
        places = {k: None if v is None else round(v, 3) for k, v in vars(self).items() if k != "n"}
        return {"n": self.n, **places}


def share(hits: float, n: int) -> Figure:
    """`hits` of `n`, with Wilson's interval."""
    if not n:
        return Figure(0, None, None, None)
    p = hits / n
    spread = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    middle, scale = p + Z * Z / (2 * n), 1 + Z * Z / n
    return Figure(n, p, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def mean(values: Iterable[float]) -> Figure:
    """The mean, with the interval of a normal distribution; one value has none."""
    found = list(values)
    n = len(found)
    if not n:
        return Figure(0, None, None, None)
    middle = math.fsum(found) / n
    if n == 1:
        return Figure(1, middle, None, None)
    spread = Z * math.sqrt(math.fsum((v - middle) ** 2 for v in found) / (n - 1) / n)
    return Figure(n, middle, middle - spread, middle + spread)


def quantile(values: Iterable[float], q: float) -> float:
    """The value below which a share `q` of them lies (nearest rank); 0.0 without values."""
    found = sorted(values)
    return found[min(len(found) - 1, max(0, math.ceil(q * len(found)) - 1))] if found else 0.0


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Every figure over these cases, as plain JSON values.

    `hit2` counts covered prompts only; precision counts shown memories, `precision` the right ones
    among all that were shown, `precision_lenient` also those that would do. `outcomes` counts
    prompts: a right memory shown, none right but one that would do, only wrong ones, silence.
    """
    covered = [one for one in judged if one.covered]
    shown = sum(len(one.shown) for one in judged)
    right, also = (sum(one.count(verdict) for one in judged) for verdict in ("right", "also"))
    return {
        "prompts": len(judged),
        "hit2": share(sum(one.hit() for one in covered), len(covered)).record(),
        "hit2_lenient": share(sum(one.hit(True) for one in covered), len(covered)).record(),
        "silent": share(sum(not one.shown for one in judged), len(judged)).record(),
        "precision": share(right, shown).record(),
        "precision_lenient": share(right + also, shown).record(),
        "signed": mean(one.signed for one in judged).record(),
        "outcomes": outcomes(judged),
        "wrong_memories": shown - right - also,
        "ms": milliseconds(judged),
    }


def milliseconds(judged: Sequence[Judged]) -> dict[str, float]:
    """How long the answers took: the median and the 95th percentile."""
    seconds = [one.seconds for one in judged]
    return {
        "n": len(seconds),
        "median": round(1000 * quantile(seconds, 0.5), 2),
        "p95": round(1000 * quantile(seconds, 0.95), 2),
    }


def outcomes(judged: Iterable[Judged]) -> dict[str, int]:
    """How many prompts were answered rightly, with what would do, only wrongly, or not at all."""
    counts = {"right": 0, "also": 0, "wrong": 0, "silent": 0}
    for one in judged:
        best = next((v for v in ("right", "also", "wrong") if one.count(v)), "silent")
        counts[best] += 1
    return counts


def sign_test(up: int, down: int) -> float:
    """The chance that as lopsided a split of up + down comes from a fair coin (two-sided, exact).

    For gained and lost prompts, this is McNemar's exact test.
    """
    n = up + down
    tail: int = sum(math.comb(n, k) for k in range(min(up, down) + 1))
    return min(1.0, tail / 2 ** (n - 1)) if n else 1.0
