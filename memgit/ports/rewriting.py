"""git's whole object store: looking at every object, and writing history anew.

The one rule: until the new history is complete and its newest state is the same as before, every
ref stays where it was.
"""

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO

from memgit.errors import StoreError
from memgit.ports.git import Repository
from memgit.ports.git_process import talking
from memgit.ports.git_settings import QUIET
from memgit.ports.refusal import refusal

Change = Callable[[bytes], bytes]
"""The new content of a blob or a message."""

_ID = re.compile(rb"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")


@dataclass(frozen=True)
class Object:
    """One object of git: `kind` is blob, commit, tag or tree."""

    id: str
    kind: str
    data: bytes


def every_object(repository: Repository) -> Iterator[Object]:
    """All that git holds for this repository, whether anything leads to it or not."""
    with _git(
        repository, "cat-file", "--batch", "--batch-all-objects", "--unordered", "--buffer"
    ) as process:
        out = _pipe(process.stdout)
        while head := out.readline():
            name, kind, size = head.decode().split()
            data = out.read(int(size) + 1)[:-1]
            yield Object(name, kind, data)


def reachable(repository: Repository, *revisions: str) -> set[str]:
    """The objects that these lead to; git's names for many are `--all`, `--reflog`, ..."""
    listed = repository.run("rev-list", "--objects", *revisions)
    return {line.partition(" ")[0] for line in listed.splitlines()}


def refs(repository: Repository) -> dict[str, str]:
    """Every ref with what it points to."""
    rows = repository.run("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(row.split(" ", 1) for row in rows)


def rewrite(repository: Repository, change: Change, names: Change) -> dict[str, str]:
    """Write the history of all refs but remote-tracking ones anew; each commit's old id → new id.

    `change` is asked for every blob and message, `names` for every path. Ids of commits that stand
    in messages follow. Raises StoreError, and has then changed nothing, where git refuses or the
    newest state would differ.
    """
    before = refs(repository)
    tree = repository.run("rev-parse", "HEAD^{tree}")
    with (
        _git(
            repository, "fast-export", "--show-original-ids", "--signed-tags=strip",
            "--tag-of-filtered-object=rewrite", "--reencode=no", "--fake-missing-tagger",
            "--exclude=refs/remotes/*", "--all",
        ) as source,
        _git(repository, "fast-import", "--force", "--quiet", stdin=subprocess.PIPE) as target,
    ):  # fmt: skip
        copied = _Copy(
            _pipe(source.stdout), _pipe(target.stdin), _pipe(target.stdout), change, names
        )
        try:
            copied.run()
            _pipe(target.stdin).close()
        except BrokenPipeError:
            pass  # git tells why below
        said = _pipe(target.stderr).read().decode("utf-8", "replace")
        if source.wait() or target.wait():
            _put_back(repository, before)
            raise refusal(repository.root, "fast-import", said)
    if repository.run("rev-parse", "HEAD^{tree}") != tree:
        _put_back(repository, before)
        raise StoreError(
            f"{repository.root}: the rewritten history does not end in what is checked out",
            "every ref stands where it stood before",
        )
    return {old.decode(): new.decode() for old, new in copied.ids.items()}


def forget(repository: Repository) -> None:
    """Drop whatever keeps the previous history: remote-tracking refs, reflogs, loose ends."""
    for name in refs(repository):
        if name.startswith("refs/remotes/"):
            repository.run("update-ref", "--no-deref", "-d", name)
    for name in ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG"):
        (repository.git_dir / name).unlink(missing_ok=True)
    repository.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    repository.run("gc", "--quiet", "--prune=now")


def _put_back(repository: Repository, before: dict[str, str]) -> None:
    now = refs(repository)
    for name in (*before, *now):
        if now.get(name) != before.get(name):
            if name in before:
                repository.run("update-ref", name, before[name])
            else:
                repository.run("update-ref", "-d", name)


@dataclass
class _Copy:
    """The stream of one history on its way into another."""

    source: IO[bytes]
    target: IO[bytes]
    answers: IO[bytes]
    change: Change
    names: Change
    ids: dict[bytes, bytes] = field(default_factory=dict)
    """Old id of a commit → its new one."""

    def run(self) -> None:
        mark = original = b""
        kind = b""
        for line in iter(self.source.readline, b""):
            command, _, rest = line.partition(b" ")
            if command in (b"commit", b"blob\n", b"tag", b"reset"):
                kind = command.strip()
            if command == b"mark":
                mark = rest.strip()
            if command == b"original-oid":
                original = rest.strip()
            elif command == b"data":
                self._data(int(rest), kind != b"blob")
            elif command in (b"M", b"D"):
                self._path(command, rest)
            elif line == b"\n" and kind == b"commit":
                self.target.write(line)
                self._ask(mark, original)
                kind = b""
            else:
                self.target.write(line)

    def _data(self, size: int, is_message: bool) -> None:
        data = self.change(self.source.read(size))
        if is_message:
            data = _ID.sub(lambda found: self.ids.get(found[0], found[0]), data)
        self.target.write(b"data %d\n%s" % (len(data), data))

    def _path(self, command: bytes, rest: bytes) -> None:
        fields = rest.rstrip(b"\n").split(b" ", 2 if command == b"M" else 0)
        fields[-1] = self.names(fields[-1])
        self.target.write(b" ".join([command, *fields]) + b"\n")

    def _ask(self, mark: bytes, original: bytes) -> None:
        """What the commit just written is called now."""
        self.target.write(b"get-mark " + mark + b"\n")
        self.target.flush()
        self.ids[original] = self.answers.readline().strip()


def _git(
    repository: Repository, *arguments: str, stdin: int | None = None
) -> "AbstractContextManager[subprocess.Popen[bytes]]":
    return talking(repository.root, (*QUIET, *arguments), stdin)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise StoreError("git gave no stream to work with")
    return stream
