"""What a probe may say: that a claim holds, that it does not, that it may yet, or nothing.

The one rule: only what was looked up and not found is refuted. A look-up that failed is unknown,
and a probe of life has a type of its own in which there is no refutation.
"""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What is known of a claim."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    PENDING = "pending"
    """It holds on a branch or in a work tree that is not merged."""
    UNKNOWN = "unknown"


class Life(StrEnum):
    """What is known of something that can be seen alive, and never dead."""

    SUPPORTED = "supported"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Outcome:
    """An answer of a probe; `why` says what was seen, `moved_to` where it is now."""

    verdict: Verdict
    why: str = ""
    moved_to: str = ""


@dataclass(frozen=True)
class Sign:
    """An answer of a probe of life."""

    verdict: Life
    why: str = ""


def supported(why: str = "") -> Outcome:
    """It holds."""
    return Outcome(Verdict.SUPPORTED, why)


def refuted(why: str, moved_to: str = "") -> Outcome:
    """It was looked up where it would have to be, and is not there."""
    return Outcome(Verdict.REFUTED, why, moved_to)


def pending(why: str) -> Outcome:
    """It is there, but not where everybody has it."""
    return Outcome(Verdict.PENDING, why)


def unknown(why: str) -> Outcome:
    """Nothing can be said, and why."""
    return Outcome(Verdict.UNKNOWN, why)
