"""Prompts that a memory has nothing to do with, and whether words would lift it into them.

The one rule: a memory may rise for the few that such words are made for, and for hardly any else.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from memgit.domain.indexing.calibration import PROMPTS, Log
from memgit.prompt.query import Terms, segments
from memgit.prompt.ranking import Ranking, Rarity
from memgit.prompt.table import Table

SMALL_TALK = Path(__file__).with_name("small-talk.txt")
"""Replies and calls of which no word names a subject, more of them than the gate is measured by."""

PLACES = 3
"""Places of a ranking that a memory is looked for in, before and after."""

SHARE = 0.02
"""The share of the prompts of one kind into which a memory may rise."""

SOME = 40
"""Prompts of one kind from which on one of them is no sign of anything."""


@dataclass
class Prompt:
    """One prompt as the ranking takes it, and the memories that come first for it as it is."""

    segments: list[Terms]
    terms: frozenset[str]
    first: frozenset[int] | None = None


@dataclass(frozen=True)
class Kind:
    """Prompts of one kind: a language that anyone types in, or the person's own."""

    name: str
    prompts: Sequence[Prompt]
    names_nothing: bool = False
    """Whether no word in them names a subject: then a memory may rise in none."""

    @property
    def allowed(self) -> int:
        """How many of them a memory may rise in."""
        if self.names_nothing:
            return 0
        return max(int(SHARE * len(self.prompts)), int(len(self.prompts) >= SOME))


@dataclass
class Unrelated:
    """All kinds of prompts, asked of one table."""

    table: Table
    kinds: Sequence[Kind]
    rarity: Rarity = field(default_factory=Rarity)

    @classmethod
    def of(cls, table: Table, log: Log) -> "Unrelated":
        """What anyone types, as the files part it, and what the person has typed."""
        kinds = [_kind(name, lines) for name, lines in _parts(PROMPTS)]
        for name, lines in _parts(SMALL_TALK):
            calls = [call for line in lines for call in line.replace("、", ", ").split(", ")]
            kinds.append(replace(_kind(name, calls), names_nothing=True))
        if log.prompts:
            kinds.append(_kind("your own", log.prompts))
        return cls(table, kinds)

    def lifted(self, number: int, trial: Table, terms: Iterable[str]) -> str:
        """The kind of prompts in too many of which a memory rises by these words' whole forms, told
        with how many; "" where there is none. That only parts of words meet is chance.
        """
        new = frozenset(terms)
        for kind in self.kinds:
            near = [prompt for prompt in kind.prompts if prompt.terms & new]
            if len(near) <= kind.allowed:
                continue
            risen = sum(self._rises(number, trial, prompt) for prompt in near)
            if risen > kind.allowed:
                return f"{risen} of {len(kind.prompts)} prompts ({kind.name})"
        return ""

    def _rises(self, number: int, trial: Table, prompt: Prompt) -> bool:
        if prompt.first is None:
            prompt.first = self._first(self.table, prompt)
        return number not in prompt.first and number in self._first(trial, prompt)

    def _first(self, table: Table, prompt: Prompt) -> frozenset[int]:
        best = Ranking(table, prompt.segments, self.rarity).best[:PLACES]
        return frozenset(candidate.memory for candidate in best)


def _parts(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines of a file, by the `# language: kind` above them."""
    for part in path.read_text("utf-8").split("# ")[1:]:
        name, *lines = part.splitlines()
        yield name, [line for line in lines if line]


def _kind(name: str, prompts: Iterable[str]) -> Kind:
    cut = map(segments, prompts)
    found = [Prompt(one, frozenset(term for part in one for term in part)) for one in cut]
    return Kind(name, found)
