"""Running trials: the note is written, the person corrects, the reader answers, rules score.

The one rule: every trial stands by itself, so that a run that was stopped goes on as if it never
had been; and a reader that does not answer is an error, which counts as nothing else.
"""

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memgit.errors import ModelError, StoreError
from memgit.evaluation.reclaim import cascade, ledgers, notes, wording
from memgit.evaluation.reclaim.adapters import (
    ADAPTERS,
    LANGCHAIN,
    MEM0,
    Embed,
    check,
    langchain_summary,
    mem0_facts,
    nobody,
    vector_rag,
)
from memgit.evaluation.reclaim.generating import problem as generated
from memgit.evaluation.reclaim.holding import held
from memgit.evaluation.reclaim.notes import AUTO, MEMGIT, WITHOUT_GIT, Note
from memgit.evaluation.reclaim.problem import LEDGER, SLOT, Problem
from memgit.evaluation.reclaim.readers import Message, Reader
from memgit.evaluation.reclaim.rows import SCHEMA, key_of, load, whole
from memgit.evaluation.reclaim.scoring import ERROR, judge
from memgit.evaluation.reclaim.shelf import Harvest, Shelf
from memgit.evaluation.reclaim.trial import Trial
from memgit.ports.lock import hold
from memgit.ports.model.door import LimitReached

Told = Callable[[int, int], None]

_READS = re.compile(rf"(?m)^\s*`?{wording.SOURCE_VERB} (\S+?)`?\s*\Z")

_GOES_ON = "make room or rights; the same call goes on from there"

WRITER = (
    "Write a short memory of this session for a later one. Keep every given fact, quantity and "
    "unit that is needed to work the answer out again. State no final answer and nothing derived."
)


@dataclass
class Runner:
    """A reader, and the pass that the policy `memgit` harvests with; `given` are problems, a list
    for each seed, that are taken in place of generated ones of family `slot`.
    """

    reader: Reader
    harvest: Harvest
    folder: Path
    given: Sequence[Sequence[Problem]] = ()
    embed: Embed = nobody
    """Where the policies `vector_rag` and `mem0` have their vectors from."""
    _shelf: tuple[str, Shelf] | None = field(default=None, init=False)

    def row(self, trial: Trial) -> dict[str, Any]:
        """The result of one trial, with every prompt and every reply."""
        if trial.hops:
            return self._cascade(trial)
        made = self.problem(trial)
        row = _head(trial, made, self.reader)
        try:
            note = self.note(trial, made)
            row |= {"note": note.text, "kept": note.kept, "of": note.of,
                    "certificate": held(note.text, made.facts).verdict}  # fmt: skip
            said, replies = self.asked(note, wording.correction(made, trial.correction), trial.arm)
        except LimitReached:
            raise
        except ModelError as fault:
            return {**row, "prompts": [], "replies": [], "answer": None, "outcome": ERROR,
                    "error": str(fault)}  # fmt: skip
        value, outcome = judge(replies[-1], made.gold)
        return {**row, "prompts": said, "replies": replies, "answer": value, "outcome": outcome}

    def problem(self, trial: Trial) -> Problem:
        """The problem of a trial."""
        if self.given and trial.family == SLOT:
            return self.given[trial.seed][trial.number]
        if trial.family == LEDGER:
            return ledgers.ledger(trial.number, trial.seed, trial.size or 8, trial.decoys)
        return generated(trial.family, trial.number, trial.seed)

    def note(self, trial: Trial, problem: Problem) -> Note:
        """What is carried to the second session."""
        if trial.policy in (MEMGIT, WITHOUT_GIT):
            prompt = wording.correction(problem, trial.correction)[0]
            shelf = self.shelf(problem)
            return shelf.note(problem, prompt, trial.budget, trial.policy == MEMGIT)
        if trial.policy in ADAPTERS:
            text = self._adapted(trial, problem)
            return Note(text, notes.count(problem, text), len(problem.facts))
        if trial.policy == AUTO:
            said = notes.session(problem)
            text = "\n".join(notes.cut(self._written(said).split("\n"), trial.budget))
            return Note(text, notes.count(problem, text), len(problem.facts))
        return notes.written(trial.policy, problem, trial.integrity, trial.budget, trial.tagged)

    def _adapted(self, trial: Trial, problem: Problem) -> str:
        check(trial.policy, self.reader, self.embed)
        said = notes.session(problem)
        if trial.policy == LANGCHAIN:
            return langchain_summary(said, self.reader)
        if trial.policy == MEM0:
            return mem0_facts(said, self.reader, self.embed, self.folder)
        return vector_rag(said, wording.correction(problem, trial.correction)[0], self.embed)

    def _written(self, said: Sequence[tuple[str, str]]) -> str:
        if self.reader.deterministic:
            return "\n".join(notes.by_rule(said))
        record = "\n".join(f"{who}: {text}" for who, text in said)
        return self.reader.reply([{"role": "system", "content": WRITER},
                                  {"role": "user", "content": record}], wording.FREE)  # fmt: skip

    def shelf(self, problem: Problem) -> Shelf:
        """The store into which a problem's first session was harvested; the last one is kept."""
        if self._shelf is None or self._shelf[0] != problem.id:
            self._shelf = (problem.id, self.empty_shelf())
            self._shelf[1].learn(problem)
        return self._shelf[1]

    def empty_shelf(self) -> Shelf:
        """A store that has heard nothing yet."""
        return Shelf(Path(tempfile.mkdtemp(dir=self.folder)), self.harvest)

    def asked(self, note: Note, pushes: Sequence[str], arm: str) -> tuple[list[Message], list[str]]:
        """(the conversation but for its last reply, every reply); one read of a source at most."""
        said: list[Message] = [
            {"role": "system", "content": wording.system(arm, note.read is not None)},
            {"role": "user", "content": wording.memory(note.text)},
        ]
        replies: list[str] = []
        read = note.read
        for push in pushes:
            if replies:
                said.append({"role": "assistant", "content": replies[-1]})
            said.append({"role": "user", "content": push})
            replies.append(self.reader.reply(said, arm))
            if read and (wanted := _READS.search(replies[-1])):
                said += [{"role": "assistant", "content": replies[-1]},
                         {"role": "user", "content": read(wanted[1])}]  # fmt: skip
                read = None
                replies.append(self.reader.reply(said, arm))
        return said, replies

    def _cascade(self, trial: Trial) -> dict[str, Any]:
        made = ledgers.ledger(trial.number, trial.seed, trial.hops)
        row = _head(trial, made, self.reader)
        try:
            return {**row, **cascade.run(self, trial, made)}
        except LimitReached:
            raise
        except ModelError as fault:
            return {**row, "prompts": [], "replies": [], "answer": None, "outcome": ERROR,
                    "error": str(fault)}  # fmt: skip


