"""The commits that a purge wrote anew, so that nobody takes the old ones in again.

The one rule: only ids of commits are kept, never the string, nor anything made from it.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from memgit.domain.store import Store
from memgit.prompt.place import content


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
