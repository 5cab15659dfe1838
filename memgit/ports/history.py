"""git's history as a stream: commits newest first with what each touched, and three-way merges.

The one rule: a long history is never held in memory, and git is told every setting that could
change what it prints.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memgit.errors import StoreError
from memgit.ports.git import EMPTY_TREE, Repository
from memgit.ports.git_settings import ENVIRONMENT, QUIET
from memgit.ports.refusal import refusal

CHUNK = 1 << 16

_PLAIN = ("100644", "100755")
_START = "\x01"
_FIRST, _LAST = "1970-01-01T00:00:00+00:00", "9999-12-30T00:00:00+00:00"
"""The times of commits without a time, and of those later than a calendar of ours goes."""

_FIELDS = ("%H", "%P", "%aI", "%an", "%B")


@dataclass(frozen=True)
class Touched:
    """A path that a commit changed. `old_path` and `old_blob` are None where there was no file,
    `path` and `blob` where there is none any more; `is_plain` is false for links and submodules.
    """

    old_path: str | None
    path: str | None
    old_blob: str | None
    blob: str | None
    is_plain: bool = True

    @property
    def place(self) -> str:
        """Where it is, or was."""
        return self.path or self.old_path or ""


@dataclass(frozen=True)
class Commit:
    """One commit. `date` is the author's, in ISO form with his zone; a merge touches nothing."""

    id: str
    parents: tuple[str, ...]
    date: str
    author: str
    message: str
    touched: tuple[Touched, ...]


def commits(repository: Repository, since: str | None = None) -> Iterator[Commit]:
    """The commits of HEAD, or of those only what is not in `since`, newest first."""
    if not repository.head():
        return
    tokens = _stream(
        repository, "-c", "log.showRoot=true", "log", "-z", "--raw", "--no-abbrev", "-M",
        "--no-ext-diff", "--no-show-signature", "--no-notes", "--no-decorate",
        f"--format={_START}{'%x00'.join(_FIELDS)}", f"{since}..HEAD" if since else "HEAD",
    )  # fmt: skip
    fields: list[str] = []
    touched: list[Touched] = []
    for token in tokens:
        if token.startswith(_START):
            if fields:
                yield _commit(fields, touched)
            fields, touched = [token[1:], *(next(tokens, "") for _ in _FIELDS[1:])], []
        elif token.lstrip("\n").startswith(":"):
            touched.append(_touched(token, tokens))
    if fields:
        yield _commit(fields, touched)


def differences(repository: Repository, old: str | None, new: str) -> list[Touched]:
    """What differs from one commit (None for the state before the first) to another.

    A file that went and one that came count as one that moved when they are alike in a fifth.
    """
    tokens = _stream(
        repository, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M20%", "-l0",
        old or EMPTY_TREE, new,
    )  # fmt: skip
    return [_touched(token, tokens) for token in tokens if token.startswith(":")]


def merge_lines(repository: Repository, ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """`ours` with what changed from `base` to `theirs`; None where both changed the same lines."""
    status, merged = _merge_file(repository, ours, base, theirs)
    return None if status else merged


def marked_lines(
    repository: Repository, ours: bytes, base: bytes, theirs: bytes, size: int
) -> bytes:
    """Both sides' lines, between markers of this `size` where both changed the same ones."""
    names = ("-L", "ours", "-L", "base", "-L", "theirs")
    return _merge_file(repository, ours, base, theirs, f"--marker-size={size}", *names)[1]


def all_lines(repository: Repository, ours: bytes, base: bytes, theirs: bytes) -> bytes:
    """Both sides' lines, one below the other where both changed the same ones."""
    return _merge_file(repository, ours, base, theirs, "--union")[1]


def _merge_file(
    repository: Repository, ours: bytes, base: bytes, theirs: bytes, *options: str
) -> tuple[int, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
            files.append(Path(folder, name))
            files[-1].write_bytes(data)
        status, _, _ = repository.run_status("merge-file", "--quiet", *options, *map(str, files))
        return status, files[0].read_bytes()


def _commit(fields: list[str], touched: list[Touched]) -> Commit:
    commit, parents, date, *told = fields
    author, message = (text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                       for text in told)  # fmt: skip
    return Commit(commit, tuple(parents.split()), _dated(date), author, message, tuple(touched))


def _dated(told: str) -> str:
    """A commit's time. Whoever made it wrote what his clock said, and git takes any number."""
    try:
        datetime.fromisoformat(told).astimezone(UTC)
    except (ValueError, OverflowError):
        return _LAST if told[:4].isdecimal() else _FIRST
    return told


def _touched(token: str, tokens: Iterator[str]) -> Touched:
    """The change of a raw entry, whose paths are the next tokens."""
    old_mode, mode, old_blob, blob, status = token.lstrip("\n:").split()
    first = next(tokens, "")
    second = next(tokens, "") if status[0] in "RC" else first
    plain = all(one in (*_PLAIN, "000000") for one in (old_mode, mode))
    was, is_ = old_blob.strip("0") != "", blob.strip("0") != ""
    return Touched(
        first if was and status[0] != "C" else None, second if is_ else None,
        old_blob if was and status[0] != "C" else None, blob if is_ else None, plain,
    )  # fmt: skip


def _stream(repository: Repository, *arguments: str) -> Iterator[str]:
    """What git prints, up to each NUL; git ends when the reader does."""
    process = subprocess.Popen(
        ["git", "-C", str(repository.root), *QUIET, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **ENVIRONMENT},
    )  # fmt: skip
    if process.stdout is None or process.stderr is None:
        raise StoreError("git gave no output to read")
    rest = b""
    try:
        while data := process.stdout.read1(CHUNK):  # type: ignore[attr-defined]
            *whole, rest = (rest + data).split(b"\0")
            yield from (token.decode("utf-8", "surrogateescape") for token in whole)
        if rest:
            yield rest.decode("utf-8", "surrogateescape")
        said = process.stderr.read().decode("utf-8", "replace")
        if process.wait():
            raise refusal(repository.root, arguments[0], said)
    finally:
        process.stdout.close()
        process.stderr.close()
        process.wait()
