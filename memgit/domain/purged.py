"""What a purge leaves, so that nobody takes the old history in again.

The one rule: nothing that is committed is made from the string, be it a digest: who has a guess
could try it. Of old commits this clone alone keeps the ids; the others get a commit that says that
history was written anew, and see by themselves what they still have of the old one.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from memgit.domain.operation import Operation
from memgit.domain.store import Store
from memgit.prompt.place import content

_MARKED = ("--all-match", "--grep=^Memgit-Operation: purge$", "--grep=^Memgit-To: history$")


def note(store: Store, commits: Iterable[str]) -> None:
    """Keep the ids of commits that are gone from history, beside those of earlier purges."""
    file = _file(store)
    known = _known(store) | set(commits)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    with new.open("w", encoding="ascii") as stream:
        stream.writelines(f"{commit}\n" for commit in sorted(known))
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)


def mark(store: Store) -> None:
    """Commit, and so tell every other clone, that the history before was written anew."""
    store.note(Operation("purge", "history was written anew", to="history"))


def left_here(store: Store, ours: str, theirs: str) -> int:
    """How many commits of the history of `ours` were written anew by a purge elsewhere, of which
    `theirs` tells; those are known by their author, time and subject.
    """
    log = store.repository.run
    if not log("log", "-1", "--format=%H", *_MARKED, theirs, f"^{ours}"):
        return 0
    form = "--format=%an%x00%ae%x00%at%x00%s"
    new = set(log("log", form, theirs, f"^{ours}").split("\n"))
    return sum(told in new for told in log("log", form, ours, f"^{theirs}").split("\n"))


def came_back(store: Store, theirs: str) -> tuple[int, int]:
    """Of the history of commit `theirs`: how many commits a purge here took out of history, and how
    many others there are that are not here. (0, 0) where nothing that was purged is in it.
    """
    if not (known := _known(store)):
        return 0, 0
    repository = store.repository
    old = known.intersection(repository.run("rev-list", theirs).split())
    if not old:
        return 0, 0
    head = repository.head()
    new = repository.run("rev-list", theirs, *([f"^{head}"] if head else [])).split()
    return len(old), len(set(new) - known)


def _known(store: Store) -> set[str]:
    try:
        return set(content(str(_file(store))).decode("ascii", "replace").split())
    except FileNotFoundError:
        return set()


def _file(store: Store) -> Path:
    return store.repository.common_dir / "memgit" / "purged"
