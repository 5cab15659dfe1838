"""What is looked at before a procedure begins: steps that change nothing, and are part of it.

The one rule: a look is a step only where most sessions looked so just before this, and not as much
before everything else.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from memgit.domain.skills.counting import SESSIONS, SHARE, Sessions
from memgit.domain.skills.deeds import Deed

LOOKED = 2.0
"""How much more often a look precedes the first step than it precedes any deed."""

MOST_NAMES = 3
"""Looks of one program that are named together."""

OR = " | "
"""What stands between looks of one program of which a session took one or the other."""

First = tuple[str, Deed]
"""A session, and the deed with which the procedure began there."""


def looked_before(sessions: Sessions, found: Sequence[First]) -> tuple[str, ...]:
    """The looks before the first step, in their usual order; else looks of one program together."""
    deeds = [deed for each in sessions.values() for deed in each]
    single = _kept(deeds, found, lambda name: name)
    if single:
        return tuple(single)
    together = _kept(deeds, found, lambda name: name.partition(" ")[0])
    return tuple(OR.join(names) for names in together.values())


def _kept(
    deeds: Sequence[Deed], found: Sequence[First], group: Callable[[str], str]
) -> dict[str, list[str]]:
    """Group of looks → their names, most usual first; groups in the order in which they come."""
    usual: Counter[str] = Counter()
    for deed in deeds:
        usual.update({group(look.name) for look in deed.looks})
    held: dict[str, set[str]] = defaultdict(set)
    places: dict[str, list[int]] = defaultdict(list)
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for session, first in found:
        for at, key in enumerate(dict.fromkeys(group(look.name) for look in first.looks)):
            held[key].add(session)
            places[key].append(at)
            names[key].update({look.name for look in first.looks if group(look.name) == key})
    least = max(SESSIONS, SHARE * len({session for session, _ in found}))
    kept = [
        key
        for key, where in held.items()
        if len(where) >= least and len(places[key]) / len(found) >= LOOKED * usual[key] / len(deeds)
    ]
    kept.sort(key=lambda key: (sum(places[key]) / len(places[key]), key))
    return {key: _usual(names[key])[:MOST_NAMES] for key in kept}


def _usual(names: Counter[str]) -> list[str]:
    """The names, most usual first; of two that are as usual always the same one first."""
    return [name for name, _ in sorted(names.items(), key=lambda one: (-one[1], one[0]))]
