"""How memories are ranked for a prompt; `Rarity` is shared with Whoosh, so both agree.

The one rule: a prompt is the best of its segments, never the sum of them. A question buried in
other text is then found almost as well as alone.
"""

from math import log, sqrt

from memgit.prompt.background import MEMORIES, Background
from memgit.prompt.query import Terms
from memgit.prompt.table import Table

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    Postings = tuple[int, memoryview[int], memoryview[float], memoryview[float]]

CANDIDATES = 8
"""Memories that a segment may put forward."""

POSTINGS = 12_000
"""Postings added up for one prompt, rare terms first. Once this is spent, a common term is only
looked up for the memories that lead by then."""

LEADING = 48
"""Memories for which a term beyond `POSTINGS` is still looked up."""


class Rarity:
    """How much a term tells: the inverse document frequency that both engines use."""

    def __init__(self) -> None:
        self._background = Background()

    def __call__(self, term: str, memories: int, having: int) -> float:
        """BM25's form that never falls below zero, with the background added to the store.

        `memories` is the size of the store, `having` the number of memories with the term in any
        field (Robertson and Zaragoza 2009, section 3; the 1 is added inside the logarithm).
        """
        inside = having + self._background.having(term)
        return log(1.0 + (memories + MEMORIES - inside + 0.5) / (inside + 0.5))


class Candidate:
    """A memory that a segment put forward, with the two signals of the gate.

    `score` and `head` are normalised by the square root of the segment's mass; `head` leaves the
    body out. `segment` is the number of the segment.
    """

    __slots__ = ("head", "memory", "score", "segment")

    def __init__(self, memory: int, score: float, head: float, segment: int) -> None:
        self.memory = memory
        self.score = score
        self.head = head
        self.segment = segment


class Ranking:
    """The ranking of one prompt: `best` holds the candidates, best first."""

    def __init__(self, table: Table, prompt: list[Terms]) -> None:
        self._prompt = prompt
        self._lookup = _Lookup(table)
        best: dict[int, Candidate] = {}
        for number, terms in enumerate(prompt):
            for candidate in _segment(self._lookup, terms, number):
                known = best.get(candidate.memory)
                if known is None or candidate.score > known.score:
                    best[candidate.memory] = candidate
        self.best = sorted(best.values(), key=lambda c: (-c.score, c.memory))

    def matched(self, candidate: Candidate) -> dict[str, float]:
        """The terms of its segment that a candidate has, with what each adds to its score."""
        found = {}
        for term, weight in self._prompt[candidate.segment].items():
            for base, memories, parts, head_parts in self._lookup.postings(term):
                place = _find(memories, len(head_parts), candidate.memory - base)
                if place >= 0:
                    found[term] = weight * self._lookup.weight(term) * parts[place]
        return found


class _Lookup:
    """Terms of one prompt, each looked up once, and the postings that may still be read."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.left = POSTINGS
        self._rarity = Rarity()
        self._found: dict[str, tuple[float, list[Postings]]] = {}

    def weight(self, term: str) -> float:
        """The rarity of a term in this store."""
        return self._get(term)[0]

    def postings(self, term: str) -> "list[Postings]":
        """For each segment file: its base, memories, scores, head scores."""
        return self._get(term)[1]

    def _get(self, term: str) -> "tuple[float, list[Postings]]":
        if term not in self._found:
            rows = self.table.lookup(term)
            having = self.table.having(term, rows)
            views = [
                (segment.base, *segment.postings(count, heads, place))
                for segment, count, heads, place in rows
            ]
            self._found[term] = self._rarity(term, self.table.memories, having), views
        return self._found[term]


def _segment(lookup: _Lookup, terms: Terms, number: int) -> list[Candidate]:
    weights = {term: weight * lookup.weight(term) for term, weight in terms.items()}
    mass = sum(weights.values())
    if not mass:
        return []
    scores: dict[int, float] = {}
    heads: dict[int, float] = {}
    leading: list[int] = []
    for term in sorted(weights, key=lambda term: -weights[term]):
        weight = weights[term]
        for base, memories, parts, head_parts in lookup.postings(term):
            if len(memories) <= lookup.left and not leading:
                lookup.left -= len(memories)
                _add(scores, base, memories, parts, weight)
                _add(heads, base, memories, head_parts, weight)
                continue
            leading = leading or sorted(scores, key=lambda memory: -scores[memory])[:LEADING]
            for memory in leading:
                place = _find(memories, len(head_parts), memory - base)
                if place >= 0:
                    scores[memory] += weight * parts[place]
                    if place < len(head_parts):
                        heads[memory] = heads.get(memory, 0.0) + weight * head_parts[place]
    scale = 1.0 / sqrt(mass)
    top = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: 2 * CANDIDATES]
    return [
        Candidate(memory, score * scale, heads.get(memory, 0.0) * scale, number)
        for memory, score in top
        if not lookup.table.is_deleted(memory)
    ][:CANDIDATES]


def _add(
    scores: dict[int, float],
    base: int,
    memories: "memoryview[int]",
    parts: "memoryview[float]",
    weight: float,
) -> None:
    """Add a term's parts, weighted, to the scores of the first `len(parts)` memories."""
    known = scores.get
    for memory, part in zip(memories.tolist(), parts.tolist()):  # noqa: B905 - heads are fewer
        memory += base
        scores[memory] = known(memory, 0.0) + weight * part


def _find(memories: "memoryview[int]", with_head: int, memory: int) -> int:
    """Where `memory` stands: those with a head score come first, both groups ascend; else -1."""
    place = _place(memories, memory, 0, with_head)
    return place if place >= 0 else _place(memories, memory, with_head, len(memories))


def _place(memories: "memoryview[int]", memory: int, low: int, high: int) -> int:
    """Where `memory` stands between two places of an ascending run, or -1."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if memories[middle] < memory:
            low = middle + 1
        else:
            high = middle
    return low if low < end and memories[low] == memory else -1
