"""Recall asked in process, as the prompt hook asks it; and what it looked at before its gate.

The one rule: the answer is the prompt path's own. Nothing of ranking or gate is done again here.
"""

from dataclasses import dataclass
from time import perf_counter

from memgit.evaluation.corpus import Case
from memgit.evaluation.metrics import Judged, Shown
from memgit.prompt import recall
from memgit.prompt.query import segments
from memgit.prompt.ranking import Ranking
from memgit.prompt.table import Table


@dataclass(frozen=True)
class Held:
    """A memory that belongs to a prompt and was not shown: its place before the gate, if any."""

    memory: Shown
    place: int


def asked(table: Table, case: Case) -> Judged:
    """What the hook would show for a case, and what that took."""
    start = perf_counter()
    found = recall.hits(table, case.prompt, table.head["recall"]["memories"])
    seconds = perf_counter() - start
    shown = tuple(
        Shown(str(hit.record["path"]), str(hit.record["name"]), hit.score, dict(hit.terms))
        for hit in found
    )
    return Judged(case, shown, seconds)


def held_back(table: Table, case: Case) -> list[Held]:
    """The memories that belong to a case, as the ranking has them; those it never saw left out."""
    return [
        Held(memory, place)
        for place, memory in enumerate(candidates(table, case.prompt), 1)
        if memory.among(case.relevant)
    ]


def candidates(table: Table, prompt: str) -> list[Shown]:
    """Everything that the ranking puts forward for a prompt, best first, before the gate."""
    ranking = Ranking(table, segments(prompt))
    found = []
    for candidate in ranking.best:
        record = table.record(candidate.memory)
        terms = ranking.matched(candidate)
        found.append(Shown(str(record["path"]), str(record["name"]), candidate.score, terms))
    return found
