"""What curating finds without a model: twins, values that differ, circles, and what leads nowhere.

The one rule: a rule proposes only what it can show; which of two holds is for guards and people.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from memgit.domain.borders.comparing import Conflict, conflicts
from memgit.domain.borders.statements import Statement
from memgit.domain.gates.duplicates import ALIKE, SHORT
from memgit.domain.gates.register import Entry, Register, shingles
from memgit.domain.links import references
from memgit.domain.memory import Memory, key_of
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.proposals.correcting import moment
from memgit.domain.proposals.coverage import is_within
from memgit.domain.proposals.proposal import Evidence, Proposal
from memgit.passes.curating.shelf import Shelf


def found_by_rules(shelf: Shelf, given: Sequence[Path]) -> Iterator[Proposal]:
    """Every proposal that a rule makes; `given` are a project's instruction files."""
    yield from twins(shelf)
    yield from circles(shelf)
    yield from orphans(shelf)
    yield from differing(shelf, given)


def twins(shelf: Shelf) -> Iterator[Proposal]:
    """Memories that say the same: byte for byte, or nine tenths of it. Of those the wider one is
    to stay; where each says something of its own, guards leave it to a person.
    """
    register = Register(Entry.of(memory) for memory in shelf.current.values())
    gone: set[str] = set()
    for path, memory in sorted(shelf.current.items()):
        for entry in register.alike(register.entries[path]):
            other = shelf.current[entry.path]
            if {path, entry.path} & gone or not (share := _alike(memory, other)):
                continue
            stays = _wider(memory, other) or shelf.better(memory, other)
            goes = other if stays is memory else memory
            gone.add(goes.path)
            much = "the same" if share == 1 else f"{share:.0%} the same"
            yield shelf.supersession(goes, stays, f"{goes.name} says {much} as {stays.name}", ())


def differing(shelf: Shelf, given: Sequence[Path]) -> Iterator[Proposal]:
    """One subject with two values: in two memories, or in one and the profile or a guide."""
    for conflict in conflicts(shelf.store, given):
        one, other = (shelf.current.get(at.path) for at in (conflict.one, conflict.other))
        if one and other:
            yield _later_first(shelf, conflict, one, other)
        elif memory := one or other:
            yield _against(shelf, conflict, memory)


def circles(shelf: Shelf) -> Iterator[Proposal]:
    """Memories that supersede each other in a circle: the youngest of them holds again."""
    names = {key_of(file.memory.name): file.memory for file in shelf.files.values()}
    told: set[str] = set()
    for start in names.values():
        round_: list[Memory] = []
        here: Memory | None = start
        while here and here not in round_:
            round_.append(here)
            here = names.get(key_of(here.superseded_by or ""))
        if here is None or here is not start or start.path in told:
            continue
        told.update(memory.path for memory in round_)
        last = max(round_, key=lambda one: (bool(moment(one)), moment(one) or shelf.now, one.path))
        circle = " → ".join(memory.name for memory in (*round_, start))
        yield _without(shelf, last, "superseded_by", f"they supersede each other: {circle}")


def orphans(shelf: Shelf) -> Iterator[Proposal]:
    """Memories that are derived from, or superseded by, what is not in the store."""
    names = {key_of(word) for file in shelf.files.values()
             for word in (file.memory.name, *file.memory.words("aliases"))}  # fmt: skip
    for file in shelf.files.values():
        memory = file.memory
        missing = [name for name in references(memory, "derived_from") if key_of(name) not in names]
        if missing and memory.path in shelf.current and not memory.reasons("unverified"):
            told = ", ".join(missing)
            yield shelf.doubt(memory, f"derived from {told}, which is not in the store", ())
        successor = memory.superseded_by
        if successor and key_of(successor) not in names:
            why = f"superseded by {successor}, which is not in the store"
            yield _without(shelf, memory, "superseded_by", why)


def _alike(one: Memory, other: Memory) -> float:
    """How much of two bodies is the same, 1 for all of it; 0 where that is too little."""
    if one.body.split() == other.body.split():
        return 1.0 if one.body.strip() else 0.0
    mine, theirs = shingles(one.body), shingles(other.body)
    share = len(mine & theirs) / max(1, len(mine | theirs))
    enough = min(len(mine), len(theirs)) >= SHORT and share >= ALIKE
    return min(share, 0.99) if enough else 0.0


def _wider(one: Memory, other: Memory) -> Memory | None:
    """The one that has every word of the other and more, where that is so."""
    ways = is_within(one, other), is_within(other, one)
    return None if ways[0] == ways[1] else other if ways[0] else one


def _later_first(shelf: Shelf, conflict: Conflict, one: Memory, other: Memory) -> Proposal:
    """That the later of two gives the value; where they do not tell, a guard leaves it open."""
    first, second = moment(one), moment(other)
    is_one_old = not (first and second) or first <= second
    old, new = (one, other) if is_one_old else (other, one)
    here, there = conflict.one, conflict.other
    mine, theirs = (here, there) if is_one_old else (there, here)
    quotes = [_quote(shelf, old, mine), _quote(shelf, new, theirs)]
    return shelf.supersession(old, new, f"{mine.shown} here, {theirs.shown} there", quotes)


def _against(shelf: Shelf, conflict: Conflict, memory: Memory) -> Proposal:
    """That a memory is doubtful, since the profile or a guide of a project says otherwise."""
    is_first = conflict.one.path == memory.path
    mine, theirs = ((conflict.one, conflict.other) if is_first else
                    (conflict.other, conflict.one))  # fmt: skip
    place = f"{Path(theirs.path).name}:{theirs.line}"
    quotes = [_quote(shelf, memory, mine),
              Evidence(theirs.shown, "file", theirs.path, f"L{theirs.line}")]  # fmt: skip
    return shelf.doubt(memory, f"{mine.shown} here, {theirs.shown} in {place}", quotes)


def _quote(shelf: Shelf, memory: Memory, said: Statement) -> Evidence:
    lines = shelf.files[memory.path].lines
    words = lines[said.line - 1].strip() if 0 < said.line <= len(lines) else said.shown
    return shelf.quote(memory, words, said.line)


def _without(shelf: Shelf, memory: Memory, key: str, because: str) -> Proposal:
    data = with_keys(memory.path, shelf.files[memory.path].data, {key: None})
    return shelf.rewriting(memory, data, because)
