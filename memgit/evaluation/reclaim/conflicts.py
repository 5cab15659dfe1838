"""A battery of memories in conflict: what recall asserts after falsehoods, updates and conditions.

The one rule: wrong and silent are never added up. A wrong value counts −1, silence 0, and what is
shown with a label that warns counts as flagged.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, render
from memgit.domain.operation import Operation
from memgit.domain.proposals.applying import settle
from memgit.domain.settings import FILE
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.evaluation.falsehoods import Script, Session, planted, updated
from memgit.evaluation.metrics import mean, share
from memgit.evaluation.reclaim import entities
from memgit.evaluation.reclaim.entities import Thing
from memgit.evaluation.reclaim.shelf import SETTINGS, Harvest
from memgit.evaluation.telling import FALSE, START, TRUE, Fact, facts
from memgit.ports.git import Repository
from memgit.prompt import recall
from memgit.prompt.table import Table

RIGHT, WRONG, FLAGGED, SILENT = "right", "wrong", "flagged", "silent"
SIGNED = {RIGHT: 1, WRONG: -1, FLAGGED: 0, SILENT: 0}

PLANTED, UPDATED, CONDITION, OTHER_THING = (
    "falsehood planted late", "real update", "conditional rule", "another thing's value",
)  # fmt: skip
KINDS = (PLANTED, UPDATED, CONDITION, OTHER_THING)

ASKED = 32
"""Questions about things of which others have values of the same kind."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Question:
    """What is asked after all sessions: what is right, which values are wrong, whose memories may
    tell it (a prefix of their names).
    """

    kind: str
    text: str
    right: str
    wrong: tuple[str, ...]
    own: str
    way: str = ""


@dataclass(frozen=True)
class Outcome:
    """A question, and what recall did: `right`, `wrong`, `flagged` or `silent`."""

    question: Question
    outcome: str
    first: str = ""
    """The name of the memory that came first."""


def measure(
    harvest: Harvest, size: int, told: Told | None = None, each: int | None = None
) -> list[Outcome]:
    """The battery in two stores of `size` memories: one for what is false, one for what changed.

    `each` takes so many sessions of each kind, evenly chosen, instead of all.
    """
    found: list[Outcome] = []
    every = facts()
    kinds = [_spread(list(of), each) for of in (_false(every), _later(every), _conditions())]
    halves = [kinds[0], [*kinds[1], *kinds[2]]]
    total, done = sum(map(len, halves)), 0
    for half in halves:
        with tempfile.TemporaryDirectory(prefix="memgit-conflicts-") as folder:
            store = _store(Path(folder), size, every)
            for number, (session, _) in enumerate(half):
                if told:
                    told(done, total)
                done += 1
                now = START + timedelta(days=30 + 2 * number)
                settle(store, harvest(store, session.turns, Script(session.answer), now), now)
            questions = [one for _, given in half for one in given]
            found += _asked(store, questions + (_others(size) if half is halves[0] else []))
    return found


