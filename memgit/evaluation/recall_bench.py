"""The cost of recall and of a commit on generated stores, as whole processes timed in turn.

The one rule: nothing is measured alone. Every time stands beside that of the bare interpreter and
of the rivals, taken in the same moments, so that the ratios hold on a busy machine too.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memgit.domain.index import VERSION
from memgit.domain.memory import parse
from memgit.domain.store import Store
from memgit.domain.trial import hook_command
from memgit.evaluation import fts5_process
from memgit.evaluation.generated_store import (
    GENERATION,
    GeneratedStore,
    Text,
    file_of_stream,
    write_repository,
)
from memgit.evaluation.stopwatch import (
    Command,
    Stopwatch,
    Taken,
    interleaved,
    ratios,
    summary,
)

PROMPTS = 9
SMALLEST = 100
"""Memories of the store that a commit's time is held against."""

COMMITS = 15
"""The most commits that are timed; each changes one memory."""

Stage = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Announces what is being done; what it yields is told (done, in all)."""

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
class Asked:
    """A prompt, whether it is Japanese, and the path of the memory that it asks for."""

    prompt: str
    japanese: bool
    path: str


@dataclass(frozen=True)
class Prepared:
    """A generated store, committed and indexed. `build` is the time of its full build in ms."""

    folder: Path
    memories: int
    texts: int
    build: float
    asked: tuple[Asked, ...]

    @property
    def root(self) -> Path:
        """The store."""
        return self.folder / "store"

    @property
    def derived(self) -> Path:
        """The store's derived folder."""
        return self.root / ".git" / "memgit" / "main"

    @property
    def database(self) -> Path:
        """The FTS5 database over the same texts."""
        return self.folder / "fts5.db"


def measure(plan: Plan, stage: Stage) -> dict[str, Any]:
    """Build what is missing, time everything, and return one document of plain JSON values."""
    plan.cache.mkdir(parents=True, exist_ok=True)
    scratch = plan.cache / f"run-{os.getpid()}"
    scratch.mkdir()
    try:
        with Stopwatch(hook_command(scratch)[0], scratch) as stopwatch:
            stores = {
                size: _prepare(plan, size, stopwatch, stage)
                for size in sorted({SMALLEST, *plan.sizes})
            }
            recall = [_recall(plan, stores[size], stopwatch, scratch, stage) for size in plan.sizes]
            commit = _commit(plan, stores, stopwatch, scratch, stage)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return {"seed": plan.seed, "runs": plan.runs, "recall": recall, "commit": commit}


def _prepare(plan: Plan, size: int, stopwatch: Stopwatch, stage: Stage) -> Prepared:
    """The store of one size, from the cache or made now."""
    folder = plan.cache / f"memories-{size}-seed-{plan.seed}-v{GENERATION}.{VERSION}"
    made = folder / "made.json"
    if not made.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        with stage(f"{size:,} memories: making texts, a repository and an FTS5 table"):
            facts = _make(GeneratedStore(plan.seed, size), folder)
        with stage(f"{size:,} memories: building the index"):
            build = stopwatch.time(_index_command(folder / "store")).wall
        made.write_text(json.dumps({**facts, "build": build}), encoding="utf-8")
    facts = json.loads(made.read_text(encoding="utf-8"))
    asked = tuple(Asked(**row) for row in facts["asked"])
    # A build that an older program made is brought up to date here, outside of all that is timed.
    stopwatch.time(_index_command(folder / "store"))
    return Prepared(folder, size, facts["texts"], facts["build"], asked)


def _make(store: GeneratedStore, folder: Path) -> dict[str, Any]:
    paths: list[str] = []
    texts = list(store.memories())
    paths = [text.path for text in texts]
    size = write_repository(folder / "store", texts)
    fts5_process.build(str(folder / "fts5.db"), map(_row, texts))
    asked = [Asked(p.text, p.japanese, paths[p.target]) for p in store.prompts(PROMPTS)]
    return {"texts": size, "asked": [asdict(one) for one in asked]}


def _row(text: Text) -> tuple[str, str, str, str]:
    memory, _ = parse(text.path, text.data)
    return memory.path, memory.name, memory.description, memory.body


def _index_command(root: Path) -> Command:
    """What the post-commit hook runs."""
    return Command((sys.executable, "-m", "memgit", "--store", str(root), "index", "--quiet"))


