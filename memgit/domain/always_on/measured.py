"""What a store gives an agent in every session, each part measured against each of its limits.

The one rule: it measures what stands in the work tree, as the next session will load it.
"""

from dataclasses import dataclass

from memgit.domain.always_on.budget import ALWAYS_ON, CLIFF, Measure, measure
from memgit.domain.memory import NOT_MEMORIES, decode
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.prompt.profile import INTRODUCTION, rows_of, units

INDEX, PROFILE = NOT_MEMORIES
"""The files of the listing and the profile; the modules that write them would take time to load."""

TOGETHER = "all that is always on"

AGENT, STORE, ADVISED = "Claude Code", "this store", "advised"
"""Whose limit it is."""


@dataclass(frozen=True)
class Gauge:
    """A file, whose limit it is held against, and how it measures."""

    file: str
    whose: str
    measure: Measure


def gauges(store: Store) -> list[Gauge]:
    """One for each limit of a store, the agent's own first."""
    text = _text(store, INDEX)
    profile = "\n".join(profile_lines(store))
    caps = store.settings
    return [
        Gauge(INDEX, AGENT, measure(text, CLIFF)),
        Gauge(INDEX, STORE, measure(text, caps.budget)),
        Gauge(PROFILE, STORE, measure(profile, caps.profile)),
        Gauge(TOGETHER, ADVISED, _together(text, profile)),
    ]


def profile_lines(store: Store) -> list[str]:
    """The profile's lines as an agent is given them, the one that stays longest first."""
    return [line for _, line in rows_of(_text(store, PROFILE).replace("\r\n", "\n"))]


def _text(store: Store, file: str) -> str:
    return decode(store.content(file))[0] if (store.root / file).is_file() else ""


def _together(index: str, profile: str) -> Measure:
    """The text of both as an agent gets it; lines are not limited together."""
    given = f"{INTRODUCTION}\n{profile}" if profile else ""
    first, second = measure(index), measure(given)
    return Measure(first.lines + second.lines, min(first.units, CLIFF.units) + units(given),
                   Cap(0, ALWAYS_ON))  # fmt: skip