def _spread(given: list["Given"], each: int | None) -> list["Given"]:
    return given if each is None else given[:: max(1, len(given) // each)][:each]


@dataclass(frozen=True)
class _Told:
    """Turns, and what the scripted model says of them."""

    turns: Sequence[Turn]
    answer: Mapping[str, Any]


Given = tuple[Session | _Told, list[Question]]


def _false(every: Sequence[Fact]) -> Iterator[Given]:
    for number, fact in enumerate(every):
        way = list(FALSE)[number % len(FALSE)]
        question = Question(PLANTED, fact.question, _says(fact, fact.value),
                            (_says(fact, fact.planted),), fact.name, way)  # fmt: skip
        yield planted(fact, way), [question]


def _later(every: Sequence[Fact]) -> Iterator[Given]:
    for number, fact in enumerate(every):
        way = list(TRUE)[number % len(TRUE)]
        question = Question(UPDATED, fact.question, _says(fact, fact.later),
                            (_says(fact, fact.value), _says(fact, fact.planted)), fact.name,
                            way)  # fmt: skip
        yield updated(fact, way, number), [question]


def _conditions() -> Iterator[Given]:
    """The production value is told in a session; every second model takes it for staging's."""
    for number, (staging, production) in enumerate(entities.conditional()):
        made = production.memory
        claim = {"type": "project", "name": made.name, "description": made.description,
                 "text": made.description, "mentions": 1, "state": "holds",
                 "quotes": [{"turn": 1, "by": "user", "words": production.text}],
                 "known": staging.memory.name if number % 2 else "",
                 "relation": "replaces" if number % 2 else "new", "confidence": 0.97,
                 "topics": [production.name.lower()]}  # fmt: skip
        time = (START + timedelta(days=20, minutes=number)).isoformat()
        turn = Turn(f"condition-{number}", f"c-{number}", time, "/project", 0, 1, production.text,
                    "")  # fmt: skip
        questions = [_question(CONDITION, one, other)
                     for one, other in ((staging, production), (production, staging))]  # fmt: skip
        yield _Told((turn,), {"memories": [claim]}), questions


def _others(size: int) -> list[Question]:
    """Questions about things, evenly chosen, whose kind of value others have as well."""
    known = _things(size)
    return [_question(OTHER_THING, one) for one in known[:: max(1, len(known) // ASKED)][:ASKED]]


def _question(kind: str, one: Thing, other: Thing | None = None) -> Question:
    wrong = (other.text,) if other else ()
    return Question(kind, one.question, one.text, wrong, one.memory.name)


def _says(fact: Fact, value: str) -> str:
    return fact.sentence(value).rstrip(".。")


# The store ----------------------------------------------------------------------------------


def _things(size: int) -> list[Thing]:
    every = len(facts()) + len(entities.CONDITIONAL)
    return entities.things(max(ASKED, size - every))


def _store(folder: Path, size: int, every: Sequence[Fact]) -> Store:
    repository = Repository.create(folder / "store")
    for key, value in (("user.name", "memgit eval"), ("user.email", "eval@memgit.invalid")):
        repository.run("config", "--local", key, value)
    store = Store(repository)
    memories: list[Memory] = [fact.memory for fact in every]
    memories += [staging.memory for staging, _ in entities.conditional()]
    memories += [thing.memory for thing in _things(size)]
    files = {one.path: render(one) for one in memories[:size]}
    store.commit(Operation("init", "memories of many things"), {FILE: SETTINGS, **files})
    Index(store).sync()
    return store


# What recall says ---------------------------------------------------------------------------


def _asked(store: Store, questions: Sequence[Question]) -> list[Outcome]:
    index = Index(store)
    index.sync()
    table = Table(str(index.table))
    now = (START + timedelta(days=200)).timestamp()
    return [_outcome(table, one, now) for one in questions]


def _outcome(table: Table, question: Question, now: float) -> Outcome:
    hits = recall.hits(table, question.text, table.head["recall"]["memories"], now)
    told = [("\n".join((hit.record["description"], *hit.record["lines"])), hit.record)
            for hit in hits]  # fmt: skip
    first = str(told[0][1]["name"]) if told else ""
    asserted = [wrong for text, record in told for wrong in question.wrong
                if wrong in text and not record["labels"]]  # fmt: skip
    if asserted and question.kind != CONDITION:
        return Outcome(question, WRONG, first)
    if told and question.right in told[0][0]:
        return Outcome(question, FLAGGED if told[0][1]["labels"] else RIGHT, first)
    if any(record["labels"] and _speaks(text, question) for text, record in told):
        return Outcome(question, FLAGGED, first)
    # What says of itself where it holds asserts nothing of elsewhere.
    if not told or (asserted and asserted[0] in told[0][0]):
        return Outcome(question, SILENT, first)
    return Outcome(question, WRONG, first)


def _speaks(text: str, question: Question) -> bool:
    return any(value in text for value in (question.right, *question.wrong))


# Figures ------------------------------------------------------------------------------------


def report(sizes: Mapping[int, Sequence[Outcome]]) -> dict[str, Any]:
    """Figures per size and kind; the wrong rate of the largest against that of the smallest."""
    made: dict[str, Any] = {
        "model": "scripted: it believes every session, and is sure",
        "sizes": {str(size): _of_size(found) for size, found in sizes.items()},
    }
    if len(sizes) > 1:
        low, high = (_rate(sizes[pick(sizes)]) for pick in (min, max))
        made["wrong_rate"] = {"smallest": low, "largest": high,
                              "ratio": round(high / low, 3) if low else None}  # fmt: skip
    return made


def _of_size(found: Sequence[Outcome]) -> dict[str, Any]:
    rows = {kind: [one for one in found if one.question.kind == kind] for kind in KINDS}
    return {
        "signed": mean(float(SIGNED[one.outcome]) for one in found).record(),
        "wrong": share(sum(one.outcome == WRONG for one in found), len(found)).record(),
        "kinds": {kind: _figures(of) for kind, of in rows.items() if of},
        "wrong_ones": [{"kind": one.question.kind, "way": one.question.way, "first": one.first,
                        "question": one.question.text} for one in found if one.outcome == WRONG],
    }  # fmt: skip


def _figures(found: Sequence[Outcome]) -> dict[str, Any]:
    counts = Counter(one.outcome for one in found)
    n = len(found)
    return {
        "n": n, "counts": {kind: counts[kind] for kind in SIGNED},
        "signed": mean(float(SIGNED[one.outcome]) for one in found).record(),
        "right": share(counts[RIGHT], n).record(), "wrong": share(counts[WRONG], n).record(),
        "silent": share(counts[SILENT], n).record(),
        "flagged_or_right": share(counts[RIGHT] + counts[FLAGGED], n).record(),
    }  # fmt: skip


def _rate(found: Sequence[Outcome]) -> float:
    return round(sum(one.outcome == WRONG for one in found) / max(1, len(found)), 4)
