"""What accepting a proposal does: for each kind the operation that it asks for, as one commit.

The one rule: what a pass read is what is changed. A memory that somebody wrote since is let alone.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath

from memgit.domain.memory import LONGEST_NAME, is_memory_path, parse
from memgit.domain.operation import Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.labelling import LABELS, put_label, retire
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.operations.superseding import supersede, supersede_by_new
from memgit.domain.proposals.proposal import RECORD, Proposal
from memgit.domain.skills.promoting import demote
from memgit.domain.store import Store
from memgit.errors import StoreError

Way = Callable[[Store, Proposal, Provenance, datetime | None], Changed]


def carry_out(
    store: Store, proposal: Proposal, by: Provenance, now: datetime | None = None
) -> Changed:
    """Do what a proposal asks for. Raises StoreError, having changed nothing, where a gate or the
    operation refuses it.
    """
    way = WAYS.get(proposal.kind)
    if way is None:
        raise StoreError(f"nothing here carries out a proposal to {proposal.kind}")
    return way(store, proposal, by, now)


def provenance(proposal: Proposal, actor: str = "", because: str = "") -> Provenance:
    """Where the operation comes from; `actor` is who decided, where that is not the pass."""
    guards = [one.guard for one in proposal.judgements if one.passed]
    sources = [" ".join(filter(None, (one.session, one.turn))) for one in proposal.evidence]
    return Provenance(
        actor or proposal.actor, because or proposal.because, proposal.confidence, guards,
        list(dict.fromkeys(filter(None, sources))), proposal.id,
    )  # fmt: skip


def stale(catalogue: Catalogue, proposal: Proposal) -> str:
    """Why a proposal speaks of what is no longer so, in one sentence; "" where it does not."""
    if proposal.kind == "add":
        return ""
    store = catalogue.store
    if proposal.kind == "demote":
        return _promoted_no_more(store, proposal)
    entry = catalogue.called(proposal.name)
    if entry is None:
        return f"{proposal.name} is not in the store any more"
    if proposal.seen and proposal.seen != blob_of(store, entry.path):
        return f"{proposal.name} was changed since"
    for item in proposal.evidence:
        if item.role == "memory" and item.digest:
            told = catalogue.called(item.session)
            if told is None:
                return f"{item.session} is not in the store any more"
            if sha256(store.content(told.path)).hexdigest() != item.digest:
                return f"{item.session} was changed since"
    return ""


def _promoted_no_more(store: Store, proposal: Proposal) -> str:
    """Why a skill does not stand as it was promoted, by the records that the proposal rests on."""
    for item in proposal.evidence:
        if item.role != RECORD:
            continue
        if not (store.root / item.session).is_file():
            return f"{proposal.name} is not promoted any more"
        if sha256(store.content(item.session)).hexdigest() != item.digest:
            return f"{proposal.name} was promoted anew"
    return ""


def blob_of(store: Store, path: str) -> str:
    """The git blob id of a file as it stands in the work tree; what `seen` compares with."""
    return store.repository.run("hash-object", "--", path)


def _add(store: Store, proposal: Proposal, by: Provenance, now: datetime | None) -> Changed:
    def plan(catalogue: Catalogue) -> Plan:
        data = proposal.text.encode("utf-8", "surrogatepass")
        path, data = _placed(store, catalogue, proposal.path or f"{proposal.name}.md", data)
        name = parse(path, data)[0].name
        return Plan(Operation.of("add", name, (name,), by), {path: data})

    return change(store, plan)


def _placed(store: Store, catalogue: Catalogue, path: str, data: bytes) -> tuple[str, bytes]:
    """A free path, and the file with a name that nothing has yet."""
    if not is_memory_path(path):
        raise StoreError(f"{path}: not a place for a memory")
    wanted = parse(path, data)[0].name[:LONGEST_NAME]
    place = PurePosixPath(path)
    number = 1
    while True:
        end = "" if number == 1 else f"-{number}"
        name, file = f"{wanted}{end}", place.with_stem(f"{place.stem}{end}").as_posix()
        if not catalogue.called(name) and not (store.root / file).exists():
            return file, data if number == 1 else with_keys(file, data, {"name": name})
        number += 1


def _rewrite(store: Store, proposal: Proposal, by: Provenance, now: datetime | None) -> Changed:
    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(proposal.name)
        before = catalogue.content(entry.path)
        after = proposal.text.encode("utf-8", "surrogatepass")
        if parse(entry.path, after)[0].name != entry.name:
            raise StoreError(f"that would give {entry.name} another name", "`memgit rename` it")
        operation = Operation.of(proposal.kind, entry.name, (entry.name,), by, to=proposal.to)
        note = f"{entry.name} says so already" if after == before else ""
        return Plan(operation, {entry.path: after}, note=note)

    return change(store, plan)


def _supersede(store: Store, proposal: Proposal, by: Provenance, now: datetime | None) -> Changed:
    if proposal.text:
        catalogue = Catalogue(store)
        data = proposal.text.encode("utf-8", "surrogatepass")
        path, data = _placed(store, catalogue, proposal.path or f"{proposal.to}.md", data)
        return supersede_by_new(store, proposal.name, path, data, by, now)
    return supersede(store, proposal.name, proposal.to, by, now)


def _label(store: Store, proposal: Proposal, by: Provenance, now: datetime | None) -> Changed:
    if proposal.to not in LABELS:
        raise StoreError(f"{proposal.to} is no label", f"one of {', '.join(LABELS)}")
    return put_label(store, proposal.name, proposal.to, by, now)


def _retire(store: Store, proposal: Proposal, by: Provenance, now: datetime | None) -> Changed:
    return retire(store, proposal.name, by, now)


def _demote(store: Store, proposal: Proposal, by: Provenance, now: datetime | None) -> Changed:
    return demote(store, proposal.name, by)


WAYS: Mapping[str, Way] = {
    "add": _add,
    "confirm": _rewrite,
    "supersede": _supersede,
    "edit": _rewrite,
    "alias": _rewrite,
    "retire": _retire,
    "label": _label,
    "demote": _demote,
}
"""Kind of proposal → how it is carried out."""
