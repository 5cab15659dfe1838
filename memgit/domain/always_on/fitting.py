"""Making room on purpose: what is always on is brought within its caps, in one named commit.

The one rule: nothing leaves the store. Who goes is decided by class, then by use and age; what was
seen in use says so from then on, and that is how it stays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memgit.domain import usage
from memgit.domain.always_on import hand_edits
from memgit.domain.always_on.candidates import everything
from memgit.domain.always_on.listing import FILE as INDEX
from memgit.domain.always_on.listing import USED, WEAK, Row, chosen
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.recording import made_anew, record_listed, unhurried
from memgit.domain.store import Store
from memgit.prompt.profile import FILE as PROFILE

OFTEN = 2
"""Sessions in which a memory was shown before that counts as use."""


@dataclass(frozen=True)
class Fitted:
    """What was done: names of the memories that `MEMORY.md` lists no more, of those noted as used,
    of those made or told more from what stood in it. `commit` is None where all fitted already.
    """

    demoted: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    commit: str | None = None


def fit(store: Store, by: Provenance = BY_THE_USER) -> Fitted:
    """Take over what stands in `MEMORY.md`, note what is in use, and make `MEMORY.md` anew.

    Raises StoreError in the middle of a merge or a rebase.
    """
    store.repository.expect_nothing_in_progress()
    with store.locked():
        return unhurried(store, lambda: _fit(store, by))


def _fit(store: Store, by: Provenance) -> Fitted:
    taken = hand_edits.taken_over(store, by.actor)
    used = _in_use(store)
    files: dict[str, bytes | None] = {**taken.files}
    for row, until in used:
        data = taken.files.get(row.path) or store.content(row.path)
        files[row.path] = with_keys(row.path, data, {USED: until})
    names = [row.name for row, _ in used]
    standing = [PROFILE] if (store.root / PROFILE).is_file() else []
    count = len(made_anew(store, files, standing)[1])
    kind, subject = "save", "MEMORY.md, made anew"
    if count:
        lines = "1 line" if count == 1 else f"{count} lines"
        kind, subject = "demote", f"{lines} of MEMORY.md"
    operation = Operation.of(kind, subject, [*taken.names, *names], by)
    before = store.repository.head()
    seen = {INDEX: taken.read}
    done = record_listed(store, operation, files, standing, seen=seen)
    if done.commit == before:
        return Fitted()
    return Fitted(tuple(done.demoted), tuple(names), tuple(taken.names), done.commit)


def _in_use(store: Store) -> list[tuple[Row, str]]:
    """The memories that are listed once it is noted until when they were used, and that day."""
    found = _uses(store)
    if not found:
        return []
    rows = everything(store).rows
    cap = store.settings.budget
    listed = {row.path for row in chosen(rows.values(), cap)}
    noted = {path: _noted(row, found.get(path, "")) for path, row in rows.items()}
    return [(rows[row.path], found[row.path]) for row in chosen(noted.values(), cap)
            if row.path not in listed and row.path in found]  # fmt: skip


def _uses(store: Store) -> Mapping[str, str]:
    """The day of the last use of each memory that was used often enough."""
    return {
        path: use.last.date().isoformat()
        for path, use in usage.by_path(store).items()
        if use.sessions >= OFTEN
    }


def _noted(row: Row, until: str) -> Row:
    """A row once its use is noted."""
    return replace(row, age=max(row.age, until)) if row.rank > WEAK else row
