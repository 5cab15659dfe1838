"""What follows from errors that a hand or a merge wrote into files, not an operation.

The one rule: it makes no difference who wrote `superseded_by`, `retired` or `refuted`, or took it
out: what derives from the memory says so before the next recall.
"""

from datetime import datetime
from functools import partial

from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.cascading import Files, Reason, spread, withdraw
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.labelling import day
from memgit.domain.operations.turns import Turn, owe, owed, turns
from memgit.domain.store import Store


def catch_up(
    store: Store, since: str | None, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> list[Changed]:
    """Label what derives from memories that came to be at fault since a commit, and take the labels
    away where they no longer are; each in an operation of its own. Nothing to do is usual.

    A label that was there, and that somebody took away since then, is not put back.
    """
    date = day(now)
    head = store.repository.head()
    since = owed(store) or since
    found = turns(store, since, head)
    done = [change(store, partial(_plan, turn, by, date, f"{since}..{head}")) for turn in found]
    owe(store, None)
    return [one for one in done if one.commit]


def _plan(turn: Turn, by: Provenance, date: str, span: str, catalogue: Catalogue) -> Plan:
    entry = catalogue.at(turn.path)
    files = _files(catalogue, entry, turn, date) if entry else {}
    if entry and not turn.is_over:
        said = str(Reason(entry.name, turn.fate, ""))[: -len(" on ")]
        files = {path: data for path, data in files.items()
                 if not _was_there(catalogue.store, path, said, span)}  # fmt: skip
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


def _was_there(store: Store, path: str, said: str, span: str) -> bool:
    """Whether a file that does not say something said it at some time within these commits."""
    log = ("log", "-1", "--format=%H", f"-S{said}", span, "--", path)
    return bool(store.repository.run(*log))
