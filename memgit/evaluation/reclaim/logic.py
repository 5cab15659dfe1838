"""Puzzles of order and of assignment, brute-forced: the right answer and the planted one are each
the only one.

The one rule: a puzzle whose clues leave a choice, or whose planted clue changes nothing, is none.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, permutations

from memgit.evaluation.reclaim.ledgers import subject
from memgit.evaluation.reclaim.problem import ASSIGNMENT, ORDER, Problem
from memgit.evaluation.reclaim.scoring import Gold

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Edda", "Finn", "Gil", "Hana", "Ivo", "Juno", "Kaz", "Lin")
THINGS = ("badge", "compass", "drill", "ledger", "lamp", "map", "radio", "rope", "shovel", "tent")

_AHEAD = re.compile(r"\b(\w+) came in ahead of (\w+)\b")
_HAS = re.compile(r"\b([A-Z]\w+) (has|does not have) the (\w+)\b")


def order(number: int, seed: int) -> Problem:
    """Who came in last, or second, of four or five."""
    chance = random.Random(f"order {seed} {number}")  # noqa: S311 - a seed
    while True:
        names = chance.sample(NAMES, chance.choice((4, 5)))
        place = chance.choice(("last", "second"))
        clues = list(pairwise(names))
        wrong = chance.randrange(len(clues))
        facts = [_ahead(*clue) for clue in clues]
        chance.shuffle(facts)
        planted = _ahead(*reversed(clues[wrong]))
        true = answers(facts, f"who came in {place}")
        false = answers([planted if one == _ahead(*clues[wrong]) else one for one in facts],
                        f"who came in {place}")  # fmt: skip
        if len(true) == len(false) == 1 and true != false:
            break
    other = next(clue for clue in clues if clue != clues[wrong])
    return Problem(
        f"order-{seed}-{number}", ORDER, subject(number, "race"), f"who came in {place}",
        tuple(facts), f"A colleague noted that {planted}",
        f"the clue about {clues[wrong][0]} and {clues[wrong][1]}",
        f"the clue about {other[0]} and {other[1]}",
        Gold(true.pop(), false.pop(), tuple(sorted(names))),
    )  # fmt: skip


def assignment(number: int, seed: int) -> Problem:
    """Which of three has a thing that no clue gives to anybody."""
    chance = random.Random(f"assignment {seed} {number}")  # noqa: S311 - a seed
    while True:
        names, things = chance.sample(NAMES, 3), chance.sample(THINGS, 3)
        facts = [f"{names[0]} has the {things[0]}.", f"{names[1]} does not have the {things[1]}."]
        planted = f"{names[1]} has the {things[1]}."
        asked = f"who has the {chance.choice(things[1:])}"
        everybody = f"{', '.join(names)} have one each of {', '.join(things)}."
        true = answers([everybody, *facts], asked)
        false = answers([everybody, facts[0], planted], asked)
        if len(true) == len(false) == 1 and true != false:
            break
    return Problem(
        f"assignment-{seed}-{number}", ASSIGNMENT, subject(number, "kit"), asked,
        (everybody, *facts), f"A colleague noted that {planted}",
        f"the clue about {names[1]}", f"the clue about {names[0]}",
        Gold(true.pop(), false.pop(), tuple(sorted(names))),
    )  # fmt: skip


def answers(facts: Iterable[str], asked: str) -> set[str]:
    """Every answer that some world in which the facts hold gives; empty where none holds."""
    text = " ".join(facts)
    if match := re.search(r"came in (last|second)", asked):
        return _of_order(text, -1 if match[1] == "last" else 1)
    if match := re.search(r"has the (\w+)", asked):
        return _of_assignment(text, match[1])
    return set()


def _of_order(text: str, place: int) -> set[str]:
    clues = [(match[1], match[2]) for match in _AHEAD.finditer(text)]
    names = sorted({name for clue in clues for name in clue})
    if len(names) < 2:
        return set()
    return {
        line[place] for line in permutations(names)
        if all(line.index(one) < line.index(other) for one, other in clues)
    }  # fmt: skip


def _of_assignment(text: str, thing: str) -> set[str]:
    told = re.search(r"(\w+), (\w+), (\w+) have one each of (\w+), (\w+), (\w+)\.", text)
    if not told:
        return set()
    names, things = told.groups()[:3], told.groups()[3:]
    clues = [match.groups() for match in _HAS.finditer(text)]
    return {
        name
        for world in _worlds(names, things)
        if all((world.get(who) == what) == (how == "has") for who, how, what in clues)
        for name in names
        if world[name] == thing
    }


def _worlds(names: Sequence[str], things: Sequence[str]) -> Iterator[dict[str, str]]:
    return (dict(zip(names, line, strict=True)) for line in permutations(things))


def _ahead(one: str, other: str) -> str:
    return f"{one} came in ahead of {other}."


MAKE: dict[str, Callable[[int, int], Problem]] = {ORDER: order, ASSIGNMENT: assignment}
