"""What became of procedures: detected, drafted, refused and why, promoted, used.

The one rule: a skill that nobody called for a month, or whose ground is gone, is told with the
words that would demote it; a person types them or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memgit.domain.sessions.index import SessionIndex
from memgit.domain.skills.checking import every_check
from memgit.domain.skills.draft import Draft, drafts
from memgit.domain.skills.gates.scene import Scene
from memgit.domain.skills.gates.table import judge
from memgit.domain.skills.procedure import Procedure
from memgit.domain.skills.promoting import Promotion, is_here, promotions
from memgit.domain.store import Store

UNUSED = timedelta(days=30)
"""For how long a skill may stand uncalled."""

GONE = "gone"
DEAD = ("resolves", GONE)
"""Gates whose faults mean that the ground of a promoted skill is gone, and the word for a copy that
is. That its sessions were deleted since does not: they were counted while they were there."""


@dataclass(frozen=True)
class Row:
    """One procedure or draft: `state` is detected, drafted, checked, refused, promoted or promoted
    elsewhere; `sessions` of what was only detected are those that did it.

    `because` are the faults of its last check, or why to demote it; `used` how often it was called
    since it was promoted, in `sessions` sessions, `last` when.
    """

    name: str
    state: str
    because: Sequence[str] = ()
    used: int = 0
    sessions: int = 0
    last: str = ""
    demote: str = ""
    folders: Sequence[str] = field(default=())


def report(
    store: Store, index: SessionIndex, scene: Scene, now: datetime,
    detected: Sequence[Procedure] = (),
) -> list[Row]:  # fmt: skip
    """What became of every draft, by name; of what was refused before it was one; and last what was
    detected and is no draft's, nor refused under its own name.
    """
    placed: dict[str, list[Promotion]] = {}
    for one in promotions(store):
        placed.setdefault(one.name, []).append(one)
    checks = every_check(store)
    found = []
    drafted = drafts(store)
    for draft in drafted:
        check = checks.get(draft.name)
        if draft.name in placed:
            here = [one for one in placed[draft.name] if is_here(store, one)]
            found.append(_promoted(draft, here, index, scene, now) if here else Row(
                draft.name, "promoted elsewhere",
                folders=[one.folder for one in placed[draft.name]],
            ))  # fmt: skip
        elif check and check.digest == draft.digest:
            state = "refused" if check.faults else "checked"
            found.append(Row(draft.name, state, check.faults))
        else:
            found.append(Row(draft.name, "drafted"))
    names = {row.name for row in found}
    found += [Row(name, "refused", one.faults) for name, one in checks.items()
              if name not in names and one.faults]  # fmt: skip
    names.update(row.name for row in found)
    steps = {draft.steps for draft in drafted}
    rest = [Row(one.name, "detected", sessions=len(one.sessions)) for one in detected
            if one.name not in names and one.steps not in steps]  # fmt: skip
    return sorted(found, key=lambda row: row.name) + rest


def _promoted(
    draft: Draft, here: Sequence[Promotion], index: SessionIndex, scene: Scene, now: datetime
) -> Row:
    """One that was promoted on this machine; a copy that is gone is a dead one."""
    since = min(one.at for one in here)
    used = [(session, time) for session, time in index.invoked(draft.name)
            if _moment(time) >= _moment(since)]  # fmt: skip
    last = used[-1][1] if used else ""
    because = [f"{fault.code}: {fault.message}" for fault in judge(draft, scene)
               if fault.code in DEAD]  # fmt: skip
    because += [f"{GONE}: {one.folder}/{one.name} is not there any more" for one in here
                if not one.is_there]  # fmt: skip
    if now - _moment(last or since) > UNUSED:
        because.append(f"not called for {(now - _moment(last or since)).days} days")
    return Row(
        draft.name, "promoted", because, len(used), len({session for session, _ in used}),
        last, f"memgit skills demote {draft.name}" if because else "",
        [one.folder for one in here],
    )  # fmt: skip


def _moment(told: str) -> datetime:
    """A time as transcripts and records write it; long ago where it is none."""
    try:
        found = datetime.fromisoformat(told)
    except ValueError:
        return datetime.fromisoformat("1970-01-01T00:00:00+00:00")
    return found if found.tzinfo else found.replace(tzinfo=datetime.now().astimezone().tzinfo)
