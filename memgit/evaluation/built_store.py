"""Stores built to be measured: real repositories with a real index, kept in a cache.

The one rule: what is measured is what the texts, the settings and the code make of it now. The
name of a cached store is the digest of its texts; one that other code has built is built anew.
"""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, cached_property
from pathlib import Path

import memgit
from memgit.domain.indexing.index import Index
from memgit.domain.memory import decode
from memgit.domain.settings import FILE, FORMAT
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError
from memgit.ports.git import Repository
from memgit.ports.lock import hold
from memgit.prompt.table import Table

IDENTITY = ("-c", "user.name=memgit eval", "-c", "user.email=eval@memgit.invalid")
"""Given on the command line: a fresh machine has no git identity."""

SETTINGS = f"format = {FORMAT}\n".encode()
"""The settings of a store that has none of its own."""

LOG = "prompts.jsonl"
"""The person's logged prompts in a store's derived folder, for the calibration of the gate."""

KEPT = 60
"""Stores that the cache holds at most."""

FRESH = 7 * 86400
"""Seconds after which a store is made anew: its memories count from the day on which it was made,
and events lose their worth as they age."""

TABLE = "table-"

FOLDS = 5
"""Parts of the log; a judged prompt meets a gate that was calibrated without its own part."""

_BUILDERS = ("domain", "ports", "prompt")
"""The rooms whose code decides how an index and a table look."""


class BuiltStore:
    """A store in the cache, and its recall tables: one without the person's log, one per fold."""

    def __init__(self, store: Store, folder: Path, log: Sequence[str]) -> None:
        self.store = store
        self._folder = folder
        self._log = tuple(dict.fromkeys(log))
        self._open: dict[str, Table] = {}

    def without_log(self) -> Table:
        """The table as it is before the person has logged anything."""
        return self._table([])

    def held_out(self, prompt: str) -> Table:
        """A table that knows the person's log, but for this prompt and the others of its fold."""
        if not self._log_matters:
            return self.without_log()
        fold = fold_of(prompt)
        kept = [text for text in self._log if fold_of(text) != fold]
        return self._table(kept)

    @cached_property
    def _log_matters(self) -> bool:
        """Whether the whole log leads to another table than none: if not, no part of it does."""
        if not self._log:
            return False
        heads = [table.head for table in (self.without_log(), self._table(list(self._log)))]
        bare, told = ({k: v for k, v in head.items() if k != "segments"} for head in heads)
        return bare != told

    def live(self) -> Table:
        """The table that the store's own hook reads now."""
        return Table(str(Index(self.store).table))

    def _table(self, log: list[str]) -> Table:
        key = _digest(map(_bytes, log))[:16]
        if key not in self._open:
            target = self._folder / f"{TABLE}{key}"
            with _locked(self._folder):
                if not target.is_dir():
                    self._build(target, log)
            self._open[key] = Table(str(target))
        return self._open[key]

    def _build(self, target: Path, log: list[str]) -> None:
        """Build the index with this log, and keep its table at `target`."""
        index = Index(self.store)
        path = self.store.derived / LOG
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in log), "ascii")
        if not log:
            path.unlink()
        index.sync(anew=True)
        aside = target.with_name(f"{target.name}.new")
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(index.table, aside)
        aside.rename(target)


def cache_dir() -> Path:
    """Where stores that were built to be measured are kept, unless a person names another folder.

    Raises UsageError where it cannot be made.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return made(Path(base) / "memgit" / "eval")


def made(folder: Path) -> Path:
    """A folder that can be written to, made where it is not there. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"{folder}: {fault.strerror}", "name another folder") from None
    return folder


def texts(store: Store) -> dict[str, str]:
    """The whole text of every memory by path, its name first."""
    return {
        path: f"{store.read(path).name}\n{decode(store.content(path))[0]}" for path in store.paths()
    }


def fold_of(prompt: str) -> int:
    """The part of the log that a prompt belongs to; repetitions fall into the same one."""
    same = " ".join(prompt.split()).casefold()
    return int(hashlib.sha256(same.encode("utf-8", "surrogatepass")).hexdigest(), 16) % FOLDS


