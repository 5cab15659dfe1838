"""What is said twice with different values: in the profile, the store, its index, and the guides
that a project gives to agents.

The one rule: better silent than wrong. Two places conflict only when they speak of one subject in
the same words, and nothing in either says that it is another one.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path

from memgit.domain.always_on.listing import line_of, path_of
from memgit.domain.borders.statements import Passage, Statement, statements
from memgit.domain.gates.scope import File
from memgit.domain.importing.index_lines import Pointer, read_index
from memgit.domain.memory import NOT_MEMORIES, STANDING, Memory, decode, parse
from memgit.domain.store import Store
from memgit.errors import UsageError

GUIDES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md")
RULES = ".claude/rules"

ENOUGH = 0.7
"""Share of what the words of one statement weigh that the other must have as well."""

VALUES = 2
"""Values of one subject up to which they conflict. With more it is what every text says of itself,
like a source or a date.
"""

PLACES = 3
"""Places that may name the same thing before it is a heading of theirs, like an owner of each."""

COMMON = 40
"""Statements of one kind that have a word, from which on it tells nothing."""

EXACT = ("name", "choice", "rule")
"""Kinds whose values are words: their subjects must be nearly the same, not only alike."""

WHOLE = ("port", "version")
"""Kinds whose value says with one word what it is of."""

INDEX, PROFILE = NOT_MEMORIES


@dataclass(frozen=True)
class Place:
    """Where something is said: a file shown as `path`, which is a memory, or is not."""

    path: str
    memory: Memory | None = None
    is_guide: bool = False


@dataclass(frozen=True)
class Conflict:
    """Two statements of one subject, and what could be done about it."""

    one: Statement
    other: Statement
    proposal: str

    def __str__(self) -> str:
        one, other = self.one, self.other
        return (
            f"{one.path}:{one.line}: borders {one.shown}, but {other.path}:{other.line} says "
            f"{other.shown}; {self.proposal}"
        )

    def value(self) -> dict[str, object]:
        """The same as JSON has it."""
        places = [
            {"path": one.path, "line": one.line, "says": one.shown}
            for one in (self.one, self.other)
        ]
        return {
            "code": "borders",
            "kind": self.one.kind,
            "places": places,
            "proposal": self.proposal,
        }


@dataclass
class _Said:
    """All statements, and the places that they stand in."""

    places: dict[str, Place] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)

    def take(self, place: Place, passage: Passage) -> None:
        self.places[place.path] = place
        self.statements += statements(passage)


def guides(project: Path) -> list[Path]:
    """The files that a project gives to agents, each once. Raises UsageError where it is none."""
    if not project.is_dir():
        raise UsageError(f"{project}: no such folder", "name the folder of the project")
    named = [project / name for name in GUIDES]
    rules = sorted((project / RULES).rglob("*.md")) if (project / RULES).is_dir() else []
    real = {file.resolve(): file for file in reversed([*named, *rules]) if file.is_file()}
    return sorted(real.values())


def conflicts(store: Store, given: Sequence[Path]) -> list[Conflict]:
    """What the store, its profile and index, and these guides say differently, by place."""
    said = _Said()
    memories = [parse(path, store.content(path))[0] for path in store.paths()]
    files = {memory.path: store.content(memory.path) for memory in memories}
    for memory in memories:
        if not _is_past(memory):
            said.take(Place(memory.path, memory), _of_memory(memory, files[memory.path]))
    for name, read in ((PROFILE, _whole), (INDEX, partial(_index, memories))):
        if (store.root / name).is_file():
            for passage in read(name, decode(store.content(name))[0]):
                said.take(Place(name), passage)
    for guide in given:
        shown = str(guide)
        said.take(Place(shown, is_guide=True), Passage(shown, _text(guide).split("\n")))
    return list(_conflicts(said))


def _is_past(memory: Memory) -> bool:
    """Whether a memory does not say what holds today."""
    return bool(memory.superseded_by or memory.is_retired or memory.reasons("refuted"))


def _of_memory(memory: Memory, data: bytes) -> Passage:
    first = File(memory.path, data).body_line
    about = " ".join((memory.name, memory.description, *memory.words("aliases")))
    return Passage(memory.path, memory.body.split("\n"), first, about)


def _whole(name: str, text: str) -> Iterator[Passage]:
    yield Passage(name, text.split("\n"))


def _index(memories: Sequence[Memory], name: str, text: str) -> Iterator[Passage]:
    """The lines of `MEMORY.md` that say other than the memories which they point at: neither their
    description nor, where one has none, what memgit made of its text.
    """
    said = {memory.description for memory in memories}
    by_path = {memory.path: memory for memory in memories}
    for row in read_index(text, lambda target: True):
        hook = row.hook if isinstance(row, Pointer) else row.text
        memory = by_path.get(path_of(row.text)) if isinstance(row, Pointer) else None
        if hook.strip() not in said and not (memory and row.text.strip() == line_of(memory)):
            yield Passage(name, hook.split("\n"), row.line)


def _text(guide: Path) -> str:
    try:
        return decode(guide.read_bytes())[0]
    except OSError as fault:
        raise UsageError(f"{guide}: {fault.strerror}", "make it readable") from None


def _conflicts(said: _Said) -> Iterator[Conflict]:
    weight = _weights(said.statements)
    by_kind: dict[str, list[Statement]] = {}
    for one in said.statements:
        by_kind.setdefault(one.kind, []).append(one)
    found: dict[tuple[object, ...], Conflict] = {}
    for rows in by_kind.values():
        pairs = [pair for pair in _pairs(rows) if is_conflict(*pair, weight)]
        values: dict[Statement, set[str]] = {}
        for one, other in pairs:
            for here, there in ((one, other), (other, one)):
                values.setdefault(here, {here.value}).add(there.value)
        fields = Counter(one.subject for one in rows if one.kind == "name")
        for one, other in pairs:
            if _is_heading(one, fields) and _is_heading(other, fields):
                continue
            if len(one.subject & other.subject) == 1 and not _crosses(said, one, other):
                continue
            if max(len(values[one]), len(values[other])) <= VALUES and not _agree(one, other, rows):
                key = (one.path, one.line, other.path, other.line)
                proposal = _proposal(said.places[one.path], said.places[other.path])
                found.setdefault(key, Conflict(one, other, proposal))
    yield from sorted(found.values(), key=lambda one: (one.one.path, one.one.line, one.other.path))


def _is_heading(one: Statement, fields: Mapping[frozenset[str], int]) -> bool:
    """Whether so many texts name theirs that it is a heading of each rather than one thing."""
    return fields[one.subject] > PLACES


def _crosses(said: _Said, one: Statement, other: Statement) -> bool:
    """Whether one of two places is no memory. Two memories may each have a plan or a format, and
    one word in common says little; but a port and a version are of one thing.
    """
    memories = said.places[one.path].memory and said.places[other.path].memory
    return not memories or one.kind in WHOLE or one.kind.startswith("setting")


def _pairs(rows: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """Pairs of different places and values that have a rare word of their subjects in common."""
    having: dict[str, list[int]] = {}
    for number, one in enumerate(rows):
        for word in one.subject:
            having.setdefault(word, []).append(number)
    rare = [numbers for numbers in having.values() if len(numbers) <= COMMON]
    pairs = {pair for numbers in rare for pair in combinations(numbers, 2)}
    for a, b in sorted(pairs):
        if rows[a].path != rows[b].path and rows[a].value != rows[b].value:
            yield rows[a], rows[b]


def _weights(rows: Iterable[Statement]) -> Mapping[str, float]:
    """How much a word tells: the rarer it is among all lines, the more."""
    lines = {(one.path, one.line): one.subject for one in rows}
    counts = Counter(word for subject in lines.values() for word in subject)
    return {word: 1 + math.log((1 + len(lines)) / count) for word, count in counts.items()}


def is_conflict(one: Statement, other: Statement, weight: Mapping[str, float]) -> bool:
    """Whether two statements of one kind speak of one subject; their values differ."""
    if one.marks != other.marks or (one.names and other.names and not one.names & other.names):
        return False
    shared = one.subject & other.subject
    if not shared or (one.kind == "version" and not _same_product(one, other)):
        return False
    if one.kind == "rule" and min(len(one.subject), len(other.subject)) < 2:
        return False
    if one.kind == "name" and _is_path(one.value) != _is_path(other.value):
        return False

    def share(mine: Statement, theirs: Statement, wide: bool) -> float:
        all_ = theirs.subject | theirs.context if wide else theirs.subject
        whole = sum(weight.get(word, 1.0) for word in mine.subject)
        return sum(weight.get(word, 1.0) for word in mine.subject & all_) / whole if whole else 0.0

    exact = one.kind in EXACT
    ways = (share(one, other, not exact), share(other, one, not exact))
    if one.kind.startswith("setting"):
        return one.value[0].isdigit() == other.value[0].isdigit()
    if exact:
        return min(ways) >= ENOUGH and (len(shared) > 1 or one.subject == other.subject)
    enough = max(ways) >= ENOUGH and min(ways) >= ENOUGH / 2
    alone = one.subject == other.subject or one.kind in WHOLE
    return enough and (len(shared) > 1 or alone)


def _is_path(value: str) -> bool:
    return "/" in value or "." in value


def _same_product(one: Statement, other: Statement) -> bool:
    """Whether two versions stand behind the same word."""
    return one.shown.rpartition(" ")[0].casefold() == other.shown.rpartition(" ")[0].casefold()


def _agree(one: Statement, other: Statement, rows: Sequence[Statement]) -> bool:
    """Whether either place states the other's value of the subject as well: a list, or a range."""
    return any(
        (row.path, row.value) in ((one.path, other.value), (other.path, one.value))
        and row.subject & one.subject & other.subject
        for row in rows
    )


