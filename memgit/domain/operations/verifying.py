"""What verifying writes into a memory: the reasons why it is unverified, and their going again.

The one rule: a verdict is about the very bytes that were read. A memory that was edited since keeps
what it says, and the verdict is dropped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from memgit.domain.claims.reasons import Reason, revised
from memgit.domain.memory import parse
from memgit.domain.operation import Operation, Provenance
from memgit.domain.operations.cascading import KEY, value_of
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change_each
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError

ACTOR = "verify"

DROPPED = "was edited meanwhile; its verdicts were dropped"


@dataclass(frozen=True)
class Told:
    """What the memory at a path, as it was `seen`, is to say: which of its claims are refuted.

    `unseen` are subjects of claims of which nothing could be seen: what is told of them stays.
    """

    path: str
    seen: bytes
    refuted: Sequence[Reason]
    unseen: Sequence[str] = ()


def is_told(told: Told) -> bool:
    """Whether a memory says already what there is to say."""
    before = list(parse(told.path, told.seen)[0].reasons(KEY))
    return revised(before, told.refuted, told.unseen) == before


def tell(store: Store, every: Sequence[Told]) -> Iterator[Changed | StoreError]:
    """Let each memory say so, in a commit of its own; what became of each, in order.

    `commit` is None where it says so already, or where it was edited since; `note` tells.
    """
    return change_each(store, (partial(_plan, one) for one in every))


def _plan(told: Told, catalogue: Catalogue) -> Plan:
    path, seen = told.path, told.seen
    entry = catalogue.at(path)
    if entry is None or catalogue.content(path) != seen:
        name = entry.name if entry else path
        return Plan(Operation("label", name, (name,), ACTOR), {}, note=f"{name} {DROPPED}")
    before = list(parse(path, seen)[0].reasons(KEY))
    after = revised(before, told.refuted, told.unseen)
    new = [text for text in after if text not in before]
    gone = [text for text in before if text not in after]
    kind = "label" if new else "unlabel"
    because = "; ".join(new) if new else f"no longer so: {'; '.join(gone)}"
    by = Provenance(actor=ACTOR, because=because, confidence=1.0)
    operation = Operation.of(kind, f"{entry.name} {KEY}", (entry.name,), by, to=KEY)
    files = {path: with_keys(path, seen, {KEY: value_of(after)})} if after != before else {}
    return Plan(operation, dict(files), note="" if files else f"{entry.name} says so already")


def read(store: Store, path: str) -> bytes | None:
    """A memory's file as it stands; None where it is gone or cannot be read."""
    try:
        return store.content(path)
    except StoreError:
        return None
