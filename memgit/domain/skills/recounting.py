"""Counting again what a draft says was counted, from the index and nothing else.

The one rule: a draft's own words are a claim. What holds is what sessions are seen to have done.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memgit.domain.skills.counting import Sessions
from memgit.domain.skills.finding import EDIT, FAR, occurrences
from memgit.domain.skills.looks import OR


@dataclass(frozen=True)
class Recount:
    """The sessions that did it, and of those the ones in which a step failed first."""

    sessions: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()


def recount(sessions: Sessions, steps: Sequence[str]) -> Recount:
    """Which sessions did these steps in this order."""
    names = {deed.name for deeds in sessions.values() for deed in deeds}
    acts = tuple(step for step in steps if step != EDIT and step in names)
    looks = {name for step in steps if step not in acts and step != EDIT
             for name in step.split(OR)}  # fmt: skip
    if not acts or (len(acts) == 1 and not looks):
        return Recount()
    if len(acts) == 2 and acts[0] == acts[1]:
        return _mended(sessions, acts[0])
    found = occurrences(sessions, acts, FAR)
    if len(acts) == 1:
        found = [(one, first) for one, first in found
                 if looks.intersection(look.name for look in first.looks)]  # fmt: skip
    return Recount(
        frozenset(one.session for one, _ in found),
        frozenset(one.session for one, _ in found if one.failed),
    )


def _mended(sessions: Sessions, name: str) -> Recount:
    held = frozenset(
        session
        for session, deeds in sessions.items()
        if any(one.name == name and one.mended and one.failed_first and one.ended_well
               for one in deeds)
    )  # fmt: skip
    return Recount(held, held)
