"""Which memories were asked about already: by what they say, not by where they lie.

The one rule: a memory is asked about once, and again when it says something else. What a pass added
to it is no such change.
"""

import hashlib
import json
from collections.abc import Iterable

from memgit.domain.indexing import fields
from memgit.domain.memory import Memory
from memgit.domain.proposals.waiting import write_json
from memgit.domain.store import Store
from memgit.errors import StoreError

FILE = "enriched.json"

RECIPE = 1
"""Raised whenever what is asked for changes so much that every memory should be asked about again.
"""

_SAID = ("description", "aliases", "topics", "body")


class Enriched:
    """The memories of one store that were asked about. It is derived: without it, all are new."""

    def __init__(self, store: Store) -> None:
        self._file = store.derived / FILE
        try:
            found = json.loads(self._file.read_bytes())
            self._digests = set(map(str, found["digests"])) if found["recipe"] == RECIPE else set()
        except (OSError, ValueError, KeyError, TypeError):
            self._digests = set()

    def has(self, memory: Memory) -> bool:
        """Whether a memory was asked about as it is."""
        return digest(memory) in self._digests

    def add(self, memories: Iterable[Memory]) -> None:
        """Remember that these were asked about. Raises StoreError."""
        self._digests.update(map(digest, memories))
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._file, {"recipe": RECIPE, "digests": sorted(self._digests)})
        except OSError as fault:
            raise StoreError(f"{self._file}: {fault.strerror}", "make room or rights") from None


def digest(memory: Memory) -> str:
    """Sixteen hex digits of what a memory says itself."""
    told = fields.texts(memory)
    said = "\0".join((memory.name, *(told[name] for name in _SAID))).encode(
        "utf-8", "surrogatepass"
    )
    return hashlib.sha256(said).hexdigest()[:16]
