"""Three versions of a memory made one: lines of the body by git, keys of the frontmatter by value.

The one rule: what both sides changed in different ways is never decided here; it is a conflict.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from memgit.domain.memory import Memory, decode, parse, split
from memgit.domain.operations.rewriting import encoded, with_keys
from memgit.errors import StoreError
from memgit.ports.git import Repository
from memgit.ports.history import marked_lines, merge_lines

STAMPS = ("modified", "used")
"""Keys that tell when something was last done: of two values the later one holds."""

BOTH = "superseded_by"
"""A key that two branches may each have set: both stand there then, for a person to choose."""

_MISSING = object()


class Conflict(Exception):
    """Both sides changed the same: `what` says what that is."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def merged(
    repository: Repository, path: str, ours: bytes, base: bytes, theirs: bytes,
    keeps_both: bool = False,
) -> bytes:  # fmt: skip
    """`ours` with what changed from `base` to `theirs`. Raises Conflict.

    `keeps_both` lets a memory that two sides replaced by different ones name both of these.
    """
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    lines = merge_lines(repository, ours, base, theirs)
    memories = [parse(path, data) for data in (ours, base, theirs)]
    if any(faults for _, faults in memories):
        if lines is None:
            raise Conflict("the same lines")
        return lines
    wanted = _keys([memory for memory, _ in memories], keeps_both)
    if lines is not None and _has(path, lines, wanted):
        return lines
    body = merge_lines(repository, *(_body(memory) for memory, _ in memories))
    if body is None:
        raise Conflict("the same lines of its text")
    return _put_together(path, ours, memories[0][0], wanted, body)


def marked(
    repository: Repository, path: str, ours: bytes, base: bytes, theirs: bytes, size: int
) -> bytes:
    """Both sides in one file, between markers of this `size` where no merge can decide.

    Where the keys can be merged, only the text below them is marked.
    """
    memories = [parse(path, data) for data in (ours, base, theirs)]
    if not any(faults for _, faults in memories):
        with suppress(Conflict, StoreError):
            wanted = _keys([memory for memory, _ in memories], keeps_both=True)
            bodies = [_body(memory) for memory, _ in memories]
            text = marked_lines(repository, bodies[0], bodies[1], bodies[2], size)
            return _put_together(path, ours, memories[0][0], wanted, text)
    lines = merge_lines(repository, ours, base, theirs)
    if lines is None:
        return marked_lines(repository, ours, base, theirs, size)
    ends = (char.encode() * size for char in "<=>")
    first, between, last = ends
    return b"\n".join([first + b" ours", ours.rstrip(b"\n"), between, theirs.rstrip(b"\n"),
                       last + b" theirs", b""])  # fmt: skip


def _put_together(
    path: str, ours: bytes, memory: Memory, wanted: Mapping[str, Any], body: bytes
) -> bytes:
    current = _flat(memory)
    changes = {key: wanted.get(key) for key in {**current, **wanted}
               if wanted.get(key) != current.get(key)}  # fmt: skip
    data = with_keys(path, ours, changes)
    text, encoding = decode(data)
    head = text[: len(text) - len(split(text)[1])]
    return encoded(path, head + body.decode("utf-8", "surrogatepass"), data, encoding)


def _has(path: str, data: bytes, wanted: Mapping[str, Any]) -> bool:
    memory, faults = parse(path, data)
    return not faults and _flat(memory) == wanted


def _keys(versions: Sequence[Memory], keeps_both: bool) -> dict[str, Any]:
    """Every key of the frontmatter with the value that the three versions give it."""
    sides = [_flat(memory) for memory in versions]
    found = {}
    for key in dict.fromkeys(key for side in sides for key in side):
        values = [side.get(key, _MISSING) for side in sides]
        if keeps_both and key == BOTH:
            values = [_as_list(value) or _MISSING for value in values]
        value = _value(key, *values)
        if value is not _MISSING:
            alone = key == BOTH and isinstance(value, list) and len(value) == 1
            found[key] = value[0] if alone else value
    return found


def _value(key: str, ours: Any, base: Any, theirs: Any) -> Any:
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    if key in STAMPS:
        return max((value for value in (ours, theirs) if value is not _MISSING), key=str)
    if any(isinstance(value, list) for value in (ours, base, theirs)):
        return _list(_as_list(ours), _as_list(base), _as_list(theirs), key)
    if key == "unverified":  # one reason stands alone, so two versions may both be single
        return _list(_as_list(ours), _as_list(base), _as_list(theirs), key)
    raise Conflict(f"`{key}`")


def _list(ours: list[Any], base: list[Any], theirs: list[Any], key: str) -> Any:
    """What is left of ours without what went, and with what came."""
    gone = [item for item in base if item not in theirs]
    kept = [item for item in ours if item not in gone]
    kept += [item for item in theirs if item not in base and item not in kept]
    if not kept:
        return _MISSING
    return kept[0] if key == "unverified" and len(kept) == 1 else kept


def _as_list(value: Any) -> list[Any]:
    if value is _MISSING or value is None:
        return []
    return value if isinstance(value, list) else [value]


def _flat(memory: Memory) -> dict[str, Any]:
    about = {"description": memory.description} if memory.description else {}
    return {"name": memory.name, **about, **memory.metadata}


def _body(memory: Memory) -> bytes:
    return memory.body.encode("utf-8", "surrogatepass")
