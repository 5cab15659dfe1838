"""Links and references between memories, when an import has to change names.

The one rule: a body is not touched. Its links keep leading to the memory that they meant, through
an alias where the name is another, and where that cannot be the person is told.
"""

from collections.abc import Iterable, Sequence

from memgit.domain.importing.arrival import Arrival, with_words
from memgit.domain.importing.sources import Remark
from memgit.domain.importing.targets import Targets
from memgit.domain.links import REFERENCES, links, references
from memgit.domain.memory import Memory, key_of


def relink(
    arrivals: Sequence[Arrival],
    memories: Sequence[Memory],
    coming: Sequence[bool],
    standing: Iterable[Memory],
) -> tuple[list[Memory], list[Remark]]:
    """The memories with their references to each other kept, and the links that could not be.

    `memories` are what the `arrivals` are in the store; only those `coming` may be changed. What
    stands in frontmatter is rewritten; a body is not, so its links keep resolving through aliases.
    """
    names = _Relinking(arrivals, memories, coming, standing)
    for number, comes in enumerate(coming):
        if comes:
            names.rewrite(number)
    for number, comes in enumerate(coming):
        if comes:
            names.keep_links(number)
    return names.memories, names.lost


class _Relinking:
    """The names of a store in which an import is about to land."""

    def __init__(
        self,
        arrivals: Sequence[Arrival],
        memories: Sequence[Memory],
        coming: Sequence[bool],
        standing: Iterable[Memory],
    ) -> None:
        self.memories = list(memories)
        self.lost: list[Remark] = []
        self._arrivals = arrivals
        self._coming = coming
        self._targets = Targets(one.called(number) for number, one in enumerate(arrivals))
        everything = [*standing, *memories]
        self._owner = {key_of(memory.name): memory.path for memory in reversed(everything)}
        self._alias = {
            key_of(alias): memory.path
            for memory in reversed(everything)
            for alias in memory.words("aliases")
        }

    def rewrite(self, number: int) -> None:
        """Let the references in a memory's frontmatter say the names that are now right."""
        memory = self.memories[number]
        for key in REFERENCES:
            if names := references(memory, key):
                now = [self._now(name, number) for name in names]
                many = isinstance(memory.metadata[key], list) and key != "superseded_by"
                memory = memory.with_metadata(**{key: now if many or len(now) > 1 else now[0]})
        self.memories[number] = memory

    def keep_links(self, number: int) -> None:
        """Give the memories that a body links to an alias where their name does not fit."""
        one = self._arrivals[number]
        for link in links(self.memories[number].body):
            meant = self._find(link.target, number)
            if meant is None:
                continue
            memory = self.memories[meant]
            key = key_of(link.target)
            owner = self._owner.get(key) or self._alias.get(key)
            if owner is None and self._coming[meant]:
                self.memories[meant] = with_words(memory, "aliases", link.target)
                self._alias[key] = memory.path
            elif owner != memory.path:
                now = f"no longer leads to {memory.name}" + (f" but to {owner}" if owner else "")
                self.lost.append(Remark(one.shown, f"its link [[{link.target}]] {now}"))

    def _now(self, name: str, number: int) -> str:
        meant = self._find(name, number)
        return name if meant is None else self.memories[meant].name

    def _find(self, target: str, number: int) -> int | None:
        one = self._arrivals[number]
        return self._targets.find(target, one.found.root, one.place.parent)
