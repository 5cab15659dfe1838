"""Bringing the work tree from one commit to another while others may be writing into it.

The one rule: a file that holds what is not committed is never written over, no file is ever half
there, and either all of them are brought or none.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath

from memgit.domain.memory import NOT_MEMORIES, is_memory_path
from memgit.domain.placed_files import Rewritten
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.commit import move

_PLAIN = ("100644", "000000")


@dataclass(frozen=True)
class _Step:
    """One path that differs; a blob is None where there is no file."""

    path: str
    old: str | None
    new: str | None
    is_plain: bool

    @property
    def is_ours(self) -> bool:
        """Whether we place it ourselves: git would write it byte by byte into its place."""
        return self.is_plain and (is_memory_path(self.path) or self.path in NOT_MEMORIES)


class Moved(Exception):
    """The branch is no longer where it was, or a file was written meanwhile."""


def move_to(store: Store, old: str, new: str, why: str) -> None:
    """Check `new` out in place of `old`.

    Raises Moved where a memory was written or committed meanwhile: what is to be done has to be
    found out again. Raises StoreError for another file that is not committed. Nothing is changed
    then.
    """
    steps = list(_steps(store, old, new))
    seen = {step.path: _content(store, step.path) for step in steps if step.is_ours}
    _refuse_unsaved(store, steps)
    ours = sorted((step for step in steps if step.is_ours), key=lambda step: step.new is not None)
    blobs = store.repository.blobs(step.new for step in ours if step.new)
    files = {step.path: next(blobs) if step.new else None for step in ours}
    try:
        with store.placing(files, seen):
            if not move(store.repository, old, new, list(files), why):
                raise Moved
    except Rewritten:
        raise Moved from None
    _remove_empty(store, (step.path for step in ours if step.new is None))


def _steps(store: Store, old: str, new: str) -> Iterator[_Step]:
    told = store.repository.run(
        "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", old, new
    ).split("\0")
    for kind, path in zip(told[::2], told[1::2], strict=False):
        was, mode, before, after, _ = kind.lstrip(":").split()
        yield _Step(
            path,
            before if before.strip("0") else None,
            after if after.strip("0") else None,
            was in _PLAIN and mode in _PLAIN,
        )


def _refuse_unsaved(store: Store, steps: list[_Step]) -> None:
    """Raise where a path that is to change holds something else than the old commit or the new."""
    unsaved = {row.path for row in store.repository.unsaved()}
    for step in steps:
        there = os.path.lexists(store.root / step.path)
        if step.path not in unsaved and (step.old or not there):
            continue
        if _blob(store, step.path) == step.new:
            continue
        if step.is_ours:
            raise Moved
        raise StoreError(
            f"{store.root / step.path}: not committed, and the other side has another one",
            "commit it, or put it elsewhere; nothing was changed",
        )


def _content(store: Store, path: str) -> bytes | None:
    file = store.root / path
    return store.content(path) if file.is_file() and not file.is_symlink() else None


def _blob(store: Store, path: str) -> str | None:
    """What git would call the content of a file; None where there is none."""
    file = store.root / path
    if not file.is_file() or file.is_symlink():
        return None
    return store.repository.run("hash-object", "--", path)


def _remove_empty(store: Store, gone: Iterable[str]) -> None:
    """Take away folders of which the last file has gone, as git does."""
    for path in gone:
        for folder in list(PurePosixPath(path).parents)[:-1]:
            with suppress(OSError):
                (store.root / folder).rmdir()
