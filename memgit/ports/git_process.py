"""Starting git: directly for one question and its answer, through GitPython for a long talk.

The one rule: every git of ours runs in a named folder, under our own settings and environment.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from memgit.errors import StoreError
from memgit.ports.git_settings import ENVIRONMENT
from memgit.ports.refusal import first_line

_NO_GIT = ("git is not installed or not on PATH", "install git 2.31 or newer")


def expect_git() -> None:
    """Raise StoreError, with git's own words, where it does not even tell its version."""
    from memgit.ports.processes import run

    ended = run(["git", "version"])
    if ended.status is None:
        raise StoreError(*_NO_GIT)
    if ended.status:
        said = first_line(ended.err.decode("utf-8", "surrogateescape"))
        raise StoreError(f"git does not run: {said}", "mend that, then try again")


def execute(
    folder: Path, arguments: Sequence[str], stdin: bytes | None = None, index: Path | None = None
) -> tuple[int, str, str]:
    """Run git to its end: (exit code, output without its last newline, errors)."""
    given = subprocess.DEVNULL if stdin is None else subprocess.PIPE
    own = {"GIT_INDEX_FILE": str(index)} if index else {}
    # Interrupted, this waits for git, which takes its locks along; `run` would kill it.
    with _started(folder, arguments, given, subprocess.PIPE, own) as process:
        told = process.communicate(stdin)
    out, err = (text.decode("utf-8", "surrogateescape") for text in told)
    return process.returncode, out.removesuffix("\n"), err.removesuffix("\n")


def _started(
    folder: Path, arguments: Sequence[str], stdin: Any, stderr: int, own: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            _words(folder, arguments), stdin=stdin, stdout=subprocess.PIPE, stderr=stderr,
            env={**os.environ, **ENVIRONMENT, **own},
        )  # fmt: skip
    except (FileNotFoundError, PermissionError):
        raise StoreError(*_NO_GIT) from None


@contextmanager
def streaming(folder: Path, arguments: Sequence[str], stdin: bytes) -> "Iterator[IO[bytes]]":
    """The output of a git that runs on; it ends when the reader goes."""
    quiet = subprocess.DEVNULL  # a pipe that nobody reads would hold it up
    with _file_of(stdin) as given, _started(folder, arguments, given, quiet, {}) as process:
        if process.stdout is None:
            raise StoreError("git gave no output to read")
        yield process.stdout


@contextmanager
def talking(
    folder: Path, arguments: Sequence[str], stdin: int | None = None,
    environment: Mapping[str, str] = ENVIRONMENT,
) -> "Iterator[subprocess.Popen[bytes]]":  # fmt: skip
    """A git that is talked with while it runs, in a process session of its own.

    GitPython ends one that still runs when nobody holds it any more.
    """
    try:
        held = _gitpython().Git(folder).execute(
            _words(folder, arguments), istream=stdin, as_process=True, env=dict(environment),
            start_new_session=True,
        )  # fmt: skip
    except _gitpython().exc.GitCommandNotFound:
        raise StoreError(*_NO_GIT) from None
    with held.proc as process:
        yield process


def _gitpython() -> Any:
    # Ours is the git on PATH, and a git that does not run is told here.
    os.environ.pop("GIT_PYTHON_GIT_EXECUTABLE", None)
    os.environ["GIT_PYTHON_REFRESH"] = "quiet"
    try:
        import git
    except ImportError:
        expect_git()
        raise
    if not git.GIT_OK:
        raise StoreError(*_NO_GIT)
    return git


def _words(folder: Path, arguments: Sequence[str]) -> list[str]:
    """With -C, because a folder that may not be entered is then git's to tell."""
    return ["git", "-C", str(folder), *arguments]


@contextmanager
def _file_of(data: bytes) -> Iterator[Any]:
    """A file without a name that holds `data`: a pipe that is not read to its end could block."""
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file
