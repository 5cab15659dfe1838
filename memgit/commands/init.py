"""`memgit init`: create a store, or make a repository one."""

import os
import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.connecting.adopt import Adopted, adopt
from memgit.domain.connecting.githooks import install
from memgit.domain.indexing.index import Index, Synced
from memgit.domain.memory import is_memory_path
from memgit.domain.settings import FILE
from memgit.domain.store import Store, here, without_tilde
from memgit.domain.trust import trust
from memgit.errors import StoreError, UsageError
from memgit.output import printer, progress
from memgit.ports.git import NoRepository, Repository

PATIENCE = 5.0
"""Seconds that another process is given to begin a repository."""


@click.command(epilog=examples("memgit init ~/memory"))
@click.argument("path", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def init(store: str | None, path: str | None, as_json: bool) -> None:
    """Create a store at PATH, or make the repository there one. Else in the current folder.

    Lays down the files that are missing, in one commit, and the git hooks around those that are
    there, and builds the index. Whatever is there already stays as it is; twice changes nothing.
    """
    with _opened(path or store) as (opened, fresh):
        adopted = adopt(opened, fresh)
    if fresh and not opened.paths() and not opened.settings.projects:
        trust(opened)  # nobody else can have put anything into it
    hooks = install(opened)
    with progress("indexing") as told:
        synced = Index(opened).sync(told)
    value = {
        "store": str(opened.root),
        "commit": adopted.commit,
        "files": adopted.files,
        "done": [*hooks, *adopted.notes],
        "memories": synced.memories,
    }
    printer(as_json).value(value, lambda: _told(opened, adopted, hooks, synced))


@contextmanager
def _opened(named: str | None) -> Iterator[tuple[Store, bool]]:
    """The store to be, and whether its repository was made just now.

    What was made goes again when the first commit cannot be made.
    """
    folder = _folder(named)
    nearest = next(place for place in (folder, *folder.parents) if os.path.isdir(place))
    try:
        repository = Repository(nearest)
    except NoRepository:
        if folder == Path.home():
            raise UsageError(
                f"{folder}: your home folder would become the store",
                "name one: memgit init ~/memory",
            ) from None
    else:
        _refuse(repository.root, folder, named)
        yield Store(repository), False
        return
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    repository, ours = _begun(folder)
    try:
        yield Store(repository), ours
    except BaseException:
        if ours:
            _taken_back(repository, made)
        raise


def _begun(folder: Path) -> tuple[Repository, bool]:
    """A new repository, and whether it was us who began it: of several at once, one does."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".git").mkdir()
    except FileExistsError:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(NoRepository):
                return Repository(folder), False
            time.sleep(0.05)
        # Whoever began it was killed at it.
    except OSError:
        pass  # which `create` tells
    return Repository.create(folder), True


def _taken_back(repository: Repository, made: Sequence[Path]) -> None:
    """Remove the folders that were made, unless somebody has committed to the repository since."""
    with suppress(StoreError, OSError):
        if repository.head() is None:
            shutil.rmtree(repository.git_dir)
            for place in made:
                place.rmdir()


def _folder(named: str | None) -> Path:
    """The folder that is named, or the one that one stands in. Raises UsageError for no folder."""
    if not named:
        return here()
    try:
        folder = without_tilde(named).resolve()
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder}: not a folder", "name one; it is made if it is missing")
    except OSError as fault:
        raise UsageError(f"{named}: {fault.strerror}", "name another folder") from None
    except RuntimeError:  # what Python says of links that lead in a circle
        raise UsageError(f"{named}: a circle of symbolic links", "name another folder") from None
    return folder


def _refuse(root: Path, folder: Path, named: str | None) -> None:
    """Raise UsageError where a repository would become a store by accident."""
    if named and folder != root.resolve():
        raise UsageError(
            f"{folder}: inside the repository {root}",
            f"make that one a store with `memgit init {root}`, or give the folder a repository of "
            f"its own first: `git init {folder}`",
        )
    if not named and not (root / FILE).is_file():
        here = "." if folder == root.resolve() else root
        raise UsageError(
            f"{root}: a repository, but not a store",
            f"to make it one, say so: `memgit init {here}`",
        )


def _told(store: Store, adopted: Adopted, hooks: list[str], synced: Synced) -> str:
    """What was done, and what comes next."""
    lines = []
    if adopted.commit:
        lines.append(f"committed {', '.join(adopted.files)} in {adopted.commit[:12]}")
    lines += [*hooks, *adopted.notes]
    if synced.rebuilt or synced.changed:
        lines.append(f"memories indexed: {synced.memories}")
    if not lines:
        return f"{store.root} is a store; nothing to do"
    others = store.repository.run("ls-files", "-z", "--others", "--exclude-standard").split("\0")
    if waiting := sum(map(is_memory_path, filter(None, others))):
        lines.append(f"memories not committed yet: {waiting}; `memgit save` does that")
    listed = "\n".join(f"  {line}".replace("\n", "\n  ") for line in lines)
    following = f"memgit --store {shlex.quote(str(store.root))} install claude-code"
    return f"{store.root} is a store\n{listed}\nNext, connect an agent to it: {following}"
