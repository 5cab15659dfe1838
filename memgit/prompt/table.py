"""The recall table: a head file and one immutable file for each segment of the index.

Only reading lives here; `domain/indexing/table_writer.py` writes the same layout. Files are read by
seek and read, one for each term that is asked, so that a large store costs no more memory than a
small one. All numbers are little-endian, as on every machine this runs on.

A segment file, version 3:

    magic (8 bytes) · size of the file u64 · memories u32 · homes u32 · reach u32 · 0 u32 ·
    places of: slots u64, postings u64, records u64
    slots      for each: number of a term u64, count u32, first posting u32, ordinary u32;
               a term stands in one of the `reach` slots from its home, (number modulo homes)
    postings   for each term: memory u32 × count ascending, score f32 × count
    records    u64 × (memories + 1): places, relative to the end of this list; then the records

A term is known by its number alone (see `number_of`): that two of a million share one happens once
in thirty million stores. A memory's score for a term is its BM25F weight before the term's rarity
is multiplied in; `ordinary` is how common the term is elsewhere, as `background.py` has it. A term
that starts with `@` is no word: its memories are those that a person mentions by it. A record is a
JSON object, compressed with zlib.

The head is one JSON object. It names the segments, each with its `stamp` (size, time of change in
ns), the numbers of its memories that a later commit took away (`deleted`), and a file of counts of
their terms (`gone`: name → stamp), so that rarity is that of the memories which are left.
"""

from _json import make_scanner
from posix import O_NOFOLLOW, O_RDONLY, close, fstat, pread

from memgit.prompt.place import content, descriptor

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Found = tuple[int, int, int]
    """(memories with the term, its first posting, how ordinary it is)"""

    Row = tuple["Segment", int, int, int]

MAGIC = b"MEMGITT3"
HEADER = 56
"""Bytes before the slots."""

SLOT = 20
"""Bytes of a slot."""

HEAD = "head.json"
"""The file that names the segments; it is replaced whole, so a reader sees one state."""


_PRIME = 0xEA7CB89F409AE869
_SPREAD = 0x9E3779B97F4A7C15
"""Without it, the number of a short term would be the term, which other bytes may look like."""

_SUM = (9, 25)
"""Where the head's checksum stands in it; it covers all that follows its closing quote."""


NOTHING = (0, 0, 0)
"""What is found of a term that is absent."""


class BrokenTable(Exception):
    """The table cannot be read: missing, cut short, touched, or of another version."""


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


def number_of(term: str) -> int:
    """The number that a term is known by: its bytes as one number, spread over 64 bits."""
    # The line feed ends the term, so that NULs at its end count, and no term has the number 0.
    data = f"{term}\n".encode("utf-8", "surrogatepass")
    return int.from_bytes(data, "little") * _SPREAD % _PRIME


def checksum(data: bytes) -> bytes:
    """16 hex digits: the bytes as one number, modulo a prime."""
    return b"%016x" % (int.from_bytes(data, "little") % (2**61 - 1))


