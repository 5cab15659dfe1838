"""What follows from verdicts, written down: labels, what was checked when, edits to be reviewed.

The one rule: a memory is changed only where what it says of itself changes, one commit for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memgit.domain.claims.checked import blob_of, keep
from memgit.domain.claims.reasons import Reason
from memgit.domain.claims.verdict import Verdict
from memgit.domain.operations.verifying import DROPPED, Told, is_told, read, tell
from memgit.domain.proposals.applying import settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.passes.moving import moved, proposal
from memgit.passes.verify import Judged, Reading

SHORT = 12


AT_ONCE = 25
"""Memories that are labelled under one lock: others who write wait for no more."""


@dataclass
class Labelling:
    """Takes the verdicts of memories; `finish` does what is done at once. Yields what was done."""

    store: Store
    now: datetime
    _held: dict[str, str | None] = field(default_factory=dict)
    _edits: list[Proposal] = field(default_factory=list)
    _waiting: list[tuple[Told, Reading, Sequence[Judged]]] = field(default_factory=list)

    def take(self, reading: Reading, judged: Sequence[Judged]) -> Iterator[str]:
        """Let a memory say what was found of its claims."""
        path, day = reading.path, self.now.date().isoformat()
        refuted = list(dict.fromkeys(
            Reason.of(one.claim.subject, one.claim.probe, day, one.standing.moved_to)
            for one in judged if one.standing.verdict == Verdict.REFUTED
        ))  # fmt: skip
        unseen = [one.claim.subject for one in judged if one.standing.verdict == Verdict.UNKNOWN]
        unseen += reading.unseen
        told = Told(path, reading.data, refuted, unseen)
        if not is_told(told):
            self._waiting.append((told, reading, judged))
            if len(self._waiting) >= AT_ONCE:
                yield from self._label()
        elif read(self.store, path) != reading.data:
            yield f"{reading.memory.name} {DROPPED}"
        else:
            self._follow(reading.data, judged)

    def _label(self) -> Iterator[str]:
        """Commit what waits; a fault of one memory is no reason to leave the others."""
        waiting, self._waiting = self._waiting, []
        done = tell(self.store, [told for told, _, _ in waiting])
        for (_, reading, judged), one in zip(waiting, done, strict=True):
            if isinstance(one, StoreError):
                yield f"{reading.memory.name} was not labelled: {one}"
            elif one.commit is None:
                yield one.note
            else:
                yield f"{one.operation.kind}: {one.operation.subject} in {one.commit[:SHORT]}"
                self._follow(read(self.store, reading.path) or b"", judged)

    def _follow(self, data: bytes, judged: Sequence[Judged]) -> None:
        self._note_held(data, judged)
        if moves := moved(judged):
            edit = proposal(self.store, data, moves, self.now)
            self._edits += [edit] if edit else []

    def finish(self) -> Iterator[str]:
        """Write down what was checked, and let the edits wait for a person."""
        if self._waiting:
            yield from self._label()
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
