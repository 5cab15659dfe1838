"""The cost of recall and of a commit on generated stores, as whole processes timed in turn.

The one rule: nothing is measured alone. Every time stands beside that of the bare interpreter and
of the rivals, taken in the same moments, so that the ratios hold on a busy machine too.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memgit.domain.trial import hook_command
from memgit.evaluation import fts5_process
from memgit.evaluation.prepared_store import Copy, PreparedStore, Stage, prepare
from memgit.evaluation.stopwatch import (
    Command,
    Stopwatch,
    Taken,
    interleaved,
    ratios,
    summary,
)

SMALLEST = 100
"""Memories of the store that a commit's time is held against."""

COMMITS = 15
"""The most commits that are timed; each changes one memory."""

_FTS5 = """
import sys
sys.path.append(sys.argv[1])
from memgit.evaluation.fts5_process import main
main(sys.argv[2])
"""

_AUDITED = """
import sys
from posix import write
starts = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system",
          "pty.spawn", "subprocess.Popen"}
def heard(event, arguments):
    if event in starts:
        write(1, b"process\\n")
    elif event.startswith("socket."):
        write(1, b"socket\\n")
sys.addaudithook(heard)
sys.argv = sys.argv[1:]
with open(sys.argv[0]) as file:
    code = compile(file.read(), sys.argv[0], "exec")
exec(code, {"__name__": "__main__", "__file__": sys.argv[0]})
"""


@dataclass(frozen=True)
class Plan:
    """What to measure: stores of these sizes from this seed, kept in `cache`; timed runs."""

    sizes: tuple[int, ...]
    runs: int
    seed: int
    cache: Path


@dataclass(frozen=True)
class _Bench:
    """What every measurement needs: the plan, the watch, a folder for files, and whom to tell."""

    plan: Plan
    stopwatch: Stopwatch
    scratch: Path
    stage: Stage

    def time(
        self, what: str, contenders: Mapping[str, Callable[[int], Command]], runs: int
    ) -> dict[str, list[Taken]]:
        with self.stage(what) as told:
            return interleaved(self.stopwatch, contenders, runs, told)


def measure(plan: Plan, stage: Stage) -> dict[str, Any]:
    """Build what is missing, time everything, and return one document of plain JSON values."""
    plan.cache.mkdir(parents=True, exist_ok=True)
    scratch = plan.cache / f"run-{os.getpid()}"
    scratch.mkdir()
    try:
        with Stopwatch(hook_command(scratch)[0], scratch) as stopwatch:
            bench = _Bench(plan, stopwatch, scratch, stage)
            stores = {
                size: prepare(plan.cache, plan.seed, size, stopwatch, stage)
                for size in sorted({SMALLEST, *plan.sizes})
            }
            copies = {size: Copy(store, scratch / str(size)) for size, store in stores.items()}
            recall = [_recall(bench, stores[size], copies[size]) for size in plan.sizes]
            commit = _commit(bench, stores, copies)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return {"seed": plan.seed, "runs": plan.runs, "recall": recall, "commit": commit}


def _recall(bench: _Bench, store: PreparedStore, copy: Copy) -> dict[str, Any]:
    """The hook and its rivals on one store."""
    runs = bench.plan.runs
    given = partial(_event, store, bench.scratch)
    programs = _contenders(store, copy)
    # Before any hook has left something there.
    index, table = _bytes(copy.derived / "index"), _bytes(copy.derived / "table")
    taken = bench.time(
        f"{store.memories:,} memories: timing recall, {runs} runs",
        {name: partial(_ask, words, given) for name, words in programs.items()},
        runs,
    )
    heard = bench.stopwatch.time(_ask(_audited(programs["hook"]), given, runs)).output
    return {
        "memories": store.memories,
        "wall_ms": {name: summary(t.wall for t in rows) for name, rows in taken.items()},
        "cpu_ms": {name: summary(t.cpu for t in rows) for name, rows in taken.items()},
        "rss_mb": {name: summary(t.rss for t in rows) for name, rows in taken.items()},
        "times_bare": {
            name: ratios(rows, taken["bare"]) for name, rows in taken.items() if name != "bare"
        },
        "hook_times_fts5": ratios(taken["hook"], taken["fts5"]),
        "found": {name: _found(store, rows) for name, rows in taken.items() if name != "bare"},
        "processes_started": heard.count(b"process\n"),
        "sockets_opened": heard.count(b"socket\n"),
        "build_s": round(store.build / 1e3, 3),
        "bytes": {"texts": store.texts, "index": index, "table": table},
        "bytes_times_texts": round((index + table) / store.texts, 3),
    }


