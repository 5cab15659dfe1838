"""What follows from errors that a hand or a merge wrote into files, not an operation.

The one rule: it makes no difference who wrote `superseded_by`, `retired` or `refuted`, or took it
out: what derives from the memory says so before the next recall.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from memgit.domain.memory import Memory, is_memory_path, parse
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.cascading import Files, Reason, spread, withdraw
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.labelling import ERRORS, day
from memgit.domain.store import Store


@dataclass(frozen=True, order=True)
class Turn:
    """What befell the memory at a path: superseded (by another), retired, refuted; or that it no
    longer is.
    """

    path: str
    fate: str
    by: str = ""
    is_over: bool = False


def catch_up(
    store: Store, since: str | None, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> list[Changed]:
    """Label what derives from memories that came to be at fault since a commit, and take the labels
    away where they no longer are; each in an operation of its own. Nothing to do is usual.
    """
    date = day(now)
    done = [change(store, partial(_plan, turn, by, date)) for turn in _turns(store, since)]
    return [one for one in done if one.commit]


def _plan(turn: Turn, by: Provenance, date: str, catalogue: Catalogue) -> Plan:
    entry = catalogue.at(turn.path)
    files = _files(catalogue, entry, turn, date) if entry else {}
    names = [found.name for path in files if (found := catalogue.at(path))]
    told = f"{turn.fate} by {turn.by}" if turn.by else turn.fate
    name = entry.name if entry else turn.path
    subject = f"{name} is {'no longer ' if turn.is_over else ''}{told}"
    kind = "uncascade" if turn.is_over else "cascade"
    return Plan(Operation.of(kind, subject, (name, *names), by, to=told), dict(files))


def _files(catalogue: Catalogue, entry: Entry, turn: Turn, date: str) -> Files:
    if turn.is_over:
        return withdraw(catalogue, entry, turn.fate)
    successor = catalogue.called(turn.by) if turn.by else None
    reason = Reason(entry.name, turn.fate, date, successor.name if successor else turn.by)
    return spread(catalogue, entry, reason, successor.path if successor else "")


def _turns(store: Store, since: str | None) -> list[Turn]:
    """What befell memories since a commit, by path."""
    repository = store.repository
    head = repository.head()
    if not (since and head and since != head):
        return []
    changes = repository.changes(since, head) or []
    now = {one.path: one.blob for one in changes if one.blob and is_memory_path(one.path)}
    old = {path: blob for path, blob in repository.tree(since).items() if path in now}
    before, after = set(_states(store, old)), set(_states(store, now))
    lasting = {(one.path, one.fate) for one in after}
    over = {replace(one, is_over=True) for one in before if (one.path, one.fate) not in lasting}
    return sorted({*(after - before), *over})


def _states(store: Store, blobs: Mapping[str, str]) -> Iterator[Turn]:
    for path, data in zip(blobs, store.repository.blobs(blobs.values()), strict=True):
        memory: Memory = parse(path, data)[0]
        yield from (Turn(path, label) for label in ERRORS if memory.reasons(label))
        if memory.superseded_by:
            yield Turn(path, "superseded", memory.superseded_by)
