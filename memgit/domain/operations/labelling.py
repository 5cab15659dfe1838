"""Labels on a memory: unverified, refuted, retired; and taking them away again.

The one rule: a label hides or warns, it never removes a word; what follows from an error (refuted,
retired) reaches every memory derived from it in the same commit.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from memgit.domain.memory import Memory, key_of, parse
from memgit.domain.operation import BY_THE_USER, Operation, Provenance, one_line
from memgit.domain.operations.cascading import Files, Reason, spread, value_of, withdraw
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.operations.turns import ERRORS
from memgit.domain.store import Store

LABELS = ("unverified", "refuted")
"""Labels that `label` gives; `retired` has verbs of its own."""


def day(now: datetime | None = None) -> str:
    """The date of an operation, as labels tell it."""
    return (now or datetime.now(UTC)).date().isoformat()


def put_label(
    store: Store, name: str, label: str, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> Changed:
    """Label a memory. A reason is added to those that it has."""
    return _with_label(store, name, "label", label, by, now)


def retire(
    store: Store, name: str, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> Changed:
    """Hide a memory from recall. It stays in the store, and binds every pass."""
    return _with_label(store, name, "retire", "retired", by, now)


def take_label(store: Store, name: str, label: str, by: Provenance = BY_THE_USER) -> Changed:
    """Take a label away, with all its reasons, and what followed from it elsewhere."""
    return _without_label(store, name, "unlabel", label, by)


def restore(store: Store, name: str, by: Provenance = BY_THE_USER) -> Changed:
    """Let a retired memory be recalled again, and what derives from it be trusted again."""
    return _without_label(store, name, "restore", "retired", by)


def _with_label(
    store: Store, name: str, kind: str, label: str, by: Provenance, now: datetime | None
) -> Changed:
    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(name)
        told = list(_read(catalogue, entry).reasons(label))
        why = _reason(label, by, day(now))
        stands = told and (label == "retired" or not by.because or why in told)
        files: Files = {}
        if not stands:
            value = value_of([*told, why])
            files[entry.path] = with_keys(entry.path, catalogue.content(entry.path), {label: value})
            if label in ERRORS and not told:
                files.update(spread(catalogue, entry, Reason(entry.name, label, day(now))))
        return _plan(catalogue, entry, kind, label, by, files,
                     f"{entry.name} is {label} already" if stands else "")  # fmt: skip

    return change(store, plan)


def _without_label(store: Store, name: str, kind: str, label: str, by: Provenance) -> Changed:
    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(name)
        stands = bool(_read(catalogue, entry).reasons(label))
        files: Files = {}
        if stands:
            files[entry.path] = with_keys(entry.path, catalogue.content(entry.path), {label: None})
            files.update(withdraw(catalogue, entry, label))
        return _plan(catalogue, entry, kind, label, by, files,
                     "" if stands else f"{entry.name} is not {label}")  # fmt: skip

    return change(store, plan)


def _plan(
    catalogue: Catalogue, entry: Entry, kind: str, label: str, by: Provenance, files: Files,
    note: str,
) -> Plan:  # fmt: skip
    others = [found.name for path in files if path != entry.path if (found := catalogue.at(path))]
    subject = entry.name if label == "retired" else f"{entry.name} {label}"
    to = "" if label == "retired" else label
    operation = Operation.of(kind, subject, (entry.name, *others), by, to=to)
    return Plan(operation, dict(files), note=note)


def _reason(label: str, by: Provenance, date: str) -> str:
    """What a label says: since when, and why; of an unverified memory the reason alone."""
    because = one_line(by.because)
    if label == "unverified":
        return because or f"so marked by the {by.actor} on {date}"
    return f"{date}, {because}" if because else date


def _read(catalogue: Catalogue, entry: Entry) -> Memory:
    return parse(entry.path, catalogue.content(entry.path))[0]


@dataclass(frozen=True)
class Retired:
    """What no pass may bring back: the names and aliases of retired memories, and their lines."""

    names: frozenset[str]
    lines: frozenset[str]

    @classmethod
    def of(cls, store: Store) -> "Retired":
        """The retired memories of a store, as its files are now."""
        entries = [entry for entry in Catalogue(store) if entry.is_retired]
        return cls(
            frozenset(key_of(word) for one in entries for word in (one.name, *one.aliases)),
            frozenset(line for one in entries for line in _lines(store.read(one.path).body)),
        )

    def binds(self, name: str, text: str = "") -> bool:
        """Whether this name, or every line of this text, is that of a retired memory."""
        told = list(_lines(text))
        return key_of(name) in self.names or (bool(told) and self.lines.issuperset(told))


def _lines(text: str) -> list[str]:
    """Lines as they are compared: without case, marks of lists, and differences of form."""
    keys = (key_of(line.strip().lstrip("-*#> ")) for line in text.splitlines())
    return [key for key in keys if any(map(str.isalnum, key))]