def load_head(folder: str) -> "dict[str, Any]":
    """What the head file of a table says. Raises BrokenTable."""
    try:
        data = content(f"{folder}/{HEAD}", O_NOFOLLOW)
        if data[slice(*_SUM)] != checksum(data[_SUM[1] + 1 :]):
            raise BrokenTable(f"{folder}/{HEAD}: not as it was written")
        head = load_json(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise BrokenTable(f"{folder}/{HEAD}: {fault}") from fault
    if not isinstance(head, dict):
        raise BrokenTable(f"{folder}/{HEAD}: not an object")
    return head


class Segment:
    """One segment file, open for reading. `stamp` is its size and time as they should be."""

    _number = -1

    def __init__(
        self, path: str, base: int, deleted: "list[int]", stamp: "list[int] | None" = None
    ) -> None:
        self.base = base
        self.deleted = frozenset(deleted)
        self._path = path
        self._number = descriptor(path, O_RDONLY | O_NOFOLLOW)
        header = pread(self._number, HEADER, 0)
        if len(header) != HEADER or header[:8] != MAGIC:
            raise BrokenTable(f"{path}: not a segment of this version")
        found = fstat(self._number)
        self._size = found.st_size
        if int.from_bytes(header[8:16], "little") != self._size:
            raise BrokenTable(f"{path}: cut short")
        if stamp is not None and stamp != [found.st_size, found.st_mtime_ns]:
            raise BrokenTable(f"{path}: not as it was written")
        self.memories, self._homes, reach, _ = memoryview(header[16:32]).cast("I")
        self._at_slots, self._at_postings, self._at_records = memoryview(header[32:]).cast("Q")
        self._reach = SLOT * reach
        if not self._homes or self._at_slots + SLOT * (self._homes + reach) > self._size:
            raise BrokenTable(f"{path}: no slots, or too many")

    def __del__(self, close: "Callable[[int], None]" = close) -> None:
        if self._number >= 0:
            close(self._number)

    def _read(self, place: int, size: int) -> bytes:
        if size < 0 or place + size > self._size:
            raise BrokenTable(f"{self._path}: a place outside of it")
        return pread(self._number, size, place)

    def find(self, number: int) -> "Found":
        """What stands of the term with this number; zeros if it is absent."""
        slots = pread(self._number, self._reach, self._at_slots + SLOT * (number % self._homes))
        wanted = number.to_bytes(8, "little")
        at = slots.find(wanted)
        while at % SLOT and at >= 0:
            at = slots.find(wanted, at + 1)
        if at < 0:
            return NOTHING
        count, first, ordinary = memoryview(slots[at + 8 : at + SLOT]).cast("I")
        return count, first, ordinary

    def postings(self, count: int, first: int) -> "tuple[memoryview[int], memoryview[float]]":
        """Memories (numbers within this segment, ascending) and their scores."""
        data = memoryview(self._read(self._at_postings + 8 * first, 8 * count))
        return data[: 4 * count].cast("I"), data[4 * count :].cast("f")

    def record(self, memory: int) -> "dict[str, Any]":
        """What is shown of a memory: name, path, type, labels, age, lines."""
        from zlib import decompress, error  # only for what is shown: silence does not pay for it

        places = memoryview(self._read(self._at_records + 8 * memory, 16)).cast("Q")
        start = self._at_records + 8 * (self.memories + 1)
        packed = self._read(start + places[0], places[1] - places[0])
        try:
            record = load_json(decompress(packed).decode("utf-8"))
        except (error, ValueError) as fault:
            raise BrokenTable(f"{self._path}: {fault}") from fault
        if not isinstance(record, dict):
            raise BrokenTable(f"{self._path}: a record is not an object")
        return record


class Table:
    """All segments under one numbering: memory `n` of a segment is `segment.base + n`.

    `memories` is how many there are, those that a later commit took away not counted.
    """

    def __init__(self, folder: str) -> None:
        try:
            self._open(folder)
        except FileNotFoundError:  # a commit has put the next head in place since we read this one
            try:
                self._open(folder)
            except FileNotFoundError as fault:
                raise BrokenTable(f"{folder}: {fault}") from fault

    def _open(self, folder: str) -> None:
        self.head = load_head(folder)
        self.segments: list[Segment] = []
        self._gone: list[Segment] = []
        self.memories = 0
        base = 0
        try:
            for row in self.head["segments"]:
                path = f"{folder}/{row['file']}"
                segment = Segment(path, base, row["deleted"], row["stamp"])
                self.segments.append(segment)
                for file, stamp in row["gone"].items():
                    self._gone.append(Segment(f"{folder}/{file}", 0, [], stamp))
                base += segment.memories
                self.memories += segment.memories - len(segment.deleted)
        except FileNotFoundError:
            raise
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
            raise BrokenTable(f"{folder}: {fault}") from fault

    def lookup(self, term: str) -> "list[Row]":
        """Where a term stands: a row for each segment that has it."""
        number = number_of(term)
        return [
            (segment, *found) for segment in self.segments if (found := segment.find(number))[0]
        ]

    def having(self, term: str, rows: "list[Row]") -> int:
        """How many memories have a term that was looked up."""
        count = sum([row[1] for row in rows])
        for gone in self._gone:
            count -= gone.find(number_of(term))[0]
        return count

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
