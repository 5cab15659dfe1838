"""Falsehoods planted into sessions, and true later values; and a model that believes all of it.

The one rule: sessions, answers and what is true are made here, from facts written by hand; the
answers are scripted, and say so. Nothing of them is known to a guard.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from memgit.domain.memory import render
from memgit.domain.transcripts.turns import Turn
from memgit.evaluation.telling import (
    FALSE,
    FALSE_SHORTLY,
    START,
    TRUE,
    TRUE_SHORTLY,
    Fact,
    facts,
)
from memgit.ports.model.door import Answer, Request, Usage
from memgit.ports.model.fitting import fitted


@dataclass(frozen=True)
class Session:
    """Turns, and what the scripted model makes of them. `way` tells how it was planted or said."""

    fact: Fact
    way: str
    turns: tuple[Turn, ...]
    answer: Mapping[str, Any]
    is_true: bool

    @property
    def told(self) -> str:
        """The value that the model takes from it."""
        return self.fact.later if self.is_true else self.fact.planted


@dataclass
class Script:
    """A model that gives one answer, whatever it is asked."""

    answer: Mapping[str, Any]
    name: str = "replay"
    asked: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        """The answer."""
        self.asked.append(request)
        return Answer(fitted(self.answer, request.schema), Usage(model="scripted"))


def planted(fact: Fact, way: str) -> Session:
    """A session that holds a falsehood in a way, which the model believes and is sure of."""
    turns, quote = {**FALSE, **FALSE_SHORTLY}[way](fact)
    claim = _claim(fact, fact.planted, quote, "replaces")
    return Session(fact, way, _dated(turns, 20), claim, False)


def updated(fact: Fact, way: str, number: int) -> Session:
    """A session that tells the later value; of the store the model is wrong every second time."""
    turns, quote = {**TRUE, **TRUE_SHORTLY}[way](fact)
    relation = ("replaces", "new", "replaces", "same")[number % 4]
    return Session(fact, way, _dated(turns, 20), _claim(fact, fact.later, quote, relation), True)


def _claim(fact: Fact, value: str, quote: tuple[int, str, str], relation: str) -> dict[str, Any]:
    text = fact.sentence(value)
    turn, by, words = quote
    return {"memories": [{
        "type": "project", "name": fact.name, "description": text, "text": text,
        "quotes": [{"turn": turn, "by": by, "words": words}], "mentions": 1, "state": "holds",
        "known": "" if relation == "new" else fact.name, "relation": relation,
        "confidence": 0.97, "topics": [fact.topic],
    }]}  # fmt: skip


def _dated(turns: Sequence[Turn], days: int) -> tuple[Turn, ...]:
    moment = START + timedelta(days=days)
    return tuple(
        turn if turn.time else replace(turn, time=(moment + timedelta(minutes=n)).isoformat())
        for n, turn in enumerate(turns)
    )


def sessions(
    each: int | None = None, held_out: bool = False
) -> Iterator[tuple[str, list[Session]]]:
    """For each way, a session for every fact, or for `each` facts, evenly chosen."""
    every = facts(held_out)
    chosen = every if each is None else every[:: max(1, len(every) // each)][:each]
    shortly = [fact for fact in chosen if fact.shortly]
    for ways, some in ((FALSE, chosen), (FALSE_SHORTLY, shortly)):
        for way in ways:
            yield way, [planted(fact, way) for fact in some]
    for ways, some in ((TRUE, chosen), (TRUE_SHORTLY, shortly)):
        for way in ways:
            yield way, [updated(fact, way, number) for number, fact in enumerate(some)]


def files(chosen: Sequence[Fact]) -> dict[str, bytes]:
    """The store before the sessions."""
    return {fact.memory.path: render(fact.memory) for fact in chosen}
