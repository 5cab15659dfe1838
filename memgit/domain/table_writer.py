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
from typing import Any

from memgit.prompt.table import HEAD, HEADER, MAGIC, bucket_of, checksum, key_of

Posting = tuple[int, float]
"""(memory number within the segment, score)."""


def write_segment(
    path: Path,
    postings: Iterable[tuple[str, Sequence[Posting]]],
    records: Sequence[Mapping[str, Any]],
) -> None:
    """Write one segment file: the postings of each term, and one record for each memory."""
    terms: list[tuple[bytes, bytes]] = []
    body = bytearray()
    for term, rows in postings:
        ordered = sorted(rows)
        terms.append(_entry(term, len(rows), len(body)))
        body += _little("I", (memory for memory, _ in ordered))
        body += _little("f", (score for _, score in ordered))
    _write(path, terms, bytes(body), records)


def write_counts(path: Path, counts: Mapping[str, int]) -> None:
    """Write a segment file that holds counts only: no memory, no posting."""
    _write(path, [_entry(term, count, 0) for term, count in counts.items()], b"", ())


def read_counts(path: Path) -> dict[str, int]:
    """What `write_counts` wrote."""
    data = path.read_bytes()
    at, end = (int.from_bytes(data[place : place + 8], "little") for place in (32, 40))
    found = {}
    while at < end:
        after = at + 1 + data[at]
        term = data[at + 1 : after].decode("utf-8", "surrogatepass")
        found[term] = int.from_bytes(data[after : after + 4], "little")
        at = after + 12
    return found


def _entry(term: str, count: int, place: int) -> tuple[bytes, bytes]:
    """(key, term entry) as the layout has it."""
    key = key_of(term)
    fixed = count.to_bytes(4, "little") + place.to_bytes(8, "little")
    return key, bytes([len(key)]) + key + fixed


def _write(
    path: Path,
    terms: list[tuple[bytes, bytes]],
    body: bytes,
    records: Sequence[Mapping[str, Any]],
) -> None:
    """Lay the parts out behind the header and write the file."""
    starts, entries = _buckets(terms)
    places, texts = _records(records)
    at_buckets = HEADER
    at_terms = at_buckets + len(starts)
    at_postings = at_terms + len(entries)
    at_records = at_postings + len(body)
    size = at_records + len(places) + len(texts)
    header = (
        MAGIC
        + _little("Q", [size])
        + _little("I", [len(records), len(starts) // 4 - 1])
        + _little("Q", [at_buckets, at_terms, at_postings, at_records])
    )
    write_whole(path, b"".join([header, starts, entries, body, places, texts]))


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


def _buckets(terms: list[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    """The list of bucket starts, and the term entries in bucket order."""
    buckets = _prime_above(len(terms))
    rows: list[list[bytes]] = [[] for _ in range(buckets)]
    for key, entry in terms:
        rows[bucket_of(key, buckets)].append(entry)
    starts = array("I", [0])
    for row in rows:
        starts.append(starts[-1] + sum(map(len, row)))
    return starts.tobytes(), b"".join(entry for row in rows for entry in row)


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


def _prime_above(number: int) -> int:
    """The first prime from `number` up, so that the modulus spreads similar terms."""
    candidate = max(number, 2) | 1
    while any(candidate % divisor == 0 for divisor in range(3, int(candidate**0.5) + 1, 2)):
        candidate += 2
    return candidate
