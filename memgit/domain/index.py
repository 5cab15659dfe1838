"""The index and the recall table, kept in step with the commit that is checked out.

The one rule: readers never wait and never see half a change. What is new is built aside under a
lock and becomes visible by renaming one small file; until then the previous answer stands.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from memgit.domain import fields
from memgit.domain.memory import (
    STANDING,
    Memory,
    decode,
    is_memory_path,
    key_of,
    parse,
    split,
)
from memgit.domain.store import Store
from memgit.domain.table_writer import write_head, write_segment
from memgit.ports.lock import hold
from memgit.ports.search import BrokenIndex, Document, Found, IndexSegment, Record, SearchIndex
from memgit.prompt.ranking import Rarity
from memgit.prompt.show import telling
from memgit.prompt.table import HEAD
from memgit.prompt.terms import words

VERSION = 1
"""Raised whenever terms, fields, weights or the table's layout change: old indexes are rebuilt."""

SHOWN = 16_000
"""Characters of a body that the table keeps, so that recall can quote its telling lines."""

LARGEST = 1_000_000
"""Characters of a body that are indexed; what lies beyond is in the file, and `check` says so."""

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

    def sync(self, progress: Progress | None = None, anew: bool = False) -> Synced:
        """Bring index and table to the commit that is checked out; `anew` builds from nothing.

        Costs what changed, not what is there. A broken or foreign index is rebuilt silently.
        """
        head = self.head()
        commit = self.store.repository.head()
        if not anew and self._fits(head) and head["commit"] == commit and self._readable(head):
            return Synced(commit, head["memories"], 0, False)
        with hold(self.store.derived / "index.lock", f"the index of {self.store.root}"):
            while True:
                done = self._step(progress, anew)
                if done.commit == self.store.repository.head():
                    return done
                anew = False

    def head(self) -> dict[str, Any]:
        """The table's head file, or an empty mapping when there is none that can be read."""
        try:
            loaded = json.loads((self.table / HEAD).read_bytes())
        except (OSError, ValueError):
            return {}
        return loaded if isinstance(loaded, dict) else {}

    def search(self, text: str, limit: int) -> list[Hit]:
        """Whoosh's answer to a query in its own language, after making the index current."""
        self.sync()
        answers = self._open().search(text, limit, self.weigh(), Rarity())
        contents = self.store.repository.blobs(found.record["blob"] for found in answers)
        return [
            Hit(found.record, found.score, _telling(found, content))
            for found, content in zip(answers, contents, strict=True)
        ]

    def rank(self, terms: Iterable[str], limit: int) -> list[Found]:
        """Whoosh's answer to plain terms."""
        return self._open().rank(terms, limit, self.weigh(), Rarity())

    def records(self) -> list[dict[str, Any]]:
        """What the index shows of every memory, by path."""
        return sorted(map(dict, self._open().records()), key=lambda record: record["path"])

    def named(self, name: str) -> list[dict[str, Any]]:
        """The memories with this name (case and Unicode form aside) or at this path."""
        found = self._open()
        rows = found.by("key", key_of(name)) or found.by("path", name)
        return [dict(row) for row in rows]

    def weigh(self) -> Callable[[str, float, float], float]:
        """The store's own field weights, as the function that both engines use."""
        weights = self.store.settings.weights
        return lambda field, times, length: fields.weigh(field, times, length, weights[field])

    def _open(self) -> SearchIndex:
        return SearchIndex(self.folder, tuple(fields.REFERENCE_LENGTHS), words)

    def _fits(self, head: dict[str, Any]) -> bool:
        return head.get("version") == VERSION and head.get("weights") == dict(
            self.store.settings.weights
        )

    def _readable(self, head: dict[str, Any]) -> bool:
        """Whether every file that the head names is there in full, and the index opens."""
        try:
            for row in head["segments"]:
                if (self.table / row["file"]).stat().st_size != row["size"]:
                    return False
            return {s.id for s in self._open().segments()} == {r["id"] for r in head["segments"]}
        except (OSError, KeyError, TypeError, BrokenIndex):
            return False

    def _step(self, progress: Progress | None, anew: bool) -> Synced:
        repository = self.store.repository
        commit = repository.head()
        head = self.head()
        changes = None
        if not anew and self._fits(head) and head["commit"] and commit and self._readable(head):
            changes = repository.changes(head["commit"], commit)
        if changes is None:
            tree = repository.tree(commit) if commit else {}
            wanted = {path: blob for path, blob in tree.items() if is_memory_path(path)}
            changed = self._build(commit, wanted, progress)
            return self._publish(commit, len(wanted), changed, True)
        touched = {c.path: c.blob for c in changes if is_memory_path(c.path)}
        if touched:
            present = {path: blob for path, blob in touched.items() if blob}
            gone = [path for path, blob in touched.items() if not blob]
            self._open().write(gone, self._documents(commit, present, progress))
        return self._publish(commit, None, len(touched), False)

    def _build(self, commit: str | None, tree: dict[str, str], progress: Progress | None) -> int:
        """A whole index built beside the old one, which it then replaces."""
        aside = self.folder.with_name("index.new")
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        fresh = SearchIndex(aside, tuple(fields.REFERENCE_LENGTHS), words)
        fresh.create()
        fresh.write((), self._documents(commit, tree, progress))
        old = self.folder.with_name("index.old")
        shutil.rmtree(old, ignore_errors=True)
        if self.folder.exists():
            self.folder.rename(old)
        aside.rename(self.folder)
        shutil.rmtree(old, ignore_errors=True)
        return len(tree)

    def _documents(
        self, commit: str | None, tree: dict[str, str], progress: Progress | None
    ) -> Iterator[Document]:
        dates = _Dates(self.store, commit, many=len(tree) > 20)
        contents = self.store.repository.blobs(tree.values())
        for done, ((path, blob), data) in enumerate(zip(tree.items(), contents, strict=True)):
            if progress:
                progress(done, len(tree))
            memory, _ = parse(path, data)
            yield _document(memory, blob, memory.recorded or dates.of(path))
        if progress and tree:
            progress(len(tree), len(tree))

    def _publish(
        self, commit: str | None, memories: int | None, changed: int, rebuilt: bool
    ) -> Synced:
        """Compile a table file for each segment that has none, then switch the head over."""
        self.table.mkdir(parents=True, exist_ok=True)
        previous = {row["file"] for row in self.head().get("segments", ())}
        rows = []
        live = 0
        for segment in self._open().segments():
            file = f"{segment.id}.v{VERSION}.segment"
            target = self.table / file
            if rebuilt or not target.exists():
                self._compile(segment, target)
            deleted = segment.deleted
            live += segment.memories - len(deleted)
            rows.append({"id": segment.id, "file": file, "size": target.stat().st_size,
                         "deleted": deleted})  # fmt: skip
        weights = dict(self.store.settings.weights)
        head = {"version": VERSION, "commit": commit, "memories": live, "weights": weights,
                "recall": vars(self.store.settings.recall), "segments": rows}  # fmt: skip
        write_head(self.table, head)
        # A prompt may be reading the files that the last head named: they go one step later.
        keep = previous | {row["file"] for row in rows} | {HEAD}
        for left in self.table.iterdir():
            if left.name not in keep:
                left.unlink(missing_ok=True)
        return Synced(commit, live, changed, rebuilt)

    def _compile(self, segment: IndexSegment, target: Path) -> None:
        """The recall table's file for one segment of the index, from that segment's postings."""
        weigh = self.weigh()
        scores: dict[str, dict[int, tuple[float, float]]] = {}
        for field in fields.REFERENCE_LENGTHS:
            in_head = field != fields.BODY
            for term, rows in segment.postings(field):
                table = scores.setdefault(term, {})
                for number, times, length in rows:
                    weight = weigh(field, times, length)
                    all_, head = table.get(number, (0.0, 0.0))
                    table[number] = (all_ + weight, head + weight if in_head else head)
        postings = (
            (term, [(n, all_, head) for n, (all_, head) in rows.items()])
            for term, rows in scores.items()
        )
        write_segment(target, postings, self._with_lines(segment.records()))

    def _with_lines(self, records: list[Record]) -> list[Record]:
        """The records with the lines that recall may quote, read from the files' own blobs."""
        contents = self.store.repository.blobs(r["blob"] for r in records if r)
        return [
            {**record, "lines": _lines(split(decode(next(contents))[0])[1])} if record else {}
            for record in records
        ]


