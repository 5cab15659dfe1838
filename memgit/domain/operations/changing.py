"""One operation from its plan to its commit: under the lock, past the gates, the index behind it.

The one rule: what was read is what is replaced. A file that somebody writes meanwhile is read
again, and what stood uncommitted is committed first, so that undoing takes back the operation only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from memgit.domain.gates.table import Finding, inspect
from memgit.domain.indexing.index import Index
from memgit.domain.memory import is_memory_path, key_of, parse
from memgit.domain.operation import Operation
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.placed_files import Rewritten
from memgit.domain.recording import farewell, record, take_over
from memgit.domain.store import Store
from memgit.errors import StoreError

TRIES = 5
"""Times that a plan is made anew because a file changed under it."""

GATES = "gates"
"""The guard that every operation passes."""


@dataclass(frozen=True)
class Plan:
    """What an operation would do. `files` are path → new content, None for one that goes.

    `named` are paths of other memories that it speaks of: they must be committed too. `moved` tells
    the old path of a file that only changes its place, `known` an earlier content that comes back:
    its faults are no reason to refuse. `is_note` is set where what it says is worth a commit though
    no file changes.
    """

    operation: Operation
    files: Mapping[str, bytes | None]
    named: Sequence[str] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, bytes] = field(default_factory=dict)
    note: str = ""
    is_note: bool = False


@dataclass(frozen=True)
class Changed:
    """What was done; `commit` is None where everything stood so already."""

    operation: Operation
    paths: Sequence[str]
    commit: str | None
    note: str = ""


def change(store: Store, plan: Callable[[Catalogue], Plan]) -> Changed:
    """Carry out what `plan` makes of the store as it is, as one commit.

    Raises StoreError, having changed nothing, where the result would have a fault that the gates
    stop and that did not stand there before, or where files keep changing meanwhile.
    """
    store.repository.expect_nothing_in_progress()
    with store.locked():
        take_over(store)
        done = _carried_out(store, Catalogue(store), plan)
    if done.paths:
        Index(store).sync()
    return done


def change_each(
    store: Store, plans: Iterable[Callable[[Catalogue], Plan]]
) -> Iterator[Changed | StoreError]:
    """Carry out plans that change one memory each, and neither its name nor what refers to it.

    As `change` does, a commit for each; but the index follows once, at the end, which is what takes
    long in a large store. A plan that is refused is told by its fault, and the others go on.
    """
    store.repository.expect_nothing_in_progress()
    with store.locked():
        take_over(store)
        catalogue = Catalogue(store)
        for plan in plans:
            try:
                yield _carried_out(store, catalogue, plan)
            except StoreError as fault:
                yield fault
    Index(store).sync()


def _carried_out(store: Store, catalogue: Catalogue, plan: Callable[[Catalogue], Plan]) -> Changed:
    """One plan carried out under the lock; made anew where files change under it."""
    for _ in range(TRIES):
        planned = plan(catalogue)
        files = {path: data for path, data in planned.files.items()
                 if data != _before(catalogue, path)}  # fmt: skip
        if not files:
            commit = store.note(planned.operation) if planned.is_note else None
            return Changed(planned.operation, (), commit, planned.note)
        _save_before(catalogue, (*files, *planned.named))
        _pass_gates(catalogue, replace(planned, files=files))
        guarded = replace(planned.operation, guards=(*planned.operation.guards, GATES))
        with suppress(Rewritten):
            done = record(store, guarded, files, seen=catalogue.seen(files))
            note = "; ".join(filter(None, (planned.note, farewell(done.demoted))))
            return Changed(guarded, sorted(files), done.commit, note)
        catalogue = Catalogue(store)
    raise StoreError(
        f"{store.root}: {', '.join(files)} keeps being written by another program",
        "nothing was changed; try again when it is done",
    )


def _before(catalogue: Catalogue, path: str) -> bytes | None:
    file = catalogue.store.root / path
    return catalogue.content(path) if file.is_file() else None


def _save_before(catalogue: Catalogue, paths: Sequence[str]) -> None:
    """Commit what was written by hand to these files, as the operation of its own that it is."""
    store = catalogue.store
    unsaved = sorted({row.path for row in store.repository.unsaved() if row.path in paths})
    unsaved = [path for path in unsaved if (store.root / path).is_file()]
    if unsaved:
        names = [parse(path, catalogue.content(path))[0].name for path in unsaved]
        count = "1 memory" if len(unsaved) == 1 else f"{len(unsaved)} memories"
        details = ("written by hand, and saved before the next operation changes it",)
        save = Operation("save", count, names, details=details)
        record(store, save, {}, unsaved)


def _pass_gates(catalogue: Catalogue, plan: Plan) -> None:
    """Raise StoreError for the first fault that the change would bring."""
    after = {path: data for path, data in plan.files.items() if is_memory_path(path)}
    before = {path: data for path in after if (data := _before(catalogue, path)) is not None}
    referring = _referring(catalogue, before, after)
    found = _judge(catalogue, {**after, **referring})
    if not found:
        return
    stood = {
        _signature(finding, plan.moved)
        for files in ({**before, **referring}, plan.known)
        for finding in _judge(catalogue, files)
    }
    for finding in found:
        if _signature(finding, plan.moved) not in stood:
            fault = finding.fault
            raise StoreError(
                f"refused: {fault.path}:{fault.line}: {fault.code} {fault.message}",
                f"{finding.gate.fix}; nothing was changed",
            )


def _referring(
    catalogue: Catalogue, before: Mapping[str, bytes], after: Mapping[str, bytes | None]
) -> dict[str, bytes]:
    """Files that are not changed, but refer to a name that nothing would have any more."""
    lost = _names(before) - _names({path: data for path, data in after.items() if data is not None})
    return {
        entry.path: catalogue.content(entry.path)
        for entry in catalogue
        if lost and entry.path not in after and lost.intersection(map(key_of, entry.references))
    }


def _names(files: Mapping[str, bytes]) -> set[str]:
    memories = [parse(path, data)[0] for path, data in files.items()]
    return {key_of(word) for one in memories for word in (one.name, *one.words("aliases"))}


def _judge(catalogue: Catalogue, files: Mapping[str, bytes | None]) -> list[Finding]:
    return [finding for finding in inspect(catalogue.store, files) if finding.gate.blocks]


def _signature(finding: Finding, moved: Mapping[str, str]) -> tuple[str, str, str]:
    fault = finding.fault
    return moved.get(fault.path, fault.path), fault.code, fault.message
