"""Writes the files of the recall table. The layout stands in `memgit/prompt/table.py`.

The one rule: a file is written aside, flushed to the disk and renamed, so a reader finds it whole
or not at all.
"""

import json
import os
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from struct import iter_unpack
from typing import Any

from memgit.prompt.table import HEAD, HEADER, MAGIC, SLOT, checksum, number_of

Posting = tuple[int, float]
"""(memory number within the segment, score)."""

Slot = tuple[int, int, int, int]
"""(number of a term, count, first posting, how ordinary it is)."""

FULL = 0.75
"""Slots that are taken, of those that are homes. Fuller is smaller, but a term is further away."""


_POSTING = 8
"""Bytes of a posting: a memory and its score."""


def write_segment(
    path: Path,
    postings: Iterable[tuple[str, Sequence[Posting]]],
    records: Sequence[Mapping[str, Any]],
    ordinary: Mapping[int, int],
) -> None:
    """Write one segment file: the postings of each term, and one record for each memory.

    `ordinary` tells how ordinary a term is, by its number.
    """
    slots: list[Slot] = []
    body = bytearray()
    for term, rows in postings:
        ordered = sorted(rows)
        number = number_of(term)
        slots.append((number, len(rows), len(body) // _POSTING, ordinary.get(number, 0)))
        body += _little("I", (memory for memory, _ in ordered))
        body += _little("f", (score for _, score in ordered))
    _write(path, slots, bytes(body), records)


def write_counts(path: Path, counts: Mapping[int, int]) -> None:
    """Write a segment file that holds counts only, by the terms' numbers: no memory, no posting."""
    _write(path, [(number, count, 0, 0) for number, count in counts.items()], b"", ())


def read_counts(path: Path) -> dict[int, int]:
    """What `write_counts` wrote."""
    data = path.read_bytes()
    start, end = memoryview(data[32:48]).cast("Q")
    rows = iter_unpack("<QIII", data[start:end])
    return {number: count for number, count, _, _ in rows if number}


def _write(
    path: Path, slots: list[Slot], body: bytes, records: Sequence[Mapping[str, Any]]
) -> None:
    """Lay the parts out behind the header and write the file."""
    homes, reach, entries = _slots(slots)
    places, texts = _records(records)
    at_postings = HEADER + len(entries)
    at_records = at_postings + len(body)
    size = at_records + len(places) + len(texts)
    header = (
        MAGIC
        + _little("Q", [size])
        + _little("I", [len(records), homes, reach, 0])
        + _little("Q", [HEADER, at_postings, at_records])
    )
    write_whole(path, b"".join([header, entries, body, places, texts]))


def write_head(folder: Path, head: Mapping[str, Any]) -> None:
    """Replace the head file: from here on readers see the segments that it names."""
    told = json.dumps({key: value for key, value in head.items() if key != "sum"})
    rest = (b", " if head else b"") + told[1:].encode()
    write_whole(folder / HEAD, b'{"sum": "' + checksum(rest) + b'"' + rest)


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` aside, flush it to the disk, rename it to `path`."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _slots(slots: list[Slot]) -> tuple[int, int, bytes]:
    """How many slots are homes, how many a term may be away from its own, and all slots.

    Each term stands at its home or in the next free slot, in the order of the homes, so that none
    is much further away than the others.
    """
    homes = int(len(slots) / FULL) + 1
    placed: list[tuple[int, Slot]] = []
    at, reach = -1, 1
    for home, slot in sorted((slot[0] % homes, slot) for slot in slots):
        at = max(at + 1, home)
        reach = max(reach, at - home + 1)
        placed.append((at, slot))
    entries = bytearray(SLOT * (homes + reach))
    for at, (number, *rest) in placed:
        entries[SLOT * at : SLOT * (at + 1)] = number.to_bytes(8, "little") + _little("I", rest)
    return homes, reach, bytes(entries)


def _records(records: Sequence[Mapping[str, Any]]) -> tuple[bytes, bytes]:
    texts = [
        zlib.compress(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace"))
        for record in records
    ]
    places = array("Q", [0])
    for text in texts:
        places.append(places[-1] + len(text))
    return places.tobytes(), b"".join(texts)


def _little(code: str, values: Iterable[float]) -> bytes:
    return array(code, values).tobytes()
