"""The index and the recall table, kept in step with the commit that is checked out.

The one rule: readers never wait and never see half a change. What is new is built aside under a
lock and becomes visible by renaming one small file; until then the previous answer stands.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from memgit.domain.indexing import fields
from memgit.domain.indexing.dates import Dates
from memgit.domain.indexing.documents import document, lines
from memgit.domain.indexing.recall_table import RecallTable, clear, stamp
from memgit.domain.memory import is_memory_path, key_of, parse
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.lock import hold
from memgit.ports.search import Document, Found, QueryFault, Record, SearchIndex
from memgit.prompt.ranking import Rarity
from memgit.prompt.show import telling
from memgit.prompt.table import HEAD
from memgit.prompt.terms import words

Answer = TypeVar("Answer")

VERSION = 7
"""Raised whenever terms, fields, weights, the background or the table's layout change: old indexes
are rebuilt."""

Progress = Callable[[int, int], None]
"""Told (memories done, memories in all) now and then."""


@dataclass(frozen=True)
class Synced:
    """What a call did: the commit now indexed, memories in it, changed ones, whether anew."""

    commit: str | None
    memories: int
    changed: int
    rebuilt: bool


@dataclass(frozen=True)
class Hit:
    """One answer to a query: the memory's record, its score, its telling lines."""

    record: Record
    score: float
    lines: list[str]


