"""Which memories are close enough to be asked about together: by the words that both have.

The one rule: each memory brings its few nearest ones and no more, so that what is asked grows with
what is new, not with the square of the store.
"""

import math
from collections import Counter
from collections.abc import Mapping

from memgit.prompt.terms import tokens

NEAREST = 3
"""Neighbours that each memory brings."""

TELLING = 24
"""Words of a memory, the rarest ones, by which its neighbours are looked for."""

FLOOR = 0.06
"""Likeness (a cosine) below which two memories have nothing to do with each other."""


def neighbours(texts: Mapping[str, str], of: Mapping[str, str]) -> list[tuple[float, str, str]]:
    """(likeness, name, name) of pairs, the nearest first: each memory in `of` with its nearest
    ones among `texts` (name → its words). A pair stands once, its names in order.
    """
    terms = {name: frozenset(tokens(text)) for name, text in texts.items()}
    counts = Counter(term for some in terms.values() for term in some)
    weight = {term: math.log(1 + len(terms) / count) for term, count in counts.items()}
    having: dict[str, list[str]] = {}
    for name, some in terms.items():
        for term in _telling(some, weight):
            having.setdefault(term, []).append(name)
    norm = {name: math.sqrt(sum(weight[term] ** 2 for term in some)) or 1.0
            for name, some in terms.items()}  # fmt: skip
    found: dict[tuple[str, str], float] = {}
    for name in of:
        near = {other for term in _telling(terms[name], weight) for other in having[term]}
        scored = sorted(
            ((_shared(terms[name], terms[other], weight) / (norm[name] * norm[other]), other)
             for other in near if other != name),
            reverse=True,
        )  # fmt: skip
        for likeness, other in scored[:NEAREST]:
            if likeness >= FLOOR:
                found[min(name, other), max(name, other)] = likeness
    return sorted(((like, *pair) for pair, like in found.items()), key=lambda one: (-one[0], one))


def _telling(terms: frozenset[str], weight: Mapping[str, float]) -> list[str]:
    return sorted(terms, key=lambda term: (-weight[term], term))[:TELLING]


def _shared(one: frozenset[str], other: frozenset[str], weight: Mapping[str, float]) -> float:
    return sum(weight[term] ** 2 for term in one & other)
