"""What the index of sessions costs: putting turns in, asking for words, and one new session.

The one rule: processor time is told beside the clock's, because a busy machine lies with a clock.
"""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from memgit.domain.sessions.index import SessionIndex

Stage = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]

TURNS_EACH = 20
"""Turns of each transcript that is made up."""

NEW = 2_000_000
"""Bytes of the session that comes new."""

ASKED = 40
"""Queries of each kind."""

_COMMANDS = (
    "make lint", "make test", "git add src/a.py && git commit -m 'x'", "git push",
    "npm run build -- --watch=false", "docker compose up -d", "pytest -q tests/unit",
)  # fmt: skip


def measure(scratch: Path, turns: int, made_up: Callable[..., Iterator[bytes]],
            stage: Stage) -> dict[str, Any]:  # fmt: skip
    """Index so many turns, ask, and index one new session of 2 MB."""
    folder = scratch / "projects" / "-p"
    folder.mkdir(parents=True)
    sizes = [_write(folder / f"{number:06}.jsonl", number) for number in range(turns // TURNS_EACH)]
    index = SessionIndex(scratch / "index.db")
    with stage(f"indexing {turns:,} turns") as told:
        clock, processor = perf_counter(), process_time()
        synced = index.sync(folder, told)
        took, worked = perf_counter() - clock, process_time() - processor
    queries = {name: _asked(index, words) for name, words in _queries().items()}
    (folder / "new.jsonl").write_bytes(b"".join(made_up(NEW, seed=11)))
    clock, processor = perf_counter(), process_time()
    index.sync(folder)
    return {
        "turns": synced.turns,
        "bytes": sum(sizes),
        "index_bytes": index.shelf.text.file.stat().st_size,
        "turns_per_minute": round(synced.turns / took * 60),
        "turns_per_cpu_minute": round(synced.turns / worked * 60),
        "query_ms": queries,
        "new_session_s": round(perf_counter() - clock, 3),
        "new_session_cpu_s": round(process_time() - processor, 3),
    }


def _write(path: Path, number: int) -> int:
    """A session of small turns; its size in bytes."""
    chance = random.Random(number)  # noqa: S311 - a benchmark wants the same numbers each time

    def text(length: int) -> str:
        # Few words are in most turns, most are in few, as in any language.
        return " ".join(f"w{int(chance.paretovariate(0.6)) % 50_000}" for _ in range(length))

    rows = []
    for turn in range(TURNS_EACH):
        name = f"{number}-{turn}"
        head = {"sessionId": str(number), "cwd": "/p", "isSidechain": False}
        rows.append({**head, "type": "user", "uuid": f"u{name}", "message": {"content": text(25)}})
        for call in range(3):
            given = {"command": chance.choice(_COMMANDS)}
            block = {"type": "tool_use", "id": f"t{name}-{call}", "name": "Bash", "input": given}
            answer = {"type": "tool_result", "tool_use_id": f"t{name}-{call}", "content": text(60)}
            rows.append({**head, "type": "assistant", "uuid": f"a{name}-{call}",
                         "message": {"content": [block]}})  # fmt: skip
            rows.append({**head, "type": "user", "uuid": f"r{name}-{call}",
                         "message": {"content": [answer]}})  # fmt: skip
        said = [{"type": "text", "text": text(80)}]
        rows.append({**head, "type": "assistant", "uuid": f"s{name}", "message": {"content": said}})
    data = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows)
    path.write_text(data, "utf-8")
    return len(data)


def _queries() -> dict[str, list[str]]:
    chance = random.Random(5)  # noqa: S311
    return {
        "one rare word": [f"w{chance.randrange(2_000, 20_000)}" for _ in range(ASKED)],
        "three words": [f"w{chance.randrange(20, 200)} w{chance.randrange(5, 50)} w2"
                        for _ in range(ASKED)],
        "a command": [chance.choice(_COMMANDS[:4]) for _ in range(ASKED)],
        "a word of most turns": ["w1", "bash"] * (ASKED // 8),
    }  # fmt: skip


def _asked(index: SessionIndex, queries: list[str]) -> dict[str, float]:
    """Milliseconds of these queries: median and most by the clock, median of the processor's."""
    took, worked = [], []
    for query in queries:
        clock, processor = perf_counter(), process_time()
        index.search(query)
        took.append((perf_counter() - clock) * 1e3)
        worked.append((process_time() - processor) * 1e3)
    took.sort()
    worked.sort()
    half = len(took) // 2
    return {"median": round(took[half], 2), "most": round(took[-1], 2),
            "cpu_median": round(worked[half], 2)}  # fmt: skip
