"""A session as deeds: runs of the same action, with what was looked at and edited before each.

The one rule: what is done again at once is one deed. Retries, and the edits between them, are what
it cost and not a step of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memgit.domain.skills.action import EDITS, Action
from memgit.domain.skills.command_name import LOOKS


@dataclass
class Deed:
    """A run of actions of one name: `calls` is how often it was done.

    `looks` are the looks since the deed before, those of programs with verbs. `edits` is how many
    files were edited since the deed before, `mended` how many within this one.
    """

    name: str
    first: Action
    looks: tuple[Action, ...] = ()
    edits: int = 0
    mended: int = 0
    calls: list[Action] = field(default_factory=list)

    @property
    def failed_first(self) -> bool:
        """Whether one of its calls failed."""
        return any(action.why for action in self.calls)

    @property
    def ended_well(self) -> bool:
        """Whether the last of its calls did not fail."""
        return not self.calls[-1].failed

    @property
    def why(self) -> str:
        """What the first call that failed said."""
        return next((action.why for action in self.calls if action.why), "")


def deeds(actions: Iterable[Action]) -> Sequence[Deed]:
    """The deeds of one session, in their order."""
    found: list[Deed] = []
    looks: list[Action] = []
    edits = 0
    for action in actions:
        if action.kind == EDITS:
            edits += 1
        elif action.kind == LOOKS:
            looks.append(action)
        elif found and found[-1].name == action.name:
            found[-1].calls.append(action)
            found[-1].mended += edits
            looks, edits = [], 0
        else:
            named = tuple(look for look in looks if " " in look.name)
            found.append(Deed(action.name, action, named, edits, 0, [action]))
            looks, edits = [], 0
    return found
