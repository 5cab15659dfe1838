"""A procedure: steps that sessions repeat in the same order, and each time that they did.

The one rule: it is what was counted. Nothing in it was concluded by anybody, a model least of all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Occurrence:
    """One time that a session did it. `records` are the uuids of its steps, `texts` what was typed.

    `failed` tells that a step failed before it ended, `why` what was said then; `calls` are those
    beyond one a step, and the edits between them: what it cost. `ended_well` is
    about the last; `edits` are the files edited by hand between the steps,
    `record_failed` the record of the first call that failed, `looked` the names of the looks before
    its first step.
    """

    session: str
    records: tuple[str, ...]
    texts: tuple[str, ...]
    failed: bool = False
    why: str = ""
    calls: int = 0
    ended_well: bool = True
    edits: int = 0
    record_failed: str = ""
    looked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Procedure:
    """`steps` are names of actions, the same in every session; `variants` other forms of it."""

    name: str
    steps: tuple[str, ...]
    occurrences: Sequence[Occurrence]
    variants: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def sessions(self) -> tuple[str, ...]:
        """The distinct sessions that did it."""
        return tuple(dict.fromkeys(one.session for one in self.occurrences))

    @property
    def failed_first(self) -> int:
        """In how many of the sessions a step failed before it was done."""
        return len({one.session for one in self.occurrences if one.failed})

    @property
    def cost(self) -> int:
        """Calls and edits that failing took, in all sessions together."""
        return sum(one.calls for one in self.occurrences if one.failed)

    @property
    def example(self) -> str:
        """What one session typed for it: the shortest of those that went through at once."""
        best = sorted(
            self.occurrences, key=lambda one: (one.failed, not one.ended_well, len(str(one.texts)))
        )[0]
        return " ; ".join(best.texts)
