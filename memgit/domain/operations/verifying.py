"""What verifying writes into a memory: the reasons why it is unverified, and their going again.

The one rule: a verdict is about the very bytes that were read. A memory that was edited since keeps
what it says, and the verdict is dropped.
"""

from collections.abc import Iterable, Sequence

from memgit.domain.claims.reasons import Reason, revised
from memgit.domain.memory import parse
from memgit.domain.operation import Operation, Provenance
from memgit.domain.operations.cascading import KEY, value_of
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError

ACTOR = "verify"

DROPPED = "was edited meanwhile; its verdicts were dropped"


def is_told(data: bytes, path: str, refuted: Sequence[Reason], unseen: Iterable[str]) -> bool:
    """Whether a memory says already what there is to say."""
    told = list(parse(path, data)[0].reasons(KEY))
    return revised(told, refuted, unseen) == told


def tell(
    store: Store, path: str, seen: bytes, refuted: Sequence[Reason], unseen: Iterable[str] = ()
) -> Changed:
    """Let the memory at a path, as it was `seen`, say which of its claims are refuted, in a commit.

    `unseen` are subjects of claims of which nothing could be seen: what is told of them stays.
    `commit` is None where it says so already, or where it was edited since; `note` tells.
    """

    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.at(path)
        if entry is None or catalogue.content(path) != seen:
            name = entry.name if entry else path
            return Plan(Operation("label", name, (name,), ACTOR), {}, note=f"{name} {DROPPED}")
        told = list(parse(path, seen)[0].reasons(KEY))
        after = revised(told, refuted, unseen)
        new = [text for text in after if text not in told]
        gone = [text for text in told if text not in after]
        kind = "label" if new else "unlabel"
        because = "; ".join(new) if new else f"no longer so: {'; '.join(gone)}"
        by = Provenance(actor=ACTOR, because=because, confidence=1.0)
        operation = Operation.of(kind, f"{entry.name} {KEY}", (entry.name,), by, to=KEY)
        files = {path: with_keys(path, seen, {KEY: value_of(after)})} if after != told else {}
        note = "" if files else f"{entry.name} says so already"
        return Plan(operation, dict(files), note=note)

    return change(store, plan)


def read(store: Store, path: str) -> bytes | None:
    """A memory's file as it stands; None where it is gone or cannot be read."""
    try:
        return store.content(path)
    except StoreError:
        return None
