"""How right detection is: what it reports, against procedures that people found by reading.

The one rule: a listed procedure is matched once, so that what is reported twice is wrong once.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.domain.skills.procedure import Procedure

FILE = "recurring.json"

ALIKE = 0.5
"""Of the steps of both, those that are the same; and of the fewer sessions, those in both."""

_WORDS = re.compile(r"[a-z0-9]+(?::[a-z]+)?")
_ARROW = re.compile(r"->|→|,|\(|\)|;")

Listed = Mapping[str, Any]


class BadLabels(ValueError):
    """The file of listed procedures is not one."""


@dataclass(frozen=True)
class Judged:
    """What was found right: listed procedure → the reported one; and what was wrong."""

    matched: Mapping[str, Procedure]
    missed: Sequence[str]
    wrong: Sequence[Procedure]
    lookalikes: Mapping[str, str]

    @property
    def recall(self) -> float:
        """Of the listed procedures, those that were reported."""
        return len(self.matched) / max(1, len(self.matched) + len(self.missed))

    @property
    def precision(self) -> float:
        """Of the reported procedures, those that are listed."""
        return len(self.matched) / max(1, len(self.matched) + len(self.wrong))


def load(path: Path) -> tuple[list[Listed], list[Listed]]:
    """(procedures, look-alikes) of a file of labels. Raises BadLabels, OSError."""
    try:
        told = json.loads(path.read_text("utf-8"))
        return list(told["procedures"]), list(told["not_counting"])
    except (ValueError, KeyError, TypeError) as fault:
        raise BadLabels(f"{path}: {fault}") from None


def judge(
    reported: Sequence[Procedure], listed: Sequence[Listed], lookalikes: Sequence[Listed]
) -> Judged:
    """Match what was reported with what is listed, the most alike first."""
    pairs = sorted(
        ((likeness(one, other), number, place)
         for number, one in enumerate(reported) for place, other in enumerate(listed)),
        key=lambda pair: (-pair[0], pair[1:]),
    )  # fmt: skip
    matched: dict[int, int] = {}
    for likeness_, number, place in pairs:
        if likeness_ and number not in matched and place not in matched.values():
            matched[number] = place
    wrong = [one for number, one in enumerate(reported) if number not in matched]
    found = {str(listed[place]["id"]): reported[number] for number, place in matched.items()}
    missed = [str(one["id"]) for one in listed if str(one["id"]) not in found]
    alike = {one.name: str(other["what"]) for one in wrong for other in lookalikes
             if _is_lookalike(one, other)}  # fmt: skip
    return Judged(found, missed, wrong, alike)


def likeness(one: Procedure, other: Listed) -> float:
    """How alike a reported and a listed procedure are, from 0 to 1; 0 where they are not the same.

    At least two steps are the same, in order, and half of all; so are half of the fewer sessions.
    """
    theirs = {str(each["session"]) for each in other["sessions"]}
    both = theirs & set(one.sessions)
    fewer = min(len(theirs), len(one.sessions))
    same = _same_steps(one.steps, [str(step) for step in other["steps"]])
    share = 2 * same / (len(one.steps) + len(other["steps"]))
    if same < 2 or share < ALIKE or len(both) < ALIKE * fewer:
        return 0.0
    return share * len(both) / len(theirs | set(one.sessions))


def _same_steps(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The longest run of steps, in order, of which each is the same as one of theirs."""
    best = [0] * (len(theirs) + 1)
    for step in ours:
        row = [0]
        for place, other in enumerate(theirs):
            row.append(max(best[place + 1], row[place], best[place] + _is_same(step, other)))
        best = row
    return best[-1]


def _is_same(ours: str, theirs: str) -> bool:
    """Whether all words of a step, or of one form of it, are among those of the other."""
    words = _words(theirs)
    return any(_words(form) <= words for form in ours.split(" | "))


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _WORDS.findall(text.lower())}


def _is_lookalike(one: Procedure, other: Listed) -> bool:
    """Whether every step of what was reported is one of those that are not to be counted."""
    told = _ARROW.split(f"{other['what']}, {other['why']}")
    there = set(map(str, other["sessions"])) & set(one.sessions)
    return bool(there) and all(any(_is_same(step, part) for part in told) for step in one.steps)


def record(judged: Judged) -> dict[str, Any]:
    """The figures as JSON has them."""
    return {
        "recall": round(judged.recall, 3),
        "precision": round(judged.precision, 3),
        "listed": len(judged.matched) + len(judged.missed),
        "reported": len(judged.matched) + len(judged.wrong),
        "matched": {name: one.name for name, one in judged.matched.items()},
        "missed": list(judged.missed),
        "wrong": [one.name for one in judged.wrong],
        "lookalikes": dict(judged.lookalikes),
    }