def _document(memory: Memory, blob: str, recorded: str) -> Document:
    indexed = replace(memory, body=memory.body[:LARGEST])
    record = {
        "name": memory.name,
        "path": memory.path,
        "type": memory.type,
        "description": memory.description,
        "labels": list(memory.labels),
        "recorded": recorded,
        "standing": memory.type in STANDING,
        "blob": blob,
    }
    return Document(
        path=memory.path,
        key=key_of(memory.name),
        texts=fields.texts(indexed),
        keywords={
            "type": memory.type,
            "label": " ".join(label.split()[0].strip(":") for label in memory.labels),
        },
        record=record,
    )


def _telling(found: Found, content: bytes) -> list[str]:
    """The lines of the indexed text that hold the matched terms, the matches marked."""
    return telling(_lines(split(decode(content)[0])[1]), dict.fromkeys(found.terms, 1.0))


def _lines(body: str) -> list[str]:
    """The lines of a body that could be quoted, up to a limit of characters."""
    found = []
    room = SHOWN
    for line in body.splitlines():
        text = line.strip()
        if not any(map(str.isalnum, text)):
            continue
        found.append(text[:room])
        room -= len(text)
        if room <= 0:
            break
    return found


class _Dates:
    """When each path last changed up to a commit, for memories that do not say it themselves."""

    def __init__(self, store: Store, commit: str | None, many: bool) -> None:
        self._ask = partial(store.repository.run, "log", "-1", "--format=%cI", commit or "HEAD")
        self._all = self._history(store, commit) if many and commit else {}

    def of(self, path: str) -> str:
        """An ISO time in UTC."""
        found = self._all.get(path) or self._ask("--", path)
        try:
            return datetime.fromisoformat(found).astimezone(UTC).isoformat()
        except ValueError:
            return ""

    @staticmethod
    def _history(store: Store, commit: str) -> dict[str, str]:
        """One pass, newest first: the first mention of a path is its last change."""
        log = store.repository.run(
            "log", "-z", "--name-only", "--no-renames", "--format=%x01%cI", commit
        )
        found: dict[str, str] = {}
        for entry in log.split("\x01")[1:]:
            date, _, names = entry.partition("\0")
            for name in names.strip("\n\0").split("\0"):
                found.setdefault(name, date.strip())
        return found
