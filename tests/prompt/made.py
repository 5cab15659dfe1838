"""Small stores that a test writes down in place."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.prompt.recall import hits
from memgit.prompt.table import Table

Git = Callable[..., subprocess.CompletedProcess[str]]

DAY = 86400.0
NOW = 20_800 * DAY
"""2026-12-13, when nothing in these stores is from the future."""


def memory(about: str, body: str = "", name: str = "", **metadata: str) -> str:
    """The text of a memory, in the shape that Claude Code gives it."""
    lines = [f"  {key}: {value}" for key, value in metadata.items()]
    called = f"name: {name}\n" if name else ""
    return "\n".join(["---", f"{called}description: {about}", "metadata:", *lines, "---", body, ""])


def table_of(store: Path, git: Git, files: Mapping[str, str]) -> Table:
    """The recall table of a store after these files are committed to it."""
    for path, text in files.items():
        (store / path).parent.mkdir(parents=True, exist_ok=True)
        (store / path).write_text(text, "utf-8")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=more")
    return opened(store)


def opened(store: Path) -> Table:
    """The recall table of a store as it is committed."""
    index = Index(Store.at(store))
    index.sync()
    return Table(str(index.table))


def recalled(table: Table, prompt: str, limit: int = 2, now: float = NOW) -> list[str]:
    """Names of the memories that a prompt brings, in order."""
    return [str(hit.record["name"]) for hit in hits(table, prompt, limit, now)]