class Index:
    """The index of one work tree's commit, in the store's derived folder."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.folder = store.derived / "index"
        self.table = store.derived / "table"
        self._table = RecallTable(self.table, store.repository, VERSION)

    def sync(self, progress: Progress | None = None, anew: bool = False) -> Synced:
        """Bring index and table to the commit that is checked out; `anew` builds from nothing.

        Costs what changed, not what is there. A broken or foreign index is rebuilt silently.
        Raises StoreError when the disk refuses; the previous index and table then still stand.
        """
        if not anew and (current := self._current()):
            return current
        try:
            with hold(self.store.derived / "index.lock", f"the index of {self.store.root}"):
                while True:
                    done = (None if anew else self._current()) or self._step(progress, anew)
                    if done.commit == self.store.repository.head():
                        return done
                    anew = False
        except OSError as fault:
            raise StoreError(
                f"the index cannot be written: {fault.filename or self.folder}: {fault.strerror}",
                f"make room or rights, then run `memgit index`; {self._meanwhile()}",
            ) from None

    def _meanwhile(self) -> str:
        if self.head():
            return "until then only recall answers from the last one"
        return "until then nothing is recalled"

    def head(self) -> dict[str, Any]:
        """The table's head file, or an empty mapping when there is none that can be read."""
        return self._table.head()

    def damage(self) -> list[str]:
        """What is wrong with the index that is there, a phrase for each fault; changes nothing."""
        head = self.head()
        if not head:
            there = (self.table / HEAD).exists()
            return [f"{HEAD} is not as it was written"] if there else []
        return [*self._damage(head), *self._table.damage(head)]

    def search(self, text: str, limit: int) -> list[Hit]:
        """Whoosh's answer to a query in its own language, after making the index current."""
        self.sync()
        answers = self._asked(lambda index: index.search(text, limit, self.weigh(), Rarity()))
        contents = self.store.repository.blobs(found.record["blob"] for found in answers)
        return [
            Hit(found.record, found.score, _telling(found, content))
            for found, content in zip(answers, contents, strict=True)
        ]

    def rank(self, terms: Iterable[str], limit: int) -> list[Found]:
        """Whoosh's answer to plain terms."""
        plain = list(terms)
        return self._asked(lambda index: index.rank(plain, limit, self.weigh(), Rarity()))

    def records(self) -> list[dict[str, Any]]:
        """What the index shows of every memory, by path."""
        found = self._asked(lambda index: [dict(record) for record in index.records()])
        return sorted(found, key=lambda record: record["path"])

    def named(self, name: str) -> list[dict[str, Any]]:
        """The memories with this name (case and Unicode form aside) or at this path."""
        rows = self._asked(lambda index: index.by("key", key_of(name)) or index.by("path", name))
        return [dict(row) for row in rows]

    def weigh(self) -> Callable[[str, float, float], float]:
        """The store's own field weights, as the function that both engines use."""
        weights = self.store.settings.weights
        return lambda field, times, length: fields.weigh(field, times, length, weights[field])

    def _asked(self, ask: Callable[[SearchIndex], Answer]) -> Answer:
        """What the index answers; asked again where another process has just replaced it, and
        once more after building it anew.
        """
        for anew in (False, True):
            try:
                return ask(self._open(self.folder))
            except QueryFault:
                raise
            except Exception:  # a damaged index can raise anything
                self.sync(anew=anew)
        return ask(self._open(self.folder))

    @staticmethod
    def _open(folder: Path) -> SearchIndex:
        return SearchIndex(folder, tuple(fields.REFERENCE_LENGTHS), words)

    def _current(self) -> Synced | None:
        """What is there, if it fits the commit and the settings and nobody else touched it."""
        head = self.head()
        about = self._about()
        same = all(head.get(key) == about[key] for key in ("recall", "half_life"))
        if not (same and self._is_sound(head)):
            return None
        commit = self.store.repository.head()
        return Synced(commit, head["memories"], 0, False) if head["commit"] == commit else None

    def _is_sound(self, head: dict[str, Any]) -> bool:
        """Whether the index and the table of a head can be built on."""
        about = self._about()
        return (
            all(head.get(key) == about[key] for key in ("version", "weights"))
            and not any(self._damage(head))
            and not any(self._table.damage(head))
        )

    def _damage(self, head: dict[str, Any]) -> Iterator[str]:
        told, found = head.get("index", {}), self._stamps()
        for name in sorted({*told, *found}):
            if told.get(name) != found.get(name):
                yield f"{name} is {'not as it was written' if name in found else 'missing'}"

    def _about(self) -> dict[str, Any]:
        settings = self.store.settings
        return {
            "version": VERSION,
            "weights": dict(settings.weights),
            "recall": dict(vars(settings.recall)),
            "half_life": dict(settings.half_life),
        }

    def _stamps(self) -> dict[str, list[int]]:
        """The files of the index, but for the lock that Whoosh touches as it pleases."""
        try:
            return {
                file.name: stamp(file)
                for file in sorted(self.folder.iterdir())
                if not file.name.endswith("LOCK")
            }
        except OSError:
            return {}

    def _step(self, progress: Progress | None, anew: bool) -> Synced:
        commit = self.store.repository.head()
        if not anew:
            with suppress(Exception):  # what cannot be built on is built anew
                if (changed := self._grown(commit, progress)) is not None:
                    return self._published(commit, changed, False)
        return self._published(commit, self._built(commit, progress), True)

    def _grown(self, commit: str | None, progress: Progress | None) -> int | None:
        """Memories changed since the commit that is indexed, now taken in; None if unknown."""
        head = self.head()
        if not (commit and head.get("commit") and self._is_sound(head)):
            return None
        changes = self.store.repository.changes(head["commit"], commit)
        if changes is None:
            return None
        touched = {c.path: c.blob for c in changes if is_memory_path(c.path)}
        if touched:
            present = {path: blob for path, blob in touched.items() if blob}
            gone = [path for path, blob in touched.items() if not blob]
            self._open(self.folder).write(gone, self._documents(commit, present, progress))
        return len(touched)

    def _built(self, commit: str | None, progress: Progress | None) -> int:
        """A whole index built beside the old one, which it then replaces; its memories."""
        tree = self.store.repository.tree(commit) if commit else {}
        wanted = {path: blob for path, blob in tree.items() if is_memory_path(path)}
        aside, old = (self.folder.with_name(f"index.{what}") for what in ("new", "old"))
        clear(aside)
        aside.mkdir(parents=True)
        fresh = self._open(aside)
        fresh.create()
        fresh.write((), self._documents(commit, wanted, progress))
        clear(old)
        if self.folder.exists():
            self.folder.rename(old)
        aside.rename(self.folder)
        clear(old)
        return len(wanted)

    def _published(self, commit: str | None, changed: int, anew: bool) -> Synced:
        """The table compiled from the index as it is now, and readers switched over to it."""
        moved = 0 if anew else self.head().get("moved", 0) + changed
        about = {**self._about(), "commit": commit, "index": self._stamps(), "moved": moved}
        with self._open(self.folder).segments() as segments:
            memories = self._table.publish(segments, about, self.weigh(), anew)
        return Synced(commit, memories, changed, anew)

    def _documents(
        self, commit: str | None, tree: dict[str, str], progress: Progress | None
    ) -> Iterator[Document]:
        dates = Dates(self.store.repository, commit, tree)
        contents = self.store.repository.blobs(tree.values())
        for done, ((path, blob), data) in enumerate(zip(tree.items(), contents, strict=True)):
            if progress:
                progress(done, len(tree))
            memory, _ = parse(path, data)
            yield document(memory, blob, memory.recorded or dates.of(path))
        if progress and tree:
            progress(len(tree), len(tree))


def _telling(found: Found, content: bytes) -> list[str]:
    """The lines of the indexed text that hold the matched terms, the matches marked."""
    return telling(lines(content), dict.fromkeys(found.terms, 1.0))
