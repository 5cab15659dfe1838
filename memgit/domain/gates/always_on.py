"""The gate on what an agent is given in every session: `MEMORY.md` and `PROFILE.md`.

The one rule: it counts as the agent counts, and names the first line that is not loaded.
"""

import tomllib
from collections.abc import Iterator

from memgit.domain.always_on.budget import Measure, measure
from memgit.domain.gates.scope import File, Scope
from memgit.domain.memory import NOT_MEMORIES
from memgit.domain.settings import FILE as SETTINGS
from memgit.domain.settings import PROFILE as USUAL
from memgit.domain.settings import Cap
from memgit.errors import Fault
from memgit.prompt.profile import rows_of, within

INDEX, PROFILE = NOT_MEMORIES


def budget(scope: Scope) -> Iterator[Fault]:
    """Lines of `MEMORY.md` that Claude Code does not load, and lines that the profile's cap keeps
    from being given.
    """
    for file in scope.beside:
        if file.path == INDEX and (found := measure(file.text)).is_over:
            yield _past(found)
        if file.path == PROFILE:
            yield from _of_profile(file, _cap(scope))


def _past(found: Measure) -> Fault:
    size = f"{found.lines:,} lines and {found.units:,} units of text"
    if found.cut:
        return Fault(INDEX, found.cut, "budget", f"{size}; only the start of this line is loaded")
    count = len(found.past)
    which = "this line is" if count == 1 else f"{count} lines from here on are"
    return Fault(INDEX, found.past[0][0], "budget", f"{size}; {which} not loaded")


def _of_profile(file: File, cap: Cap) -> Iterator[Fault]:
    rows = rows_of(file.text)
    given = within([line for _, line in rows], cap.lines, cap.units)
    if given < len(rows):
        text = f"{len(rows) - given} of {len(rows)} lines, from here on, are not given"
        yield Fault(PROFILE, rows[given][0] + 1, "budget", text)


def _cap(scope: Scope) -> Cap:
    """The profile's cap, from the settings where they are looked at too."""
    for file in scope.beside:
        if file.path == SETTINGS:
            try:
                section = tomllib.loads(file.text).get("profile", {})
                return Cap(*(int(section.get(key, getattr(USUAL, key)))
                             for key in ("lines", "units")))  # fmt: skip
            except (ValueError, TypeError, AttributeError):
                return USUAL  # opening the store tells what is wrong with them
    return USUAL
