"""A time that a person names in a dialogue: dialogues of our own, and those of MultiWOZ 2.2.

The one rule: the source is the person's one utterance; what is planted is that time, hours off.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memgit.errors import UsageError
from memgit.evaluation.reclaim.problem import SLOT, Problem
from memgit.evaluation.reclaim.scoring import CLOCK, Gold

FILE = Path(__file__).with_name("dialogues.txt")
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_TIME_SLOT = re.compile(r"(?i)(\w+)-(arriveby|leaveat|booktime)")
_ASKED = {"arriveby": "arrival", "leaveat": "departure", "booktime": "the booking"}
"""Slots of MultiWOZ that hold a time of day → what that time is of."""


def own() -> list[tuple[str, str, str, str, str, str]]:
    """The rows of the file beside this one."""
    rows = (line.split(" | ") for line in FILE.read_text(encoding="utf-8").splitlines()
            if " | " in line and not line.startswith("#"))  # fmt: skip
    return [(a.strip(), b, c, d, e, f.strip()) for a, b, c, d, e, f in rows]


def slot(number: int, seed: int) -> Problem:
    """A dialogue of ours; which one, and how far the planted time is off, follows from the seed."""
    chance = random.Random(f"slot {seed} {number}")  # noqa: S311 - a seed
    rows = own()
    _, subject, asked, said, time, reply = rows[number % len(rows)]
    fact = said.format(time)
    return _problem(f"slot-{seed}-{number}", subject, asked, fact, time, chance,
                    (("user", fact), ("assistant", reply)))  # fmt: skip


def multiwoz(folder: Path, seed: int, count: int | None = None) -> list[Problem]:
    """The first time that a user states word for word, of each dialogue of MultiWOZ 2.2's files.

    Raises UsageError where `folder` holds no `dialogues_*.json`, or one that is no such file.
    """
    files = sorted(folder.rglob("dialogues_*.json"))
    if not files:
        raise UsageError(f"{folder}: no dialogues_*.json", "name a split of MultiWOZ 2.2, as dev/")
    found: list[Problem] = []
    for path in files:
        for dialogue in _dialogues(path):
            if made := _of_dialogue(dialogue, seed):
                found.append(made)
            if count is not None and len(found) == count:
                return found
    return found


def _dialogues(path: Path) -> list[Mapping[str, Any]]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise UsageError(f"{path}: {fault}", "a file of MultiWOZ 2.2 is a JSON list") from None
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise UsageError(f"{path}: no list of dialogues", "a file of MultiWOZ 2.2 is a JSON list")
    return given


def _of_dialogue(dialogue: Mapping[str, Any], seed: int) -> Problem | None:
    said: list[tuple[str, str]] = []
    for turn in _objects(dialogue.get("turns")):
        text = " ".join(str(turn.get("utterance", "")).split())
        is_user = str(turn.get("speaker", "")).upper() == "USER"
        said.append(("user" if is_user else "assistant", text))
        for asked, value in _times(turn) if is_user else ():
            if _TIME.fullmatch(value) and value in text:
                key = str(dialogue.get("dialogue_id", "?"))
                chance = random.Random(f"multiwoz {seed} {key}")  # noqa: S311 - a seed
                return _problem(f"multiwoz-{seed}-{key}", f"dialogue {key}", asked, text,
                                value, chance, tuple(said))  # fmt: skip
    return None


def _times(turn: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(what is asked, the time) of each slot of a turn that holds one word for word."""
    for frame in _objects(turn.get("frames")):
        for one in _objects(frame.get("slots")):
            match = _TIME_SLOT.fullmatch(str(one.get("slot")))
            if match and isinstance(one.get("value"), str):  # a list is copied from another slot
                of = _ASKED[match[2].lower()]
                yield f"the time of {of} ({match[1].lower()})", one["value"]


def _objects(given: object) -> list[Mapping[str, Any]]:
    """The objects of a list; none where somebody put another thing there."""
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []


def _problem(
    name: str, subject: str, asked: str, fact: str, time: str, chance: random.Random,
    dialogue: tuple[tuple[str, str], ...],
) -> Problem:  # fmt: skip
    hour = (int(time[:2]) + chance.choice((-3, 3))) % 24
    planted = f"{hour:02}:{time[3:]}"
    return Problem(
        name, SLOT, subject, asked, (fact,), f"A colleague noted {planted} for it.",
        asked, "the day", Gold(time, planted, CLOCK), (), dialogue,
    )  # fmt: skip
