"""A commit of just some paths, whatever else is staged: made aside, then put in place.

The one rule: a refusal, a full disk or a kill at any moment leaves branch and index as they were,
or the change staged; and no lock that was left behind stops the next commit.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memgit.errors import StoreError
from memgit.ports.lock import hold
from memgit.ports.refusal import refusal

if TYPE_CHECKING:
    from memgit.ports.git import Repository

PATIENCE = 10.0
"""Seconds to wait for another program that works on the same index or branch."""

STALE = 4.0
"""Seconds after which the lock of a branch is taken for one that a killed git left: git holds
these for milliseconds, and never while a person types."""

SIGNATURE = b"memgit\n"
"""The content of an index lock of ours; git's own is empty or an index."""


def commit_paths(
    repository: "Repository", paths: Sequence[str], message: str, even_unchanged: bool = False
) -> str:
    """Commit the work tree's state of these paths; the new commit, or HEAD where nothing changed
    and a commit that is nothing but its message is not wanted.

    Whatever else is staged stays so. Raises StoreError where a merge or a rebase stands in the
    way, or in git's own words, or OSError, and has then changed nothing.
    """
    repository.expect_nothing_in_progress()
    with _aside(repository) as aside:
        return _Commit(repository, aside, paths, message).make(even_unchanged)


def move(repository: "Repository", old: str, new: str, paths: Sequence[str], why: str) -> bool:
    """Bring branch, index and work tree from commit `old` to `new`; False where HEAD is not `old`.

    `paths` stand in the work tree as `new` has them already; git brings the others. Raises
    StoreError where one of those holds what is not committed, and has then changed nothing.
    """
    with _aside(repository) as aside:
        return _Move(repository, aside, paths, why).bring(old, new)


@contextmanager
def _aside(repository: "Repository") -> Iterator[Path]:
    """An empty folder for one change of the index, of which there is one at a time."""
    work = repository.common_dir / "memgit" / repository.worktree
    with hold(work / "commit.lock", f"git's index of {repository.root}"):
        for left in work.glob("commit.*.aside"):
            shutil.rmtree(left, ignore_errors=True)
        aside = work / f"commit.{os.getpid()}.aside"
        aside.mkdir(parents=True)
        try:
            yield aside
        finally:
            shutil.rmtree(aside, ignore_errors=True)


