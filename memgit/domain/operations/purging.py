"""Purging: the one operation that takes words out of history, for secrets that got in.

The one rule: whether something is gone is never concluded from what was done, but found by
looking, in the working tree, the index and history, each told by itself.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memgit.domain import purged
from memgit.domain.indexing.index import Index
from memgit.domain.memory import is_memory_path, parse
from memgit.domain.operation import Operation
from memgit.domain.operations.secret import Secret
from memgit.domain.recording import record_listed
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports import rewriting
from memgit.prompt.table import BrokenTable, Table

SHORT = 12
"""Characters of an object's id that are shown."""


@dataclass(frozen=True)
class Sightings:
    """Where a string stands. `tree` are files of the work tree, `index` files of derived data,
    `history` objects that something leads to, `loose` objects that nothing leads to, `pushed`
    remote-tracking refs that lead to it, `git` other files and refs of git's own folder.
    """

    tree: Sequence[str] = ()
    index: Sequence[str] = ()
    history: Sequence[str] = ()
    loose: Sequence[str] = ()
    pushed: Sequence[str] = ()
    git: Sequence[str] = ()

    def __bool__(self) -> bool:
        return any((self.tree, self.index, self.history, self.loose, self.git))


def look(store: Store, secret: Secret) -> Sightings:
    """Look for a string everywhere in a store and its repository."""
    history, loose, pushed = _in_objects(store, secret)
    return Sightings(
        tree=[
            path
            for path in _files(store, "--cached", "--others")
            if _is_in_file(store, secret, path)
        ],
        index=sorted(_in_derived(store, secret)),
        history=history,
        loose=loose,
        pushed=pushed,
        git=sorted(_in_git_folder(store, secret)),
    )


def purge_tree(store: Store, secret: Secret) -> str | None:
    """Take a string out of the files and of all derived data; the commit, if files changed.

    Memories and whatever git tracks are changed; what git ignores, or nobody has added yet, is
    nobody's to commit, and stays. Raises StoreError where a file's own name holds the string.
    """
    store.repository.expect_nothing_in_progress()
    with store.locked():
        ours = {*store.paths(), *_files(store, "--cached")}
        held = [path for path in sorted(ours) if _is_in_file(store, secret, path)]
        if named := [path for path in held if secret.is_in(path)]:
            raise StoreError(
                f"{named[0]}: its name holds the string", "rename the file, then purge again"
            )
        files: dict[str, bytes | None] = {
            path: secret.taken_out(store.content(path)) for path in held
        }
        names = [parse(path, data or b"")[0].name for path, data in files.items()
                 if is_memory_path(path)]  # fmt: skip
        count = "1 file" if len(files) == 1 else f"{len(files)} files"
        operation = Operation("purge", f"a secret, out of {count}", names)
        commit = record_listed(store, operation, files).commit if files else None
    _forget_derived(store, secret)
    Index(store).sync(anew=True)
    return commit


def obstacles(store: Store) -> Iterator[str]:
    """What has to be out of the way before history can be written anew, each with what to do."""
    repository = store.repository
    if repository.branch() is None:
        yield "no branch is checked out: `git switch` to one"
    if repository.run("stash", "list"):
        yield "there are stashes, which would be lost: apply or drop them (`git stash list`)"
    others = repository.run("worktree", "list", "--porcelain").count("worktree ") - 1
    if others > 0:
        yield f"{others} more work trees share the repository: `git worktree remove` them"
    if (repository.common_dir / "shallow").exists():
        yield "the clone is shallow: `git fetch --unshallow`"


def purge_history(store: Store, secret: Secret) -> int:
    """Write all history without a string and drop what was; the commits written.

    There is no way back, and every commit has another id; the old ids are kept, so that a sync does
    not bring them back. Raises StoreError, having changed nothing, while `obstacles` stand in the
    way.
    """
    for obstacle in obstacles(store):
        raise StoreError(f"history cannot be rewritten: {obstacle}")
    with store.locked():
        tips = rewriting.refs(store.repository)
        # A remote may have it in commits of its own, which are not written anew but dropped here.
        theirs = [tips[name] for name in _in_objects(store, secret)[2]]
        ids = rewriting.rewrite(
            store.repository, secret.taken_out, lambda name: _renamed(secret, name)
        )
        changed = [old for old, new in ids.items() if old != new]
        purged.note(store, [*theirs, *changed])
        rewriting.forget(store.repository)
        if changed:
            purged.mark(store)
    Index(store).sync(anew=True)
    return len(ids)


