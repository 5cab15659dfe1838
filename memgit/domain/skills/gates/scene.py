"""What gates of drafts look at beside the draft: sessions, skills, projects, retired memories.

The one rule: a gate asks for what it needs, and only then it is read.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from memgit.domain.operations.labelling import Retired
from memgit.domain.skills.counting import Sessions
from memgit.domain.skills.draft import Draft
from memgit.domain.skills.recounting import Recount, recount


@dataclass(frozen=True)
class Installed:
    """A skill that an agent has: its name, where it is, its text."""

    name: str
    place: str
    text: str


@dataclass
class Scene:
    """`deeds` is what sessions did, `installed` the skills there are, `others` the other drafts.

    `folders` gives where sessions ran, `resolves` whether a program is installed, `retired` what no
    pass may bring back, `built_in` what the agent here has by itself. What is not given is unknown,
    and then nothing is said of it.
    """

    deeds: Callable[[], Sessions] = dict
    installed: Callable[[], Sequence[Installed]] = tuple
    others: Callable[[], Sequence[Draft]] = tuple
    folders: Callable[[Sequence[str]], Sequence[str]] = lambda sessions: ()
    resolves: Callable[[str], bool] = lambda program: True
    retired: Callable[[], Retired | None] = lambda: None
    built_in: Callable[[], Collection[str]] = tuple
    _counted: dict[tuple[str, ...], Recount] = field(default_factory=dict)

    @cached_property
    def sessions(self) -> Sessions:
        """What each session did."""
        return self.deeds()

    @cached_property
    def skills(self) -> Sequence[Installed]:
        """The skills that are installed."""
        return self.installed()

    @cached_property
    def commands(self) -> Collection[str]:
        """Names of commands and skills that the agent of this machine has by itself."""
        return self.built_in()

    @cached_property
    def drafts(self) -> Mapping[str, Draft]:
        """The other drafts, by name."""
        return {one.name: one for one in self.others()}

    def counted(self, draft: Draft) -> Recount:
        """What the index says of a draft's steps."""
        if draft.steps not in self._counted:
            self._counted[draft.steps] = recount(self.sessions, draft.steps)
        return self._counted[draft.steps]

    def projects(self, draft: Draft) -> list[Path]:
        """Folders of the sessions that a draft comes from, those that are here."""
        found = (Path(folder) for folder in self.folders(draft.sessions))
        return [folder for folder in found if folder.is_dir()]
