"""A store's `memgit.toml`: the format version and every number that a person may set.

The one rule: a value outside its bounds is refused with its place and its bounds, never guessed.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memgit.errors import StoreError
from memgit.ports.model.choosing import DOORS
from memgit.prompt import place

FILE = "memgit.toml"
FIRST = 1
"""The format of a store whose settings name none."""
FORMAT = place.FORMAT
"""The newest store format that this program reads and writes."""

WEIGHTS: Mapping[str, float] = {
    "name": 3.0,
    "title": 3.0,
    "description": 2.0,
    "headings": 2.0,
    "code": 1.0,
    "aliases": 2.0,
    "asked_as": 2.0,
    "topics": 1.5,
    "body": 1.0,
}
"""How much a word counts in each field; "name" takes in the folders, "title" is the first heading.
Measured on seven stores of other people, each left out in turn: without a title of its own weight
a right memory is among the first two for six prompts of a hundred fewer; beyond that the plateau
is flat (name, title and description at 2 to 4, headings 1 to 2, code .75 to 1.5, body 1 to 1.5)."""


HALF_LIFE: Mapping[str, float] = {"project": 150.0, "reference": 600.0}
"""Days after which half of what age can take from a memory's rank is gone, by type; 0 for never.
States of a project pass, references last longer. Standing rules (user, feedback) have none."""


@dataclass(frozen=True)
class Recall:
    """What one prompt may bring: memories, and UTF-16 units of text."""

    memories: int = 2
    units: int = 2400


@dataclass(frozen=True)
class Cap:
    """How much of a file an agent is always given: lines, and UTF-16 units of text."""

    lines: int
    units: int


BUDGET = Cap(40, 2000)
"""What `MEMORY.md` may hold: far below where an agent stops reading, for it is read each time."""

PROFILE = Cap(14, 1400)
"""What `PROFILE.md` may hold."""


@dataclass(frozen=True)
class Models:
    """Which model the passes ask, and how much in a day: calls, and tokens in and out together.

    `answers` is the file of the door `replay`, in the store; with `batches`, the door `api` asks
    what can wait at half the price, and waits for it up to an hour.
    """

    door: str = "claude"
    name: str = "claude-haiku-5-5"
    calls_per_day: int = 100
    tokens_per_day: int = 2_000_000
    answers: str = "answers.jsonl"
    batches: bool = False


BOUNDS: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "recall": {"memories": (1, 3), "units": (200, 9500)},
    "weights": {name: (0.0, 100.0) for name in WEIGHTS},
    "half_life": {name: (0.0, 36500.0) for name in HALF_LIFE},
    "budget": {"lines": (0, 200), "units": (0, 25_000)},
    "profile": {"lines": (0, 60), "units": (0, 9_000)},
    "curate": {"brake": (0, 10_000), "pairs": (0, 10_000)},
    "model": {"calls_per_day": (0, 100_000), "tokens_per_day": (0, 10_000_000_000)},
}
"""Section → each number in it, and what it may be. Those of `budget` and `profile` go as far as
agents read."""

_COUNTS = ("recall", "budget", "profile", "curate", "model")
_KNOWN = ("format", "weights", "half_life", *_COUNTS, "projects", "verify")


@dataclass(frozen=True)
class Project:
    """Where a project is checked out on this machine, and its folder that `memories` came from."""

    path: str
    memories: str = ""


@dataclass(frozen=True)
class Verify:
    """What verifying may do: whether a URL may lead to this machine or its own net."""

    private_addresses: bool = False


@dataclass(frozen=True)
class Curate:
    """How much a pass may do unseen: `brake` is how many memories it may change in a day, `pairs`
    how many pairs of memories it may ask a model about in one run.
    """

    brake: int = 10
    pairs: int = 48


@dataclass(frozen=True)
class Settings:
    """The settings of one store."""

    format: int = FIRST
    recall: Recall = field(default_factory=Recall)
    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    half_life: Mapping[str, float] = field(default_factory=lambda: dict(HALF_LIFE))
    budget: Cap = BUDGET
    profile: Cap = PROFILE
    curate: Curate = field(default_factory=Curate)
    model: Models = field(default_factory=Models)
    projects: Mapping[str, Project] = field(default_factory=dict)
    verify: Verify = field(default_factory=Verify)

    @classmethod
    def load(cls, root: Path) -> "Settings":
        """Read `memgit.toml` of a store; defaults where it is silent. Raises StoreError.

        Of a format that is newer than this program only its number is taken: whatever else it says
        may mean something else by now.
        """
        path = root / FILE
        try:
            with path.open("rb") as file:
                table = tomllib.load(file)
        except FileNotFoundError:
            return cls()
        except OSError as fault:
            raise StoreError(f"{path}: {fault.strerror}") from None
        except (ValueError, RecursionError) as fault:
            raise StoreError(f"{path}: {fault}", "mend the TOML") from None
        version = table.get("format", FIRST)
        if type(version) is not int or version < FIRST:
            raise StoreError(
                f"{path}: the store's format is {version}, this memgit knows {FIRST} to {FORMAT}",
                "put back the number that stood there: `git log -p memgit.toml`",
            )
        if version > FORMAT:
            return cls(format=version)
        for name in table:
            if name not in _KNOWN:
                raise StoreError(f"{path}: unknown setting {name}", f"known: {', '.join(_KNOWN)}")
        weights = _numbers(path, table, "weights")
        lives = _numbers(path, table, "half_life")
        curate = _numbers(path, table, "curate")
        limits = _numbers(path, table, "recall")
        return cls(
            format=version,
            recall=Recall(**{name: int(value) for name, value in limits.items()}),
            weights={**WEIGHTS, **weights},
            half_life={**HALF_LIFE, **lives},
            budget=_cap(path, table, "budget", BUDGET),
            profile=_cap(path, table, "profile", PROFILE),
            projects=dict(_projects(path, table)),
            verify=_verify(path, table),
            curate=Curate(**{name: int(value) for name, value in curate.items()}),
            model=_models(path, table),
        )


def _models(path: Path, table: Mapping[str, Any]) -> Models:
    """What `[model]` says: texts, and caps from nothing on."""
    given = table.get("model", {})
    bounds = BOUNDS["model"]
    told: dict[str, Any] = {}
    rest = given
    if isinstance(given, dict):
        rest = {name: value for name, value in given.items() if name not in _TEXTS}
        for name in rest.keys() - {*bounds, "batches"}:
            known = ", ".join((*_TEXTS, *bounds, "batches"))
            raise StoreError(f"{path}: unknown setting model.{name}", f"known: {known}")
        if type(batches := rest.pop("batches", False)) is not bool:
            raise StoreError(f"{path}: model.batches is {batches!r}", "it is true or false")
        told["batches"] = batches
        for name in given.keys() & _TEXTS.keys():
            told[name] = _text(path, name, given[name])
    caps = _numbers(path, {"model": rest}, "model")
    told.update({name: int(value) for name, value in caps.items()})
    return Models(**told)


_TEXTS: Mapping[str, tuple[str, ...]] = {"door": DOORS, "name": (), "answers": ()}
"""Settings of a model that are texts, and what they may be; () for anything."""


def _text(path: Path, name: str, value: object) -> str:
    among = _TEXTS[name]
    if isinstance(value, str) and value.strip() and (not among or value in among):
        return value
    known = f"it is one of {', '.join(among)}" if among else "write a text in quotes"
    raise StoreError(f"{path}: model.{name} is {value!r}", known)


def _projects(path: Path, table: Mapping[str, Any]) -> Iterator[tuple[str, Project]]:
    """Each project as `name = "folder"`, or with the folder that its memories came from."""
    for name, value in _section(path, table, "projects").items():
        given = {"path": value} if isinstance(value, str) else value
        texts = isinstance(given, dict) and all(isinstance(one, str) for one in given.values())
        if not texts or not given.get("path") or given.keys() - {"path", "memories"}:
            raise StoreError(
                f"{path}: projects.{name} names no folder",
                f'write it like "{name}" = "~/src/{name.rpartition("/")[2]}"',
            )
        yield name, Project(given["path"], given.get("memories", "").strip("/"))


def _verify(path: Path, table: Mapping[str, Any]) -> Verify:
    given = _section(path, table, "verify")
    for name, value in given.items():
        if name != "private_addresses":
            raise StoreError(f"{path}: unknown setting verify.{name}", "known: private_addresses")
        if not isinstance(value, bool):
            raise StoreError(f"{path}: verify.{name} is neither true nor false")
    return Verify(**given)


def _section(path: Path, table: Mapping[str, Any], section: str) -> dict[str, Any]:
    given = table.get(section, {})
    if not isinstance(given, dict):
        raise StoreError(f"{path}: `{section}` is not a section", f"write it as [{section}]")
    return given


def _cap(path: Path, table: Mapping[str, Any], section: str, usual: Cap) -> Cap:
    """The cap that a section sets, or what is usual."""
    given = {name: int(value) for name, value in _numbers(path, table, section).items()}
    return replace(usual, **given)


def _numbers(path: Path, table: Mapping[str, Any], section: str) -> dict[str, float]:
    """The numbers of one section, each within its bounds."""
    given = _section(path, table, section)
    bounds = BOUNDS[section]
    for name, value in given.items():
        if name not in bounds:
            known = ", ".join(bounds)
            raise StoreError(f"{path}: unknown setting {section}.{name}", f"known: {known}")
        low, high = bounds[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise StoreError(f"{path}: {section}.{name} is not a number")
        if section in _COUNTS and isinstance(value, float):
            raise StoreError(f"{path}: {section}.{name} is {value}, not a whole number")
        if not low <= value <= high:
            raise StoreError(f"{path}: {section}.{name} is {value}, not within {low} to {high}")
    return {name: float(value) for name, value in given.items()}
