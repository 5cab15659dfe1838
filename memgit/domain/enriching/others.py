"""What the other memories of a store say, as far as it bears on a few words.

The one rule: a memory is read only when it has all of the words somewhere, and then once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property

from memgit.domain.indexing import fields
from memgit.domain.memory import key_of
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.prompt.table import Table
from memgit.prompt.terms import tokens

ABOUT = ("name", "title", "description", "headings", "aliases", "topics")
"""Fields that tell what a memory is about: one word there is enough."""

REPEATED = 2
"""Times that a memory must have a word elsewhere, to be one that speaks of it."""


class Others:
    """The memories of one table, by what they say."""

    def __init__(self, store: Store, table: Table) -> None:
        self.store = store
        self.table = table
        self._said: dict[int, Mapping[str, int]] = {}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Path → number of every memory that the table has."""
        return {
            str(self.table.record(segment.base + number)["path"]): segment.base + number
            for segment in self.table.segments
            for number in range(segment.memories)
            if number not in segment.deleted
        }

    @cached_property
    def retired(self) -> frozenset[str]:
        """The names that retired memories have, as `key_of` makes them."""
        records = map(self.table.record, self.numbers.values())
        return frozenset(key_of(record["name"]) for record in records if record["retired"])

    def speaking_of(self, terms: Iterable[str], but: int) -> str:
        """The name of another memory that speaks of all these terms; "" where none does."""
        wanted = set(terms)
        for number in sorted(self._having(wanted) - {but}):
            said = self._terms(number)
            if all(said.get(term, 0) >= REPEATED for term in wanted):
                return str(self.table.record(number)["name"])
        return ""

    def _having(self, terms: Iterable[str]) -> set[int]:
        found: set[int] | None = None
        for term in terms:
            rows = self.table.lookup(term)
            having = {
                memory + segment.base
                for segment, count, first, _ in rows
                for memory in segment.postings(count, first)[0]
            }
            found = having if found is None else found & having
        return {number for number in found or () if not self.table.is_deleted(number)}

    def _terms(self, number: int) -> Mapping[str, int]:
        """How often a memory says each term; a word of what it is about counts as repeated."""
        if number not in self._said:
            told: Counter[str] = Counter()
            with suppress(StoreError):  # it has been removed since it was indexed
                found = fields.texts(self.store.read(self.table.record(number)["path"]))
                told.update(tokens(found["body"]))
                told.update(dict.fromkeys(tokens("\n".join(found[n] for n in ABOUT)), REPEATED))
            self._said[number] = told
        return self._said[number]
