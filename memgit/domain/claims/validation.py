"""Whether a probe's name and arguments may be asked at all, whoever gave them.

The one rule: what is refused is refused with its reason, and before anything runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from memgit.domain.claims.arguments import Arguments, refusal
from memgit.domain.claims.table import PROBES

MOODS = {
    "open": "a pull request that is open can be merged or closed in the next minute",
    "closed": "a pull request that is closed can be opened again",
    "pr_open": "a pull request that is open can be merged or closed in the next minute",
    "pr_closed": "a pull request that is closed can be opened again",
}
"""States that pass, which no claim can rest on: only `merged` stays."""


@dataclass(frozen=True)
class Accepted:
    """A probe that may be asked with these arguments."""

    probe: str
    arguments: Arguments


@dataclass(frozen=True)
class Refusal:
    """What is no claim, why not, and on which line of the file; 0 for none."""

    mention: str
    reason: str
    line: int


def accepted(probe: str, given: object, mention: str, line: int = 0) -> Accepted | Refusal:
    """The probe and its arguments, whole or not at all."""
    if why := MOODS.get(probe):
        return Refusal(mention, f"{probe.removeprefix('pr_')} is a mood, not a state: {why}", line)
    if probe not in PROBES:
        return Refusal(mention, f"no probe is named {probe[:40]!r}", line)
    if not isinstance(given, Mapping):
        return Refusal(mention, f"{probe}: its arguments are no mapping", line)
    if why := refusal(PROBES[probe].takes, given):
        return Refusal(mention, f"{probe}: {why}", line)
    return Accepted(probe, {name: given[name] for name in PROBES[probe].takes
                            if given.get(name) is not None})  # fmt: skip
