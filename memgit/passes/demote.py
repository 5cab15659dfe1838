"""Demote: skills that nobody calls, or whose ground is gone, as proposals for the one door.

The one rule: a proposal speaks of one promotion. That a person turned it down holds until the skill
is promoted anew, or until something else of it is gone.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256

from memgit.domain.proposals.proposal import RECORD, Evidence, Proposal
from memgit.domain.proposals.waiting import Waiting
from memgit.domain.sessions.index import SessionIndex
from memgit.domain.skills.gates.scene import Scene
from memgit.domain.skills.promoting import promotions_here
from memgit.domain.skills.report import DEAD, Row, report
from memgit.domain.store import Store

ACTOR = "skills"

GATE = "gate"
"""Role of what a gate says of a skill as it stands."""


def proposals(store: Store, index: SessionIndex, scene: Scene, now: datetime) -> Iterator[Proposal]:
    """One for each skill promoted on this machine that should be demoted, by name."""
    made = now.isoformat(timespec="seconds")
    for row in report(store, index, scene, now):
        if row.demote:
            yield Proposal(
                "demote", ACTOR, (row.name,), because="; ".join(row.because),
                evidence=tuple(_evidence(store, row)), made=made,
            )  # fmt: skip


def let_go(store: Store, but: Sequence[Proposal]) -> int:
    """Take what waits of this pass and is not among these out of the queue: such a skill was called
    again, or its ground is back. The number of them.
    """
    kept = {proposal.id for proposal in but}
    queue = Waiting(store)
    gone = [held.proposal.id for held in queue.all()
            if held.proposal.actor == ACTOR and held.proposal.id not in kept]  # fmt: skip
    for id_ in gone:
        queue.take(id_)
    return len(gone)


def _evidence(store: Store, row: Row) -> Iterator[Evidence]:
    for one in promotions_here(store):
        if one.name == row.name and one.folder in row.folders:
            digest = sha256(store.content(one.path)).hexdigest()
            said = f"promoted to {one.folder} at {one.at}"
            yield Evidence(said, RECORD, session=one.path, digest=digest)
    for said in row.because:
        if said.partition(":")[0] in DEAD:  # how long it was not called is another each day
            yield Evidence(said, GATE)
