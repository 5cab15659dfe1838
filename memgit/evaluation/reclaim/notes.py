"""What is carried from the first session to the second: the policies that write a note by rule.

The one rule: a note holds whole sentences; what a budget has no room for is left out, in order, and
a note that is tagged says how much of it was kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memgit.evaluation.reclaim.problem import Problem

LOSSY, PADDED, SOURCE_FIRST, AUTO = "lossy", "lossy_padded", "source_first", "source_first_auto"
BOTH, BLANK, DENOISED = "source_plus_conclusion", "blank", "denoised"
MEMGIT, WITHOUT_GIT = "memgit", "memgit_no_git"
POLICIES = (LOSSY, PADDED, SOURCE_FIRST, AUTO, BOTH, BLANK, DENOISED, MEMGIT, WITHOUT_GIT)

INTEGRITIES = (1.0, 0.6, 0.3, 0.1)
UNBOUNDED = 0
"""The budget of a note that may be as long as it wants."""

FOLLOW_UPS = (
    "Restate it, please.", "Now add 8 percent.", "And half of that?", "Double the first figure.",
    "Take 10 percent off it.", "In cents, please.", "Is that the same as before?", "Sum it up.",
)  # fmt: skip
_ACKNOWLEDGED = "That follows from the earlier figure; nothing else changes."

FILLER = "The session was calm and everything was in good order. "


@dataclass(frozen=True)
class Note:
    """A note: its text, and how many of the facts stand in it. `name` is that of a memory of which
    the source may be read once, by `read`.
    """

    text: str
    kept: int
    of: int
    name: str = ""
    read: Callable[[str], str] | None = None


def session(problem: Problem, depth: int = len(FOLLOW_UPS)) -> list[tuple[str, str]]:
    """The first session as (who, what): the facts, the planted sentence, and `depth` follow-ups
    that use the answer without deriving it again. It is scripted, the same for every reader.
    """
    said = list(problem.dialogue) or [("user", fact) for fact in _in_order(problem)]
    said += [("user", f"{problem.premise} What is {problem.asked}, for {problem.subject}?")]
    said += [("assistant", problem.conclusion)]
    for asked in FOLLOW_UPS[:depth]:
        said += [("user", asked), ("assistant", _ACKNOWLEDGED)]
    return said


def written(policy: str, problem: Problem, integrity: float, budget: int, tagged: bool) -> Note:
    """The note of a policy that is a rule. `integrity` is the share of the session that is kept."""
    if policy == BLANK:
        return _note(problem, [f"It was to be found, for {problem.subject}: {problem.asked}. "
                               "Nothing else was kept."], UNBOUNDED)  # fmt: skip
    if policy == LOSSY:
        return _note(problem, _lossy(problem, integrity), UNBOUNDED)
    if policy == PADDED:
        longest = len(written(SOURCE_FIRST, problem, integrity, budget, tagged).text)
        lossy = "\n".join(_lossy(problem, integrity))
        while len(lossy) < longest:
            lossy = f"{lossy} {FILLER.strip()}"
        return _note(problem, [lossy], UNBOUNDED)
    end = [problem.conclusion] if policy == BOTH else [_may_be_off(problem)]
    facts = problem.facts if policy in (DENOISED, AUTO) else _in_order(problem)
    if policy == SOURCE_FIRST and integrity >= 0.5:
        return _note(problem, [*facts, problem.premise, problem.conclusion], UNBOUNDED)
    return _note(problem, [*facts, *end], budget, len(end), tagged)


def by_rule(said: Sequence[tuple[str, str]]) -> list[str]:
    """What the rule behind `source_first_auto` keeps of a session: what the person stated."""
    return [text for who, text in said if who == "user" and text.endswith((".", "。"))
            and not text.startswith(("A colleague", "Considered", *FOLLOW_UPS))]  # fmt: skip


def cut(sentences: Sequence[str], budget: int, last: int = 0) -> list[str]:
    """The first sentences that fit into `budget` characters, the `last` ones always among them."""
    if budget == UNBOUNDED or len("\n".join(sentences)) <= budget:
        return list(sentences)
    ends = list(sentences[len(sentences) - last :])
    kept: list[str] = []
    for sentence in sentences[: len(sentences) - last]:
        if len("\n".join([*kept, sentence, *ends])) > budget:
            break
        kept.append(sentence)
    return [*kept, *ends]


def count(problem: Problem, text: str) -> int:
    """How many of the facts of a problem stand in a text, word for word."""
    return sum(fact in text for fact in problem.facts)


def _note(
    problem: Problem, sentences: Sequence[str], budget: int, last: int = 0, tagged: bool = False
) -> Note:
    text = "\n".join(cut(sentences, budget, last))
    kept = count(problem, text)
    if tagged and kept < len(problem.facts):
        text += f"\n[kept: {kept} of {len(problem.facts)}; {len(problem.facts) - kept} left out]"
    return Note(text, kept, len(problem.facts))


def _in_order(problem: Problem) -> list[str]:
    """The facts with the decoys between them, as they came up."""
    if not problem.decoys:
        return list(problem.facts)
    said: list[str] = []
    every = len(problem.decoys) / len(problem.facts)
    for place, fact in enumerate(problem.facts):
        said += problem.decoys[round(place * every) : round((place + 1) * every)]
        said.append(fact)
    return said


def _lossy(problem: Problem, integrity: float) -> list[str]:
    if integrity >= 1:
        return [f"{who}: {text}" for who, text in session(problem)]
    if integrity >= 0.5:
        return [*problem.facts, problem.premise, problem.conclusion]
    return [problem.premise, problem.conclusion] if integrity >= 0.2 else [problem.conclusion]


def _may_be_off(problem: Problem) -> str:
    return f"To find, for {problem.subject}: {problem.asked}. The earlier answer may be off."
