"""Why recall says what it says for a prompt, or says nothing: in the words of the prompt.

The one rule: it looks over the shoulder of the prompt path itself and computes nothing of its own,
so what it tells is what happened.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from memgit.prompt.gate import Choice, judged
from memgit.prompt.mentions import mentioned
from memgit.prompt.query import segments
from memgit.prompt.ranking import Ranking
from memgit.prompt.table import Table
from memgit.prompt.terms import words


@dataclass(frozen=True)
class Part:
    """One part of the prompt as it was looked up: word → how much it tells in this store.

    `common` are words that tell nothing, `unknown` those that no memory has.
    """

    weights: Mapping[str, float]
    unknown: tuple[str, ...]
    common: tuple[str, ...]


@dataclass(frozen=True)
class Judged:
    """One memory that was looked at: what speaks for it, what it needed, and the outcome."""

    name: str
    path: str
    part: int | None
    score: float
    evidence: float
    needed: float
    passed: bool
    words: Mapping[str, float]
    why: str


@dataclass(frozen=True)
class Explanation:
    """The parts of a prompt, the memories that were looked at (best first), and the store's bar."""

    parts: tuple[Part, ...]
    memories: tuple[Judged, ...]
    bar: float


def explain(table: Table, prompt: str, limit: int, now: float) -> Explanation:
    """What the prompt path does with a prompt, step by step. `now` is seconds since the epoch."""
    ranking = Ranking(table, segments(prompt))
    said = _as_typed(prompt)
    named = mentioned(table, prompt, limit)
    choices = judged(table, ranking, named, limit, now)
    bar = float(table.head["bar"])
    return Explanation(
        tuple(_part(ranking, number, said) for number in range(len(ranking.prompt))),
        tuple(_judged(ranking, choice, said, bar) for choice in choices),
        bar,
    )


def _as_typed(prompt: str) -> dict[str, str]:
    """Term → the word of the prompt that it came from."""
    found: dict[str, str] = {}
    for start, end, terms in words(prompt):
        for term in terms:
            found.setdefault(term, prompt[start:end])
    return found


def _part(ranking: Ranking, number: int, said: Mapping[str, str]) -> Part:
    counted = ranking.weights(number)
    unknown = tuple(
        dict.fromkeys(said.get(term, term) for term in counted if not ranking.known(term))
    )
    common = tuple(
        dict.fromkeys(
            said.get(term, term)
            for term, share in ranking.prompt[number].items()
            if term not in counted and share > 0.0
        )
    )
    weights = _by_word(
        {term: weight for term, weight in counted.items() if ranking.known(term)}, said
    )
    return Part(weights, unknown, common)


def _judged(ranking: Ranking, choice: Choice, said: Mapping[str, str], bar: float) -> Judged:
    candidate = choice.candidate
    return Judged(
        name=str(choice.record["name"]),
        path=str(choice.record["path"]),
        part=candidate.segment + 1 if candidate else None,
        score=choice.score,
        evidence=choice.evidence,
        needed=choice.needed,
        passed=choice.passed,
        words=_by_word(ranking.matched(candidate), said) if candidate else {},
        why=_why(choice, bar),
    )


def _why(choice: Choice, bar: float) -> str:
    if choice.record.get("retired"):
        return "held back: it is retired"
    if choice.candidate is None:
        return (
            "shown: it stands for what the prompt names or what it replaced"
            if (choice.passed)
            else "held back: enough is shown already"
        )
    if choice.passed:
        return "shown: enough speaks for it"
    if choice.evidence >= choice.needed:
        return "held back: enough is shown already"
    if choice.evidence >= bar:
        return "held back: it comes up for many prompts, or would only be the second"
    return "held back: too little speaks for it"


def _by_word(terms: Mapping[str, float], said: Mapping[str, str]) -> dict[str, float]:
    """Weights by the words that were typed, the weightiest first."""
    found: dict[str, float] = {}
    for term, weight in terms.items():
        word = said.get(term, term)
        found[word] = found.get(word, 0.0) + weight
    return dict(sorted(found.items(), key=lambda item: -item[1]))
