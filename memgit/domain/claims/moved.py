"""Where a file or folder that is gone went to, as git's history tells: renames, one after another.

The one rule: only what is there now is a place to have moved to; a file that was renamed and then
deleted is gone.
"""

from collections import Counter
from collections.abc import Iterable

from memgit.domain.claims.root import Root
from memgit.ports.checkout import Event, Unreadable

MOST = 300
"""Files of a gone folder that are asked for."""

SHARE = 0.6
"""The part of a folder's files that must have gone to one place."""


class Moves:
    """The renames of one root; each commit is asked once, many at a time."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._known: dict[str, dict[str, str]] = {}

    def prepare(self, paths: Iterable[str]) -> None:
        """Ask git for the renames that these gone files may have gone through."""
        waiting = [event for path in paths if (event := self._root.gone.get(path))]
        while waiting:
            asked = {event.commit for event in waiting} - set(self._known)
            self._learn(asked)
            events = (self._next(self._step(event), event) for event in waiting)
            waiting = [event for event in events if event and event.commit not in self._known]

    def file(self, path: str) -> str:
        """Where a gone file is now; "" where it is nowhere."""
        event = self._root.gone.get(path)
        while event:
            self._learn({event.commit} - set(self._known))
            place = self._step(event)
            if not place or self._root.has(place):
                return place
            event = self._next(place, event)
        return ""

    def folder(self, path: str) -> str:
        """Where most files of a gone folder went, keeping their places in it; "" for nowhere."""
        inner = [one for one in self._root.gone if one.startswith(f"{path}/")][:MOST]
        self.prepare(inner)
        places: Counter[str] = Counter()
        for one in inner:
            rest = one.removeprefix(path)
            if (place := self.file(one)).endswith(rest):
                places[place.removesuffix(rest)] += 1
        best = places.most_common(1)
        if best and best[0][0] in self._root.folders and best[0][1] >= SHARE * len(inner):
            return best[0][0]
        return ""

    def _learn(self, commits: set[str]) -> None:
        if not commits:
            return
        try:
            found = self._root.checkout.renames(sorted(commits)) if self._root.checkout else {}
        except Unreadable:
            found = {}
        self._known.update({commit: found.get(commit, {}) for commit in commits})

    def _step(self, event: Event) -> str:
        return self._known.get(event.commit, {}).get(event.path, "")

    def _next(self, place: str, before: Event) -> Event | None:
        """How a place that a file went to went itself, later."""
        after = self._root.gone.get(place)
        return after if after and after.at < before.at else None
