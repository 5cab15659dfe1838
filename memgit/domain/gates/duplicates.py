"""The gate on memories that say what another one says.

The one rule: a body is compared only with those whose sketch is like its own, so that one more
memory costs what it is, not what the store holds; and it is told once, however many are like it.
"""

from collections.abc import Iterator

from memgit.domain.gates.register import Entry, shingles
from memgit.domain.gates.scope import Scope
from memgit.domain.memory import key_of
from memgit.errors import Fault

ALIKE = 0.9
"""Share of the runs of words that two bodies have in common, from which they count as the same."""

SHORT = 8
"""Runs of words below which only the same body counts: two short lines are easily alike."""


def duplicate(scope: Scope) -> Iterator[Fault]:
    """Bodies that are the same, or nearly, and names that differ only in how they are written."""
    judged = {file.path for file in scope.files}
    for file in scope.files:
        own = scope.register.entries[file.path]
        for other in scope.register.spelled(own.name):
            if key_of(other.name) != key_of(own.name) and _tells(own, other, judged):
                text = f"{own.name} is {other.name} ({other.path}) in another spelling"
                yield Fault(file.path, file.line_of("name"), "duplicate", text)
        pairs = [other for other in scope.register.alike(own) if _tells(own, other, judged)]
        shares = {other.path: share for other in pairs if (share := _share(scope, own, other))}
        if shares:  # told once, also where a hundred say the same
            path = min(shares, key=lambda one: (-shares[one], one))
            much = "the same text" if shares[path] == 1 else f"{shares[path]:.0%} the same text"
            more = f" and {len(shares) - 1} more" if len(shares) > 1 else ""
            text = f"{much} as {scope.register.entries[path].name} ({path}){more}"
            yield Fault(file.path, file.body_line, "duplicate", text)


def _tells(own: Entry, other: Entry, judged: set[str]) -> bool:
    """Whether a pair is told here: once, and not where one has replaced the other."""
    if own.superseded_by or other.superseded_by:
        return False
    return own.path != other.path and (other.path not in judged or other.path < own.path)


def _share(scope: Scope, own: Entry, other: Entry) -> float:
    """How much of two bodies is the same, 1 for all of it; 0 where that is too little."""
    if own.digest and own.digest == other.digest:
        return 1.0
    if len(own.sketch) < SHORT:
        return 0.0
    mine, theirs = shingles(scope.body(own.path)), shingles(scope.body(other.path))
    share = len(mine & theirs) / len(mine | theirs)
    return min(share, 0.999) if share >= ALIKE else 0.0
