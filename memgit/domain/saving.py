"""Saving what an editor or an agent wrote into the work tree without committing it.

The one rule: nothing that was written is left out for its faults; they are told, and it is saved.
Only a file with a secret stays where it is, and as it is, until the secret is out of it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memgit.domain.always_on.hand_edits import Taken, taken_over
from memgit.domain.always_on.listing import FILE as INDEX
from memgit.domain.gates.refusing import new_secret
from memgit.domain.gates.scope import File
from memgit.domain.memory import NOT_MEMORIES, is_memory_path, parse
from memgit.domain.operation import Operation
from memgit.domain.recording import AGENT, is_current, record_listed, unhurried
from memgit.domain.store import Store
from memgit.errors import Fault, StoreError
from memgit.ports.changes import Unsaved

STILL = 2.0
"""Seconds for which a file must be left alone before it counts as written, when nobody waits."""


@dataclass(frozen=True)
class Saved:
    """What was saved: paths by what happened to them, `waiting` those still being written.

    `files` are the memories among them, `demoted` the ones that `MEMORY.md` lists no more, and
    `secrets` what was found in files that were left; `commit` is None where nothing was to save.
    """

    new: Sequence[str] = ()
    changed: Sequence[str] = ()
    deleted: Sequence[str] = ()
    waiting: Sequence[str] = ()
    commit: str | None = None
    files: Sequence[File] = ()
    demoted: Sequence[str] = ()
    secrets: Sequence[Fault] = ()

    @property
    def paths(self) -> list[str]:
        """Everything that was saved."""
        return sorted((*self.new, *self.changed, *self.deleted))


def save(store: Store, actor: str, now: float | None = None) -> Saved:
    """Commit every memory that differs from the last commit, and `MEMORY.md` and `PROFILE.md`.

    What was written into `MEMORY.md` goes to the memories, and it is made anew. For an agent, files
    changed in the last moments wait for the next time. Raises StoreError in the middle of a merge
    or a rebase, and when a file holds both sides of a conflict.
    """
    store.repository.expect_nothing_in_progress()
    with store.locked():
        return unhurried(store, lambda: _save(store, actor, time.time() if now is None else now))


def _save(store: Store, actor: str, now: float) -> Saved:
    repository = store.repository
    rows = [row for row in repository.unsaved() if _is_ours(row.path)]
    if torn := [row.path for row in rows if row.unmerged]:
        raise StoreError(
            f"{store.root / torn[0]}: two versions that git could not merge",
            f"edit it, then `git -C {store.root} add {torn[0]}`",
        )
    waiting = [row.path for row in rows if actor == AGENT and _is_fresh(store, row, now)]
    lists = INDEX not in waiting
    taken = taken_over(store, actor) if lists else Taken()
    written = [row for row in rows if row.path not in waiting]
    left = {row.path: fault for row in written if (fault := _secret(store, row.path))}
    written = [row for row in written if row.path not in left]
    secrets = list(left.values())
    saved = replace(_sorted_out(store, written, waiting, taken), secrets=secrets)
    if not saved.paths and (not lists or is_current(store)):
        return saved
    operation = Operation("save", _subject(saved), _names(store, rows, saved), actor)
    before = repository.head()
    standing = [path for path in saved.paths if path != INDEX]
    seen = {INDEX: taken.read}
    done = record_listed(store, operation, taken.files, standing, lists, seen)
    # What was staged and then written back again is not a change.
    if done.commit == before:
        return Saved(waiting=waiting, secrets=secrets)
    return replace(saved, commit=done.commit, demoted=done.demoted)


def _secret(store: Store, path: str) -> Fault | None:
    """A secret in a memory or the profile that the last commit does not hold there."""
    file = store.root / path
    if path == INDEX or not file.is_file() or file.is_symlink():
        return None
    return new_secret(store, path, store.content(path))


def _is_ours(path: str) -> bool:
    return is_memory_path(path) or path in NOT_MEMORIES


def _is_fresh(store: Store, row: Unsaved, moment: float) -> bool:
    """Whether somebody may still be writing a file. A clock that was set back does not count."""
    try:
        age = moment - (store.root / row.path).stat().st_mtime
    except OSError:
        return False
    return 0 <= age < STILL


def _sorted_out(
    store: Store, rows: Sequence[Unsaved], waiting: Sequence[str], taken: Taken
) -> Saved:
    """The rows by what happened to them, with what was `taken` from `MEMORY.md`. A symbolic link is
    not a memory: it stays as it is.
    """
    known = {row.path for row in rows}
    new = [path for path in taken.files if path not in known and not (store.root / path).exists()]
    changed = [path for path in taken.files if path not in known and path not in new]
    deleted: list[str] = []
    for row in rows:
        file = store.root / row.path
        if file.is_symlink() or file.is_dir():
            continue
        if file.exists():
            (changed if row.blob else new).append(row.path)
        elif row.blob:
            deleted.append(row.path)
    memories = sorted(filter(is_memory_path, (*new, *changed)))
    files = [File(path, taken.files.get(path) or store.content(path)) for path in memories]
    return Saved(new, changed, deleted, waiting, files=files)


def _subject(saved: Saved) -> str:
    """How many memories, and which of the files beside them."""
    memories = [path for path in saved.paths if is_memory_path(path)]
    counts = [
        f"{number} {what}"
        for what, paths in (("new", saved.new), ("changed", saved.changed),
                            ("deleted", saved.deleted))
        if (number := sum(map(is_memory_path, paths)))
    ]  # fmt: skip
    count = "1 memory" if len(memories) == 1 else f"{len(memories)} memories"
    told = [f"{count} ({', '.join(counts)})"] if memories else []
    beside = [path for path in saved.paths if path in NOT_MEMORIES]
    return " and ".join([*told, *beside]) or INDEX


def _names(store: Store, rows: Sequence[Unsaved], saved: Saved) -> list[str]:
    """The names of the memories saved; of a deleted one, the name that it had."""
    gone = {row.path: row.blob for row in rows
            if row.blob and row.path in saved.deleted and is_memory_path(row.path)}  # fmt: skip
    contents = store.repository.blobs(gone.values())
    names = [parse(path, data)[0].name for path, data in zip(gone, contents, strict=True)]
    return [*(file.memory.name for file in saved.files), *names]
