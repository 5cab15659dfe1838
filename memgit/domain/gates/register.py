"""What the gates know of every memory of a commit: names, references, and what its body is like.

The one rule: it follows from the files alone, each by its blob, so whatever was kept of it is
either right or not used; reading a store again costs what has changed since.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zlib import crc32

from memgit.domain.gates.patterns import Pattern
from memgit.domain.indexing.table_writer import write_whole
from memgit.domain.links import references
from memgit.domain.memory import Memory, key_of, parse
from memgit.ports.git import Repository
from memgit.prompt.place import content

VERSION = 1
"""Raised whenever an entry would say something else of the same file."""

SKETCH = 8
"""Numbers of a sketch. Of bodies nine tenths alike, about seven are the same."""

SHARED = 3
"""Numbers that two sketches must share before their bodies are compared."""

FEW = 16
"""Memories that are read again rather than writing down what is known of all, and looked for among
all rather than sorting those."""

RUN = 3
"""Words of a shingle; a Japanese or Korean character counts as one."""

_PLAIN = re.compile(r"\w+")
_WORD = Pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff]+")


@dataclass(frozen=True)
class Entry:
    """What is known of one memory; `digest` and `sketch` tell what its body is like."""

    path: str
    name: str
    aliases: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    digest: str = ""
    sketch: tuple[int, ...] = ()

    @classmethod
    def of(cls, memory: Memory) -> "Entry":
        """The entry of a memory that was read."""
        parts = shingles(memory.body)
        return cls(
            memory.path,
            memory.name,
            memory.words("aliases"),
            tuple(references(memory, "superseded_by")),
            tuple(references(memory, "derived_from")),
            _digest(memory.body),
            tuple(sorted(parts)[:SKETCH]),
        )


def shingles(body: str) -> set[int]:
    """The runs of words that a body consists of, as numbers; case and punctuation aside."""
    text = body.casefold()
    words = (_PLAIN if text.isascii() else _WORD).findall(text)
    return {
        crc32(" ".join(words[at : at + RUN]).encode("utf-8", "surrogatepass"))
        for at in range(max(1, len(words) - RUN + 1))
        if words
    }


class Register:
    """The entries of all memories of one state of a store."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = {entry.path: entry for entry in entries}
        self._asked = 0

    def named(self, name: str) -> list[Entry]:
        """Those with this name; case and Unicode form aside."""
        return self._by_name.get(key_of(name), [])

    def spelled(self, name: str) -> list[Entry]:
        """Those whose name is made of the same words, however they are written and joined."""
        return self._by_letters.get(_letters(key_of(name)), [])

    def called(self, word: str) -> list[Entry]:
        """Those that a reference by this word means: by name, else by alias."""
        key = word.strip("[] ").removesuffix(".md")
        return self.named(key) or self._by_alias.get(key_of(key), [])

    def alike(self, entry: Entry) -> Iterator[Entry]:
        """Others whose bodies may be nearly the same, and those where they are the same."""
        enough = min(SHARED, len(entry.sketch))
        for path in sorted(path for path, count in self._shared(entry) if count >= enough):
            if path != entry.path:
                yield self.entries[path]

    def _shared(self, entry: Entry) -> Iterable[tuple[str, int]]:
        """(path, numbers that its sketch shares) of those that share any."""
        numbers = set(entry.sketch)
        self._asked += 1
        if self._asked <= FEW:  # sorting all by their numbers pays where many are asked for
            rows = self.entries.items()
            return [(path, len(numbers.intersection(other.sketch)))
                    for path, other in rows if not numbers.isdisjoint(other.sketch)]  # fmt: skip
        return Counter(path for one in numbers for path in self._by_number.get(one, ())).items()

    @cached_property
    def _by_name(self) -> dict[str, list[Entry]]:
        return _grouped((key_of(entry.name), entry) for entry in self.entries.values())

    @cached_property
    def _by_letters(self) -> dict[str, list[Entry]]:
        return _grouped(
            (_letters(key), entry) for key, found in self._by_name.items() for entry in found
        )

    @cached_property
    def _by_alias(self) -> dict[str, list[Entry]]:
        return _grouped(
            (key_of(alias), entry) for entry in self.entries.values() for alias in entry.aliases
        )

    @cached_property
    def _by_number(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for entry in self.entries.values():
            for number in entry.sketch:
                found.setdefault(number, []).append(entry.path)
        return found


def register_of(repository: Repository, kept: Path, blobs: Mapping[str, str]) -> Register:
    """The register of the memories in `blobs` (path → blob); `kept` is a file of ours, in which
    what has been read is kept for the next time.
    """
    known = _load(kept)
    entries = {path: known[path] for path in blobs if path in known}
    entries = {path: row for path, row in entries.items() if row[0] == blobs[path]}
    missing = [path for path in blobs if path not in entries]
    contents = repository.blobs(blobs[path] for path in missing)
    for path, data in zip(missing, contents, strict=True):
        entries[path] = [blobs[path], *astuple(Entry.of(parse(path, data)[0]))[1:]]
    if len(missing) > FEW:
        _store(kept, entries)
    return Register(_entry(path, row) for path, row in entries.items())


def _entry(path: str, row: list[Any]) -> Entry:
    _, name, aliases, superseded, derived, digest, sketch = row
    return Entry(
        path, name, tuple(aliases), tuple(superseded), tuple(derived), digest, tuple(sketch)
    )


def _load(kept: Path) -> dict[str, list[Any]]:
    """What was kept; nothing where that is missing, damaged or of another version."""
    try:
        told = json.loads(content(str(kept)))
        rows: dict[str, list[Any]] = told["entries"] if told["version"] == VERSION else {}
        return {path: row for path, row in rows.items() if len(row) == 7}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _store(kept: Path, entries: Mapping[str, list[Any]]) -> None:
    """Keep the entries. Where the disk refuses, they are read again the next time."""
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, json.dumps({"version": VERSION, "entries": entries}).encode())


def _digest(body: str) -> str:
    """What makes two bodies the same, white space at their ends aside; "" for an empty one."""
    text = body.strip().encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=8).hexdigest() if text else ""


def _letters(key: str) -> str:
    """What is left of a name, of which this is the key, without whatever joins its words."""
    return "".join(filter(str.isalnum, key))


def _grouped(pairs: Iterable[tuple[str, Entry]]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for key, entry in pairs:
        found.setdefault(key, []).append(entry)
    return found
