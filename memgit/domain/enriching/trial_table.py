"""A recall table as it would be if one memory were also found by some words.

The one rule: nothing is written or built anew. The words' postings are added to those of the table
that is there, weighed as the index would weigh them, so that thousands of words can be tried.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memgit.domain.indexing import fields
from memgit.domain.memory import Memory
from memgit.prompt.background import Background
from memgit.prompt.table import Segment, Table
from memgit.prompt.terms import tokens

if TYPE_CHECKING:
    from memgit.prompt.table import Row

FIELD = "asked_as"
"""The key of a memory's metadata, and the field of the index, in which such words stand."""


class TrialTable(Table):
    """`table` with more words for its memory number `number`, which is `memory`."""

    def __init__(
        self, table: Table, number: int, memory: Memory, words: Sequence[str], weight: float
    ) -> None:
        self.head, self.segments, self._gone = table.head, table.segments, table._gone
        self.memories = table.memories
        had = memory.words(FIELD)
        told = Counter(tokens(fields.asked_text((*had, *words))))
        length = float(sum(told.values()))
        new = Counter(tokens(fields.asked_text(words)))
        self._added = _Added(
            number,
            {term: fields.weigh(FIELD, told[term], length, weight) for term in new},
        )
        self._background = Background()

    def lookup(self, term: str) -> "list[Row]":
        """Where a term stands, one more row where it is one of the added words."""
        rows = super().lookup(term)
        if term not in self._added.parts:
            return rows
        ordinary = rows[0][3] if rows else self._background.ordinary(term)
        return [*rows, (self._added, 1, self._added.place(term), ordinary)]

    def having(self, term: str, rows: "list[Row]") -> int:
        """How many memories have a term; one that had it already is not counted twice."""
        own = [row for row in rows if row[0] is self._added]
        count = super().having(term, [row for row in rows if row[0] is not self._added])
        return count + bool(own and not self._holds(rows))

    def _holds(self, rows: "list[Row]") -> bool:
        number = self._added.number
        return any(
            number - segment.base in segment.postings(count, first)[0]
            for segment, count, first, _ in rows
            if segment is not self._added
        )


class _Added(Segment):
    """The postings of the added words: one memory, one part for each term."""

    def __init__(self, number: int, parts: dict[str, float]) -> None:
        self.base = 0
        self.number = number
        self.parts = parts
        self._order = list(parts)

    def place(self, term: str) -> int:
        return self._order.index(term)

    def postings(self, count: int, first: int) -> "tuple[memoryview[int], memoryview[float]]":
        """The memory, and what the term adds to its score."""
        part = self.parts[self._order[first]]
        return memoryview(array("I", [self.number])), memoryview(array("f", [part]))
