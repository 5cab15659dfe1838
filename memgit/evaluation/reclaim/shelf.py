"""The policy `memgit`: a session is harvested into a real store, and recalled from it.

The one rule: the store, git, the guards, the index and the prompt path are the ones that people
have. Only the model that reads the session is a script, which keeps to what it is told: it gives
the parts and no total.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memgit.domain.indexing.index import Index
from memgit.domain.memory import render, slug
from memgit.domain.operation import Operation
from memgit.domain.proposals.applying import Settled, settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.settings import FILE
from memgit.domain.sourcing.looking_up import Sources
from memgit.domain.sourcing.telling import told
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Step, Turn
from memgit.evaluation.falsehoods import Script
from memgit.evaluation.reclaim.notes import UNBOUNDED, Note, count, session
from memgit.evaluation.reclaim.problem import Problem
from memgit.evaluation.telling import facts
from memgit.ports.git import Repository
from memgit.ports.model.door import Model
from memgit.prompt import recall
from memgit.prompt.table import Table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SETTINGS = b"format = 1\n[curate]\nbrake = 10000\n"
"""In which no brake stops a later session."""

OTHERS = 24
"""Memories of other things, among which recall has to choose."""

Harvest = Callable[[Store, Sequence[Turn], Model, datetime], Sequence[Proposal]]
"""From turns to proposals: the pass that is measured."""


@dataclass
class Shelf:
    """A store in `folder`, into which the sessions of problems are harvested."""

    folder: Path
    harvest: Harvest
    waiting: list[Proposal] = field(default_factory=list)
    sessions: int = 0

    def __post_init__(self) -> None:
        repository = Repository.create(self.folder / "store")
        for key, value in (("user.name", "memgit eval"), ("user.email", "eval@memgit.invalid")):
            repository.run("config", "--local", key, value)
        self.store = Store(repository)
        others = {fact.memory.path: render(fact.memory) for fact in facts()[:OTHERS]}
        first = Operation("init", "a store to be measured")
        self.store.commit(first, {FILE: SETTINGS, **others})
        self._table: Table | None = None

    def learn(self, problem: Problem) -> Settled:
        """Harvest the first session of a problem."""
        return self.hear(turns_of(session(problem), problem.id), claim(problem))

    def hear(self, turns: Sequence[Turn], answer: Mapping[str, Any]) -> Settled:
        """Harvest a session of which the scripted model says `answer`, and settle it."""
        self.sessions += 1
        self._table = None
        started = START + timedelta(days=self.sessions)
        dated = [replace(turn, time=(started + timedelta(minutes=n)).isoformat())
                 for n, turn in enumerate(turns)]  # fmt: skip
        now = started + timedelta(hours=8)
        done = settle(self.store, self.harvest(self.store, dated, Script(answer), now), now)
        self.waiting += done.waiting
        return done

    def note(self, problem: Problem, prompt: str, budget: int, with_source: bool) -> Note:
        """What recall shows for a prompt, in at most `budget` characters; with the source, that of
        the first memory may be read once.
        """
        table = self._opened()
        now = START + timedelta(days=self.sessions + 1)
        chosen = recall.hits(table, prompt, table.head["recall"]["memories"], now.timestamp())
        _, text = recall.context(chosen, "the store", 10**6, now.timestamp())
        text = text.replace("«", "").replace("»", "")
        text = text if budget == UNBOUNDED else _within(text, budget)
        name = str(chosen[0].record["name"]) if chosen and with_source else ""
        kept = count(problem, text)
        return Note(text, kept, len(problem.facts), name, self.source if with_source else None)

    def source(self, name: str) -> str:
        """What `memgit source NAME` prints, with the session's file gone; "" for no memory."""
        index = Index(self.store)
        paths = [record["path"] for record in index.named(name)]
        if not paths:
            return f"no memory is named {name}"
        memory = self.store.read(paths[0])
        return told(memory, Sources(self.store, self.folder / "no sessions").of(memory))

    def _opened(self) -> Table:
        if self._table is None:
            index = Index(self.store)
            index.sync()
            self._table = Table(str(index.table))
        return self._table


def turns_of(said: Sequence[tuple[str, str]], name: str) -> list[Turn]:
    """A dialogue as the turns of a session."""
    found: list[Turn] = []
    for who, text in said:
        if who == "user":
            key = f"{name}-{len(found) + 1}"
            found.append(Turn(name, key, "", "/project", 0, 0, text, ""))
        elif found:
            step = Step(f"{found[-1].id}-answer", text)
            found[-1] = replace(found[-1], answer=text, steps=(*found[-1].steps, step))
    return found


def claim(problem: Problem) -> dict[str, Any]:
    """What the scripted model says of the first session: the parts, each with its quote."""
    said = [text for who, text in session(problem) if who == "user"]
    quotes = [{"turn": said.index(fact) + 1, "by": "user", "words": fact}
              for fact in problem.facts]  # fmt: skip
    return memories(problem, problem.facts, quotes)


def memories(
    problem: Problem, said: Sequence[str], quotes: Sequence[Mapping[str, Any]], known: str = ""
) -> dict[str, Any]:
    """The answer of a model that remembers these facts, in place of a memory if one is `known`."""
    about = problem.subject.removeprefix("the ")
    return {"memories": [{
        "type": "project", "name": slug(about), "description": f"{about}: {' '.join(said)}"[:290],
        "text": "\n".join(said), "quotes": list(quotes), "mentions": len(said), "state": "holds",
        "known": known, "relation": "replaces" if known else "new", "confidence": 0.97,
        "topics": [slug(about)],
    }]}  # fmt: skip


def _within(text: str, budget: int) -> str:
    """Whole lines, then as many whole sentences of the next one as there is room for."""
    lines: list[str] = []
    for line in text.split("\n"):
        room = budget - len("\n".join([*lines, ""]))
        if len(line) > room:
            part = line[: max(0, room)]
            end = max(part.rfind(mark) for mark in (". ", "。", ": "))
            return "\n".join([*lines, part[: end + 1]] if end >= 0 else lines)
        lines.append(line)
    return "\n".join(lines)