class _Commit:
    """One commit on its way. `aside` is an empty folder of its own."""

    def __init__(
        self, repository: "Repository", aside: Path, paths: Sequence[str], message: str
    ) -> None:
        self._repository = repository
        self._aside = aside
        self._paths = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
        self._subject = message.partition("\n")[0]
        self._message = aside / "message"
        self._message.write_bytes(message.encode("utf-8", "surrogateescape"))
        self._index = repository.git_dir / "index"

    def make(self, even_unchanged: bool = False) -> str:
        """Make the commit on what HEAD is by then, again if HEAD moves meanwhile."""
        with self._index_locked():
            while True:
                head = self._repository.head()
                tree = self._tree(head)
                if tree == self._tree_of(head) and not even_unchanged:
                    return head or ""
                parent = ["-p", head] if head else []
                commit = self._repository.run(
                    "commit-tree", tree, *parent, "-F", str(self._message)
                )
                if self._put_in_place(head, commit):
                    return commit

    def _tree(self, head: str | None) -> str:
        """The tree of HEAD with just these paths changed."""
        only = self._aside / "tree"
        only.unlink(missing_ok=True)
        if head:
            self._git("read-tree", head, index=only)
        self._stage(only)
        return self._git("write-tree", index=only)

    def _stage(self, index: Path) -> None:
        """Take the paths as they stand in the work tree into an index file."""
        # Unlike `git add`, this takes a path that somebody has already staged as removed.
        self._git(
            "update-index", "--add", "--remove", "--replace", "-z", "--stdin",
            stdin=self._paths, index=index,
        )  # fmt: skip

    def _tree_of(self, head: str | None) -> str:
        if head:
            return self._repository.tree_of(head)
        return self._repository.run("hash-object", "-t", "tree", "--stdin", stdin=b"")

    def _put_in_place(self, head: str | None, commit: str) -> bool:
        """Whether the branch took the commit; False where it moved since `head` was read.

        The index goes first: a kill in between leaves the change staged, which loses nothing; the
        other way round, the next plain `git commit` would take it away again.
        """
        following = self._aside / "next"
        before = self._aside / "before"
        if self._index.exists():
            shutil.copy2(self._index, following)
            shutil.copy2(self._index, before)
        self._stage(following)
        os.replace(following, self._index)
        done = False
        try:
            done = self._moved(head, commit)
        finally:
            if not done:
                _restore(self._index, before)
        return done

    def _moved(self, head: str | None, commit: str) -> bool:
        """Move the branch from `head` to `commit`, waiting for others who hold it."""
        expected = head or "0" * len(commit)
        for wait in _waits():
            status, _, err = self._repository.run_status(
                "update-ref", "-m", f"memgit: {self._subject}", "HEAD", commit, expected
            )
            if status == 0:
                return True
            if "but expected" in err or "reference already exists" in err:
                return False
            if "File exists" not in err:
                raise refusal(self._repository.root, "update-ref", err)
            for lock in self._branch_locks():
                _remove_stale(lock)
            wait()
        raise refusal(self._repository.root, "update-ref", err)

    def _branch_locks(self) -> list[Path]:
        repository = self._repository
        status, ref, _ = repository.run_status("symbolic-ref", "--quiet", "HEAD")
        branch = [repository.common_dir / f"{ref}.lock"] if status == 0 else []
        return [repository.git_dir / "HEAD.lock", *branch]

    @contextmanager
    def _index_locked(self) -> Iterator[None]:
        """Hold git's own index lock, so that no other git writes the index meanwhile."""
        lock = self._index.with_name("index.lock")
        mine = self._aside / "lock"
        mine.write_bytes(SIGNATURE)
        for wait in _waits():
            try:
                _create(lock, mine)
                break
            except FileExistsError:
                if _content(lock) == SIGNATURE:  # its maker is dead: we hold `commit.lock`
                    lock.unlink(missing_ok=True)
                else:
                    wait()
        else:
            raise StoreError(
                f"{lock}: another git process is at work in the store",
                "wait for it to end; if no git runs any more, remove that file",
            )
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)

    def _git(self, *arguments: str, index: Path, stdin: bytes | None = None) -> str:
        status, out, err = self._repository.run_status(*arguments, stdin=stdin, index=index)
        if status:
            raise refusal(self._repository.root, arguments[0], err)
        return out


class _Move(_Commit):
    """The way from one commit to another, of which the paths are brought already."""

    def bring(self, old: str, new: str) -> bool:
        """Whether the branch, the index and the rest of the work tree are at `new` now."""
        with self._index_locked():
            if self._repository.head() != old:
                return False
            self._way = (old, new)
            done = False
            try:
                done = self._put_in_place(old, new)
            finally:
                if not done and self._is_on_way:
                    self._git("read-tree", "-m", "-u", new, old, index=self._aside / "back")
            return done

    def _stage(self, index: Path) -> None:
        super()._stage(index)
        self._git("read-tree", "-m", "-u", *self._way, index=index)
        shutil.copy2(index, self._aside / "back")

    @property
    def _is_on_way(self) -> bool:
        return (self._aside / "back").exists()


def _waits() -> Iterator[Callable[[], None]]:
    """Ever longer pauses, until patience ends."""
    end = time.monotonic() + PATIENCE
    pause = 0.01
    while True:
        yield lambda: time.sleep(pause)  # noqa: B023 - called before the next round
        if time.monotonic() > end:
            return
        pause = min(2 * pause, 0.5)


def _create(lock: Path, mine: Path) -> None:
    """Make `lock` with the content of `mine`, in one step wherever the disk knows hard links."""
    try:
        os.link(mine, lock)
    except FileExistsError:
        raise
    except OSError:
        with lock.open("xb") as file:
            file.write(SIGNATURE)


def _restore(index: Path, before: Path) -> None:
    if before.exists():
        os.replace(before, index)
    else:
        index.unlink(missing_ok=True)


def _content(lock: Path) -> bytes:
    try:
        with lock.open("rb") as file:
            return file.read(len(SIGNATURE) + 1)
    except OSError:
        return b""


def _remove_stale(lock: Path) -> None:
    try:
        if time.time() - lock.stat().st_mtime > STALE:
            lock.unlink(missing_ok=True)
    except OSError:
        return
