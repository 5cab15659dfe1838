"""Which pairs of memories a model was asked about already: by their contents, so that an edit asks
again and nothing else does.

The one rule: a pair counts as asked only once its answer has been settled.
"""

import json
from collections.abc import Iterable
from contextlib import suppress

from memgit.domain.proposals.waiting import write_json
from memgit.domain.store import Store
from memgit.errors import StoreError

VERSION = 1

LENGTH = 16
"""Hex digits of a digest that tell contents apart."""


class Looked:
    """The pairs of one store, and the memories of which every pair was asked."""

    def __init__(self, store: Store) -> None:
        self._path = store.derived / "curated.json"
        self._pairs: set[str] = set()
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(self._path.read_bytes())
            if told["version"] == VERSION:
                self._pairs = set(map(str, told["pairs"]))

    def has(self, one: str, other: str) -> bool:
        """Whether these two contents, by their digests, were asked about."""
        return _key(one, other) in self._pairs

    def add(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Note that these were asked about."""
        self._pairs.update(_key(one, other) for one, other in pairs)

    def save(self, alive: Iterable[str]) -> None:
        """Write down what is known of contents that are still there."""
        known = {digest[:LENGTH] for digest in alive}
        kept = sorted(pair for pair in self._pairs if known.issuperset(pair.split()))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._path, {"version": VERSION, "pairs": kept})
        except OSError as fault:
            raise StoreError(
                f"{self._path}: {fault.strerror}", "make room or rights there"
            ) from None


def _key(one: str, other: str) -> str:
    return " ".join(sorted((one[:LENGTH], other[:LENGTH])))
