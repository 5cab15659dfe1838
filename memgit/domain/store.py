"""The store: a git repository of memories, and the only writer to it.

The one rule: every change is one commit of just the files that it names, made under a lock, and
the index follows in the same step.
"""

import os
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from pathlib import Path

from memgit.domain.memory import Memory, is_memory_path, parse
from memgit.domain.operation import Operation
from memgit.domain.placed_files import KEPT, UNSEEN, Seen, is_left_over, placed
from memgit.domain.settings import FILE, FORMAT, Settings
from memgit.errors import Notice, StoreError
from memgit.ports.commit import commit_paths
from memgit.ports.git import Repository
from memgit.prompt import place

PLACING = "placing"
"""The file among the derived data that is there while files are put into the work tree."""

_UPGRADE = "upgrade with `pip install --upgrade memgit-tools`"

VARIABLE = "MEMGIT_REPO"
"""The environment variable that names the store."""


class Store:
    """An open store. Paths in and out are relative to its root, with `/`."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.root = repository.root

    @classmethod
    def at(cls, folder: Path) -> "Store":
        """The store that `folder` is in. Raises StoreError where there is none.

        Gives notice of one that a newer memgit wrote.
        """
        repository = Repository(folder)
        if not (repository.root / FILE).is_file():
            raise StoreError(
                f"{repository.root}: a repository, but not a store (no {FILE} at its top)",
                f"make it one with `memgit init {repository.root}`",
            )
        store = cls(repository)
        if store.is_newer:
            warnings.warn(f"{store.newer}; {_UPGRADE}", Notice, stacklevel=2)
        return store

    @classmethod
    def find(cls, named: str | None = None) -> "Store":
        """The store named by --store, MEMGIT_REPO, the folder one stands in, or the recorded one.

        Raises StoreError that tells all four ways when none leads to a store.
        """
        if meant := cls.meant(named):
            return meant
        if recorded := recorded_store():
            return cls.at(recorded)
        raise StoreError(
            "no store found",
            f"stand in one, name it with --store or {VARIABLE}, or make one: `memgit init PATH`",
        )

    @classmethod
    def meant(cls, named: str | None = None) -> "Store | None":
        """The store named by --store or MEMGIT_REPO, or the one that one stands in; None elsewhere.

        Raises StoreError where the name leads to no store.
        """
        if named := named or os.environ.get(VARIABLE):
            return cls.at(without_tilde(named))
        standing = here()
        for folder in (standing, *standing.parents):
            if os.path.isfile(folder / FILE):
                return cls.at(folder)
        return None

    @cached_property
    def settings(self) -> Settings:
        """What `memgit.toml` says."""
        return Settings.load(self.root)

    @property
    def is_newer(self) -> bool:
        """Whether its format is one that this program does not know: it is read, and not written.

        Looked up each time: another program may bring a newer one along at any moment.
        """
        return place.format_of(str(self.root)) > FORMAT

    @property
    def newer(self) -> str:
        """What is to be told of a store whose format is newer than this program."""
        found = place.format_of(str(self.root))
        return (
            f"{self.root}: the store's format is {found}, this memgit knows {FORMAT}: "
            "it is read, and not written"
        )

    @property
    def derived(self) -> Path:
        """Where everything derived lives, for this work tree: never committed, never cloned."""
        return self.repository.common_dir / "memgit" / self.repository.worktree

    def paths(self) -> list[str]:
        """The memories in the work tree, sorted: committed or not, ignored files left out."""
        found = filter(is_memory_path, self.files())
        return sorted(path for path in found if _is_plain_file(self.root / path))

    def files(self) -> list[str]:
        """Every path that git knows or would take: also one that was just deleted."""
        listed = self.repository.run(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
        )
        return [path for path in listed.split("\0") if path]

    def read(self, path: str) -> Memory:
        """The memory at a path, as it stands in the work tree."""
        return parse(path, self.content(path))[0]

    def content(self, path: str) -> bytes:
        """A file's content. Raises StoreError where it cannot be read."""
        try:
            return (self.root / path).read_bytes()
        except (OSError, ValueError) as fault:
            said = fault.strerror if isinstance(fault, OSError) else str(fault)
            raise StoreError(f"{self.root / path}: {said}") from None

    def locked(self) -> AbstractContextManager[None]:
        """Hold the store against other writers; re-entrant within one process.

        Raises StoreError for a store of a newer format, which none of us may write.
        """
        self.expect_known_format()
        return self.alone()

    def expect_known_format(self) -> None:
        """Raise StoreError for a store of a newer format, before anything is spent on a change."""
        if self.is_newer:
            raise StoreError(self.newer, _UPGRADE)

    def alone(self) -> AbstractContextManager[None]:
        """The same for what lies beside the memories, as git's hooks do, whatever their format."""
        from memgit.ports.lock import hold

        return hold(self.repository.common_dir / "memgit" / "lock", f"the store {self.root}")

    def commit(
        self,
        operation: Operation,
        files: Mapping[str, bytes | None],
        standing: Iterable[str] = (),
        seen: Seen = UNSEEN,
    ) -> str:
        """Write these files (None removes one) and commit just them. Returns the commit id.

        Paths that are `standing` are committed too, as they are in the work tree. When that fails,
        what stood in the work tree and in git's index before stands there again. Raises Rewritten
        where a path that was `seen` holds something else by now.
        """
        with self.placing(files, seen):
            paths = dict.fromkeys((*files, *standing))
            return commit_paths(self.repository, list(paths), operation.message())

    def note(self, operation: Operation) -> str:
        """Commit an operation that changes no file: what was decided. Returns the commit id."""
        with self.locked():
            return commit_paths(self.repository, (), operation.message(), even_unchanged=True)

    @contextmanager
    def placing(self, files: Mapping[str, bytes | None], seen: Seen = UNSEEN) -> Iterator[None]:
        """Put files into the work tree for as long as the body runs; they stay where it succeeds.

        What a process that was killed at this left beside its files goes first.
        """
        with self.locked():
            self.tidy()
            at_work = self.derived / PLACING
            try:
                at_work.parent.mkdir(parents=True, exist_ok=True)
                at_work.touch()
                with placed(self.root, files, seen):
                    yield
            except OSError as fault:
                where = fault.filename or self.root
                raise StoreError(
                    f"{where}: {fault.strerror}", "nothing was changed; make room or rights"
                ) from None
            finally:
                with suppress(OSError):
                    at_work.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Take away what a killed process left beside the files that it was putting in place.

        Words among it that git does not have are kept among the derived data.
        """
        at_work = self.derived / PLACING
        with self.locked():
            if not at_work.exists():
                return
            others = self.repository.run("ls-files", "-z", "--others").split("\0")
            for path in filter(is_left_over, others):
                blob = self.repository.run("hash-object", "--no-filters", "--", path)
                if path.endswith(KEPT) and self.repository.run_status("cat-file", "-e", blob)[0]:
                    place = self.derived / "unsaved" / blob
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(self.root / path, place)
                (self.root / path).unlink(missing_ok=True)
            at_work.unlink(missing_ok=True)


def _is_plain_file(path: Path) -> bool:
    """Links are left out, as they are in commits: they may lead anywhere."""
    return path.is_file() and not path.is_symlink()


def without_tilde(named: str) -> Path:
    """A path as a person wrote it, from the home folder on that it names. Raises StoreError."""
    try:
        return Path(named).expanduser()
    except RuntimeError:
        raise StoreError(f"{named}: no such person's home", "write the path in full") from None


def here() -> Path:
    """The folder that one stands in. Raises StoreError where it is gone."""
    try:
        return Path.cwd()
    except OSError:
        raise StoreError("the current folder is gone", "go to one that exists") from None


def recorded_store() -> Path | None:
    """The store that `memgit install` recorded for this person, if it is still there."""
    try:
        text = record_file().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return Path(text) if text and os.path.isdir(text) else None


def record_store(root: Path) -> None:
    """Remember `root` as this person's store."""
    file = record_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{root}\n", encoding="utf-8")


def record_file() -> Path:
    """Where the person's store is written down: one line, one path."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(base) / "memgit" / "store"
