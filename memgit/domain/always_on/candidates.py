"""The memories that may be listed: the newest and the strongest, kept beside the index.

The one rule: a change costs what changed. Enough rows are held that the listing of any cap follows
from them; the whole store is read only where nothing is held, or too many of them have gone.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from memgit.domain.always_on.listing import WEAK, Row
from memgit.domain.indexing.dates import Dates
from memgit.domain.memory import is_memory_path, parse
from memgit.domain.store import Store
from memgit.prompt.place import content

VERSION = 3
"""Raised whenever a row would say something else of the same memory."""

NEED = 201
"""Rows of each kind that any cap can ask for, and one that tells whether there are more."""

HELD = 400
"""Rows of each kind that are kept of a larger store."""

MOST = 3 * HELD
"""Rows from which on the weaker ones are let go."""

FEW = 16
"""Memories that are rather read again than the file of rows written anew."""

FILE = "listing.json"


@dataclass
class Candidates:
    """`rows` by path. Among them are all memories in force that are not older than `newest`, and
    all that are not weaker than `strongest`; "" stands for no bound.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    newest: str = ""
    strongest: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether these are all memories."""
        return not self.strongest

    def put(self, path: str, row: Row | None) -> None:
        """Take in a memory as it is now; None for one that is gone or hidden."""
        self.rows.pop(path, None)
        if row and self._belongs(row):
            self.rows[path] = row

    def is_enough(self) -> bool:
        """Whether any listing follows from these rows."""
        rows = self.rows.values()
        new = sum(row.rank > WEAK and row.age >= self.newest for row in rows)
        strong = sum(row.strength >= self.strongest for row in rows)
        return self.is_complete or (strong >= NEED and (not self.newest or new >= NEED))

    def trim(self) -> None:
        """Let go of what no listing would ask for soon."""
        if len(self.rows) <= MOST:
            return
        rows = self.rows.values()
        ages = sorted((row.age for row in rows if row.rank > WEAK), reverse=True)
        strengths = sorted((row.strength for row in rows), reverse=True)
        self.newest = ages[HELD - 1] if len(ages) > HELD else self.newest
        self.strongest = strengths[HELD - 1]
        self.rows = {path: row for path, row in self.rows.items() if self._belongs(row)}

    def _belongs(self, row: Row) -> bool:
        return (row.rank > WEAK and row.age >= self.newest) or row.strength >= self.strongest


def candidates(store: Store) -> Candidates:
    """The candidates of the commit that is checked out."""
    head = store.repository.head()
    if head is None:
        return Candidates()
    held = _held(store)
    if held and held[0] == head:
        return held[1]
    behind, found = _caught_up(store, *held, head) if held else (0, None)
    if found is None or not found.is_enough():
        behind, found = FEW, everything(store)
    found.trim()
    if behind >= FEW:
        _keep(store, head, found)
    return found


def everything(store: Store) -> Candidates:
    """Every memory of the commit that is checked out, read anew."""
    found = Candidates()
    if head := store.repository.head():
        tree = store.repository.tree(head)
        _take(store, found, head, {path: tree[path] for path in filter(is_memory_path, tree)})
    return found


def _caught_up(
    store: Store, commit: str, held: Candidates, head: str
) -> tuple[int, Candidates | None]:
    """(memories that changed, what is held of one commit, brought to another); None where git does
    not know it any more.
    """
    changes = store.repository.changes(commit, head)
    if changes is None:
        return 0, None
    touched = {change.path: change.blob for change in changes if is_memory_path(change.path)}
    for path in (path for path, blob in touched.items() if blob is None):
        held.put(path, None)
    _take(store, held, head, {path: blob for path, blob in touched.items() if blob})
    return len(touched), held


def _take(store: Store, into: Candidates, commit: str, files: Mapping[str, str]) -> None:
    dates = Dates(store.repository, commit, files)
    contents = store.repository.blobs(files.values())
    for path, data in zip(files, contents, strict=True):
        memory = parse(path, data)[0]
        into.put(path, Row.of(memory, "" if memory.recorded else dates.of(path)))


def _held(store: Store) -> tuple[str, Candidates] | None:
    """(commit, candidates) as they were kept; None where that cannot be read."""
    try:
        found: dict[str, Any] = json.loads(
            content(str(store.derived / FILE)).decode("utf-8", "surrogatepass")
        )
        if found["version"] != VERSION:
            return None
        rows = [Row(*row) for row in found["rows"]]
        if not all(isinstance(row.rank, int) and isinstance(row.age, str) for row in rows):
            return None
        held = Candidates({row.path: row for row in rows}, found["newest"], found["strongest"])
        return str(found["commit"]), held
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(store: Store, commit: str, found: Candidates) -> None:
    """Keep what was read for the next time; where the disk refuses, it is read again then."""
    value = {
        "version": VERSION,
        "commit": commit,
        "newest": found.newest,
        "strongest": found.strongest,
        "rows": [row.value() for row in found.rows.values()],
    }
    aside = store.derived / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        store.derived.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        os.replace(aside, store.derived / FILE)
