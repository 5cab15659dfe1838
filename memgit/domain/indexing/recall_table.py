"""The recall table of an index: compiled from it, one file for each of its segments.

The one rule: what readers see changes by one rename, that of the head file. It names every file by
size and time, so that a table that anything else has touched is never read as an answer.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from memgit.domain.indexing import calibration, fields
from memgit.domain.indexing.documents import document, lines, terms
from memgit.domain.indexing.table_writer import read_counts, write_counts, write_head, write_segment
from memgit.domain.memory import parse
from memgit.ports.git import Repository
from memgit.ports.search import IndexSegment, Record
from memgit.prompt import background
from memgit.prompt.mentions import handles
from memgit.prompt.table import HEAD, BrokenTable, Table, load_head, number_of

LOG = "prompts.jsonl"
"""The person's own prompts, in the store's derived folder."""

Weigh = Callable[[str, float, float], float]
Blobs = Callable[[Iterable[str]], Iterator[bytes]]


class RecallTable:
    """The table in one folder, of memories whose texts lie in one repository."""

    def __init__(self, folder: Path, repository: Repository, version: int) -> None:
        self.folder = folder
        self._blobs: Blobs = repository.blobs
        self._version = version

    def head(self) -> dict[str, Any]:
        """What the head file says, or an empty mapping when there is none that can be read."""
        try:
            head = load_head(str(self.folder))
        except BrokenTable:
            return {}
        return head if _is_sound(head) else {}

    def damage(self, head: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with the files that a head names, a phrase for each."""
        try:
            for row in head["segments"]:
                for file, told in ((row["file"], row["stamp"]), *row["gone"].items()):
                    if fault := changed(self.folder / file, told):
                        yield fault
        except (KeyError, TypeError, AttributeError):
            yield f"{HEAD} is not what it should be"

    def publish(
        self, segments: Iterable[IndexSegment], about: Mapping[str, Any], weigh: Weigh, anew: bool
    ) -> int:
        """Compile what has no file yet, then switch readers over; memories now in the table.

        `about` is what the head says besides.
        """
        if not self.folder.is_dir():
            clear(self.folder)
        if (self.folder / HEAD).is_dir():
            clear(self.folder / HEAD)
        self.folder.mkdir(parents=True, exist_ok=True)
        before = {row["id"]: row for row in self.head().get("segments", ())}
        rows = []
        live = 0
        for segment in segments:
            deleted = segment.deleted
            row = None if anew else before.get(segment.id)
            if row is None:
                row = self._compiled(segment, weigh)
            if deleted != row["deleted"]:
                row = {**row, "deleted": deleted, "gone": self._gone(segment, row, deleted)}
            rows.append(row)
            live += segment.memories - len(deleted)
        self._switch({**about, "memories": live, "segments": rows}, anew)
        self._sweep(rows)
        return live

    def _switch(self, head: dict[str, Any], anew: bool) -> None:
        """Show readers this head, with the last bar; then measure, where the store has changed."""
        last = self.head()
        told = {key: last.get(key, usual) for key, usual in calibration.UNMEASURED.items()}
        write_head(self.folder, {**head, **told})
        log = calibration.Log(self.folder.parent / LOG)
        if anew or calibration.is_due(last, head, log):
            told = calibration.measure(Table(str(self.folder)), log)
            write_head(self.folder, {**head, **told, "measured_at": head["memories"], "moved": 0})

    def _compiled(self, segment: IndexSegment, weigh: Weigh) -> dict[str, Any]:
        """The row of a segment, whose file is written from its postings in the index."""
        scores: dict[str, dict[int, float]] = {}
        for field in fields.REFERENCE_LENGTHS:
            for term, rows in segment.postings(field):
                known = scores.setdefault(term, {})
                for number, times, length in rows:
                    known[number] = known.get(number, 0.0) + weigh(field, times, length)
        records = segment.records()
        for number, record in enumerate(records):
            for handle in handles(record["name"], record["path"]) if record else ():
                scores.setdefault(handle, {})[number] = 1.0
        hidden = {number for number, record in enumerate(records) if _is_hidden(record)}
        postings = (
            (term, [row for row in rows.items() if row[0] not in hidden])
            for term, rows in scores.items()
        )
        file = f"{segment.id}.v{self._version}.segment"
        ordinary = read_counts(Path(background.FILE))
        write_segment(self.folder / file, postings, self._with_lines(records), ordinary)
        return {"id": segment.id, "file": file, "stamp": stamp(self.folder / file),
                "deleted": [], "gone": {}}  # fmt: skip

    def _with_lines(self, records: list[Record]) -> list[Record]:
        """The records with the lines that recall may quote, read from the files' own blobs."""
        contents = self._blobs(record["blob"] for record in records if record)
        return [{**record, "lines": lines(next(contents))} if record else {} for record in records]

    def _gone(
        self, segment: IndexSegment, row: Mapping[str, Any], deleted: list[int]
    ) -> dict[str, list[int]]:
        """The file that counts the terms of a segment's deleted memories: {name: stamp}.

        Rarity is then that of the memories that are left, as if the segment were new.
        """
        counts: Counter[int] = Counter()
        for file in row["gone"]:
            counts.update(read_counts(self.folder / file))
        left = segment.deleted_records(sorted(set(deleted) - set(row["deleted"])))
        records = [record for record in left if not _is_hidden(record)]
        contents = self._blobs(record["blob"] for record in records)
        for record, content in zip(records, contents, strict=True):
            memory, _ = parse(record["path"], content)
            held = terms(document(memory, record["blob"], record["recorded"]))
            counts.update(map(number_of, held))
        file = f"{segment.id}.v{self._version}.without{len(deleted)}"
        write_counts(self.folder / file, counts)
        return {file: stamp(self.folder / file)}

    def _sweep(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Remove what the head does not name. Who has it open reads on; who is about to open it
        reads the new head.
        """
        keep = {HEAD, *(name for row in rows for name in (row["file"], *row["gone"]))}
        for left in self.folder.iterdir():
            if left.name not in keep:
                clear(left)


_TOLD = {
    "weights": dict, "recall": dict, "half_life": dict, "index": dict, "restless": dict,
    "commit": str | None, "log": str, "memories": int, "moved": int, "measured_at": int,
    "bar": float, "segments": list,
}  # fmt: skip
"""What every head says, and in which type; the version may be any other one."""

_ROW = {"id": str, "file": str, "stamp": list, "deleted": list, "gone": dict}


def _is_sound(head: Mapping[str, Any]) -> bool:
    """Whether a head says what heads say: its checksum only tells that somebody meant it."""
    return (
        all(isinstance(head.get(key, ...), kind) for key, kind in _TOLD.items())
        and isfinite(head["bar"])
        and all(isinstance(more, int | float) for more in head["restless"].values())
        and all(isinstance(row, dict) and _is_row(row) for row in head["segments"])
    )


def _is_row(row: Mapping[str, Any]) -> bool:
    return (
        all(isinstance(row.get(key), kind) for key, kind in _ROW.items())
        and all(isinstance(number, int) for number in row["deleted"])
        and not any("/" in name for name in (row["file"], *row["gone"]))
    )


def clear(path: Path) -> None:
    """Remove a file or a folder, whatever it is, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def changed(path: Path, told: object) -> str:
    """What is wrong with a file that was written with this stamp; "" where nothing is."""
    try:
        return "" if stamp(path) == told else f"{path.name} is not as it was written"
    except OSError:
        return f"{path.name} is missing"


def _is_hidden(record: Record) -> bool:
    """Whether a memory has no posting: no prompt finds a retired one, and `search` still does."""
    return bool(record and record["retired"])


def stamp(path: Path) -> list[int]:
    """[size, time of the last change in ns]: enough to see that somebody else wrote to a file."""
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]