def _contenders(store: PreparedStore, copy: Copy) -> dict[str, tuple[str, ...]]:
    """Name → words of the command. All read the hook's event from stdin, but the bare one."""
    hook = tuple(hook_command(copy.root))
    bare = (hook[0], "-I", "-S", "-c")
    package = Path(fts5_process.__file__).parents[2]
    return {
        "hook": hook,
        "bare": (*bare, "pass"),
        "fts5": (*bare, _FTS5, str(package), str(store.database)),
        "whoosh": (
            sys.executable, "-m", "memgit.evaluation.whoosh_process", str(copy.derived / "index")
        ),
    }  # fmt: skip


def _audited(hook: tuple[str, ...]) -> tuple[str, ...]:
    """The hook's command, telling on stdout of each process it starts and each socket it opens."""
    return (*hook[:3], "-c", _AUDITED, *hook[3:])


def _ask(words: tuple[str, ...], given: Callable[[int], Path], run: int) -> Command:
    return Command(words, given(run))


def _event(store: PreparedStore, scratch: Path, run: int, session: str = "first") -> Path:
    """The hook's stdin for one run: the prompts in turn, each in a session of its own."""
    name = f"{session}-{run}"
    event = {
        "session_id": name,
        "transcript_path": str(scratch / "transcript.jsonl"),
        "cwd": str(scratch),
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": store.asked[run % len(store.asked)].prompt,
    }
    path = scratch / f"{name}.json"
    path.write_text(json.dumps(event, ensure_ascii=False), encoding="utf-8")
    return path


def _found(store: PreparedStore, rows: list[Taken]) -> dict[str, int]:
    """How many of the prompts were answered at all, and with the memory that they ask for.

    Every contender prints paths. The rivals ask with all words of a long prompt at once, so that
    the one question in it is outweighed by what stands around it: to find nothing is their answer.
    """
    outputs = dict(zip(store.asked, (row.output for row in rows), strict=False))
    right = 0
    for asked, output in outputs.items():
        quoted = json.dumps(asked.path)[1:-1].encode()  # as the hook's JSON spells it
        right += quoted in output or asked.path.encode() in output
    answered = sum(map(bool, outputs.values()))
    return {"prompts": len(outputs), "answered": answered, "right": right}


def _commit(
    bench: _Bench, stores: Mapping[int, PreparedStore], copies: Mapping[int, Copy]
) -> list[dict[str, Any]]:
    """What the post-commit hook takes after a commit that changes one memory, at every size."""
    runs = min(bench.plan.runs, COMMITS)
    taken = bench.time(
        f"timing the post-commit hook, {runs} runs",
        {str(size): copy.after_commit for size, copy in copies.items()},
        runs,
    )
    smallest = taken[str(min(stores))]
    return [
        {
            "memories": size,
            "wall_ms": summary(t.wall for t in taken[str(size)]),
            "rss_mb": summary(t.rss for t in taken[str(size)]),
            "times_smallest": ratios(taken[str(size)], smallest),
            "hook_times_bare": _after_commits(bench, store, copies[size]),
        }
        for size, store in stores.items()
    ]


def _after_commits(bench: _Bench, store: PreparedStore, copy: Copy) -> dict[str, float]:
    """The hook on a store that has seen commits since it was built: more files, some outdated."""
    given = partial(_event, store, bench.scratch, session="then")
    programs = _contenders(store, copy)
    taken = bench.time(
        f"{store.memories:,} memories: timing recall after the commits, {bench.plan.runs} runs",
        {name: partial(_ask, programs[name], given) for name in ("hook", "bare")},
        bench.plan.runs,
    )
    return ratios(taken["hook"], taken["bare"])


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
