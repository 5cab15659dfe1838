"""Checking drafts, and keeping what came of it: bound to the very bytes that were checked.

The one rule: a check speaks of one content. Whoever changes a letter has an unchecked draft.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memgit.domain.operations.labelling import Retired
from memgit.domain.queue.jobs import put
from memgit.domain.sessions.index import EVERYWHERE, SessionIndex
from memgit.domain.skills.built_in import built_in
from memgit.domain.skills.draft import Draft, drafts
from memgit.domain.skills.gates.scene import Installed, Scene
from memgit.domain.skills.gates.table import judge
from memgit.domain.store import Store
from memgit.errors import Fault
from memgit.ports.agent_skills import installed

CHECKED = "skills/checked.json"
"""What was checked, among the derived data."""


@dataclass(frozen=True)
class Checked:
    """What a check found in a draft of this digest, and when."""

    digest: str
    at: str
    faults: Sequence[str] = ()


def scene_of(
    store: Store, index: SessionIndex | None, say: Callable[[str], None] | None = None
) -> Scene:
    """What there is on this machine, looked up when a gate asks; no session without an index. The
    agent's program is asked for its commands only where there is a `say`, for what it lacks.
    """
    scene = Scene(
        others=lambda: drafts(store),
        resolves=lambda program: shutil.which(program) is not None,
        retired=lambda: Retired.of(store),
    )
    if say:
        scene.built_in = lambda: built_in(store, say)
    if index:
        scene.deeds = lambda: index.deeds(EVERYWHERE)
        scene.folders = index.folders
        scene.installed = lambda: _installed(store, index)
    return scene


def check(store: Store, draft: Draft, scene: Scene, now: datetime) -> list[Fault]:
    """What the gates find in a draft; kept, so that promoting can tell whether it was checked."""
    faults = judge(draft, scene)
    known = {name: vars(one) for name, one in every_check(store).items()}
    told = [f"{fault.code}: {fault.message}" for fault in faults]
    known[draft.name] = {"digest": draft.digest, "at": now.isoformat(timespec="seconds"),
                         "faults": told}  # fmt: skip
    put(store.derived / CHECKED, json.dumps(known, ensure_ascii=False, indent=1) + "\n")
    return faults


def every_check(store: Store) -> Mapping[str, Checked]:
    """What was checked last, by the draft's name; nothing where the file is missing or damaged."""
    found: dict[str, Checked] = {}
    with suppress(OSError, ValueError, AttributeError):
        told: dict[str, Any] = json.loads((store.derived / CHECKED).read_text("utf-8"))
        for name, one in told.items():
            with suppress(KeyError, TypeError):
                found[name] = Checked(str(one["digest"]), str(one["at"]), tuple(one["faults"]))
    return found


def is_checked(store: Store, draft: Draft) -> bool:
    """Whether this very content passed its check."""
    found = every_check(store).get(draft.name)
    return bool(found and found.digest == draft.digest and not found.faults)


def _installed(store: Store, index: SessionIndex) -> list[Installed]:
    """The skills of the person and of every project that sessions ran in; our own copies aside, and
    those that a promotion put there which was killed before it could record it.
    """
    from memgit.domain.skills.promoting import copies

    ours = copies(store)
    left = {one.name: one.admitted().decode() for one in drafts(store)}
    projects = [Path(folder) for folder in index.folders(()) if Path(folder).is_dir()]
    return [Installed(name, str(file), text) for name, file, text in installed(projects)
            if file.resolve() not in ours and text != left.get(name)]  # fmt: skip
