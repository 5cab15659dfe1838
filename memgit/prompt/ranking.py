"""How memories are ranked for a prompt; `Rarity` is shared with Whoosh, so both agree.

The one rule: a prompt is the best of its segments, never the sum of them. A question buried in
other text is then found almost as well as alone.
"""

from math import log, sqrt

from memgit.prompt.background import MEMORIES, SCALE, Background
from memgit.prompt.query import Terms
from memgit.prompt.table import Table

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from memgit.prompt.table import Row

    Postings = tuple[int, memoryview[int], memoryview[float]]

CANDIDATES = 8
"""Memories that a segment may put forward."""

POSTINGS = 4_000
"""Postings added up for one prompt, shared by its segments, in each the weightiest terms first.
Once a segment's share is spent, a term is only looked up for the memories that lead by then."""

LEADING = 2 * CANDIDATES
"""Memories for which a term beyond `POSTINGS` is still looked up; some of them may be deleted."""

SLIGHT = 0.5
"""Rarity below which a term is a function word: it neither counts into a segment's mass nor is it
looked up among the memories. (A term that stands in six of ten ordinary texts has 0.51.)"""

NORM = 0.3
"""The power of a segment's mass that its scores are divided by. 0 lets long segments win, 0.5
short ones; on real prompts right answers are ordered best between 0.25 and 0.4."""


class Rarity:
    """How much a term tells: the inverse document frequency that both engines use."""

    def __init__(self) -> None:
        self._background = Background()

    def __call__(
        self, term: str, memories: int, having: int, ordinary: "int | None" = None
    ) -> float:
        """BM25's form that never falls below zero, with the background added to the store.

        `memories` is the size of the store, `having` the number of memories with the term in any
        field (Robertson and Zaragoza 2009, section 3; the 1 is added inside the logarithm). The
        root takes away what a term cannot tell within the store: the project's own name is rare in
        the world, but when three memories of four have it, it chooses none of them. `ordinary` is
        the background's count, which is looked up where it is not known.
        """
        if ordinary is None:
            ordinary = self._background.ordinary(term)
        inside = having + ordinary * (MEMORIES / SCALE)
        rare = log(1.0 + (memories + MEMORIES - inside + 0.5) / (inside + 0.5))
        return rare * sqrt(1.0 - having / (memories + 1.0))


class Candidate:
    """A memory that a segment put forward.

    `total` is what its matched terms add up to, `mass` what all terms of the segment weigh that
    count, `words` how many these are, `score` the total normalised by the mass, `segment` the
    number of the segment.
    """

    __slots__ = ("mass", "memory", "score", "segment", "total", "words")

    def __init__(self, memory: int, total: float, mass: float, words: int, segment: int) -> None:
        self.memory = memory
        self.total = total
        self.mass = mass
        self.words = words
        self.score = total / mass**NORM
        self.segment = segment


class Ranking:
    """The ranking of one prompt: `prompt` holds its segments, `best` the candidates, best first."""

    def __init__(self, table: Table, prompt: list[Terms], rarity: "Rarity | None" = None) -> None:
        self.prompt = prompt
        self._lookup = _Lookup(table, rarity or Rarity())
        best: dict[int, Candidate] = {}
        for number, terms in enumerate(prompt):
            room = self._lookup.left // (len(prompt) - number)
            for candidate in _segment(self._lookup, terms, number, room):
                known = best.get(candidate.memory)
                if known is None or candidate.score > known.score:
                    best[candidate.memory] = candidate
        self.best = sorted(best.values(), key=lambda c: (-c.score, c.memory))

    def matched(self, candidate: Candidate) -> dict[str, float]:
        """The terms of its segment that a candidate has, with what each adds to its total."""
        found = {}
        for term, weight in self._lookup.weights(self.prompt[candidate.segment]).items():
            for base, memories, parts in self._lookup.postings(term):
                place = _place(memories, candidate.memory - base)
                if place >= 0:
                    found[term] = weight * parts[place]
        return found

    def weights(self, number: int) -> dict[str, float]:
        """The terms of a segment that count, each with what it weighs in this store."""
        return self._lookup.weights(self.prompt[number])

    def known(self, term: str) -> bool:
        """Whether any memory has the term, which is one of the prompt's."""
        return bool(self._lookup.postings(term))

    def having(self, term: str) -> int:
        """How many memories have the term, which is one of the prompt's."""
        return self._lookup.having(term)


