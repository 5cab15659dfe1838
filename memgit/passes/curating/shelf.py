"""Every memory of a store as it is read once for a pass, and proposals on them.

The one rule: a proposal says which bytes it was made on, so that whatever is written meanwhile
makes it stale instead of wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from memgit.domain.gates.origin import USER
from memgit.domain.gates.scope import File
from memgit.domain.links import links, references
from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.carrying_out import blob_of
from memgit.domain.proposals.correcting import moment
from memgit.domain.proposals.proposal import Evidence, Judgement, Proposal
from memgit.domain.store import Store

ACTOR = "curate"


@dataclass(frozen=True)
class Shelf:
    """The memories of a store by path; `now` is when the pass began."""

    store: Store
    now: datetime

    @cached_property
    def files(self) -> dict[str, File]:
        """Every memory."""
        return {path: File(path, self.store.content(path)) for path in self.store.paths()}

    @cached_property
    def current(self) -> dict[str, Memory]:
        """Those that say what holds, by path: not superseded, retired or refuted."""
        return {path: file.memory for path, file in self.files.items() if _holds(file.memory)}

    @cached_property
    def by_name(self) -> dict[str, Memory]:
        """Those that hold, by name, where a name is that of one alone."""
        found: dict[str, list[Memory]] = {}
        for file in self.files.values():
            found.setdefault(key_of(file.memory.name), []).append(file.memory)
        return {some[0].name: some[0] for some in found.values()
                if len(some) == 1 and some[0].path in self.current}  # fmt: skip

    @cached_property
    def referred(self) -> dict[str, int]:
        """How often each memory is linked to or derived from, by the key of its name."""
        counts: dict[str, int] = {}
        for file in self.files.values():
            for target in _targets(file.memory):
                counts[key_of(target)] = counts.get(key_of(target), 0) + 1
        return counts

    def digest(self, memory: Memory) -> str:
        """The SHA-256 of a memory's file, in hex."""
        return sha256(self.files[memory.path].data).hexdigest()

    def quote(self, memory: Memory, words: str, line: int = 0) -> Evidence:
        """Words of a memory, and where they stand."""
        turn = f"L{line}" if line else ""
        return Evidence(words, "memory", memory.name, turn, self.digest(memory))

    def better(self, one: Memory, other: Memory) -> Memory:
        """Which of two that say the same is to stay: the user's own, the one that others refer to,
        the older one.
        """
        return min((one, other), key=self._worth)

    def supersession(
        self, old: Memory, new: Memory, because: str, evidence: Sequence[Evidence],
        confidence: float = 1.0, judgements: Sequence[Judgement] = (),
    ) -> Proposal:  # fmt: skip
        """A proposal that `new` takes the place of `old`."""
        return Proposal(
            "supersede", ACTOR, (old.name,), new.name, seen=blob_of(self.store, old.path),
            because=because, confidence=confidence, evidence=tuple(evidence),
            judgements=tuple(judgements), made=self.stamp,
        )  # fmt: skip

    def doubt(self, memory: Memory, because: str, evidence: Sequence[Evidence]) -> Proposal:
        """A proposal to label a memory unverified."""
        return Proposal(
            "label", ACTOR, (memory.name,), "unverified", seen=blob_of(self.store, memory.path),
            because=because, evidence=tuple(evidence), made=self.stamp,
        )  # fmt: skip

    def rewriting(self, memory: Memory, text: bytes, because: str) -> Proposal:
        """A proposal to put another text in a memory's place."""
        return Proposal(
            "edit", ACTOR, (memory.name,), path=memory.path,
            text=text.decode("utf-8", "surrogatepass"), seen=blob_of(self.store, memory.path),
            because=because, made=self.stamp,
        )  # fmt: skip

    @property
    def stamp(self) -> str:
        """When the pass began, as proposals tell it."""
        return self.now.isoformat(timespec="seconds")

    def _worth(self, memory: Memory) -> tuple[bool, bool, int, str, str]:
        made = moment(memory)
        return (
            bool(memory.labels),
            str(memory.metadata.get("origin") or USER) != USER,
            -self.referred.get(key_of(memory.name), 0),
            made.isoformat() if made else "~",
            memory.path,
        )


def _holds(memory: Memory) -> bool:
    return not (memory.superseded_by or memory.is_retired or memory.reasons("refuted"))


def _targets(memory: Memory) -> Iterator[str]:
    yield from references(memory, "derived_from")
    yield from (link.target for link in links(memory.body))
