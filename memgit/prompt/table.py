"""The recall table: a head file and one immutable file for each segment of the index.

Only reading lives here; `domain/table_writer.py` writes the same layout. Every file is read with
seek and read, a few dozen bytes a term, so that a large store costs no more memory than a small
one. All numbers are little-endian, as on every machine this runs on.

A segment file, version 1:

    magic (8 bytes) · size of the file u64 · memories u32 · buckets u32 ·
    places of: buckets u64, terms u64, postings u64, records u64
    buckets    u32 × (buckets + 1): where a bucket's terms start, relative to the terms
    terms      for each: length u8, UTF-8 bytes, count u32, with head u32, postings u64 (relative)
    postings   for each term: memory u32 × count, score f32 × count, head score f32 × with head
    records    u64 × (memories + 1): places, relative to the end of this list; then the records

A memory's score for a term is its BM25F weight before the term's rarity is multiplied in; the head
score is the part that comes from the fields other than the body. Memories with a head score come
first, each group in ascending order. A record is a JSON object,
compressed with zlib.
"""

from _json import make_scanner

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"MEMGITT1"
HEADER = 56
"""Bytes before the buckets."""

HEAD = "head.json"
"""The file that names the segments; it is replaced whole, so a reader sees one state."""


class BrokenTable(Exception):
    """The table cannot be read: missing, cut short, or of another version."""


class _Context:
    """What the C scanner of `json` wants to be told; it spares us the import of `json`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_Context.memo = {}  # type: ignore[attr-defined]
_scan = make_scanner(_Context())  # type: ignore[arg-type]


def load_json(text: str) -> "Any":
    """The one JSON value that `text` starts with; ValueError when there is none."""
    try:
        return _scan(text, len(text) - len(text.lstrip(" \t\r\n")))[0]
    except StopIteration:
        raise ValueError("not JSON") from None


def bucket_of(term: bytes, buckets: int) -> int:
    """The bucket of a term: its bytes as one number, modulo the (prime) number of buckets."""
    return int.from_bytes(term, "little") % buckets


class Segment:
    """One segment file, open for reading."""

    def __init__(self, path: str, base: int, deleted: "list[int]") -> None:
        self.base = base
        self.deleted = frozenset(deleted)
        self._file = open(path, "rb", 0)  # noqa: SIM115 - the process ends with the answer
        header = self._file.read(HEADER)
        if len(header) != HEADER or header[:8] != MAGIC:
            raise BrokenTable(f"{path}: not a segment of this version")
        if int.from_bytes(header[8:16], "little") != self._file.seek(0, 2):
            raise BrokenTable(f"{path}: cut short")
        self.memories, self._buckets = memoryview(header[16:24]).cast("I")
        places = memoryview(header[24:56]).cast("Q")
        self._at_buckets, self._at_terms, self._at_postings, self._at_records = places

    def _read(self, place: int, size: int) -> bytes:
        self._file.seek(place)
        return self._file.read(size)

    def count(self, term: bytes) -> "tuple[int, int, int]":
        """(memories with the term, with a head score, place of its postings); zeros if absent."""
        bucket = bucket_of(term, self._buckets)
        start, end = memoryview(self._read(self._at_buckets + 4 * bucket, 8)).cast("I")
        if start == end:
            return 0, 0, 0
        block = self._read(self._at_terms + start, end - start)
        at = 0
        while at < len(block):
            size = block[at]
            after = at + 1 + size
            if block[at + 1 : after] == term:
                return (
                    int.from_bytes(block[after : after + 4], "little"),
                    int.from_bytes(block[after + 4 : after + 8], "little"),
                    int.from_bytes(block[after + 8 : after + 16], "little"),
                )
            at = after + 16
        return 0, 0, 0

    def postings(
        self, count: int, heads: int, place: int
    ) -> "tuple[memoryview[int], memoryview[float], memoryview[float]]":
        """Memories (numbers within this segment), their scores, and the first ones' head scores."""
        data = memoryview(self._read(self._at_postings + place, 8 * count + 4 * heads))
        return (
            data[: 4 * count].cast("I"),
            data[4 * count : 8 * count].cast("f"),
            data[8 * count :].cast("f"),
        )

    def record(self, memory: int) -> "dict[str, Any]":
        """What is shown of a memory: name, path, type, labels, age, lines."""
        from zlib import decompress  # only for what is shown: silence does not pay for it

        places = memoryview(self._read(self._at_records + 8 * memory, 16)).cast("Q")
        start = self._at_records + 8 * (self.memories + 1)
        packed = self._read(start + places[0], places[1] - places[0])
        record = load_json(decompress(packed).decode("utf-8"))
        if not isinstance(record, dict):
            raise BrokenTable("a record is not an object")
        return record


class Table:
    """All segments under one numbering: memory `n` of a segment is `segment.base + n`."""

    def __init__(self, folder: str) -> None:
        try:
            with open(f"{folder}/{HEAD}", "rb") as file:
                self.head: dict[str, Any] = load_json(file.read().decode("utf-8"))
            self.segments: list[Segment] = []
            base = 0
            for row in self.head["segments"]:
                segment = Segment(f"{folder}/{row['file']}", base, row["deleted"])
                self.segments.append(segment)
                base += segment.memories
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise BrokenTable(f"{folder}: {fault}") from fault
        self.memories: int = base

    def lookup(self, term: str) -> "list[tuple[Segment, int, int, int]]":
        """Where a term stands: (segment, count, with head, place) for each segment that has it."""
        key = term.encode("utf-8", "surrogatepass")[:255]
        return [(segment, *found) for segment in self.segments if (found := segment.count(key))[0]]

    def is_deleted(self, memory: int) -> bool:
        """Whether a later commit removed or replaced this memory."""
        segment = self._segment(memory)
        return memory - segment.base in segment.deleted

    def record(self, memory: int) -> "dict[str, Any]":
        """The record of a memory by its number in this table."""
        segment = self._segment(memory)
        return segment.record(memory - segment.base)

    def _segment(self, memory: int) -> Segment:
        for segment in reversed(self.segments):
            if memory >= segment.base:
                return segment
        raise BrokenTable(f"no memory {memory}")
