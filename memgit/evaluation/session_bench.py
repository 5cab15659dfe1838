"""What the harvest costs a session: its hooks with a large transcript, and how fast that is read.

The one rule: the hooks are timed as whole processes, in turn with the bare interpreter, so that the
ratios hold on a busy machine too.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from memgit.domain.queue.jobs import Queue
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import Cursor, is_passed_over, records, sessions
from memgit.domain.transcripts.turns import read_on, turns
from memgit.evaluation import index_bench
from memgit.evaluation.stopwatch import Command, Stopwatch, interleaved, ratios, summary
from memgit.ports.interpreter import bare
from memgit.ports.shipped import shipped

Stage = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Told of what is timed; gives the function that is told (done, in all)."""

READS = 5
"""Times that each reading is repeated; the best one counts, for the machine only ever slows."""

TAIL = 100_000
"""Bytes that a session of the benchmark went on by."""


@dataclass(frozen=True)
class Plan:
    """`megabytes` of a made-up transcript, and how often each hook is timed; `folder` may hold
    real transcripts, which are read too; `turns` are put into an index.
    """

    megabytes: int
    runs: int
    scratch: Path
    folder: Path | None = None
    turns: int = 100_000


def measure(plan: Plan, store: Store, stage: Stage) -> dict[str, Any]:
    """Every figure, as JSON holds it."""
    large = plan.scratch / "large.jsonl"
    small = plan.scratch / "small.jsonl"
    for path, size in ((large, plan.megabytes * 1_000_000), (small, TAIL)):
        path.write_bytes(b"".join(made_up(size)))
    hooks = _hooks(plan, store, {"large": large, "small": small}, stage)
    reading = {"made up": _reading([large], plan.scratch)}
    if plan.folder and (real := sessions(plan.folder)):
        reading[str(plan.folder)] = _reading(real, plan.scratch)
    return {
        "megabytes": plan.megabytes,
        "runs": plan.runs,
        "hooks": hooks,
        "reading": reading,
        "read_on_ms": round(_read_on(large) * 1e3, 3),
        "index": index_bench.measure(plan.scratch, plan.turns, made_up, stage),
    }


def made_up(size: int, seed: int = 7) -> Iterator[bytes]:
    """Lines of a transcript of about so many bytes, mixed as in the agent's: four fifths of them
    repeat or hold the host's own, and results of tools are the most of what is left.
    """
    chance = random.Random(seed)  # noqa: S311 - a benchmark wants the same numbers each time
    words = [f"word{number}" for number in range(2000)]

    def text(length: int) -> str:
        return " ".join(chance.choices(words, k=length))

    total = number = 0
    while total < size:
        number += 1
        for row in _exchange(number, text):
            line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
            total += len(line)
            yield line


def _exchange(number: int, text: Callable[[int], str]) -> Iterator[dict[str, Any]]:
    envelope = {"parentUuid": None, "isSidechain": False, "sessionId": "s", "cwd": "/p"}
    call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": text(8)}}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text(300)}
    assistant = {"type": "message", "role": "assistant"}
    if number % 10 == 1:
        yield {**envelope, "type": "user", "uuid": f"u{number}", "message": {"content": text(20)}}
    yield {**envelope, "message": {**assistant, "content": [call]}, "type": "assistant"}
    for _ in range(4):
        yield {**envelope, "type": "progress", "data": {"type": "bash_progress", "out": text(250)}}
    yield {"type": "file-history-snapshot", "snapshot": {"files": text(150)}}
    yield {**envelope, "type": "user", "message": {"content": [result]}}
    said = [{"type": "text", "text": text(40)}]
    yield {**envelope, "message": {**assistant, "content": said}, "type": "assistant"}


def _hooks(
    plan: Plan, store: Store, transcripts: Mapping[str, Path], stage: Stage
) -> dict[str, dict[str, Any]]:
    """Wall clock of each hook with each transcript, and against the bare interpreter."""
    launcher = shipped("hooks") / "session_event.py"
    interpreter = bare(launcher)
    words = (interpreter, "-I", "-S", str(launcher), "--store", str(store.root))
    programs = {"bare": Command((interpreter, "-I", "-S", "-c", "pass"))}
    for event in ("Stop", "SessionEnd"):
        for name, path in transcripts.items():
            said = {"hook_event_name": event, "session_id": name, "transcript_path": str(path)}
            given = plan.scratch / f"{event}-{name}.json"
            given.write_text(json.dumps(said), "utf-8")
            # A worker that ends at once: what is timed is to start it, as each session's end may.
            worker = ("--python", "/bin/true") if event == "SessionEnd" else ()
            programs[f"{event}, {name}"] = Command((*words, *worker), given)
    with Stopwatch(interpreter, plan.scratch) as stopwatch:
        contenders = {name: partial(_same, command) for name, command in programs.items()}
        with stage(f"timing the hooks, {plan.runs} runs") as counted:
            taken = interleaved(stopwatch, contenders, plan.runs, counted)
    assert len(Queue(store).jobs()) == len(transcripts)  # noqa: S101 - else nothing was timed
    return {
        name: {
            "wall_ms": summary(one.wall for one in rows),
            "times_bare": ratios(rows, taken["bare"]),
        }
        for name, rows in taken.items()
    }


def _same(command: Command, run: int) -> Command:
    return command


def _reading(paths: Sequence[Path], scratch: Path) -> dict[str, Any]:
    """Megabytes a second of each way to read: lines alone, lines that are all passed over, what
    harvest reads, and every line parsed.
    """
    lines = [line for path in paths for line in path.read_bytes().splitlines(keepends=True)]
    size = sum(map(len, lines))
    skipped = scratch / "skipped.jsonl"
    skipped.write_bytes(b"".join(line for line in lines if is_passed_over(line)))
    passed = skipped.stat().st_size
    return {
        "bytes": size,
        "passed_over": round(passed / size, 3),
        "lines_mb_s": _speed(size, lambda: [_lines(path) for path in paths]),
        "skip_mb_s": _speed(passed, lambda: _drain(records(skipped))),
        "turns_mb_s": _speed(size, lambda: [_drain(turns(path)) for path in paths]),
        "parse_all_mb_s": _speed(size, lambda: [json.loads(line) for line in lines]),
    }


def _speed(size: int, work: Callable[[], object]) -> int:
    return round(size / min(_seconds(work) for _ in range(READS)) / 1e6)


def _seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in iter(file.readline, b""))


def _drain(found: Iterable[object]) -> int:
    return sum(1 for _ in found)


def _read_on(path: Path) -> float:
    """Seconds to read what a session of this size went on by."""
    cursor = Cursor.at(path, path.stat().st_size)
    with path.open("ab") as file:
        file.writelines(made_up(TAIL, seed=8))
    return min(_seconds(lambda: read_on(path, cursor)) for _ in range(READS))
