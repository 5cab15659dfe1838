"""Superseding: one memory takes the place of another, which stays and says so.

The one rule: a standing rule gives way to a rule or a reference, never to an event; and whoever
follows the successors of a memory comes to an end.
"""

from datetime import datetime

from memgit.domain.memory import STANDING, parse
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.cascading import Reason, spread
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.labelling import day
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError

LASTING = (*STANDING, "reference")
"""Types that may take the place of a standing rule."""

GUARDS = ("acyclic", "standing")
"""What a supersession was checked for: no cycle, and no rule that gives way to an event."""


def supersede(
    store: Store, old: str, new: str, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> Changed:
    """Let the memory `new` take the place of `old`; all that derives from `old` becomes unverified.

    Raises StoreError, having changed nothing, where a rule forbids it.
    """

    def plan(catalogue: Catalogue) -> Plan:
        one, other = catalogue.find(old), catalogue.find(new)
        _check(catalogue, one, other)
        data = with_keys(one.path, catalogue.content(one.path), {"superseded_by": other.name})
        files: dict[str, bytes | None] = {}
        if catalogue.called(one.superseded_by or "") != other or _is_torn(catalogue, one):
            files.update(spread(
                catalogue, one, Reason(one.name, "superseded", day(now), other.name), other.path
            ))  # fmt: skip
            files[one.path] = data
        labelled = [entry.name for path in files if path != one.path
                    if (entry := catalogue.at(path))]  # fmt: skip
        operation = Operation.of(
            "supersede", f"{one.name} by {other.name}", (one.name, other.name, *labelled), by,
            to=other.name, guards=GUARDS,
        )  # fmt: skip
        note = "" if files else f"{one.name} is superseded by {other.name} already"
        return Plan(operation, files, (other.path,), note=note)

    return change(store, plan)


def supersede_by_new(
    store: Store, old: str, path: str, data: bytes, by: Provenance = BY_THE_USER,
    now: datetime | None = None,
) -> Changed:  # fmt: skip
    """Let a memory that is not there yet take the place of `old`, in one commit; `data` is its
    file. Raises StoreError, having changed nothing, where a rule forbids it or the path is taken.
    """
    other = Entry.of_memory(parse(path, data)[0])

    def plan(catalogue: Catalogue) -> Plan:
        one = catalogue.find(old)
        if catalogue.called(other.name) or (store.root / path).exists():
            raise StoreError(f"{other.name} is there already", "supersede by that, or rename it")
        _check(catalogue, one, other)
        content = with_keys(one.path, catalogue.content(one.path), {"superseded_by": other.name})
        reason = Reason(one.name, "superseded", day(now), other.name)
        below = spread(catalogue, one, reason, other.path)
        names = [entry.name for place in below if (entry := catalogue.at(place))]
        operation = Operation.of(
            "supersede", f"{one.name} by {other.name}", (one.name, other.name, *names), by,
            to=other.name, guards=GUARDS,
        )  # fmt: skip
        return Plan(operation, {path: data, **below, one.path: content})

    return change(store, plan)


def _check(catalogue: Catalogue, old: Entry, new: Entry) -> None:
    if old == new:
        raise StoreError(f"{old.name} cannot supersede itself", "name the memory that replaces it")
    chain = catalogue.chain(new)
    if old in chain:
        raise StoreError(
            f"{new.name} was itself superseded by {old.name}: that would be a cycle",
            f"`memgit why {new.name}` tells when; undo that first",
        )
    if chain:
        raise StoreError(
            f"{new.name} was itself superseded by {new.superseded_by}",
            f"use --by {chain[-1].name}",
        )
    if new.is_retired:
        raise StoreError(f"{new.name} is retired", f"`memgit restore {new.name}` first")
    current = catalogue.called(old.superseded_by) if old.superseded_by else None
    if current and current != new and not _is_torn(catalogue, old):
        raise StoreError(
            f"{old.name} was superseded by {current.name} already",
            f"supersede {current.name} instead, or undo that (`memgit why {old.name}`)",
        )
    if old.type in STANDING and new.type not in LASTING:
        raise StoreError(
            f"{old.name} is a rule of type {old.type}; {new.name} ({new.type}) only tells what "
            "happened or how things stand",
            f"write the new rule as a memory of type {old.type}, and supersede by that",
        )


def _is_torn(catalogue: Catalogue, entry: Entry) -> bool:
    """Whether two branches gave it different successors, of which a person now chooses."""
    return len(parse(entry.path, catalogue.content(entry.path))[0].words("superseded_by")) > 1
