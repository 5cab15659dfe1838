"""Two commits of memgit itself against each other: whole processes, timed in turn.

The one rule: each side has its own code and its own copy of one generated store, and is started in
the same way by the same interpreter; a run of one is only compared with the run beside it.
"""

import json
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from memgit.errors import UsageError
from memgit.evaluation.generated_store import GeneratedStore, Prompt, write_repository
from memgit.evaluation.stopwatch import Command, Stopwatch, Taken, interleaved, summary
from memgit.ports.git import Repository
from memgit.ports.interpreter import bare, full

Progress = Callable[[int, int], None]

SEED = 7
"""What the store grows from: the same one each time."""

PROMPTS = 10
"""Prompts that the hook is asked in turn."""

WORK_TREE = ""
"""The revision that is no commit: the files as they are now."""


@dataclass(frozen=True)
class Plan:
    """What is compared: two revisions of the checkout `source`, on so many memories."""

    source: Path
    revisions: tuple[str, str]
    memories: int
    runs: int
    scratch: Path


@dataclass(frozen=True)
class _Side:
    """One revision: its code, and its store."""

    code: Path
    store: Path

    def memgit(self, *words: str) -> Command:
        """A call of its command line, from its own code wherever another memgit is installed."""
        # An installed program has its bytecode, so these may write theirs.
        env = ("/usr/bin/env", "-u", "PYTHONDONTWRITEBYTECODE", f"PYTHONPATH={self.code}")
        ours = (*env, full(), "-P", "-m", "memgit")
        return Command((*ours, "--store", str(self.store), *words))

    def hook(self, given: Path) -> Command:
        """Its prompt hook, as an agent starts it."""
        launcher = self.code / "hooks" / "recall.py"
        return Command((self.bare, "-I", "-S", str(launcher), "--store", str(self.store)), given)

    @cached_property
    def bare(self) -> str:
        """The interpreter that runs its hook."""
        return bare(self.code / "hooks" / "recall.py")


def measure(plan: Plan, told: Progress) -> dict[str, Any]:
    """Times of the hook, `add` and `list` on both sides, and their ratio, second to first.

    Raises UsageError for a revision that is none, FailedRun where a side does not run.
    """
    grown = GeneratedStore(SEED, plan.memories)
    events = _events(grown.prompts(PROMPTS), plan.scratch)
    sides = [_side(plan, number, grown) for number in (0, 1)]
    found = {}
    with Stopwatch(sides[1].bare, plan.scratch) as stopwatch:
        for side in sides:
            stopwatch.time(side.memgit("index", "--quiet"))
        stages = _stages(events)
        for done, (name, asked) in enumerate(stages.items()):
            contenders = {str(number): partial(asked, side) for number, side in enumerate(sides)}
            taken = interleaved(stopwatch, contenders, plan.runs, lambda run, runs: None)
            found[name] = _compared(taken["0"], taken["1"])
            told(done + 1, len(stages))
    names = [revision or "the work tree" for revision in plan.revisions]
    return {"compared": names, "memories": plan.memories, "runs": plan.runs, "of": found}


def _stages(events: Sequence[Path]) -> dict[str, Callable[[_Side, int], Command]]:
    """What is timed: name → the command of a side in one run."""
    return {
        "recall hook": lambda side, run: side.hook(events[run % len(events)]),
        "add": lambda side, run: side.memgit(
            "add", "--name", f"measured-{run + 2}", "--body", f"What run {run} was about: pears."
        ),
        "list": lambda side, run: side.memgit("list", "--json"),
    }


def _compared(first: Sequence[Taken], second: Sequence[Taken]) -> dict[str, Any]:
    """Both in milliseconds; the ratios are of processor time, pair by pair."""
    pairs = zip(first, second, strict=False)  # a side that is slow has its first runs alone
    return {
        "wall_ms": [summary(one.wall for one in side) for side in (first, second)],
        "cpu_ms": [summary(one.cpu for one in side) for side in (first, second)],
        "ratio": summary(b.cpu / a.cpu for a, b in pairs if a.cpu),
    }


def _side(plan: Plan, number: int, grown: GeneratedStore) -> _Side:
    folder = plan.scratch / f"side-{number}"
    folder.mkdir()
    write_repository(folder / "store", grown.memories())
    revision = plan.revisions[number]
    code = plan.source if revision == WORK_TREE else _exported(plan.source, revision, folder)
    return _Side(code, folder / "store")


def _exported(source: Path, revision: str, folder: Path) -> Path:
    """The code as a commit has it. Raises UsageError for a revision that is none."""
    repository = Repository(source)
    packed, code = folder / "code.tar", folder / "code"
    named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    status, commit, _ = repository.run_status(*named)
    if status:
        raise UsageError(f"{revision}: no commit of {source}", "see `git log`")
    repository.run("archive", "--format=tar", f"--output={packed}", commit.strip())
    with tarfile.open(packed) as tar:
        tar.extractall(code, filter="data")
    if not (code / "memgit" / "__main__.py").is_file():
        raise UsageError(f"{revision}: there is no memgit in it", "name a commit of memgit itself")
    return code


def _events(prompts: Sequence[Prompt], scratch: Path) -> list[Path]:
    """The hook's stdin for each prompt."""
    files = []
    for number, prompt in enumerate(prompts):
        event = {"hook_event_name": "UserPromptSubmit", "cwd": str(scratch), "prompt": prompt.text}
        files.append(scratch / f"event-{number}.json")
        files[-1].write_text(json.dumps(event, ensure_ascii=False), encoding="utf-8")
    return files
