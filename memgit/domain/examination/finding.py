"""What a check says: how it stands, in what words, and what to do about it.

The one rule: whatever is not fine comes with something to do.
"""

import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from memgit.domain.settings import FILE
from memgit.domain.store import VARIABLE, Store
from memgit.errors import MemgitError

OK, WARN, BAD = "ok", "warn", "bad"


@dataclass(frozen=True)
class Finding:
    """One line of an examination. `state` is ok, warn (worth knowing) or bad (something fails)."""

    state: str
    says: str
    do: str = ""


@dataclass(frozen=True)
class Scene:
    """What is examined: the store, how it was found or why not; where one stands; the time."""

    store: Store | None
    way: str = ""
    missing: MemgitError | None = None
    here: Path = field(default_factory=Path.cwd)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    @classmethod
    def around(cls, named: str | None) -> "Scene":
        """The scene of a command whose --store names a store, or none."""
        here = Path.cwd()
        if named:
            way = "named by --store"
        elif os.environ.get(VARIABLE):
            way = f"named by {VARIABLE}"
        elif any((folder / FILE).is_file() for folder in (here, *here.parents)):
            way = "the one you stand in"
        else:
            way = "the one that `memgit install` recorded"
        try:
            return cls(Store.find(named), way)
        except MemgitError as fault:
            return cls(None, way, fault)


Check = Callable[[Scene], Iterator[Finding]]


def stored(check: Callable[[Scene, Store], Iterator[Finding]]) -> Check:
    """A check of the store as one of the scene: it has nothing to say where there is none."""
    return lambda scene: check(scene, scene.store) if scene.store else iter(())


def ok(says: str, do: str = "") -> Finding:
    """All is well."""
    return Finding(OK, says, do)


def warn(says: str, do: str) -> Finding:
    """It works, but somebody should know."""
    return Finding(WARN, says, do)


def bad(says: str, do: str) -> Finding:
    """It does not work."""
    return Finding(BAD, says, do)


def typed(*words: str | Path, store: Store | None = None) -> str:
    """A memgit command that can be pasted into a shell, whatever its paths are called."""
    named = ["--store", str(store.root)] if store else []
    return shlex.join(["memgit", *named, *map(str, words)])


def several(number: int, what: str) -> str:
    """`1 memory`, `3 memories`."""
    if number == 1:
        return f"1 {what}"
    return f"{number} {what.removesuffix('y')}ies" if what.endswith("y") else f"{number} {what}s"


def some(names: list[str], most: int = 3) -> str:
    """The first few of a list, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
