"""Where each memory goes in an export, and what of it a shape leaves out.

The one rule: no two files differ by case or Unicode form alone, and whatever is left out is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memgit.domain.importing.placing import Places, name_from
from memgit.domain.memory import Memory, key_of
from memgit.domain.store import Store


@dataclass(frozen=True)
class Shelf:
    """The memories of a store, and the path that each has in the export, by its path here."""

    memories: Sequence[Memory]
    paths: Mapping[str, str]
    meant: Mapping[str, Memory]

    @classmethod
    def of(cls, store: Store) -> "Shelf":
        """All memories of the work tree, committed or not."""
        memories = [store.read(path) for path in store.paths()]
        places = Places((), (), occupied=lambda path: False)
        paths = {
            one.path: places.path(PurePosixPath(one.path), name_from(one.name) or "memory")
            for one in memories
        }
        return cls(memories, paths, dict(_meant(memories)))

    def called(self, word: str) -> Memory | None:
        """The memory that a link means."""
        return self.meant.get(key_of(word.strip("[] ").removesuffix(".md")))

    def path(self, memory: Memory) -> str:
        """Where a memory goes, with `/`."""
        return self.paths[memory.path]


def state_of(memory: Memory) -> str:
    """Why a memory does not hold any more, in a word; "" for one that does."""
    if memory.superseded_by:
        return "superseded"
    if memory.is_retired:
        return "retired"
    return "refuted" if memory.reasons("refuted") else ""


def _meant(memories: Sequence[Memory]) -> Iterator[tuple[str, Memory]]:
    """What links may call a memory. What comes later counts more: names before paths, aliases."""
    for one in memories:
        yield from ((key_of(alias), one) for alias in one.words("aliases"))
    for one in memories:
        yield key_of(one.path.rpartition(".")[0]), one
    for one in memories:
        yield key_of(one.name), one
