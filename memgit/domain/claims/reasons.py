"""What a label says of a refuted claim, written and read back.

The one rule: only what was written here is ever taken away here; a reason in other words is the
person's, and stays.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memgit.domain.claims.table import PROBES
from memgit.domain.operation import one_line

_FAILED = sorted({re.escape(probe.failed) for probe in PROBES.values() if probe.failed})
_REASON = re.compile(
    rf"(?P<subject>.+) (?P<failed>{'|'.join(_FAILED)}), checked (?P<date>\d{{4}}-\d\d-\d\d)"
    r"(?: \(moved to `(?P<moved_to>[^`]+)`\?\))?"
)

LONGEST = 160
"""Characters of a claim's subject in a label."""


@dataclass(frozen=True)
class Reason:
    """`subject` is what a memory names, `failed` what is wrong with it, `date` when it was seen."""

    subject: str
    failed: str
    date: str
    moved_to: str = ""

    @classmethod
    def of(cls, mention: str, probe: str, date: str, moved_to: str = "") -> "Reason":
        """The reason that a refuted claim gives."""
        return cls(
            subject_of(mention), PROBES[probe].failed, date, one_line(moved_to).replace("`", "")
        )

    @classmethod
    def parse(cls, text: str) -> "Reason | None":
        """The reason that a label gives, if it was written by `of`."""
        found = _REASON.fullmatch(text)
        if found is None:
            return None
        return cls(found["subject"], found["failed"], found["date"], found["moved_to"] or "")

    def __str__(self) -> str:
        moved = f" (moved to `{self.moved_to}`?)" if self.moved_to else ""
        return f"{self.subject} {self.failed}, checked {self.date}{moved}"

    def says_the_same(self, other: "Reason") -> bool:
        """Whether only the day differs."""
        return (self.subject, self.failed, self.moved_to) == (
            other.subject, other.failed, other.moved_to
        )  # fmt: skip


def subject_of(mention: str) -> str:
    """What a label calls a claim."""
    subject = one_line(mention)
    if len(subject) <= LONGEST:
        return subject
    return f"{subject[: LONGEST - 2]}…" + ("`" if subject.endswith("`") else "")


def revised(told: Sequence[str], refuted: Sequence[Reason], unseen: Iterable[str]) -> list[str]:
    """The reasons of a label after a look: the person's as they stand, ours as they are now.

    A reason that says the same keeps its day; one whose subject is among the `unseen` claims, of
    which nothing could be said this time, stays as it is.
    """
    waiting = set(map(subject_of, unseen))
    left = list(refuted)
    kept: list[str] = []
    for text in told:
        ours = Reason.parse(text)
        same = next((one for one in left if ours and one.says_the_same(ours)), None)
        if same is not None:
            left.remove(same)
        if ours is None or same is not None or ours.subject in waiting:
            kept.append(text)
    return [*kept, *map(str, left)]