def _renamed(secret: Secret, name: bytes) -> bytes:
    return name.replace(secret.text.encode("utf-8", "surrogateescape"), b"purged")


def _files(store: Store, *which: str) -> list[str]:
    """The files of the work tree that git lists so; links are none."""
    listed = store.repository.run("ls-files", "-z", "--deduplicate", *which).split("\0")
    files = ((path, store.root / path) for path in listed if path)
    return [path for path, file in files if file.is_file() and not file.is_symlink()]


def _is_in_file(store: Store, secret: Secret, path: str) -> bool:
    return secret.is_in(path) or secret.is_in_bytes(store.content(path))


def _in_derived(store: Store, secret: Secret) -> Iterator[str]:
    """The files of derived data that hold it, those of the other work trees too."""
    folder = store.repository.common_dir / "memgit"
    for path in folder.rglob("*"):
        if path.is_file() and _holds(path, secret):
            yield path.relative_to(folder).as_posix()
    for head in folder.rglob("table/head.json"):
        if _is_in_table(head.parent, secret):
            yield head.parent.relative_to(folder).as_posix()


def _holds(path: Path, secret: Secret) -> bool:
    try:
        return secret.is_in_index(path.read_bytes())
    except OSError:
        return False


def _is_in_table(folder: Path, secret: Secret) -> bool:
    """Whether a record of a recall table holds it: these are compressed."""
    try:
        table = Table(str(folder))
        return any(
            secret.is_in(str(table.record(number)))
            for number in range(table.memories)
            if not table.is_deleted(number)
        )
    except (BrokenTable, OSError, ValueError):
        return False


def _forget_derived(store: Store, secret: Secret) -> None:
    """Remove index, table and index of sessions of every work tree, which are built anew, and files
    that hold it.
    """
    folder = store.repository.common_dir / "memgit"
    for found in (*folder.rglob("index"), *folder.rglob("table"), *folder.rglob("sessions")):
        shutil.rmtree(found, ignore_errors=True)
    for path in folder.rglob("*"):
        if path.is_file() and _holds(path, secret):
            path.unlink(missing_ok=True)


def _in_objects(store: Store, secret: Secret) -> tuple[list[str], list[str], list[str]]:
    """(objects in history, objects nothing leads to, remote-tracking refs that lead to some)."""
    repository = store.repository
    held = {
        one.id: f"{one.kind} {one.id[:SHORT]}"
        for one in rewriting.every_object(repository)
        if secret.is_in_bytes(one.data)
    }
    if not held:
        return [], [], []
    known = rewriting.reachable(repository, "--all", "--reflog", "--indexed-objects")
    pushed = [
        name
        for name in rewriting.refs(repository)
        if name.startswith("refs/remotes/") and not held.keys().isdisjoint(
            rewriting.reachable(repository, name)
        )
    ]  # fmt: skip
    history = sorted(told for one, told in held.items() if one in known)
    return history, sorted(told for one, told in held.items() if one not in known), pushed


def _in_git_folder(store: Store, secret: Secret) -> Iterator[str]:
    """Files of git's own folder that hold it: settings, messages, logs; and names of refs."""
    folder = store.repository.common_dir
    for path in folder.rglob("*"):
        inner = path.relative_to(folder)
        if inner.parts[0] in ("objects", "memgit") or not path.is_file() or inner.name == "index":
            continue
        if secret.is_in_bytes(_content(path)) or secret.is_in(inner.as_posix()):
            yield inner.as_posix()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def after(before: Sightings, now: Sightings) -> Sightings:
    """What is told at the end: what is there now, and the refs from which it was pushed."""
    return replace(now, pushed=before.pushed)
