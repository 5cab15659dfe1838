"""What follows from verdicts, written down: labels, what was checked when, edits to be reviewed.

The one rule: a memory is changed only where what it says of itself changes, one commit for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memgit.domain.claims.checked import blob_of, keep
from memgit.domain.claims.reasons import Reason
from memgit.domain.claims.verdict import Verdict
from memgit.domain.operations.verifying import DROPPED, is_told, read, tell
from memgit.domain.proposals.applying import settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.passes.moving import moved, proposal
from memgit.passes.verify import Judged, Reading

SHORT = 12


@dataclass
class Labelling:
    """Takes the verdicts of one memory after the other; `finish` does what is done at once."""

    store: Store
    now: datetime
    _held: dict[str, str | None] = field(default_factory=dict)
    _edits: list[Proposal] = field(default_factory=list)

    def take(self, reading: Reading, judged: Sequence[Judged]) -> str:
        """Let a memory say what was found of its claims. Tells what was done; "" for nothing."""
        path, day = reading.path, self.now.date().isoformat()
        refuted = list(dict.fromkeys(
            Reason.of(one.claim.subject, one.claim.probe, day, one.standing.moved_to)
            for one in judged if one.standing.verdict == Verdict.REFUTED
        ))  # fmt: skip
        unseen = [one.claim.subject for one in judged if one.standing.verdict == Verdict.UNKNOWN]
        data, note = reading.data, ""
        if not is_told(data, path, refuted, unseen):
            done = tell(self.store, path, data, refuted, unseen)
            if done.commit is None:
                return done.note
            note = f"{done.operation.kind}: {done.operation.subject} in {done.commit[:SHORT]}"
            data = read(self.store, path) or b""
        elif read(self.store, path) != data:
            return f"{reading.memory.name} {DROPPED}"
        self._note_held(data, judged)
        if moves := moved(judged):
            edit = proposal(self.store, data, moves, self.now)
            self._edits += [edit] if edit else []
        return note

    def finish(self) -> Iterator[str]:
        """Write down what was checked, and let the edits wait for a person."""
        keep(self.store, self._held)
        settled = settle(self.store, self._edits, self.now) if self._edits else None
        if settled and settled.waiting:
            edits = "1 edit waits" if len(settled.waiting) == 1 else (
                f"{len(settled.waiting)} edits wait")  # fmt: skip
            yield f"{edits} that follow what was moved: `memgit review`"

    def _note_held(self, data: bytes, judged: Sequence[Judged]) -> None:
        """A memory holds since its oldest verdict, where something was seen and nothing refuted."""
        seen = [one.standing for one in judged if one.standing.verdict != Verdict.UNKNOWN]
        holds = bool(seen) and all(one.verdict == Verdict.SUPPORTED for one in seen)
        blob = blob_of(data, self.store.repository.head() or "")
        self._held[blob] = min(one.checked for one in seen) if holds else None