def _recall(
    plan: Plan, store: Prepared, stopwatch: Stopwatch, scratch: Path, stage: Stage
) -> dict[str, Any]:
    """The hook and its rivals on one store."""
    given = partial(_event, store, scratch)
    programs = _contenders(store)
    with stage(f"{store.memories:,} memories: timing recall, {plan.runs} runs") as told:
        taken = interleaved(
            stopwatch,
            {name: partial(_ask, words, given) for name, words in programs.items()},
            plan.runs,
            told,
        )
    heard = stopwatch.time(_ask(_audited(programs["hook"]), given, plan.runs)).output
    for session in (store.derived / "sessions").glob("bench-*"):
        session.unlink()
    index, table = _bytes(store.derived / "index"), _bytes(store.derived / "table")
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
        "prompts": min(len(store.asked), plan.runs),
        "processes_started": heard.count(b"process\n"),
        "sockets_opened": heard.count(b"socket\n"),
        "build_s": round(store.build / 1e3, 3),
        "bytes": {"texts": store.texts, "index": index, "table": table},
        "bytes_times_texts": round((index + table) / store.texts, 3),
    }


def _contenders(store: Prepared) -> dict[str, tuple[str, ...]]:
    """Name → words of the command. All read the hook's event from stdin, but the bare one."""
    hook = tuple(hook_command(store.root))
    bare = (hook[0], "-I", "-S", "-c")
    package = Path(fts5_process.__file__).parents[2]
    return {
        "hook": hook,
        "bare": (*bare, "pass"),
        "fts5": (*bare, _FTS5, str(package), str(store.database)),
        "whoosh": (
            sys.executable, "-m", "memgit.evaluation.whoosh_process", str(store.derived / "index")
        ),
    }  # fmt: skip


def _audited(hook: tuple[str, ...]) -> tuple[str, ...]:
    """The hook's command, telling on stdout of each process it starts and each socket it opens."""
    return (*hook[:3], "-c", _AUDITED, *hook[3:])


def _ask(words: tuple[str, ...], given: Callable[[int], Path], run: int) -> Command:
    return Command(words, given(run))


def _event(store: Prepared, scratch: Path, run: int) -> Path:
    """The hook's stdin for one run: the prompts in turn, each in a session of its own."""
    session = f"bench-{os.getpid()}-{run}"
    event = {
        "session_id": session,
        "transcript_path": str(scratch / "transcript.jsonl"),
        "cwd": str(scratch),
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": store.asked[run % len(store.asked)].prompt,
    }
    path = scratch / f"{session}.json"
    path.write_text(json.dumps(event, ensure_ascii=False), encoding="utf-8")
    return path


def _found(store: Prepared, rows: list[Taken]) -> dict[str, int]:
    """How many of the prompts were answered at all, and with the memory that they ask for."""
    outputs = dict(zip(store.asked, (row.output for row in rows), strict=False))
    right = 0
    for asked, output in outputs.items():
        quoted = json.dumps(asked.path)[1:-1].encode()  # as the hook's JSON spells it
        right += quoted in output or asked.path.encode() in output
    return {"answered": sum(map(bool, outputs.values())), "right": right}


def _commit(
    plan: Plan, stores: Mapping[int, Prepared], stopwatch: Stopwatch, scratch: Path, stage: Stage
) -> list[dict[str, Any]]:
    """What the post-commit hook takes after a commit that changes one memory, at every size."""
    runs = min(plan.runs, COMMITS)
    clones = {}
    for size, store in stores.items():
        with stage(f"{size:,} memories: a copy to commit to"):
            clones[str(size)] = _Clone(store, scratch / f"clone-{size}")
    with stage(f"timing the post-commit hook, {runs} runs") as told:
        taken = interleaved(
            stopwatch, {size: clone.after_commit for size, clone in clones.items()}, runs, told
        )
    return [
        {
            "memories": int(size),
            "wall_ms": summary(t.wall for t in rows),
            "rss_mb": summary(t.rss for t in rows),
            "times_smallest": ratios(rows, taken[str(min(stores))]),
        }
        for size, rows in taken.items()
    ]


class _Clone:
    """A copy of a generated store with its index, for commits that the cache must not see."""

    def __init__(self, store: Prepared, root: Path) -> None:
        source = Store.at(store.root)
        source.repository.run("clone", "--quiet", "--no-checkout", str(store.root), str(root))
        source.repository.close()
        shutil.copytree(store.root / ".git" / "memgit", root / ".git" / "memgit")
        shutil.copy(store.root / "memgit.toml", root)
        self._repository = Store.at(root).repository
        self._branch = self._repository.run("symbolic-ref", "HEAD")
        self._paths = [asked.path for asked in store.asked]
        self._source = store.root

    def after_commit(self, run: int) -> Command:
        """Commit a change of one memory; the command that then brings the index up to date."""
        path = self._paths[run % len(self._paths)]
        data = (self._source / path).read_bytes() + f"\nRevised in run {run}.\n".encode()
        commit = (
            f"commit {self._branch}\ncommitter bench <bench@example.com> {2_000_000_000 + run}"
            f" +0000\ndata 6\nrevise\nfrom {self._branch}^0\n"
        )
        stream = commit.encode() + file_of_stream(path, data)
        self._repository.run("fast-import", "--quiet", stdin=stream)
        return _index_command(self._repository.root)


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