def of_notes(notes: Path, settings: bytes, log: Sequence[str], folder: Path) -> BuiltStore:
    """A store of the files under `notes`, as they are, with these settings."""
    try:
        files = {
            path.relative_to(notes).as_posix(): path.read_bytes()
            for path in sorted(notes.rglob("*"))
            if path.is_file() and not path.is_symlink() and ".git" not in path.parts
        }
    except OSError as fault:
        raise UsageError(f"{fault.filename}: {fault.strerror}") from None
    files[FILE] = settings
    key = _digest(part for path, data in files.items() for part in (_bytes(path), data))
    with _entry(folder, key) as entry:
        root = entry / "store"
        if not root.exists():
            aside = entry / "store.new"
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir()
            _commit(Repository.create(aside), files)
            aside.rename(root)
    return BuiltStore(Store.at(root), entry, log)


def of_store(store: Store, revision: str | None, log: Sequence[str], folder: Path) -> BuiltStore:
    """A person's store as it was at a commit, or as it stands in the work tree: a clone of it.

    Raises StoreError where `revision` is no commit of the store.
    """
    repository = store.repository
    commit = commit_of(store, revision or "HEAD")
    changed = _unsaved(store) if revision is None else {}
    parts = [part for path, data in changed.items() for part in (_bytes(path), data or b"")]
    key = _digest([_bytes(str(store.root)), commit.encode(), *parts])
    with _entry(folder, key) as entry:
        root = entry / "store"
        if not root.exists():
            aside = entry / "store.new"
            shutil.rmtree(aside, ignore_errors=True)
            words = ("clone", "--quiet", "--shared", "--no-checkout")
            repository.run(*words, str(store.root), str(aside))
            clone = Repository(aside)
            clone.run("checkout", "--quiet", "--detach", commit)
            if changed:
                _commit(clone, changed)
            aside.rename(root)
    return BuiltStore(Store.at(root), entry, log)


def commit_of(store: Store, revision: str) -> str:
    """The commit that a revision names. Raises StoreError where it names none."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    status, out, _ = store.repository.run_status(*words)
    if status:
        raise StoreError(
            f"{revision}: no commit of the store {store.root}", "see what `git log` lists"
        )
    return out.splitlines()[-1]


def _unsaved(store: Store) -> dict[str, bytes | None]:
    """What the work tree has that HEAD has not; None for a file that is gone."""
    found: dict[str, bytes | None] = {}
    for unsaved in store.repository.unsaved():
        path = store.root / unsaved.path
        plain = path.is_file() and not path.is_symlink()
        found[unsaved.path] = path.read_bytes() if plain else None
    return found


def _commit(repository: Repository, files: Mapping[str, bytes | None]) -> None:
    for path, data in files.items():
        target = repository.root / path
        if data is None:
            target.unlink(missing_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    repository.run("add", "--all", "--force")
    repository.run(*IDENTITY, "commit", "--quiet", "--allow-empty", "--message=to be measured")


@contextmanager
def _entry(folder: Path, key: str) -> Iterator[Path]:
    """The folder of one cached store, locked, without what other code has built there."""
    entry = folder / key[:24]
    entry.mkdir(parents=True, exist_ok=True, mode=0o700)
    _tidy(folder)
    with _locked(entry):
        if (made := entry / "store").is_dir() and time.time() - made.stat().st_mtime > FRESH:
            shutil.rmtree(made)
            (entry / "code").unlink(missing_ok=True)
        mark, code = entry / "code", _code()
        if not mark.is_file() or mark.read_text("ascii", "replace") != code:
            for table in entry.glob(f"{TABLE}*"):
                shutil.rmtree(table)
            mark.write_text(code, "ascii")
        os.utime(entry)
        yield entry


def _locked(entry: Path) -> AbstractContextManager[None]:
    return hold(entry / "lock", f"the cached store {entry}")


def _tidy(folder: Path) -> None:
    """Remove the stores that were not measured for the longest time."""
    entries = sorted(folder.iterdir(), key=lambda entry: -entry.stat().st_mtime)
    for entry in entries[KEPT:]:
        if (entry / "lock").is_file():  # only what was made here
            shutil.rmtree(entry, ignore_errors=True)


@cache
def _code() -> str:
    """The digest of the code that builds indexes and tables."""
    package = Path(memgit.__file__).parent
    files = sorted(
        path for room in _BUILDERS for path in (package / room).rglob("*") if path.is_file()
    )
    return _digest(path.read_bytes() for path in files if path.suffix != ".pyc")


def _digest(parts: Iterable[bytes]) -> str:
    """One digest of many byte strings, each with its length."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(len(part).to_bytes(8, "little") + part)
    return sha.hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
