"""Bringing a store to the newest format: one operation, which `memgit undo` takes back whole.

The one rule: what cannot be brought over as it stands stays as it is and is named; the store works
with it as before.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from functools import partial

from memgit.domain.format.shape import shaped, stamped
from memgit.domain.memory import decode
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.recording import record
from memgit.domain.settings import FILE, FORMAT
from memgit.domain.store import Store
from memgit.errors import Fault
from memgit.prompt.place import format_in

KIND = "migrate"

TOLD = 3
"""Files that a note names."""


@dataclass(frozen=True)
class Rehearsal:
    """What a migration would do: paths, the memories that stay as they are, and the diff."""

    paths: tuple[str, ...]
    left: tuple[Fault, ...]
    diff: str


def migrate(store: Store, by: Provenance = BY_THE_USER) -> Changed:
    """Bring every memory into the newest shape, and let `memgit.toml` name that format.

    `commit` is None where all of it stood so. Raises StoreError for a store of a newer format.
    """
    done = change(store, partial(_plan, by=by))
    return done if done.commit else _finished(store, done)


def _finished(store: Store, done: Changed) -> Changed:
    """The commit of one that was killed before it: the file names the new format, git does not."""
    with store.locked():
        status, text, _ = store.repository.run_status("show", f"HEAD:./{FILE}")
        if status or format_in(text) >= FORMAT:
            return done
        made = record(store, done.operation, {}, [FILE])
    return replace(done, paths=(FILE,), commit=made.commit, note="")


def rehearse(store: Store) -> Rehearsal:
    """What `migrate` would change, without changing it. Raises StoreError as it does."""
    store.expect_known_format()
    catalogue = Catalogue(store)
    files, left = _files(catalogue)
    return Rehearsal(tuple(files), tuple(left), "".join(_diff(catalogue, files)))


def _plan(catalogue: Catalogue, by: Provenance) -> Plan:
    files, left = _files(catalogue)
    entries = [entry for path in files if (entry := catalogue.at(path))]
    count = "1 memory" if len(entries) == 1 else f"{len(entries)} memories"
    subject = f"to format {FORMAT}" + (f", {count} in its shape" if entries else "")
    operation = Operation.of(KIND, subject, [one.name for one in entries], by, to=str(FORMAT))
    note = "" if files else f"it is of format {FORMAT}, and every memory in its shape"
    if left:
        note = f"left as they are: {_told(left)}" if files else f"nothing to do but {_told(left)}"
    return Plan(operation, dict(files), note=note)


def _files(catalogue: Catalogue) -> tuple[dict[str, bytes], list[Fault]]:
    """The files that change, with what they become, and the faults of those that cannot."""
    settings = catalogue.content(FILE)
    found = {FILE: after} if (after := stamped(settings)) != settings else {}
    left = []
    for entry in sorted(catalogue, key=lambda entry: entry.path):
        data = catalogue.content(entry.path)
        after, fault = shaped(entry.path, data)
        if fault:
            left.append(fault)
        elif after != data:
            found[entry.path] = after
    return found, left


def _told(left: list[Fault]) -> str:
    more = f" and {len(left) - TOLD} more" if len(left) > TOLD else ""
    return "; ".join(map(str, left[:TOLD])) + more


def _diff(catalogue: Catalogue, files: dict[str, bytes]) -> Iterator[str]:
    for path, data in files.items():
        old, new = (_lines(one) for one in (catalogue.content(path), data))
        yield from unified_diff(old, new, f"a/{path}", f"b/{path}", n=2)


def _lines(data: bytes) -> list[str]:
    lines = decode(data)[0].splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
