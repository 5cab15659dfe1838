"""What the store knows of what a candidate says: the same already, something else, or nothing.

The one rule: the store is asked, whatever the model says of it. A known fact becomes a source of
the memory that has it, and never a copy.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memgit.domain.borders.comparing import is_conflict
from memgit.domain.borders.statements import Passage, statements, words
from memgit.domain.gates.secrets import found as secrets_in
from memgit.domain.harvesting.candidate import Candidate
from memgit.domain.harvesting.likeness import most_like
from memgit.domain.harvesting.swaps import differs_in_numbers, swaps
from memgit.domain.harvesting.values import unborne
from memgit.domain.harvesting.wording import is_negative, sentences
from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, key_of
from memgit.domain.operations.labelling import Retired
from memgit.domain.proposals.aligning import replaced
from memgit.domain.store import Store

NEAR = 8
"""Memories that are looked at for one candidate."""

LISTED = 20
"""Memories that a model is shown beside a session."""

ALL = 0.9
"""Share of a candidate's words that a memory must have to say the same."""

NEW, SAME, REPLACES = "new", "same", "replaces"


@dataclass(frozen=True)
class Relation:
    """How a candidate stands to the store: new, or the same as `memory`, or in place of it.

    `doubt` says why that is not sure.
    """

    kind: str
    memory: Memory | None = None
    doubt: str = ""


class Known:
    """The memories of a store as a harvest looks at them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._index = Index(store)
        self._index.sync()
        self._read: dict[str, Memory] = {}

    @cached_property
    def retired(self) -> Retired:
        """What no pass may bring back."""
        return Retired.of(self.store)

    def near(self, text: str, limit: int = NEAR) -> list[Memory]:
        """The memories that hold today and are most like a text."""
        found = map(self._memory, most_like(self._index, text, limit * 2))
        return [memory for memory in found if memory and _holds(memory)][:limit]

    def listed(self, texts: Iterable[str]) -> list[str]:
        """Lines on the memories that may be about what was typed, for a model to read."""
        found: dict[str, Memory] = {}
        for text in texts:
            for memory in self.near(text, 3):
                found.setdefault(memory.name, memory)
            if len(found) >= LISTED:
                break
        return [_line(memory) for memory in list(found.values())[:LISTED]]

    def relation(self, candidate: Candidate) -> Relation:
        """What the store knows of it: what the code finds comes before what the model claims."""
        near = self.near(f"{candidate.name} {candidate.whole}")
        for memory in near:
            if differs(memory, candidate):
                return Relation(REPLACES, memory)
        for memory in near:
            if _says(memory, candidate):
                return Relation(SAME, memory)
        return self._claimed(candidate, near)

    def _claimed(self, candidate: Candidate, near: Sequence[Memory]) -> Relation:
        claimed = candidate.replaces or candidate.same_as
        named = {key_of(memory.name): memory for memory in near}
        memory = named.get(key_of(claimed.strip("[] "))) if claimed else None
        if memory is None:
            return Relation(NEW)
        if candidate.replaces:
            return Relation(REPLACES, memory)
        doubt = f"the model takes it for what {memory.name} says, whose words are others"
        return Relation(SAME, memory, doubt)

    def _memory(self, path: str) -> Memory | None:
        """A memory as its file is; None where that is gone."""
        if path not in self._read and (self.store.root / path).is_file():
            self._read[path] = self.store.read(path)
        return self._read.get(path)


def differs(memory: Memory, candidate: Candidate) -> bool:
    """Whether both speak of one subject and say another value of it."""
    mine = list(statements(_passage("new", candidate.name, candidate.whole)))
    theirs = list(statements(_passage("old", memory.name, _told(memory))))
    for one in mine:
        for other in theirs:
            alike = one.kind == other.kind and one.value != other.value
            if alike and is_conflict(one, other, {}):
                return not any(o.kind == one.kind and o.value == one.value for o in theirs)
    marks, others = ({mark for said in side for mark in said.marks} for side in (mine, theirs))
    lines = [memory.description, *sentences(memory.body)]
    return marks == others and any(_other_value(line, candidate) for line in lines if line)


def _other_value(line: str, candidate: Candidate) -> bool:
    """Whether a candidate says a line of a memory with another value, and of nothing else."""
    for claim in (candidate.description, *sentences(candidate.text)):
        if differs_in_numbers(line, claim):
            return True
        gone, come = replaced(line, claim)
        found = swaps(line, claim)
        if gone and come and found and all(words(old) <= gone for old, _ in found):
            return True
    return False


def _says(memory: Memory, candidate: Candidate) -> bool:
    """Whether a memory has every value and nearly every word of a candidate, and means it so."""
    told = f"{memory.name}\n{_told(memory)}"
    for text in (candidate.text, candidate.description):
        if any(swaps(line, text) for line in sentences(told)):
            return False
        mine = words(text)
        if not mine or len(mine & words(told)) < ALL * len(mine):
            return False
    lines = list(sentences(told))
    first = next(sentences(candidate.text or candidate.description), "")
    nearest = max(lines, key=lambda line: len(words(line) & words(first)), default="")
    return not unborne(candidate.whole, [told]) and is_negative(first) == is_negative(nearest)


def _passage(path: str, about: str, text: str) -> Passage:
    return Passage(path, text.split("\n"), about=about.replace("-", " "))


def _told(memory: Memory) -> str:
    return f"{memory.description}\n{memory.body}"


def _holds(memory: Memory) -> bool:
    return not (memory.superseded_by or memory.is_retired or memory.reasons("refuted"))


def _line(memory: Memory) -> str:
    lines: Iterator[str] = filter(None, (line.strip() for line in memory.body.splitlines()))
    said = memory.description or next(lines, "")
    if any(secrets_in(said)):
        said = "(holds a secret)"
    return f"- {memory.name} ({memory.type}): {' '.join(said.split())[:240]}"
