"""Curate: what repeats, contradicts or leads nowhere in a store, as proposals for the one door.

The one rule: it writes nothing of the store. Rules find what form alone tells; a model is asked
about pairs that are near each other, never twice about the same two texts, and never about more
than the settings allow.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.pairing import neighbours
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.proposals.subjects import told
from memgit.domain.store import Store
from memgit.passes.curating.asking import TOGETHER, Pair, Tension, proposals, request
from memgit.passes.curating.looked import Looked
from memgit.passes.curating.rules import found_by_rules
from memgit.passes.curating.shelf import Shelf
from memgit.ports.model.door import NOTHING, Model, Usage
from memgit.ports.model.many import answers


@dataclass(frozen=True)
class Found:
    """What one call brought: how many pairs were asked, what is proposed, what it cost."""

    pairs: int
    proposals: Sequence[Proposal] = ()
    tensions: Sequence[Tension] = ()
    usage: Usage = NOTHING


@dataclass
class Curation:
    """One run over a store as it stands at `now`. Paths in `guides` are a project's own files."""

    store: Store
    now: datetime
    guides: Sequence[Path] = ()
    left: int = field(default=0, init=False)
    """Pairs that were not asked about for want of room, after `by_model`."""

    def __post_init__(self) -> None:
        self._shelf = Shelf(self.store, self.now)

    def by_rules(self) -> list[Proposal]:
        """What needs no model."""
        return list(found_by_rules(self._shelf, self.guides))

    def pairs(self, without: Sequence[Proposal] = ()) -> list[Pair]:
        """The pairs to ask about, the nearest first and the older memory first in each.

        What `without` proposes needs no question.
        """
        known = {frozenset((key_of(one.name), key_of(one.to))) for one in without}
        memories = self._shelf.by_name
        texts = {name: told(memory) for name, memory in memories.items()}
        looked = Looked(self.store)
        found = []
        for _, a, b in neighbours(texts, texts):
            one, other = sorted((memories[a], memories[b]), key=_age)
            is_known = frozenset((key_of(a), key_of(b))) in known
            if not is_known and not looked.has(self._digest(one), self._digest(other)):
                found.append((one, other))
        most = self.store.settings.curate.pairs
        self.left = max(0, len(found) - most)
        return found[:most]

    def by_model(self, model: Model, pairs: Sequence[Pair]) -> Iterator[Found]:
        """Ask about pairs, some in each call. Raises NoAnswer where a call has none; what came
        before stands.
        """
        batches = [pairs[at : at + TOGETHER] for at in range(0, len(pairs), TOGETHER)]
        asked = answers(model, [request(batch) for batch in batches])
        for batch, answer in zip(batches, asked, strict=True):
            found, tensions = proposals(self._shelf, batch, answer.value)
            yield Found(len(batch), found, tensions, answer.usage)

    def settled(self, pairs: Sequence[Pair]) -> None:
        """Note that what was answered about these pairs has been settled: they are not asked again
        while both say what they say now.
        """
        looked = Looked(self.store)
        looked.add((self._digest(one), self._digest(other)) for one, other in pairs)
        looked.save(map(self._shelf.digest, self._shelf.current.values()))

    def _digest(self, memory: Memory) -> str:
        return self._shelf.digest(memory)


def _age(memory: Memory) -> tuple[str, str]:
    return memory.recorded or "~", memory.path
