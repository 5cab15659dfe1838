"""What a shell may offer behind a verb: names of memories, operations, proposals that wait.

The one rule: a person waits for it between two keys, so it is read from what was derived already,
and nothing is said where there is none. A shell pastes it into a command line: a word that means
something to a shell is not offered.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memgit.prompt import place
from memgit.prompt.table import BrokenTable, Table

Offer = tuple[str, str]
"""A word, and what to say beside it."""

OPERATIONS = 50
"""Commits that are offered: those that one may still mean."""

BESIDE = 80
"""Characters that are said beside a word."""

_PLAIN = frozenset("-_./@+")
"""What may stand in a word beside letters and digits: no shell takes it for anything else."""


def memories(named: str | None) -> list[Offer]:
    """The memories of the store by name, each with its description; retired ones as well."""
    try:
        table = Table(f"{_derived(named)}/table")
        return list(_offered(_records(table)))
    except (BrokenTable, place.NoStore, OSError, KeyError, TypeError):
        return []


def operations(named: str | None) -> list[Offer]:
    """The last commits of the store, newest first, each with its subject."""
    from memgit.ports.git_settings import ENVIRONMENT, QUIET
    from memgit.ports.processes import run

    with suppress(place.NoStore):
        words = ["git", "-C", _root(named), *QUIET, "log", f"-{OPERATIONS}", "--format=%h%x09%s"]
        lines = run(words, environment=ENVIRONMENT).out.decode("utf-8", "replace").splitlines()
        parts = (line.partition("\t") for line in lines)
        return list(_offered((commit, subject) for commit, _, subject in parts))
    return []


def proposals(named: str | None) -> list[Offer]:
    """The ids of the proposals that wait."""
    with suppress(place.NoStore, OSError):
        files = sorted((Path(_derived(named)) / "proposals").glob("*.json"))
        return list(_offered((file.stem, "") for file in files))
    return []


def _records(table: Table) -> Iterator[Offer]:
    for segment in table.segments:
        for number in range(segment.memories):
            if number not in segment.deleted and (record := segment.record(number)):
                yield record["name"], record["description"]


def _offered(found: Iterator[Offer]) -> Iterator[Offer]:
    """Those that can be pasted anywhere, with what can be shown on one line."""
    for word, said in found:
        if word[:1].isalnum() and all(one.isalnum() or one in _PLAIN for one in word):
            yield word, "".join(one if one.isprintable() else " " for one in said[:BESIDE])


def _derived(named: str | None) -> str:
    return place.derived(_root(named))


def _root(named: str | None) -> str:
    """The store that a verb would find: named, in MEMGIT_REPO, stood in, or recorded."""
    environment = dict(os.environ)
    if not (named or environment.get("MEMGIT_REPO")):
        with suppress(OSError):
            standing = Path.cwd()
            for folder in (standing, *standing.parents):
                if (folder / place.MARK).is_file():
                    return str(folder)
    return os.path.expanduser(place.find(named or "", environment))
