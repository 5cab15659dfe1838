"""How often deeds were done, and which stand before which: the numbers that finding decides on.

The one rule: a session counts once for a pair, however often it repeats it; times are kept beside.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from memgit.domain.skills.deeds import Deed

SESSIONS = 3
"""Distinct sessions without which nothing is a procedure."""

SHARE = 0.5
"""Of the sessions that did a step, those that had done the one before it just before."""

TIMES = (0.4, 0.6)
"""Of the times that a step was done, those with the one before it right before it; and those with
it at most one deed away, where that is asked for."""

LIFT = 3.0
"""How much more often than by chance it stands there."""

ORDERED = 2.0
"""How much more sessions have the two in this order than in the other."""

Sessions = Mapping[str, Sequence[Deed]]
Pair = tuple[str, str]


class Counts:
    """The counts over some sessions."""

    def __init__(self, sessions: Sessions) -> None:
        self.times: Counter[str] = Counter()
        self.held: dict[str, set[str]] = defaultdict(set)
        self._near: list[tuple[Counter[Pair], dict[Pair, set[str]]]] = [
            (Counter(), defaultdict(set)) for _ in TIMES
        ]
        for session, deeds in sessions.items():
            for place, deed in enumerate(deeds):
                self.times[deed.name] += 1
                self.held[deed.name].add(session)
                for gap in range(len(TIMES)):
                    self._add(session, deeds[max(0, place - 1 - gap) : place], deed, gap)

    def _add(self, session: str, before: Sequence[Deed], deed: Deed, gap: int) -> None:
        times, held = self._near[gap]
        for name in {one.name for one in before} - {deed.name}:
            times[name, deed.name] += 1
            held[name, deed.name].add(session)

    @cached_property
    def enough(self) -> list[str]:
        """What enough sessions did, sorted."""
        return sorted(name for name, held in self.held.items() if len(held) >= SESSIONS)

    @cached_property
    def _all(self) -> int:
        return self.times.total()

    def before(self, name: str) -> str | None:
        """What leads up to a deed: right before it, else at most one deed away; None for nothing.

        Of several it is the one that stands there most beyond chance.
        """
        for gap in range(len(TIMES)):
            leads = [
                (self._lift(other, name, gap), other)
                for other in self.enough
                if self._leads(other, name, gap)
            ]
            if leads:
                return max(leads)[1]
        return None

    def leads(self, name: str) -> bool:
        """Whether a deed leads up to any other."""
        return any(self.before(other) == name for other in self.enough)

    def _leads(self, before: str, name: str, gap: int) -> bool:
        times, held = self._near[gap]
        sessions = len(held.get((before, name), ()))
        return (
            sessions >= SESSIONS
            and sessions >= SHARE * len(self.held[name])
            and times[before, name] >= TIMES[gap] * self.times[name]
            and sessions >= ORDERED * len(held.get((name, before), ()))
            and self._lift(before, name, gap) >= LIFT
        )

    def _lift(self, before: str, name: str, gap: int) -> float:
        seen = self._near[gap][0][before, name]
        return seen * self._all / (self.times[before] * self.times[name] * (gap + 1))
