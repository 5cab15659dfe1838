"""A work tree of its own for a while: to make two histories one, or commits that nobody sees yet.

The one rule: the person's own work tree, index and branch are not touched, whatever comes out.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memgit.errors import StoreError
from memgit.ports.git import Repository
from memgit.ports.refusal import first_line

NAME = "memgit-merging"

_MERGE = ("-c", "rerere.enabled=false", "-c", "merge.conflictStyle=merge", "-c",
          "merge.renames=true", "-c", "merge.directoryRenames=conflict", "-c",
          "merge.verifySignatures=false", "-c", "rebase.autoSquash=false", "-c",
          "rebase.missingCommitsCheck=ignore", "-c", "rebase.updateRefs=false", "-c",
          "core.sparseCheckout=false")  # fmt: skip


class Unmergeable(Exception):
    """Both sides changed the same: `paths` are where; none where they have no common history."""

    def __init__(self, paths: list[str], said: str) -> None:
        super().__init__(said)
        self.paths = paths
        self.said = said


def base(repository: Repository, ours: str, theirs: str) -> str | None:
    """The last commit that both have; None where they have none in common."""
    status, out, _ = repository.run_status("merge-base", ours, theirs)
    return out.split("\n")[0] if status == 0 else None


def rebased(repository: Repository, ours: str, theirs: str) -> str:
    """`ours` put on top of `theirs`, commit by commit. Raises Unmergeable."""
    with bench(repository, ours) as place:
        status, out, err = place.run_status(
            *_MERGE, "rebase", "--merge", "--quiet", "--no-gpg-sign", "--no-autostash",
            "--no-stat", theirs,
        )  # fmt: skip
        if status:
            raise Unmergeable(_torn(place), first_line(err or out))
        return place.head() or ours


def merged(repository: Repository, ours: str, theirs: str, message: str) -> str:
    """A commit that has both for its parents. Raises Unmergeable."""
    with bench(repository, ours) as place:
        status, out, err = place.run_status(
            *_MERGE, "merge", "--quiet", "--no-ff", "--no-edit", "--no-verify", "--no-gpg-sign",
            "--no-autostash", "--no-stat", "--no-log", "-m", message, theirs,
        )  # fmt: skip
        if status:
            raise Unmergeable(_torn(place), first_line(err or out))
        return place.head() or ours


def _torn(place: Repository) -> list[str]:
    rows = place.run("diff", "--name-only", "--diff-filter=U", "-z", check=False).split("\0")
    return sorted(filter(None, rows))


@contextmanager
def bench(repository: Repository, commit: str) -> Iterator[Repository]:
    """A work tree with a commit in it, on no branch, which goes when the body is done. What a
    killed process left of one goes first; what was derived there goes too.
    """
    place = repository.common_dir / "memgit" / "merging" / f"{NAME}-{os.getpid()}"
    _clear(repository, place.parent)
    place.parent.mkdir(parents=True, exist_ok=True)
    status, _, err = repository.run_status(
        "worktree", "add", "--quiet", "--detach", str(place), commit
    )
    try:
        if status:
            raise StoreError(f"{place}: {first_line(err)}", "nothing was changed; make room there")
        yield Repository(place)
    finally:
        _clear(repository, place.parent)
        derived = repository.common_dir / "memgit" / "worktrees"
        shutil.rmtree(derived / place.name, ignore_errors=True)


def _clear(repository: Repository, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for left in (repository.common_dir / "worktrees").glob(f"{NAME}-*"):
        shutil.rmtree(left, ignore_errors=True)
