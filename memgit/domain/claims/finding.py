"""Which file of a root a memory means by a path, and what became of it.

The one rule: a path is gone where it was, or where its folder is and it is not; a word that no
folder and no history of the root knows says nothing.
"""

import posixpath
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from memgit.domain.claims.moved import Moves
from memgit.domain.claims.root import Root

SHORTEST = 4
"""Characters of a bare file name that are looked for in all folders."""


class State(StrEnum):
    """What a path is to a root."""

    HERE = "here"
    GONE = "gone"
    """It was there once."""
    NEVER = "never"
    """Its folder is there, and it never was."""
    ELSEWHERE = "elsewhere"
    """On a branch that is not merged, or in another work tree."""
    UNCLEAR = "unclear"
    OUTSIDE = "outside"


@dataclass(frozen=True)
class Found:
    """What a path means in a root: `place` is from the root; `by_name` where only its end fits."""

    state: State
    place: str = ""
    moved_to: str = ""
    why: str = ""
    by_name: bool = False


class Finder:
    """Finds the places of paths in one root. `folder` is the memory's, within the store."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.moves = Moves(root)
        self._located: dict[tuple[str, str], Found] = {}

    def find(self, path: str, folder: str = "") -> Found:
        """What `path` means, written by a memory in `folder`; of what is gone, where it went."""
        found = self.locate(path, folder)
        if found.state is not State.GONE or found.moved_to:
            return found
        if found.place in self.root.gone:
            moved = self.moves.file(found.place)
            return replace(found, moved_to=moved)
        return replace(found, moved_to=self.moves.folder(found.place))

    def locate(self, path: str, folder: str = "") -> Found:
        """The same without asking where it went."""
        key = path, folder
        if key not in self._located:
            self._located[key] = self._locate(path, folder)
        return self._located[key]

    def knows(self, path: str, folder: str = "") -> bool:
        """Whether a path is, or was, anything in this root."""
        return self.locate(path, folder).state in (State.HERE, State.GONE, State.ELSEWHERE)

    def prepare(self, paths: Iterable[tuple[str, str]]) -> None:
        """Ask git at once what it must be asked about these (path, folder)."""
        found = (self.locate(path, folder) for path, folder in paths)
        places = [one.place for one in found if one.state in (State.GONE, State.NEVER)]
        self.moves.prepare(places)
        self.root.learn_ignored(places)

    def _locate(self, path: str, folder: str) -> Found:
        is_link = path.startswith(("./", "../"))
        tries = self._tries(path, folder)
        if not tries:
            return Found(State.OUTSIDE, why=f"outside of {self.root.label}")
        for place in tries:
            if self.root.has(place):
                return Found(State.HERE, place)
            if self.root.ignores_case and (other := self._other_case(place)):
                return Found(State.HERE, other)
            if self.root.leads_outside(place):
                return Found(State.OUTSIDE, place, why="a link on the way leads out of the root")
        return (
            self._gone(tries)
            or self._by_name(path.removeprefix("./").replace("../", ""), is_link)
            or self._never(tries, is_link)
        )

    def _tries(self, path: str, folder: str) -> list[str]:
        """The places that a path may mean, from the root; none where all are outside of it."""
        if path.startswith(("/", "~")):
            whole = Path(path).expanduser() if path.startswith("~/") else Path(path)
            try:
                inner = posixpath.relpath(posixpath.normpath(whole), self.root.folder)
            except ValueError:
                return []
            return [] if inner.split("/")[0] == ".." else [inner]
        base = posixpath.join(self.root.home, folder)
        near = posixpath.normpath(posixpath.join(base, path))
        plain = posixpath.normpath(path)
        bare = plain
        while bare.startswith("../"):
            bare = bare[3:]
        if not path.startswith(("./", "../")):
            order: tuple[str, ...] = (plain, near)
        elif "/" in bare and not self.root.is_store:
            order = (near, plain, bare)
        else:  # a link to a neighbour is meant from where it stands, and from nowhere else
            order = (near,)
        places = [one for one in order if one not in ("", ".") and one.split("/")[0] != ".."]
        return list(dict.fromkeys(places))

    def _gone(self, tries: list[str]) -> Found | None:
        for place in tries:
            if place in self.root.gone or place in self.root.gone_folders:
                return Found(State.GONE, place, self._other_case(place))
        for place in tries:
            if other := self._other_case(place):
                return Found(State.GONE, place, other)
            if where := self.root.elsewhere.get(place):
                return Found(State.ELSEWHERE, place, why=where)
        return None

    def _other_case(self, place: str) -> str:
        found = self.root.folded.get(place.casefold(), [])
        return found[0] if len(found) == 1 else ""

    def _by_name(self, place: str, is_link: bool) -> Found | None:
        """What a bare name, or the end of a path, means: the one file that is or was called so."""
        name = place.rpartition("/")[2]
        if is_library(name) and not is_link:
            return Found(State.UNCLEAR, why=f"{name} is a module of Python's own library")
        here = [one for one in self.root.by_name.get(name, ()) if is_end(place, one)]
        if is_link and here:
            return Found(State.NEVER, place, here[0] if len(here) == 1 else "")
        if len(here) > 1:
            return Found(State.UNCLEAR, why=f"{len(here)} files end so")
        if here:
            return Found(State.HERE, here[0], by_name=True)
        gone = [one for one in self.root.gone_names.get(name, ()) if is_end(place, one)]
        if not gone or len(name) < SHORTEST:
            return None
        return Found(State.GONE, gone[0], by_name=True)

    def _never(self, tries: list[str], is_link: bool) -> Found:
        root = self.root
        for place in tries:
            inside = place.rpartition("/")[0]
            module = next((one for one in root.modules if place.startswith(f"{one}/")), None)
            if module:
                return Found(State.UNCLEAR, place, why=f"{module} is a repository of its own")
            known = inside in root.folders or inside in root.gone_folders
            if known or (is_link and not inside):
                return Found(State.NEVER, place)
        return Found(State.UNCLEAR, why=f"nothing in {root.label} is called so")


def is_end(place: str, path: str) -> bool:
    """Whether a path ends in `place`, a whole name at a time."""
    return path == place or path.endswith(f"/{place}")


def is_library(name: str) -> bool:
    """Whether a file name is that of a module of Python's library: more often meant than a file."""
    return name.endswith(".py") and name[:-3] in sys.stdlib_module_names
