"""Connecting an agent and letting go of it again: its settings file, and which store is recorded.

The one rule: a dry run is the same edit, not made.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from memgit.domain.connecting.agent import Agent
from memgit.domain.connecting.wiring import connect, disconnect, is_harvesting, wired
from memgit.domain.store import Store, record_store, recorded_store
from memgit.errors import StoreError
from memgit.ports.agent_settings import Json
from memgit.ports.settings_file import Edit, SettingsFile


@dataclass(frozen=True)
class Installed:
    """The edit that connects an agent to the store at `root`, and what the settings then say."""

    agent: Agent
    root: str
    edit: Edit
    settings: Json

    @property
    def harvests(self) -> bool:
        """Whether sessions of the agent are harvested from then on."""
        return is_harvesting(self.settings)


def install(
    agent: Agent, store: Store, named: Path | None, auto_memory: bool, harvest: bool | None,
    dry_run: bool,
) -> Installed:  # fmt: skip
    """Connect an agent, in the settings file that is `named` or the person's own.

    The store becomes the one that commands find from anywhere, unless another settings file is
    named and there is one already. Raises UsageError where the file cannot be understood or cannot
    hold a path, StoreError where it cannot be written.
    """
    root = os.path.realpath(store.root)
    file = SettingsFile(named or agent.file())
    edit = connect(file, wired(agent, root, auto_memory, harvest))
    if not dry_run:
        if edit.changes:
            edit.make()
        if named is None or not recorded_store():
            _record(Path(root))
    return Installed(agent, root, edit, agent.read(file.text(edit.after or b""), file.path))


def uninstall(agent: Agent, named: Path | None, dry_run: bool) -> Edit:
    """Take memgit out of an agent's settings file; raises as `install` does."""
    edit = disconnect(SettingsFile(named or agent.file()), agent)
    if edit.changes and not dry_run:
        edit.make()
    return edit


def _record(root: Path) -> None:
    try:
        record_store(root)
    except OSError as fault:
        raise StoreError(
            f"{fault.filename}: {fault.strerror}",
            "the agent is connected; for commands to find the store, mend this and run it again",
        ) from None
