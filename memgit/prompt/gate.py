"""Whether a memory is worth the reader's attention. Silence is the usual answer.

The one rule: a memory must show clearly more than this store shows for prompts that cannot belong
to it, and not by one word alone. How much that is was measured when the index was built: the
table's head holds it as `bar`.
"""

from math import sqrt

from memgit.prompt.show import days_since
from memgit.prompt.terms import words

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from typing import Any

    from memgit.prompt.ranking import Candidate, Ranking
    from memgit.prompt.table import Table

LOOKED = 4
"""Best candidates that are looked at closely."""

NORM = 0.2
"""The power of a segment's mass that evidence is divided by. Against small talk the plain sum
tells best (0), against prompts on other subjects the sum over the root (0.5); this is between."""

LIGHT = 24.0
"""The mass below which a segment is weighed as if it had as much: that of five to eight telling
words. "Commit this" has few and meets every one of them somewhere; it must not gain by that."""

ONE_WORD = 0.5
"""What share of the strongest word is left out of the evidence: one strong word ("push", the name
of a tool) is how a memory answers a prompt by accident."""

SUBJECT = 0.3
"""The share of a segment's mass from which one word is what the segment is about. Is it the one
word of it that the store knows, and one memory has it, then nothing is left out: "当番は誰?" has
no second word that a memory could show."""

ABOUT = 400
"""Characters of a description that are held against the prompt."""

SECOND = 1.25
"""How much more than the bar a further memory needs: it costs as much to read as the first, and
is right half as often."""

SUPERSEDED = 0.5
UNVERIFIED = 0.8
"""What a memory's score is worth in such a state."""

NEAR = 0.5
"""How much of a prompt and of a description must meet (1: the same words) for the description to
say nearly what the prompt says. It seldom does; of a memory that has one of the words in its name
and its title, too, it would then still come second."""

LIFT = 2.0
"""How many times its score such a memory goes up, times what meets. It needs as much evidence."""

OLDEST = 0.5
"""What an event's score is worth when it is very old: it ranks behind, but can still be found."""


class Choice:
    """A memory that was looked at, and what became of it.

    `candidate` is None where the prompt names the memory, or where it stands for one that it
    superseded. `evidence` is held against `needed`; `passed` tells the outcome.
    """

    __slots__ = ("candidate", "evidence", "memory", "needed", "passed", "record", "score")

    def __init__(
        self, memory: int, record: "dict[str, Any]", candidate: "Candidate | None" = None
    ) -> None:
        self.memory = memory
        self.record = record
        self.candidate = candidate
        self.score = 0.0
        self.evidence = 0.0
        self.needed = 0.0
        self.passed = True


def evidence(ranking: "Ranking", candidate: "Candidate") -> float:
    """How much speaks for a candidate, before its state is weighed in.

    Nothing does where only one word of the segment counts: "push it", "tests?", "進行" are orders.
    """
    if candidate.words < 2:
        return 0.0
    matched = ranking.matched(candidate)
    strongest = max(matched.values(), default=0.0)
    left_out = 0.0 if _is_subject(ranking, candidate, matched) else ONE_WORD * strongest
    return (candidate.total - left_out) / weighed(candidate)


def _is_subject(ranking: "Ranking", candidate: "Candidate", matched: "dict[str, float]") -> bool:
    """Whether a segment is about one word, and this is the only memory that has it."""
    if len(matched) != 1:
        return False
    weights = ranking.weights(candidate.segment)
    (term,) = matched
    if weights[term] < SUBJECT * candidate.mass or ranking.having(term) != 1:
        return False
    return not any(ranking.known(other) for other in weights if other != term)


def weighed(candidate: "Candidate") -> float:
    """What a candidate's total is divided by."""
    return float(max(candidate.mass, LIGHT) ** NORM)


