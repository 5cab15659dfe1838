"""A person's project as git knows it: files, branches, commits, what became of a path. Read only.

The one rule: nothing is fetched, written or run for a look: no hook, no filter, no helper program,
and no lazy download of what a partial clone left out.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memgit.errors import StoreError
from memgit.ports.git_settings import ENVIRONMENT, LOCAL_VARIABLES, QUIET
from memgit.ports.refusal import first_line

PATIENCE = 60.0
"""Seconds that one question to git may take."""

BRANCHES = 60
"""Branches, the newest first, in which a file that is not here is looked for."""

_START = "\x01"


class Unreadable(Exception):
    """git did not answer, or not in time."""


@dataclass(frozen=True)
class Event:
    """A path came (`A`) or went (`D`) in a commit; `at` counts events, the newest is 0."""

    kind: str
    path: str
    commit: str
    at: int


class Checkout:
    """One work tree, or one bare repository, opened by a folder in it.

    Raises StoreError where git knows no repository there.
    """

    def __init__(self, folder: Path) -> None:
        self._where = ["-C", str(folder)]
        told = self._told(folder)
        self.is_bare = told is None
        if told is None:
            # Named outright, so that git opens what it would not open when it came upon it.
            self._where = ["-C", str(folder), "--git-dir", str(folder)]
            told = self._ask(folder, "--git-common-dir", "--git-dir")
            self.root = folder.resolve()
        else:
            self.root = Path(told[2]).resolve()
            self._where = ["-C", str(self.root)]
        self.common_dir, self.git_dir = Path(told[0]).resolve(), Path(told[1]).resolve()

    def _told(self, folder: Path) -> list[str] | None:
        """[common dir, git dir, top]; None for what may be a bare repository."""
        try:
            return self._ask(folder, "--git-common-dir", "--git-dir", "--show-toplevel")
        except StoreError:
            if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
                return None
            raise

    def _ask(self, folder: Path, *what: str) -> list[str]:
        status, out, err = self.run("rev-parse", "--path-format=absolute", *what)
        told = out.rstrip("\n").split("\n")
        if status or len(told) != len(what):
            said = first_line(err) if status else "a path with a line break in it"
            raise StoreError(f"{folder}: {said}", "name a folder that is in a git repository")
        return told

    def run(
        self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] = ENVIRONMENT
    ) -> tuple[int, str, str]:
        """(exit code, output, errors) of `git ARGUMENTS`. Raises Unreadable when it takes long."""
        washed = {name: value for name, value in os.environ.items() if name not in LOCAL_VARIABLES}
        try:
            done = subprocess.run(
                ["git", *self._where, *QUIET, *arguments], input=stdin, capture_output=True,
                env={**washed, **environment}, timeout=PATIENCE, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Unreadable(f"git {arguments[0]} took longer than {PATIENCE:.0f} s") from None
        except OSError as fault:
            raise StoreError(f"git: {fault.strerror}", "install git 2.31 or newer") from None
        out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
        return done.returncode, out, err

    def _rows(self, *arguments: str, stdin: bytes = b"") -> list[str]:
        """What git lists, up to each NUL. Raises Unreadable where it refuses."""
        status, out, err = self.run(*arguments, stdin=stdin)
        if status:
            raise Unreadable(first_line(err))
        return [row for row in out.split("\0") if row]

    def head(self) -> str:
        """The commit that is checked out; "" before the first one."""
        status, out, _ = self.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return "" if status else out.strip()

    def files(self) -> tuple[list[str], list[str]]:
        """(paths that git tracks here, paths of submodules)."""
        if self.is_bare:
            rows = self._rows("ls-tree", "-r", "-z", "--full-tree", "HEAD") if self.head() else []
        else:
            rows = self._rows("ls-files", "-z", "--stage")
        found: list[str] = []
        modules: list[str] = []
        for row in rows:
            about, _, path = row.partition("\t")
            (modules if about.startswith("160000") else found).append(path)
        return list(dict.fromkeys(found)), modules

    def events(self) -> Iterator[Event]:
        """Every path that came or went in the history of HEAD, newest first."""
        if not self.head():
            return
        rows = self._rows(
            "-c", "log.showRoot=true", "log", "-z", "--name-status", "--no-renames",
            "--diff-filter=AD", "--no-ext-diff", "--no-show-signature", "--no-notes",
            "--no-decorate", f"--format={_START}%H", "HEAD",
        )  # fmt: skip
        commit = kind = ""
        for at, row in enumerate(rows):
            token = row.lstrip("\n")
            if token.startswith(_START):
                commit = token[1:]
            elif kind:
                yield Event(kind, row, commit, at)
                kind = ""
            elif token in ("A", "D"):
                kind = token

    def renames(self, commits: Iterable[str]) -> dict[str, dict[str, str]]:
        """Commit → {old path: new path} of the files that it moved, as git finds them (half alike).

        An exact move is found in a commit of any size, another one among two thousand files.
        """
        wanted = "".join(f"{commit}\n" for commit in commits)
        if not wanted:
            return {}
        rows = self._rows(
            "diff-tree", "--stdin", "--root", "-r", "-z", "-M50%", "-l2000", "--diff-filter=R",
            "--name-status", stdin=wanted.encode(),
        )  # fmt: skip
        found: dict[str, dict[str, str]] = {commit: {} for commit in wanted.split()}
        commit = ""
        left = iter(rows)
        for row in left:
            if (line := row.strip()) in found:
                commit = line
            elif row.startswith("R"):
                old, new = next(left, ""), next(left, "")
                found[commit][old] = new
        return found

    def branches(self) -> dict[str, str]:
        """Name → last commit of each branch, here (`main`) and at remotes (`origin/main`)."""
        rows = self._rows(
            "for-each-ref", "--format=%(refname)%00%(objectname)%00", "refs/heads", "refs/remotes"
        )
        words = [row.strip("\n") for row in rows if row.strip("\n")]
        pairs = zip(words[::2], words[1::2], strict=True)
        return {name.removeprefix("refs/heads/").removeprefix("refs/remotes/"): commit
                for name, commit in pairs if not name.endswith("/HEAD")}  # fmt: skip

    def elsewhere(self) -> dict[str, str]:
        """Path → where it is: files that unmerged branches and other work trees have added."""
        found: dict[str, str] = {}
        rows = self._rows(
            "for-each-ref", "--no-merged=HEAD", "--sort=-committerdate", f"--count={BRANCHES}",
            "--format=%(refname:short)%00", "refs/heads", "refs/remotes",
        ) if self.head() else []  # fmt: skip
        for row in rows:
            if name := row.strip("\n"):
                for path in self._added(name):
                    found.setdefault(path, f"branch {name}")
        for tree, commit in self.worktrees().items():
            for path in self._added(commit) if commit else ():
                found.setdefault(path, f"the work tree {tree}")
        return found

    def _added(self, tip: str) -> list[str]:
        """Files that a branch has added since it left the history of HEAD."""
        status, out, _ = self.run(
            "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A",
            "--merge-base", "HEAD", tip,
        )  # fmt: skip
        return [] if status else [row for row in out.split("\0") if row]

    def worktrees(self) -> dict[Path, str]:
        """Folder → commit of the other work trees of this repository."""
        found: dict[Path, str] = {}
        place: Path | None = None
        for row in self._rows("worktree", "list", "--porcelain", "-z"):
            word, _, value = row.strip("\n").partition(" ")
            if word == "worktree":
                place = Path(value)
            elif word == "HEAD" and place and place.resolve() != self.root:
                found[place] = value
        return found

    def ignored(self, paths: Iterable[str]) -> set[str]:
        """Those of these paths that git is told to ignore."""
        # A colon at the start would be magic, which this command alone cannot be told to leave.
        asked = "".join(f"{one}\0" for one in dict.fromkeys(paths) if one and one[0] != ":")
        status, out, _ = self.run(
            "check-ignore", "-z", "--stdin", "--no-index",
            stdin=asked.encode("utf-8", "surrogateescape"),
            environment={**ENVIRONMENT, "GIT_LITERAL_PATHSPECS": "0"},
        ) if asked else (1, "", "")  # fmt: skip
        return set() if status else {row for row in out.split("\0") if row}

    def kinds(self, names: Iterable[str]) -> dict[str, str]:
        """Id → `commit`, `missing`, `ambiguous`, or the kind of another object with this id."""
        wanted = list(dict.fromkeys(names))
        status, out, _ = self.run(
            "cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in wanted).encode()
        )
        rows = [row.split() for row in out.splitlines()]
        rows = [row for row in rows if len(row) > 1]  # an ambiguous id is told at length
        if status or len(rows) != len(wanted):
            raise Unreadable("git cat-file did not answer")
        return {name: row[1] for name, row in zip(wanted, rows, strict=True)}

    def blob(self, path: str, largest: int) -> bytes | None:
        """What HEAD has at a path, at most so much of it; None where there is no file."""
        name = f"HEAD:{path}"
        status, size, _ = self.run("cat-file", "-s", name) if "\n" not in path else (1, "", "")
        if status or int(size) > largest:
            return None
        status, out, _ = self.run("cat-file", "blob", name)
        return None if status else out.encode("utf-8", "surrogateescape")

    def config(self, name: str) -> str:
        """A configuration value as git sees it here, or ""."""
        status, out, _ = self.run("config", "--get", name)
        return "" if status else out.rstrip("\n")

    def remotes(self) -> list[str]:
        """The names of the remotes."""
        status, out, _ = self.run("remote")
        return [] if status else out.split()

    def is_shallow(self) -> bool:
        """Whether its history is cut, so that what is not here may well be elsewhere."""
        return self.run("rev-parse", "--is-shallow-repository")[1].strip() == "true"

    def is_partial(self) -> bool:
        """Whether objects were left out when it was cloned."""
        return self.run("config", "--get-regexp", r"remote\..*\.promisor")[0] == 0
