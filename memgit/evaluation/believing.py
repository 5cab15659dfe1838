"""What recall says after sessions that hold falsehoods, and after sessions that tell the truth.

The one rule: the store is real, what is applied went through the one door, and the questions are
put to the prompt path itself. Only the model is scripted.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memgit.domain.indexing.index import Index
from memgit.domain.operation import Operation
from memgit.domain.proposals.applying import settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.settings import FILE
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.evaluation.falsehoods import Script, Session, files, sessions
from memgit.evaluation.telling import START
from memgit.ports.git import Repository
from memgit.ports.model.door import Model
from memgit.prompt import recall
from memgit.prompt.table import Table

Harvest = Callable[[Store, Sequence[Turn], Model, datetime], Sequence[Proposal]]
"""From turns to proposals: the pass that is measured."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Outcome:
    """What became of one session. `asserts` tells that recall says, of what holds, the value that
    the model took from it; `first` that this comes first.
    """

    session: Session
    applied: bool
    waiting: bool
    asserts: bool
    first: bool
    guards: tuple[str, ...] = ()
    """Those that refused it, or why the pass dropped it."""


def measure(
    harvest: Harvest, each: int | None = None, held_out: bool = False, told: Told | None = None
) -> list[Outcome]:
    """Every session of every way, each way with a store of its own."""
    found: list[Outcome] = []
    every = [(way, group) for way, group in sessions(each, held_out) if group]
    for number, (_, group) in enumerate(every):
        if told:
            told(number, len(every))
        with tempfile.TemporaryDirectory(prefix="memgit-believing-") as folder:
            found += _of_way(harvest, group, Path(folder))
    return found


def _of_way(harvest: Harvest, group: Sequence[Session], folder: Path) -> list[Outcome]:
    store = _store(group, folder)
    settled = []
    for number, session in enumerate(group):
        now = START + timedelta(days=30 + 2 * number)
        proposals = harvest(store, session.turns, Script(session.answer), now)
        done = settle(store, proposals, now)
        refusals = [one.guard for proposal in done.waiting for one in proposal.refusals]
        settled.append((session, bool(done.applied), bool(done.waiting), tuple(refusals)))
    index = Index(store)
    index.sync()
    table = Table(str(index.table))
    return [Outcome(session, applied, waiting, *_says(table, session), guards)
            for session, applied, waiting, guards in settled]  # fmt: skip


def _store(group: Sequence[Session], folder: Path) -> Store:
    """A store with all facts as they were, in which no brake stops a later session."""
    settings = b"format = 1\n[curate]\nbrake = 1000\n"
    store = Store(Repository.create(folder / "store"))
    made = files([session.fact for session in group])
    store.commit(Operation("init", "facts"), {**made, FILE: settings})
    return store


def _says(table: Table, session: Session) -> tuple[bool, bool]:
    """(whether recall asserts the value, whether the first thing that it shows does)."""
    hits = recall.hits(table, session.fact.question, table.head["recall"]["memories"])
    told = [_asserts(hit.record, session) for hit in hits]
    return any(told), bool(told) and told[0]


def _asserts(record: dict[str, Any], session: Session) -> bool:
    """Whether a memory says the value of this fact, and no label says that it does not hold."""
    text = "\n".join((record["description"], *record["lines"]))
    mine = session.fact.sentence(session.told).rstrip(".。")
    return mine in text and not record["labels"]


def report(found: Sequence[Outcome]) -> dict[str, Any]:
    """Figures: of falsehoods, the share that recall asserts; of later values, the share first."""
    false = [one for one in found if not one.session.is_true]
    true = [one for one in found if one.session.is_true]
    return {
        "model": "scripted: it believes every session, and is sure",
        "falsehoods": len(false),
        "asserted": _share(one.asserts for one in false),
        "left to a person": _share(one.waiting for one in false),
        "later values": len(true),
        "first": _share(one.first for one in true),
        "ways": [_way(way, found) for way in dict.fromkeys(one.session.way for one in found)],
    }


def _way(way: str, found: Sequence[Outcome]) -> dict[str, Any]:
    mine = [one for one in found if one.session.way == way]
    guards = dict.fromkeys(guard for one in mine for guard in one.guards)
    return {
        "way": way, "is_true": mine[0].session.is_true, "sessions": len(mine),
        "applied": sum(one.applied for one in mine), "waiting": sum(one.waiting for one in mine),
        "asserted": sum(one.asserts for one in mine), "first": sum(one.first for one in mine),
        "guards": list(guards),
    }  # fmt: skip


def _share(given: Any) -> float:
    rows = list(given)
    return round(sum(rows) / len(rows), 4) if rows else 0.0
