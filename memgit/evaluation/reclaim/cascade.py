"""A chain of sessions: each buys one thing more and is asked the total; the first one was wrong.

The one rule: nothing passes from one session to the next but the note that its policy leaves.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memgit.domain.memory import slug
from memgit.domain.transcripts.turns import Step
from memgit.evaluation.reclaim import notes, wording
from memgit.evaluation.reclaim.notes import BLANK, LOSSY, MEMGIT, WITHOUT_GIT, Note
from memgit.evaluation.reclaim.problem import Problem
from memgit.evaluation.reclaim.scoring import Gold, answer, judge, outcome, same
from memgit.evaluation.reclaim.shelf import Shelf, memories, turns_of
from memgit.evaluation.reclaim.trial import Trial

if TYPE_CHECKING:
    from memgit.evaluation.reclaim.running import Runner

OFF = 7.0
"""What the first total is wrong by."""

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def run(runner: "Runner", trial: Trial, problem: Problem) -> dict[str, Any]:
    """The totals of all hops, how many were wrong (`blast`), the answer after one correction."""
    off = OFF if trial.planted else 0.0
    chain = _Chain(runner, trial, problem)
    given = [_sum(problem, 1) + off]
    chain.leave(1, given[0])
    replies: list[str] = []
    for hop in range(2, trial.hops + 1):
        note = chain.note(_request(problem, hop))
        _, said = runner.asked(note, (_request(problem, hop),), trial.arm)
        replies += said
        value = answer(said[-1])
        given.append(float(value) if isinstance(value, float) else float("nan"))
        chain.leave(hop, given[-1], note.read(note.name) if note.read and note.name else "")
    right = [same(value, _sum(problem, hop)) for hop, value in enumerate(given, 1)]
    told = replace(problem, locus=f"the {_good(problem)} subtotal")
    pushes = wording.correction(told, trial.correction)
    note = chain.note(pushes[0])
    said_last, last = runner.asked(note, pushes, trial.arm)
    gold = Gold(_sum(problem, trial.hops), _sum(problem, trial.hops) + off if off else None)
    value, came = judge(last[-1], gold)
    return {
        "note": note.text, "kept": note.kept, "of": note.of, "prompts": said_last,
        "replies": [*replies, *last], "answer": value, "outcome": came, "per_hop": right,
        "blast": right.count(False), "H": trial.hops, "true": gold.true,
        "planted_value": gold.planted, "reclaim": outcome(value, gold) == "true",
    }  # fmt: skip


class _Chain:
    """What is carried along."""

    def __init__(self, runner: "Runner", trial: Trial, problem: Problem) -> None:
        self.trial = trial
        self.problem = problem
        self.total = float("nan")
        self.hop = 0
        needs = trial.policy in (MEMGIT, WITHOUT_GIT)
        self.shelf: Shelf | None = runner.empty_shelf() if needs else None
        self.name = ""

    def leave(self, hop: int, total: float, source: str = "") -> None:
        """End a session: what it bought, and came to, goes into the note."""
        self.total, self.hop = total, hop
        if self.shelf is not None:
            self._harvest(self.shelf, hop, total, source)

    def note(self, prompt: str) -> Note:
        """What the next session has."""
        problem, of = self.problem, self.hop
        if self.shelf is not None:
            found = self.shelf.note(problem, prompt, self.trial.budget, self.trial.policy == MEMGIT)
            return replace(found, of=of)
        end = f"For {problem.subject}, {problem.asked} was found to be {_shown(self.total)}."
        if self.trial.policy == BLANK:
            return Note(f"Something was bought for {problem.subject}.", 0, of)
        if self.trial.policy == LOSSY:
            return Note(end, 0, of)
        kept = notes.cut(problem.facts[:of], self.trial.budget)
        return Note("\n".join(kept), len(kept), of)

    def _harvest(self, shelf: Shelf, hop: int, total: float, source: str) -> None:
        """The session as the agent had it: what memory says was looked up, then one thing more."""
        bought = self.problem.facts[hop - 1]
        prompt = f"{bought} What is the running total before tax, for {self.problem.subject}?"
        session = f"{self.problem.id}-{hop}"
        said = [("user", prompt), ("assistant", f"It comes to {_shown(total)}.")]
        turns = turns_of(said, session)
        facts = [bought]
        if source:
            step = Step(f"{session}-read", tool="Bash", result=source,
                        input={"command": f"{wording.SOURCE_VERB} {self.name}"})  # fmt: skip
            turns[0] = replace(turns[0], steps=(step, *turns[0].steps))
            facts = [one for one in self.problem.facts[: hop - 1] if one in source] + facts
        quotes = [_quote(one, "user" if one == bought else "tool") for one in facts]
        claim = memories(self.problem, facts, quotes, self.name)
        about = slug(self.problem.subject.removeprefix("the "))
        claim["memories"][0]["name"] = name = f"{about}-after-{WORDS[hop - 1]}"
        if shelf.hear(turns, claim).applied:
            self.name = name


def _quote(words: str, by: str) -> Mapping[str, Any]:
    return {"turn": 1, "by": by, "words": words}


def _request(problem: Problem, hop: int) -> str:
    return (f"{problem.facts[hop - 1]} Concerning {problem.subject}: Give the answer: "
            "the running total before tax.")  # fmt: skip


def _good(problem: Problem) -> str:
    return problem.facts[0].split(" at ")[0].split()[-1]


def _sum(problem: Problem, hops: int) -> float:
    rows = (fact.removeprefix("Bought ").split() for fact in problem.facts[:hops])
    return float(sum(int(row[0]) * int(row[3].lstrip("$")) for row in rows))


def _shown(total: float) -> str:
    return "unknown" if total != total else f"${total:g}"
