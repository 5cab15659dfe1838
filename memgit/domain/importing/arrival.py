"""A memory on its way into the store: what a file of another tool becomes.

The one rule: the body arrives character for character, and no word around it is lost.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from memgit.domain.exporting.lines import memories_in
from memgit.domain.importing.index_lines import Passage, Pointer, plain, read_index
from memgit.domain.importing.kinds import with_kind
from memgit.domain.importing.placing import name_from
from memgit.domain.importing.sources import Found, Unfit, recorded_path
from memgit.domain.importing.summary import summary
from memgit.domain.importing.targets import Called, Targets
from memgit.domain.memory import Memory, decode, key_of, parse, render, slug, split


@dataclass(frozen=True)
class Arrival:
    """`memory` holds the name and the path that it should get; `source` tells where it is from.

    `given` is the name in the source, `remarks` what had to be done to take it over.
    """

    memory: Memory
    found: Found
    source: Mapping[str, Any]
    given: str
    remarks: tuple[str, ...] = ()

    @property
    def place(self) -> PurePosixPath:
        """Where it stands below the folder it was found in."""
        return PurePosixPath(self.memory.path)

    @property
    def shown(self) -> str:
        """Its source as a person would name it."""
        line = self.source.get("line")
        return f"{self.found.shown}:{line}" if line else self.found.shown

    def called(self, number: int) -> Called:
        """What links may call it."""
        names = (self.memory.name, self.given, self.place.stem)
        return Called(number, self.found.root, self.place, names)


def arrive(found: Found, data: bytes, changed: datetime) -> Arrival:
    """What a file last changed then becomes. Raises Unfit when it says nothing."""
    text, encoding = decode(data)
    memory, faults = parse(found.place.as_posix(), data)
    if not memory.body.strip() and not memory.description:
        raise Unfit("empty")
    source = {"path": recorded_path(found.file), "sha256": digest(data)}
    if digest(memory.body) != source["sha256"]:
        source["body_sha256"] = digest(memory.body)
    remarks = []
    for fault in faults:
        if fault.code == "encoding":
            source["encoding"] = encoding
            remarks.append(f"read as {encoding}, written as UTF-8")
        else:
            done = "kept as text" if memory.body == text else "read as well as it can be"
            why = fault.message.partition(";")[0]
            remarks.append(f"its frontmatter is not right (line {fault.line}: {why}), {done}")
    memory = with_kind(_with_whole_frontmatter(memory, text))
    return _arrival(memory, found, source, memory.name, changed, tuple(remarks))


def arrive_in_lines(found: Found, data: bytes, changed: datetime) -> list[Arrival]:
    """What the lines of an export become. Raises Unfit for a line that is none of it."""
    arrivals = []
    try:
        for number, memory in memories_in(decode(data)[0]):
            one = replace(found, place=PurePosixPath(memory.path.lstrip("/")))
            arrival = arrive(one, render(memory), changed)
            # One file holds many memories, so that its path alone tells none of them.
            source = arrival.memory.metadata["sources"][-1]
            source["line"] = number
            arrivals.append(replace(arrival, source=source))
    except ValueError as fault:
        raise Unfit(str(fault)) from None
    return arrivals


def read_indexes(
    indexes: Sequence[tuple[Found, bytes, datetime]], arrivals: Sequence[Arrival]
) -> list[Arrival]:
    """The arrivals, with what the lines of `MEMORY.md` files add to them and beside them."""
    known = list(arrivals)
    targets = Targets(one.called(number) for number, one in enumerate(known))
    for found, data, changed in indexes:
        find = partial(targets.find, root=found.root, folder=found.place.parent)
        for row, line in _rows(data, find):
            if not isinstance(row, Pointer) or not _tell(known, find(row.target), row):
                known.append(_passage(found, row, line, changed))
    return [
        one if one.memory.description else _described(one, summary(one.memory.body, one.given))
        for one in known
    ]


def _rows(
    data: bytes, find: Callable[[str], int | None]
) -> Iterator[tuple[Pointer | Passage, int]]:
    """What an index holds, each with the line of the file on which it stands."""
    head, body, start = split(decode(data)[0])
    if head and head.strip():
        yield Passage(2, head, ()), 2
    for row in read_index(body, lambda target: find(target) is not None):
        yield row, row.line + start - 1


def digest(data: bytes | str) -> str:
    """SHA-256 in hexadecimal, of a text as UTF-8."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()