def _head(trial: Trial, problem: Problem, reader: Reader) -> dict[str, Any]:
    return {
        "schema": SCHEMA, **trial.record(), "pid": problem.id, "reader": reader.name,
        "deterministic": reader.deterministic, "true": problem.gold.true,
        "planted_value": problem.gold.planted, "options": list(problem.gold.options),
    }  # fmt: skip


def run(runner: Runner, trials: Sequence[Trial], path: Path, told: Told | None = None) -> int:
    """Run what a file does not hold yet, row by row; errors of before are tried again.

    Returns how many trials were run. Raises LimitReached where a model gives no more; the rows
    until then stand, and the same call goes on from there. Raises StoreError where another run
    writes that file, or the disk refuses it.
    """
    for policy in dict.fromkeys(trial.policy for trial in trials):
        check(policy, runner.reader, runner.embed)
    with hold(path.with_name(f"{path.name}.lock"), str(path), patience=0):
        try:
            return _run(runner, trials, path, told)
        except OSError as fault:
            raise StoreError(f"{fault.filename or path}: {fault.strerror}", _GOES_ON) from None


def _run(runner: Runner, trials: Sequence[Trial], path: Path, told: Told | None) -> int:
    done = load(path)
    count = 0
    with path.open("ab") as file:
        file.truncate(len(whole(path)))
        for number, trial in enumerate(trials):
            if told:
                told(number, len(trials))
            pid = runner.problem(replace(trial, size=trial.hops or trial.size)).id
            before = done.get(key_of({**trial.record(), "pid": pid, "reader": runner.reader.name}))
            if before and before["outcome"] != ERROR:
                continue
            row = runner.row(trial)
            file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            file.flush()
            count += 1
    return count
