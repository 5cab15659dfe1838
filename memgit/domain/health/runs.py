"""How recall did on the person's own battery, at each commit on which that was measured.

The one rule: only counts are kept, never a prompt; and they lie with the derived data, as the
battery does.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memgit.domain.queue.jobs import put
from memgit.domain.store import Store

FILE = "battery-runs.json"

KEPT = 200
"""Runs that are kept, the newest."""


@dataclass(frozen=True)
class Run:
    """One measurement: ISO time, commit, version of memgit, prompts in all.

    `hits` of `asked` prompts had a right memory among the first two; `silent` of `idle` prompts
    that need none got none. `milliseconds` is the median of the hook's own process.
    """

    at: str
    commit: str
    version: str
    prompts: int
    hits: int
    asked: int
    silent: int
    idle: int
    milliseconds: float

    @property
    def share(self) -> float | None:
        """Of the prompts that a memory belongs to, those that got it; None where there are none."""
        return self.hits / self.asked if self.asked else None

    @property
    def quiet(self) -> float | None:
        """Of the prompts that need none, those that got none; None where there are none."""
        return self.silent / self.idle if self.idle else None


def runs(store: Store) -> list[Run]:
    """Every measurement that is kept, oldest first. What cannot be read is left out."""
    found: list[Run] = []
    with suppress(OSError, ValueError, RecursionError):
        for row in json.loads(_file(store).read_text("utf-8")):
            with suppress(TypeError, ValueError, KeyError, AttributeError):
                found.append(_run(row))
    return found


def keep(store: Store, run: Run) -> None:
    """Add a measurement; one of the same commit by the same version takes the place of the last."""
    every = runs(store)
    if every and (every[-1].commit, every[-1].version) == (run.commit, run.version):
        every.pop()
    rows = [asdict(one) for one in (*every, run)][-KEPT:]
    put(_file(store), json.dumps(rows))


def _file(store: Store) -> Path:
    return store.derived / FILE


def _run(row: Mapping[str, Any]) -> Run:
    datetime.fromisoformat(row["at"])
    prompts, hits, asked, silent, idle = (
        int(row[key]) for key in ("prompts", "hits", "asked", "silent", "idle")
    )
    return Run(
        str(row["at"]), str(row["commit"]), str(row["version"]), prompts, hits, asked, silent, idle,
        float(row["milliseconds"]),
    )  # fmt: skip
