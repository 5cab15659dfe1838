"""What was decided on proposals, read from the history of the store, and how a decision gets there.

The one rule: a decision is a commit. Clones and later passes learn it with everything else, it is
undone like everything else, and nothing of it is lost with derived data.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.proposals.waiting import Held, Waiting
from memgit.domain.store import Store

ACCEPTED, REJECTED, UNDONE = "accepted", "rejected", "undone"
"""What can have become of a proposal; `undone` when somebody took back what it had changed."""

REJECT, ACCEPT = "reject", "accept"
"""Kinds of the operations that only tell a decision. `accept` is for what came in by a merge that
kept no commit of its own for the proposal; everywhere else the change itself says so."""


@dataclass(frozen=True)
class Decision:
    """What became of one proposal, by which commit, when (ISO), and why."""

    what: str
    commit: str
    when: str = ""
    because: str = ""
    actor: str = "user"

    def __str__(self) -> str:
        why = f": {self.because}" if self.because else ""
        return f"{self.what} on {self.when[:10]} in {self.commit[:12]}{why}"


def decisions(store: Store) -> Mapping[str, Decision]:
    """What was decided, by the id of the proposal, as the history of HEAD tells it."""
    if not store.repository.head():
        return {}
    rows = store.repository.run(
        "-c", "log.showSignature=false", "log", "-z", "--reverse", "--topo-order", "-E",
        "--no-notes", "--no-decorate", "--grep=^Memgit-(Proposal|Undoes): ",
        "--format=%H %cI%n%B",
    ).split("\0")  # fmt: skip
    known = _Known()
    for row in filter(None, rows):
        head, _, message = row.lstrip("\n").partition("\n")
        commit, _, when = head.partition(" ")
        if operation := Operation.parse(message):
            known.take(commit, when, operation)
    return {id_: decision for id_, decision in known.now.items() if decision}


def undecided(store: Store) -> list[Held]:
    """The proposals that wait, without those that came to be decided elsewhere, by a merge."""
    every = Waiting(store).all()
    decided = decisions(store) if every else {}
    return [held for held in every if held.proposal.id not in decided]


class _Known:
    """Decisions while the history is read, oldest first."""

    def __init__(self) -> None:
        self.now: dict[str, Decision | None] = {}
        self._by_commit: dict[str, tuple[str, Decision | None]] = {}
        """Commit → the proposal that it decided on, and what held before."""

    def take(self, commit: str, when: str, operation: Operation) -> None:
        if operation.undoes:
            if operation.undoes not in self._by_commit:
                return
            id_, before = self._by_commit[operation.undoes]
            current = self.now.get(id_)
            undone = Decision(UNDONE, commit, when, operation.because, operation.actor)
            after = undone if current and current.what == ACCEPTED else before
        elif operation.proposal:
            id_ = operation.proposal
            what = REJECTED if operation.kind == REJECT else ACCEPTED
            after = Decision(what, commit, when, operation.because, operation.actor)
        else:
            return
        self._by_commit[commit] = (id_, self.now.get(id_))
        self.now[id_] = after


def reject(store: Store, proposal: Proposal, by: Provenance = BY_THE_USER) -> str:
    """Turn a proposal down for good: a commit without a change, that says so and why."""
    return store.note(_operation(REJECT, proposal, by))


def note_accepted(store: Store, proposal: Proposal, by: Provenance = BY_THE_USER) -> str:
    """Say that a proposal was accepted whose change is there already."""
    return store.note(_operation(ACCEPT, proposal, by))


def _operation(kind: str, proposal: Proposal, by: Provenance) -> Operation:
    names = [*proposal.memories, *([proposal.to] if proposal.kind == "supersede" else [])]
    subject = f"{proposal.kind} {proposal.told}"
    return Operation(
        kind, subject, names, by.actor, to=proposal.to, because=by.because,
        confidence=proposal.confidence, proposal=proposal.id,
    )  # fmt: skip
