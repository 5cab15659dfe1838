"""Starting git, through GitPython. The only module that imports it.

The one rule: every git of ours runs in a named folder, under our own settings and environment.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memgit.errors import StoreError
from memgit.ports.git_settings import ENVIRONMENT
from memgit.ports.processes import run
from memgit.ports.refusal import first_line

_NO_GIT = ("git is not installed or not on PATH", "install git 2.31 or newer")


def gitpython() -> Any:
    """GitPython. Raises StoreError where git does not run."""
    # Ours is the git on PATH, and a git that does not run is told here.
    os.environ.pop("GIT_PYTHON_GIT_EXECUTABLE", None)
    os.environ["GIT_PYTHON_REFRESH"] = "quiet"
    try:
        import git
    except ImportError:
        _try()
        raise
    # Importing it has asked git for its version, twice; each time costs a process.
    if not git.GIT_OK:
        raise StoreError(*_NO_GIT)
    return git


def _try() -> None:
    """Raise StoreError with git's own words where it does not even tell its version."""
    ended = run(["git", "version"])
    if ended.status is None:
        raise StoreError(*_NO_GIT)
    if ended.status:
        said = first_line(ended.err.decode("utf-8", "surrogateescape"))
        raise StoreError(f"git does not run: {said}", "mend that, then try again")


def execute(
    git: Any, arguments: Sequence[str], stdin: bytes | None = None, index: Path | None = None
) -> tuple[int, str, str]:
    """Run git through GitPython: (exit code, output without its last newline, errors)."""
    with _file_of(stdin or b"") as given:
        try:
            done = git.execute(
                _words(git, arguments),
                istream=None if stdin is None else given,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                env={**ENVIRONMENT, **({"GIT_INDEX_FILE": str(index)} if index else {})},
            )
        except gitpython().exc.GitCommandNotFound:
            raise StoreError(*_NO_GIT) from None
    status, out, err = done
    text = out.decode("utf-8", "surrogateescape") if isinstance(out, bytes) else str(out)
    return int(status), text, str(err)


def started(git: Any, arguments: Sequence[str], stdin: bytes) -> Any:
    """A git that runs, with its output as `stdout`, for as long as the value lives."""
    with _file_of(stdin) as given:  # git has it open by itself
        return git.execute(_words(git, arguments), istream=given, as_process=True, env=ENVIRONMENT)


def _words(git: Any, arguments: Sequence[str]) -> list[str]:
    """With -C, because GitPython would run it right here where it may not enter the folder."""
    return ["git", "-C", str(git.working_dir), *arguments]


@contextmanager
def _file_of(data: bytes) -> Iterator[Any]:
    """A file without a name that holds `data`: a pipe that is not read to its end could block."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file