def judged(
    table: "Table", ranking: "Ranking", named: "list[int]", limit: int, now: float
) -> list[Choice]:
    """Those named and the best candidates, best first, each with its outcome; at most `limit` pass.

    `now` is seconds since the epoch; only its day counts.
    """
    bar = float(table.head["bar"])
    restless = table.head["restless"]
    choices = [Choice(memory, table.record(memory)) for memory in named[:limit]]
    rest = [
        _looked_at(table, ranking, candidate, now)
        for candidate in ranking.best[:LOOKED]
        # With nothing left out it would still not reach the bar: silence costs no look at records.
        if candidate.memory not in named and candidate.total >= bar * weighed(candidate)
    ]
    rest.sort(key=lambda choice: (-choice.score, choice.memory))
    shown = len(choices)
    for choice in rest:
        choice.needed = bar * (SECOND if shown else 1.0) + restless.get(choice.record["blob"], 0.0)
        choice.passed = shown < limit and choice.evidence >= choice.needed
        shown += choice.passed
    return _succeeded(table, choices + rest, limit)


def _looked_at(table: "Table", ranking: "Ranking", candidate: "Candidate", now: float) -> Choice:
    choice = Choice(candidate.memory, table.record(candidate.memory), candidate)
    worth = _worth(choice.record, table.head.get("half_life") or {}, now)
    if choice.record["superseded_by"] and _way(table, choice)[1]:
        worth /= SUPERSEDED  # nothing stands in its place, so it is shown as if nothing did
    likeness = _likeness(ranking, candidate, choice.record["description"])
    lift = 1.0 + (LIFT * likeness if likeness >= NEAR else 0.0)
    choice.score = candidate.score * worth * lift
    choice.evidence = evidence(ranking, candidate) * worth
    return choice


def _likeness(ranking: "Ranking", candidate: "Candidate", description: str) -> float:
    """How nearly a description says what the segment says, from 0 to 1: the geometric mean of the
    share of the segment's weight and the share of the description's words that both have. Words
    that the prompt has, but that tell nothing, are left out.
    """
    weights, prompt = ranking.weights(candidate.segment), ranking.prompt[candidate.segment]
    met: set[str] = set()
    all_words = shared = 0
    for _, _, terms in words(description[:ABOUT]):
        held = [term for term in terms if term in weights]
        met.update(held)
        shared += bool(held)
        all_words += bool(held) or not any(term in prompt for term in terms)
    if not shared:
        return 0.0
    said = sum([weights[term] for term in met]) / candidate.mass
    return sqrt(min(1.0, said) * shared / all_words)


def _worth(record: "dict[str, Any]", half_life: "dict[str, float]", now: float) -> float:
    """What a memory's score is worth in the state that it is in: 1.0 for a sound, fresh one."""
    if record.get("retired"):
        return 0.0
    worth = 1.0
    if record["superseded_by"]:
        worth *= SUPERSEDED
    if any(label.startswith("unverified") for label in record["labels"]):
        worth *= UNVERIFIED
    days = half_life.get(record["type"], 0.0)
    age = days_since(record["recorded"], now) if days and not record["standing"] else None
    if age is not None and age > 0:
        worth *= OLDEST + (1.0 - OLDEST) * 0.5 ** (age / days)
    return worth


def _succeeded(table: "Table", choices: list[Choice], limit: int) -> list[Choice]:
    """The choices, each superseded one that passed preceded by what stands in its place now."""
    found: list[Choice] = []
    held = {choice.memory: choice for choice in choices}
    for choice in choices:
        if choice.passed and (newer := _successor(table, choice)) is not None:
            known = held.pop(newer.memory, None)
            if known is not None and known in found:
                newer = None
            elif known is not None:
                newer = known
                newer.passed = True
            if newer is not None:
                found.append(newer)
        if choice not in found:
            found.append(choice)
    shown = 0
    for choice in found:
        choice.passed = choice.passed and shown < limit
        shown += choice.passed
    return found


def _successor(table: "Table", choice: Choice) -> "Choice | None":
    """The memory at the end of the chain of successors; None where there is none."""
    way = _way(table, choice)[0]
    return Choice(way[-1], table.record(way[-1])) if way else None


def _way(table: "Table", choice: Choice) -> "tuple[list[int], bool]":
    """(the memories that succeeded this one, nearest first; whether the last leads back to it)."""
    if not choice.record["superseded_by"]:
        return [], False
    from memgit.prompt.mentions import lookup

    way: list[int] = []
    record = choice.record
    while name := record["superseded_by"]:
        memories = lookup(table, name)
        if len(memories) != 1 or memories[0] in way or memories[0] == choice.memory:
            return way, memories == [choice.memory]
        way.append(memories[0])
        record = table.record(memories[0])
    return way, False
