"""A git repository: what it holds, where it stands, and running git in it.

The one rule: what runs here never signs, never asks, never pushes, never runs a hook, and never
sees the `GIT_*` variables of a hook that called us, which name another repository's index.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from memgit.errors import StoreError
from memgit.ports.changes import FILES, Change, Unsaved, change, raw_changes
from memgit.ports.git_process import execute, expect_git, streaming
from memgit.ports.git_settings import QUIET, wash_environment
from memgit.ports.head import plain_branch, plain_head
from memgit.ports.loose import Loose, NotPlain
from memgit.ports.refusal import first_line, refusal

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

FEW = 100
"""Blobs up to which git's own files are read before a process is started for them."""

_ELSEWHERE = "choose a folder that you may write to"

_IN_PROGRESS = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "sequencer": "cherry-pick",  # or a revert of several commits: a commit between stops either
    "BISECT_LOG": "bisect",
}


class NoRepository(StoreError):
    """The folder is in no git repository at all."""


class Repository:
    """One work tree of one repository, opened by a folder inside it."""

    def __init__(self, folder: Path) -> None:
        wash_environment()
        try:
            if not folder.is_dir():
                raise StoreError(f"{folder}: no such folder")
        except OSError as fault:
            raise StoreError(f"{folder}: {fault.strerror}") from None
        self.root = folder.absolute()
        status, out, err = self.run_status(
            "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
            "--is-inside-git-dir", "--is-bare-repository", "--show-toplevel",
        )  # fmt: skip
        told = out.split("\n")
        if "true" in told[2:4]:
            raise StoreError(
                f"{folder}: a bare repository has no files to remember in"
                if told[3] == "true"
                else f"{folder}: inside a repository's own folder",
                "clone it, and use the clone" if told[3] == "true" else "name the folder above it",
            )
        # A bare repository that lies inside of files somebody sent could name programs to run.
        if status and ("safe.bareRepository" in err or "bare repository" in err):
            inside = ".git" in folder.resolve().parts
            raise StoreError(
                f"{folder}: inside a repository's own folder"
                if inside
                else f"{folder}: a bare repository has no files to remember in",
                "name the folder above it" if inside else "clone it, and use the clone",
            )
        if status and "not a git repository" in err:
            raise NoRepository(
                f"{folder}: not a git repository", "make it a store with `memgit init`"
            )
        if status:
            expect_git()
            raise refusal(self.root, "rev-parse", err)
        if len(told) != 5:
            raise StoreError(f"{folder}: a path with a line break in it", "rename the folder")
        self.git_dir = Path(told[0]).resolve()
        """The `.git` folder of this work tree."""
        self.common_dir = Path(told[1]).resolve()
        """The `.git` folder that all work trees of this repository share."""
        if _own_git_dir(Path(told[4])) != self.git_dir:  # a git before 2.38 opens it all the same
            raise StoreError(
                f"{folder}: a repository that lies among files, without a .git of its own",
                "clone it, and use the clone",
            )
        self.root = Path(told[4])
        self._loose = Loose(self.common_dir)

    @classmethod
    def create(cls, folder: Path) -> "Repository":
        """`git init` in `folder`, which is made; the person's own template folder is honoured."""
        wash_environment()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise StoreError(f"{fault.filename or folder}: {fault.strerror}", _ELSEWHERE) from None
        status, _, err = execute(folder.absolute(), ("init", "--quiet"))
        if status:
            raise StoreError(f"git init: {first_line(err)}", _ELSEWHERE)
        return cls(folder)

    def run(self, *arguments: str, stdin: bytes | None = None, check: bool = True) -> str:
        """Run `git ARGUMENTS` in the work tree and return what it printed, its last newline off.

        Raises StoreError when it fails and `check` is set.
        """
        status, out, err = self.run_status(*arguments, stdin=stdin)
        if status and check:
            raise refusal(self.root, arguments[0], err or out or f"exit code {status}")
        return out

    def run_status(
        self, *arguments: str, stdin: bytes | None = None, index: Path | None = None
    ) -> tuple[int, str, str]:
        """Run `git ARGUMENTS`, on another `index` file if given; (exit code, output, errors)."""
        return execute(self.root, (*QUIET, *arguments), stdin, index)

    @property
    def worktree(self) -> str:
        """`main`, or `worktrees/NAME` with the name git gave to this linked work tree."""
        linked = self.git_dir != self.common_dir
        return f"worktrees/{self.git_dir.name}" if linked else "main"

    def head(self) -> str | None:
        """The commit that is checked out; None while the first one is still to come."""
        if plain := plain_head(self.git_dir, self.common_dir):
            return plain
        status, out, err = self.run_status("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if status == 0:
            return out
        if err:
            raise refusal(self.root, "rev-parse", err)
        if self._is_unborn():
            return None
        raise StoreError(
            f"{self.root}: HEAD names a commit that is not there",
            f"`git -C {self.root} fsck` tells more; `git reflog` names the commits before it",
        )

    def _is_unborn(self) -> bool:
        """Whether HEAD is a branch without a commit yet, and not one that is broken."""
        status, ref, _ = self.run_status("symbolic-ref", "--quiet", "HEAD")
        if status:
            return False
        return not any((folder / ref).exists() for folder in (self.git_dir, self.common_dir)) and (
            self.run_status("rev-parse", "--verify", "--quiet", "HEAD")[0] != 0
        )

    def branch(self) -> str | None:
        """The branch that is checked out; None where HEAD is detached from all of them."""
        if plain := plain_branch(self.git_dir):
            return plain
        status, out, _ = self.run_status("symbolic-ref", "--quiet", "--short", "HEAD")
        return out if status == 0 else None

    def in_progress(self) -> str | None:
        """The name of an unfinished merge, rebase, cherry-pick, revert or bisect."""
        for name, what in _IN_PROGRESS.items():
            if (self.git_dir / name).exists() and not (what == "merge" and self._is_merged()):
                return what
        return None

    def _is_merged(self) -> bool:
        """Whether the last merge is this one: git's hook after a merge comes before its end, and
        commits that the hook makes stand on the merge by then.
        """
        status, theirs, _ = self.run_status("rev-parse", "--verify", "--quiet", "MERGE_HEAD")
        _, last, _ = self.run_status(
            "rev-list", "--first-parent", "--merges", "--parents", "--max-count=1",
            "MERGE_HEAD..HEAD",
        )  # fmt: skip
        return status == 0 and theirs in last.split()[2:]

    def expect_nothing_in_progress(self) -> None:
        """Raise StoreError while a merge, a rebase or their like waits to be finished."""
        if what := self.in_progress():
            end = "reset" if what == "bisect" else "--abort"
            raise StoreError(
                f"{self.root}: a {what} is in progress", f"finish it, or `git {what} {end}`"
            )

    def tree_of(self, commit: str) -> str:
        """The id of a commit's tree."""
        with suppress(NotPlain):
            return self._loose.tree_of(commit)
        return self.run("rev-parse", "--verify", f"{commit}^{{tree}}")

    def tree(self, commit: str) -> dict[str, str]:
        """Path → blob of every file of a commit. Submodules and symbolic links are left out."""
        with suppress(NotPlain):
            entries = self._loose.files(commit)
            return {path: blob for path, (mode, blob) in entries if mode in FILES}
        rows = self.run("ls-tree", "-r", "-z", "--full-tree", commit).split("\0")
        found = {}
        for row in filter(None, rows):
            kind, path = row.split("\t", 1)
            mode, _, blob = kind.split()
            if mode in FILES:
                found[path] = blob
        return found

    def changes(self, old: str, new: str) -> list[Change] | None:
        """What differs from commit `old` to `new`; None when git no longer knows `old`."""
        with suppress(NotPlain):
            return [change(*row) for row in self._loose.changes(old, new)]
        status, out, _ = self.run_status(
            "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", old, new
        )
        return None if status else raw_changes(out)

    def staged(self, index: Path | None = None) -> list[Change]:
        """What the next commit would change. `index` is the file that git makes it from, if it
        is not the usual one: `git commit -a` and `git commit PATH` give hooks one of their own.
        """
        status, out, err = self.run_status(
            "diff-index", "--cached", "-z", "--no-renames", "--raw", "--no-abbrev",
            self.head() or EMPTY_TREE, index=index,
        )  # fmt: skip
        if status:
            raise StoreError(f"git diff-index: {err.strip()}")
        return [one for one in raw_changes(out) if one.blob is None or one.blob.strip("0")]

    def unsaved(self) -> list[Unsaved]:
        """Every path that `git status` would name, files in new folders one by one."""
        rows = self.run(
            "status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames",
            "--ignore-submodules=all",
        ).split("\0")  # fmt: skip
        found: dict[str, Unsaved] = {}
        for row in filter(None, rows):
            if row[0] == "?":
                found.setdefault(row[2:], Unsaved(row[2:], None))
            elif row[0] == "u":
                path = row.split(" ", 10)[10]
                found[path] = Unsaved(path, None, unmerged=True)
            elif row[0] == "1":
                *_, blob, _, path = row.split(" ", 8)
                found[path] = Unsaved(path, blob if blob.strip("0") else None)
        return list(found.values())

    def blobs(self, ids: Iterable[str]) -> Iterator[bytes]:
        """The content of each blob, in order, through one git process at most."""
        wanted = list(ids)
        try:
            found: Iterable[bytes] = (
                self._loose.blobs(wanted) if len(wanted) <= FEW else self._streamed(wanted)
            )
        except NotPlain:
            found = self._streamed(wanted)
        yield from found

    def _streamed(self, ids: list[str]) -> Iterator[bytes]:
        """The same of any number of blobs, and wherever they lie."""
        lines = "".join(f"{blob}\n" for blob in ids).encode()
        with streaming(self.root, (*QUIET, "cat-file", "--batch"), lines) as out:
            for blob in ids:
                said = out.readline().split()
                if said[1:] == [b"missing"] or (len(said) == 3 and said[1] != b"blob"):
                    raise StoreError(
                        f"{self.root}: git cannot read the object {blob}",
                        f"`git -C {self.root} fsck` tells more",
                    )
                size = int(said[2]) if len(said) == 3 and said[2].isdigit() else -1
                data = out.read(size + 1)
                if size < 0 or len(data) != size + 1:
                    raise StoreError(
                        f"{self.root}: git ended before it had told the object {blob}",
                        "try again; a partial clone gets it by `git fetch --refetch --no-filter`",
                    )
                yield data[:-1]

    def config(self, name: str) -> str | None:
        """A configuration value as git sees it here, or None."""
        status, out, _ = self.run_status("config", "--get", name)
        return out if status == 0 else None


def _own_git_dir(root: Path) -> Path | None:
    """The folder that a work tree's own `.git` is, or points to; None where there is none."""
    dot_git = root / ".git"
    if dot_git.is_dir():
        return dot_git.resolve()
    try:
        told = os.fsdecode(dot_git.read_bytes()).removeprefix("gitdir:").strip("\r\n ")
        return (root / told).resolve()
    except (OSError, ValueError):
        return None
