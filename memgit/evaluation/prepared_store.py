"""Generated stores ready to be measured: committed, indexed, kept in a cache, copied for each run.

The one rule: what is in the cache is only ever built; hooks and commits are let loose on copies.
"""

import json
import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from memgit.domain.indexing.index import VERSION
from memgit.domain.memory import parse
from memgit.domain.store import Store
from memgit.evaluation import fts5_process
from memgit.evaluation.generated_store import (
    GENERATION,
    GeneratedStore,
    Text,
    file_of_stream,
    write_repository,
)
from memgit.evaluation.stopwatch import Command, Stopwatch

PROMPTS = 9

Stage = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Announces what is being done; what it yields is told (done, in all)."""


@dataclass(frozen=True)
class Asked:
    """A prompt, whether it is Japanese, and the path of the memory that it asks for."""

    prompt: str
    japanese: bool
    path: str


@dataclass(frozen=True)
class PreparedStore:
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
    def database(self) -> Path:
        """The FTS5 database over the same texts."""
        return self.folder / "fts5.db"


def prepare(cache: Path, seed: int, size: int, stopwatch: Stopwatch, stage: Stage) -> PreparedStore:
    """The store of one size, from the cache or made now."""
    folder = cache / f"memories-{size}-seed-{seed}-v{GENERATION}.{VERSION}"
    made = folder / "made.json"
    if not made.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        with stage(f"{size:,} memories: making texts, a repository and an FTS5 table"):
            facts = _make(GeneratedStore(seed, size), folder)
        with stage(f"{size:,} memories: building the index"):
            build = stopwatch.time(index_command(folder / "store")).wall
        made.write_text(json.dumps({**facts, "build": build}), encoding="utf-8")
    facts = json.loads(made.read_text(encoding="utf-8"))
    asked = tuple(Asked(**row) for row in facts["asked"])
    # A build that an older program made is brought up to date here, outside of all that is timed.
    stopwatch.time(index_command(folder / "store"))
    return PreparedStore(folder, size, facts["texts"], facts["build"], asked)


def index_command(root: Path) -> Command:
    """What the post-commit hook runs."""
    return Command((sys.executable, "-m", "memgit", "--store", str(root), "index", "--quiet"))


class Copy:
    """A copy of a prepared store with its index, at `root`; `derived` is its derived folder."""

    def __init__(self, store: PreparedStore, root: Path) -> None:
        source = Store.at(store.root)
        source.repository.run("clone", "--quiet", "--no-checkout", str(store.root), str(root))
        shutil.copy(store.root / "memgit.toml", root)
        opened = Store.at(root)
        shutil.copytree(source.derived, opened.derived)
        self.root = root
        self.derived = opened.derived
        self._repository = opened.repository
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
        return index_command(self.root)


def _make(store: GeneratedStore, folder: Path) -> dict[str, Any]:
    texts = list(store.memories())
    size = write_repository(folder / "store", texts)
    fts5_process.build(str(folder / "fts5.db"), map(_row, texts))
    prompts = store.prompts(PROMPTS)
    asked = [Asked(prompt.text, prompt.japanese, texts[prompt.target].path) for prompt in prompts]
    return {"texts": size, "asked": [asdict(one) for one in asked]}


def _row(text: Text) -> tuple[str, str, str, str]:
    memory, _ = parse(text.path, text.data)
    return memory.path, memory.name, memory.description, memory.body