def _proposal(one: Place, other: Place) -> str:
    """Which of two places should point at the other."""
    memories = [place for place in (one, other) if place.memory]
    guide = next((place for place in (one, other) if place.is_guide), None)
    if one.is_guide and other.is_guide:
        return f"let {other.path} point at {one.path}"
    if any(place.path == INDEX for place in (one, other)):
        return f"let {INDEX} be made anew"
    if len(memories) == 2:
        return _between(*(place.memory for place in memories if place.memory))
    memory = memories[0].memory if memories else None
    if guide and memory and memory.type in STANDING and _is_users(memory):
        return f"the user said so: let {guide.path} point at [[{memory.name}]]"
    if guide:
        rest = one if other is guide else other
        return f"let {rest.path} point at {guide.path}"
    return f"let {PROFILE} point at [[{memory.name}]]" if memory else "keep one of them"


def _between(one: Memory, other: Memory) -> str:
    """Of two memories the later one holds, if both tell when they are from."""
    if one.recorded and other.recorded and one.recorded != other.recorded:
        old, new = sorted((one, other), key=lambda memory: memory.recorded)
        return f"if {new.name} holds: memgit supersede {old.name} --by {new.name}"
    return f"let [[{other.name}]] point at [[{one.name}]]"


def _is_users(memory: Memory) -> bool:
    return str(memory.metadata.get("origin") or "user") == "user"