def with_words(memory: Memory, key: str, *words: str) -> Memory:
    """The memory with these words in a list of its metadata, each once."""
    had = memory.words(key)
    keys = {key_of(word) for word in had}
    new = [word for word in dict.fromkeys(words) if word and key_of(word) not in keys]
    return memory.with_metadata(**{key: [*had, *new]}) if new else memory


def _arrival(
    memory: Memory, found: Found, source: dict[str, Any], given: str, changed: datetime,
    remarks: tuple[str, ...] = (),
) -> Arrival:  # fmt: skip
    """An arrival with its name, origin, source and time filled in."""
    if origin := memory.metadata.get("origin"):
        source["origin"] = origin
    before = memory.metadata.get("sources") or []
    stamp = changed.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    memory = memory.with_metadata(
        origin="import",
        sources=[*(before if isinstance(before, list) else [before]), source],
        **({} if memory.recorded else {"modified": stamp}),
    )
    stem = PurePosixPath(memory.path).stem
    name = name_from(given) or name_from(stem) or "memory"
    if given != stem and key_of(given) != key_of(name):
        memory = with_words(memory, "aliases", given)
    return Arrival(replace(memory, name=name), found, source, given, remarks)


def _with_whole_frontmatter(memory: Memory, text: str) -> Memory:
    """The memory with its frontmatter as it was, where reading it gave up a word of it.

    Comments, and what stands twice under one key, are not part of what YAML says.
    """
    head, _, start = split(text)
    if head is None or start == 1 or memory.body == text:
        return memory
    written = render(replace(memory, body="")).decode("utf-8", "replace")
    return memory if _words(head) <= _words(written) else memory.with_metadata(frontmatter=head)


def _passage(found: Found, row: Pointer | Passage, line: int, changed: datetime) -> Arrival:
    """A memory made from text that stands in an index alone."""
    target = PurePosixPath(row.target)
    if row.target.endswith(".md") and "//" not in row.target and isinstance(row, Passage):
        given = target.stem
    else:
        given = slug(summary(row.text, ""), 200)
        given = given if len(given) <= 48 else given[:48].rpartition("-")[0] or given[:48]
    given = given or "memory"
    source = {
        "path": recorded_path(found.file),
        "line": line,
        "sha256": digest(row.text),
    }
    memory = Memory((found.place.parent / f"{given}.md").as_posix(), given, body=row.text)
    memory = with_words(memory, "topics", *row.headings)
    return _arrival(memory, found, source, given, changed)


def _tell(known: list[Arrival], number: int | None, row: Pointer) -> bool:
    """Give an arrival what its line in the index says; False when that is knowledge of its own."""
    if number is None:
        return False
    memory = known[number].memory
    if not memory.description and row.hook:
        memory = replace(memory, description=row.hook)
    labels = " ".join(memory.labels)
    said = _words(f"{memory.name} {memory.path} {memory.description} {memory.body} {labels}")
    new = [phrase for phrase in (row.title, row.hook)
           if _words(phrase) - said and not _begins(phrase, memory)]  # fmt: skip
    if new and not row.leads:
        return False
    memory = with_words(with_words(memory, "aliases", *new), "topics", *row.headings)
    known[number] = replace(known[number], memory=memory)
    return True


def _begins(phrase: str, memory: Memory) -> bool:
    """Whether a phrase is the start of what the memory says by itself, cut for want of room."""
    start, cut, state = phrase.partition("…")
    told = (memory.description, summary(memory.body, memory.name))
    return bool(cut) and any(plain(text).startswith(start.rstrip()) for text in told) and not (
        _words(state) - _words(" ".join(memory.labels))
    )  # fmt: skip


def _described(arrival: Arrival, description: str) -> Arrival:
    return replace(arrival, memory=replace(arrival.memory, description=description))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