class _Lookup:
    """Terms of one prompt, each looked up once, and the postings that may still be read."""

    def __init__(self, table: Table, rarity: Rarity) -> None:
        self.table = table
        self.left = POSTINGS
        self._rarity = rarity
        self._known: dict[str, tuple[float, list[Row]]] = {}
        self._read: dict[str, list[Postings]] = {}

    def weights(self, terms: Terms) -> dict[str, float]:
        """The weight of each term that counts: its share in the segment times its rarity."""
        known = self._known
        found = {}
        for term, share in terms.items():
            rare, rows = known.get(term) or self._looked_up(term)
            if rare >= SLIGHT and (rows or share > 0.0):
                found[term] = abs(share) * rare
        return found

    def postings(self, term: str) -> "list[Postings]":
        """For each segment file that has the term: its base, memories, scores."""
        found = self._read.get(term)
        if found is None:
            found = self._read[term] = [
                (segment.base, *segment.postings(count, first))
                for segment, count, first, _ in self._known[term][1]
            ]
        return found

    def having(self, term: str) -> int:
        """How many memories have a term that was looked up."""
        return self.table.having(term, self._known[term][1])

    def _looked_up(self, term: str) -> "tuple[float, list[Row]]":
        rows = self.table.lookup(term)
        having = self.table.having(term, rows)
        rare = self._rarity(term, self.table.memories, having, rows[0][3] if rows else None)
        found = self._known[term] = rare, rows
        return found


def _segment(lookup: _Lookup, terms: Terms, number: int, room: int) -> list[Candidate]:
    """The best memories for one segment, for which `room` postings may be added up."""
    weights = lookup.weights(terms)
    mass = sum(weights.values())
    scores: dict[int, float] = {}
    leading = False
    for term in sorted(weights, key=weights.__getitem__, reverse=True):
        weight = weights[term]
        for base, memories, parts in lookup.postings(term):
            if not leading and (len(memories) <= room or not scores):
                room -= len(memories)
                lookup.left -= len(memories)
                _add(scores, base, memories, parts, weight)
                continue
            if not leading:  # none of the others will overtake one of these
                scores = dict(_best(scores, LEADING))
                leading = True
            _add_known(scores, base, memories, parts, weight)
    return [
        Candidate(memory, total, mass, len(weights), number)
        for memory, total in _best(scores, LEADING)
        if not lookup.table.is_deleted(memory)
    ][:CANDIDATES]


def _best(scores: dict[int, float], count: int) -> list[tuple[int, float]]:
    """So many memories with the highest scores, best first. Bare numbers are sorted first, which
    takes a fraction of the time.
    """
    least = sorted(scores.values())[-count] if len(scores) > count else 0.0
    found = [item for item in scores.items() if item[1] >= least]
    found.sort(key=lambda item: (-item[1], item[0]))
    return found[:count]


def _add(
    scores: dict[int, float],
    base: int,
    memories: "memoryview[int]",
    parts: "memoryview[float]",
    weight: float,
) -> None:
    """Add a term's parts, weighted, to the scores of its memories."""
    known = scores.get
    numbers = [memory + base for memory in memories] if base else memories.tolist()
    for memory, part in zip(numbers, parts.tolist()):  # noqa: B905 - equally long
        scores[memory] = known(memory, 0.0) + weight * part


def _add_known(
    scores: dict[int, float],
    base: int,
    memories: "memoryview[int]",
    parts: "memoryview[float]",
    weight: float,
) -> None:
    """Add a term's parts, weighted, to the memories that have a score."""
    from _bisect import bisect_left  # only where a term is common: most prompts do not pay for it

    end = len(memories)
    for memory in scores:
        place = bisect_left(memories, memory - base)
        if place < end and memories[place] == memory - base:
            scores[memory] += weight * parts[place]


def _place(memories: "memoryview[int]", memory: int) -> int:
    """Where `memory` stands in an ascending list, or -1."""
    low, high = 0, len(memories)
    while low < high:
        middle = (low + high) // 2
        if memories[middle] < memory:
            low = middle + 1
        else:
            high = middle
    return low if low < len(memories) and memories[low] == memory else -1
