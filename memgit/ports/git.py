"""git, through GitPython. The only module that imports it.

The one rule: what runs here never signs, never asks, never pushes, never runs a hook, and never
sees the `GIT_*` variables of a hook that called us, which name another repository's index.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from memgit.errors import StoreError

LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
"""What `git rev-parse --local-env-vars` lists, and the two that hooks add."""

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

_IN_PROGRESS = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


@dataclass(frozen=True)
class Change:
    """One path that differs between two commits; `blob` is None when it was deleted."""

    path: str
    blob: str | None


@dataclass(frozen=True)
class Unsaved:
    """One path whose work tree or index differs from HEAD; `blob` is HEAD's, None for a new one."""

    path: str
    blob: str | None
    unmerged: bool = False


class NoRepository(StoreError):
    """The folder is in no git repository at all."""


def wash_environment() -> None:
    """Take away the variables that would point git at another repository than the one named."""
    for name in LOCAL_VARIABLES:
        os.environ.pop(name, None)


class Repository:
    """One work tree of one repository, opened by a folder inside it."""

    def __init__(self, folder: Path) -> None:
        wash_environment()
        git = _gitpython()
        try:
            self._repo: Any = git.Repo(folder, search_parent_directories=True)
        except git.exc.NoSuchPathError:
            raise StoreError(f"{folder}: no such folder") from None
        except git.exc.InvalidGitRepositoryError:
            raise NoRepository(
                f"{folder}: not a git repository", "make it a store with `memgit init`"
            ) from None
        if self._repo.bare or self._repo.working_tree_dir is None:
            raise StoreError(
                f"{folder}: a bare repository has no files to remember in",
                "clone it, and use the clone",
            )
        self.root = Path(self._repo.working_tree_dir)

    @classmethod
    def create(cls, folder: Path) -> "Repository":
        """`git init` in `folder`, which is made; the person's own template folder is honoured."""
        wash_environment()
        git = _gitpython()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            git.Repo.init(folder).close()
        except OSError as fault:
            raise StoreError(f"{fault.filename or folder}: {fault.strerror}") from None
        except git.exc.GitCommandError as fault:
            lines = str(fault.stderr).strip().rstrip("'").splitlines()
            raise StoreError(f"git init: {lines[-1].removeprefix('fatal: ')}") from None
        return cls(folder)

    def close(self) -> None:
        """End the helper processes that read objects."""
        self._repo.close()

    def run(self, *arguments: str, stdin: bytes | None = None, check: bool = True) -> str:
        """Run `git ARGUMENTS` in the work tree and return what it printed, its last newline off.

        Raises StoreError with git's own words when it fails and `check` is set.
        """
        status, out, err = self.run_status(*arguments, stdin=stdin)
        if status and check:
            said = (err or out).strip().replace("\n", " · ")
            raise StoreError(f"git {arguments[0]}: {said or f'exit code {status}'}")
        return out

    def run_status(
        self, *arguments: str, stdin: bytes | None = None, index: Path | None = None
    ) -> tuple[int, str, str]:
        """Run `git ARGUMENTS`, on another `index` file if given; (exit code, output, errors)."""
        options: dict[str, Any] = {}
        if stdin is not None:
            options["istream"] = _as_file(stdin)
        status, out, err = self._repo.git.execute(
            ["git", *_QUIET, *arguments],
            with_extended_output=True,
            with_exceptions=False,
            env={**_ENVIRONMENT, **({"GIT_INDEX_FILE": str(index)} if index else {})},
            strip_newline_in_stdout=True,
            **options,
        )
        return int(status), str(out), str(err)

    @cached_property
    def common_dir(self) -> Path:
        """The `.git` folder that all work trees of this repository share."""
        return Path(self._repo.common_dir).resolve()

    @cached_property
    def git_dir(self) -> Path:
        """The `.git` folder of this work tree."""
        return Path(self._repo.git_dir).resolve()

    @property
    def worktree(self) -> str:
        """`main`, or `worktrees/NAME` with the name git gave to this linked work tree."""
        linked = self.git_dir != self.common_dir
        return f"worktrees/{self.git_dir.name}" if linked else "main"

    def head(self) -> str | None:
        """The commit that is checked out; None while the first one is still to come."""
        status, out, _ = self.run_status("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return out if status == 0 else None

    def in_progress(self) -> str | None:
        """The name of an unfinished merge, rebase, cherry-pick, revert or bisect."""
        for name, what in _IN_PROGRESS.items():
            if (self.git_dir / name).exists():
                return what
        return None

    def tree(self, commit: str) -> dict[str, str]:
        """Path → blob of every file of a commit. Submodules and symbolic links are left out."""
        rows = self.run("ls-tree", "-r", "-z", "--full-tree", commit).split("\0")
        found = {}
        for row in filter(None, rows):
            kind, path = row.split("\t", 1)
            mode, _, blob = kind.split()
            if mode in ("100644", "100755"):
                found[path] = blob
        return found

    def changes(self, old: str, new: str) -> list[Change] | None:
        """What differs from commit `old` to `new`; None when git no longer knows `old`."""
        status, out, _ = self.run_status(
            "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", old, new
        )
        return None if status else _raw(out)

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
        return [change for change in _raw(out) if change.blob is None or change.blob.strip("0")]

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
        """The content of each blob, in order, through one long-lived git process."""
        for blob in ids:
            yield self._repo.odb.stream(bytes.fromhex(blob)).read()

    def commit(self, paths: Sequence[str], message: str) -> str:
        """Commit the work tree's state of just these paths, whatever else is staged; its id.

        Raises StoreError when a merge or a rebase stands in the way. Nothing is committed when
        nothing changed: then the id is the one of HEAD.
        """
        if what := self.in_progress():
            raise StoreError(
                f"{self.root}: a {what} is in progress", f"finish it, or `git {what} --abort`"
            )
        listed = "\0".join(paths).encode("utf-8", "surrogateescape")
        from_stdin = ("--pathspec-from-file=-", "--pathspec-file-nul")
        # Unlike `git add`, this takes a path that somebody has already staged as removed.
        self._retry("update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=listed)
        if not self._staged(paths):
            return self.head() or ""
        # A message that names thousands of memories does not fit on a command line.
        with tempfile.NamedTemporaryFile() as file:
            file.write(message.encode("utf-8", "surrogateescape"))
            file.flush()
            self._retry(
                "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim",
                "--only", f"--file={file.name}", *from_stdin, stdin=listed,
            )  # fmt: skip
        return self.head() or ""

    def _staged(self, paths: Sequence[str]) -> bool:
        """Whether what is staged of these paths differs from HEAD."""
        batches = (paths[i : i + 500] for i in range(0, len(paths), 500))
        return any(
            self.run_status("diff", "--cached", "--quiet", "--", *batch)[0] for batch in batches
        )

    def _retry(self, *arguments: str, stdin: bytes) -> None:
        """Run a command that takes git's index lock, waiting for others who hold it."""
        import time

        for pause in (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 0.0):
            status, out, err = self.run_status(*arguments, stdin=stdin)
            if status == 0:
                return
            if "index.lock" not in err and "cannot lock ref" not in err:
                break
            time.sleep(pause)
        raise StoreError(
            f"git {arguments[0]}: {(err or out).strip().splitlines()[0]}",
            f"see what `git -C {self.root} status` says; nothing was lost",
        )

    def config(self, name: str) -> str | None:
        """A configuration value as git sees it here, or None."""
        status, out, _ = self.run_status("config", "--get", name)
        return out if status == 0 else None


_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "-c", "gc.auto=0",
          "-c", "core.quotePath=false", "-c", "advice.detachedHead=false",
          "-c", "core.autocrlf=false", "-c", "core.attributesFile=/dev/null")  # fmt: skip
"""Our own commits update the index in process, so no hook has to; and what a person wrote goes in
byte for byte, whatever his own line-end settings turn CRLF into."""


_ENVIRONMENT = {
    "GIT_EDITOR": ":",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}


def _raw(output: str) -> list[Change]:
    """The changes that a `--raw -z` listing of git names."""
    fields = output.split("\0")
    found = []
    for kind, path in zip(fields[::2], fields[1::2], strict=False):
        _, mode, _, blob, _ = kind.split()
        found.append(Change(path, blob if mode in ("100644", "100755") else None))
    return found


def _gitpython() -> Any:
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import git

    try:
        git.refresh()
    except (ImportError, git.exc.GitCommandNotFound):
        raise StoreError(
            "git is not installed or not on PATH", "install git 2.31 or newer"
        ) from None
    return git


def _as_file(data: bytes) -> Any:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - git reads it, then it is gone
    file.write(data)
    file.seek(0)
    return file
