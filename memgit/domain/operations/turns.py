"""What befell memories between two commits: superseded, retired, refuted, or no longer so.

The one rule: it is read from the files, whoever wrote them, and costs what changed; a hand commit
that changes no such key pays for nothing else.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from memgit.domain.memory import Memory, is_memory_path, parse
from memgit.domain.store import Store
from memgit.prompt.place import content

ERRORS = ("refuted", "retired")
"""Labels that say that a memory is not to be built on."""

_WORDS = (b"superseded_by", *(word.encode() for word in ERRORS))


FILE = "owed"
"""The file among the derived data that names the commit from which on nothing was followed yet."""


@dataclass(frozen=True, order=True)
class Turn:
    """What befell the memory at a path: superseded (by another), retired, refuted; or that it no
    longer is.
    """

    path: str
    fate: str
    by: str = ""
    is_over: bool = False


def turns(store: Store, since: str | None, head: str | None) -> list[Turn]:
    """What befell memories from one commit to another, by path; [] where git knows one no more."""
    if not (since and head and since != head):
        return []
    changes = store.repository.changes(since, head) or []
    ours = [change for change in changes if change.blob and is_memory_path(change.path)]
    paths = [(change.path, blob) for change in ours for blob in (change.blob, change.old) if blob]
    contents = dict(zip(paths, store.repository.blobs(blob for _, blob in paths), strict=True))
    after = set(_states((one.path, contents[one.path, one.blob]) for one in ours if one.blob))
    before = set(_states((one.path, contents[one.path, one.old]) for one in ours if one.old))
    lasting = {(one.path, one.fate) for one in after}
    over = {replace(one, is_over=True) for one in before if (one.path, one.fate) not in lasting}
    return sorted({*(after - before), *over})


def _states(files: Iterable[tuple[str, bytes]]) -> Iterator[Turn]:
    for path, data in files:
        if not any(word in data for word in _WORDS) and b"\0" not in data:
            continue
        memory: Memory = parse(path, data)[0]
        yield from (Turn(path, label) for label in ERRORS if memory.reasons(label))
        if memory.superseded_by:
            yield Turn(path, "superseded", memory.superseded_by)


def owed(store: Store) -> str | None:
    """The commit since which turns were seen, in the middle of a rebase, and not followed."""
    with suppress(OSError):
        return content(str(store.derived / FILE)).decode("ascii", "replace").strip()
    return None


def owe(store: Store, since: str | None) -> None:
    """Write down that what happened since a commit is still to be followed; None: nothing is."""
    if since:
        (store.derived / FILE).write_text(f"{since}\n", encoding="ascii")
    else:
        (store.derived / FILE).unlink(missing_ok=True)
