"""A root: one folder of the person's in which claims are looked up, and what its history tells.

The one rule: nothing outside of the folder is looked at, whatever a path says or a link leads to.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from memgit.domain.memory import key_of
from memgit.errors import StoreError
from memgit.ports import inside
from memgit.ports.checkout import Checkout, Event, Unreadable

LISTED = 200_000
"""Files of a folder without git that are listed."""

_SKIPPED = (".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", "target")


@dataclass(eq=False)
class Root:
    """`names` are what the project is called; `home` is the folder in it in which the memories lie,
    or lay, so that paths can be meant from there. A store is the root of its own memories.
    """

    folder: Path
    names: tuple[str, ...] = ()
    home: str = ""
    is_store: bool = False
    checkout: Checkout | None = field(default=None, repr=False)
    _ignored: set[str] = field(default_factory=set, repr=False)
    _kinds: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def label(self) -> str:
        """What to call it."""
        return self.names[0] if self.names else self.folder.name

    @cached_property
    def _listing(self) -> tuple[list[str], list[str]]:
        if self.checkout is None:
            return list(_walk(self.folder)), []
        return self.checkout.files()

    @cached_property
    def files(self) -> frozenset[str]:
        """Every file, by its path from the root; those that git knows where there is git."""
        return frozenset(self._listing[0])

    @cached_property
    def modules(self) -> frozenset[str]:
        """Where other repositories hang in this one."""
        return frozenset(self._listing[1])

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that a file is in."""
        return frozenset(_parents((*self.files, *self.modules)))

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """File name → the paths that end in it."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.files):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def folded(self) -> dict[str, list[str]]:
        """Path in one case → the files and folders that differ from it in case alone."""
        found: dict[str, list[str]] = {}
        for path in (*self.files, *self.folders):
            found.setdefault(path.casefold(), []).append(path)
        return found

    @cached_property
    def _past(self) -> dict[str, Event] | None:
        """Path → how it went last, of those that are gone; None where the history is not known."""
        if self.checkout is None or self.is_cut:
            return None
        last: dict[str, Event] = {}
        try:
            for event in self.checkout.events():
                last.setdefault(event.path, event)
        except Unreadable:
            return None
        return {path: event for path, event in last.items()
                if event.kind == "D" and path not in self.files}  # fmt: skip

    @property
    def knows_its_past(self) -> bool:
        """Whether its whole history is at hand."""
        return self._past is not None

    @property
    def gone(self) -> dict[str, Event]:
        """Files that it had and has no more, with the event that took them."""
        return self._past or {}

    @cached_property
    def gone_folders(self) -> frozenset[str]:
        """Folders that it had and has no more."""
        return frozenset(_parents(self.gone)) - self.folders

    @cached_property
    def gone_names(self) -> dict[str, list[str]]:
        """File name → the gone paths that end in it, the last to go first."""
        found: dict[str, list[str]] = {}
        for path, _ in sorted(self.gone.items(), key=lambda item: item[1].at):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def is_cut(self) -> bool:
        """Whether only a part of its history or its files was cloned."""
        return self.checkout is not None and (
            self.checkout.is_shallow() or self.checkout.is_partial()
        )

    @cached_property
    def ignores_case(self) -> bool:
        """Whether its file system takes names that differ in case for the same."""
        return self.checkout is not None and self.checkout.config("core.ignorecase") == "true"

    @cached_property
    def elsewhere(self) -> dict[str, str]:
        """Path → the unmerged branch or other work tree that has it."""
        if self.checkout is None:
            return {}
        try:
            found = self.checkout.elsewhere()
        except Unreadable:
            return {}
        # What came to the main branch and went again is gone, on whatever old branch it still is.
        return {path: where for path, where in found.items() if path not in self.gone}

    def is_called(self, about: str) -> bool:
        """Whether it is meant by its whole name, or by the last part of it."""
        wanted = key_of(about.removesuffix(".git").rstrip("/"))
        last = wanted.rpartition("/")[2]
        for name in map(key_of, (*self.names, self.folder.name)):
            if name == wanted or name.endswith(f"/{wanted}"):
                return True
            if "/" not in name and name == last:
                return True
        return False

    @cached_property
    def remote(self) -> str:
        """`host/owner/name` of where it comes from; "" where that is no address of a host."""
        return next((name for name in self.names if name.count("/") >= 2), "")

    @cached_property
    def state(self) -> str:
        """What a verdict on it rests on: where it is, and the commit that is checked out."""
        return f"{self.folder}@{self.checkout.head() if self.checkout else ''}"

    def has(self, path: str) -> bool:
        """Whether a file or folder is there, tracked or not, in exactly this case."""
        if path in self.files or path in self.folders or path in self.modules:
            return True
        if self.checkout is not None and self.checkout.is_bare:
            return False
        try:
            if not os.path.lexists(self.folder / path):  # what most of the gone ones end at
                return False
        except ValueError:
            return False
        kind = inside.kind_of(self.folder, path)
        if kind in (inside.NOTHING, inside.OUTSIDE):
            return False
        return not self.ignores_case or self._spelled(path)

    def learn_ignored(self, places: Iterable[str]) -> None:
        """Ask git at once which of these it is told to ignore."""
        if self.checkout is not None and not self.checkout.is_bare:
            self._ignored |= self.checkout.ignored(places)

    def is_ignored(self, place: str) -> bool:
        """Whether git is told to ignore what would be there: it is made where it is needed."""
        return place in self._ignored

    def learn_commits(self, ids: Iterable[str]) -> None:
        """Ask git at once what these ids are. Raises Unreadable."""
        wanted = [one for one in ids if one not in self._kinds]
        if wanted and self.checkout is not None:
            self._kinds.update(self.checkout.kinds(wanted))

    def kind_of(self, commit: str) -> str:
        """What an id is here: `commit`, `missing`, or another word of git's. Raises Unreadable."""
        self.learn_commits([commit])
        return self._kinds[commit]

    def leads_outside(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the folder."""
        if self.checkout is not None and self.checkout.is_bare:
            return False
        return inside.kind_of(self.folder, path) == inside.OUTSIDE

    def read(self, path: str) -> str | None:
        """The text of a file; None where there is none that can be read."""
        if self.checkout is not None and self.checkout.is_bare:
            data = self.checkout.blob(path, inside.LARGEST)
        else:
            data = inside.read(self.folder, path)
        return None if data is None else data.decode("utf-8", "replace")

    def _spelled(self, path: str) -> bool:
        parts = PurePosixPath(path).parts
        return all(part in inside.names(self.folder, "/".join(parts[:depth]))
                   for depth, part in enumerate(parts))  # fmt: skip


def opened(folder: Path, names: Iterable[str] = (), home: str = "") -> Root:
    """The root at a folder: its repository's top where it is in one, else the folder itself.

    Raises StoreError where there is no such folder.
    """
    if not folder.is_dir():
        raise StoreError(f"{folder}: no such folder", "name the folder of a project")
    try:
        checkout = Checkout(folder)
    except StoreError as fault:
        if "not a git repository" not in str(fault):
            raise
        return Root(folder.resolve(), tuple(names) or (folder.resolve().name,), home)
    found = dict.fromkeys((*names, *_identities(checkout)))
    return Root(checkout.root, tuple(found), home, checkout=checkout)


def _identities(checkout: Checkout) -> Iterator[str]:
    from memgit.ports.branches import identity_of

    yield identity_of(checkout.config("remote.origin.url"), checkout.common_dir)


def _parents(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        while path := path.rpartition("/")[0]:
            if path in found:
                break
            found.add(path)
    return found


def _walk(folder: Path) -> Iterator[str]:
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(files):
            yield Path(place, name).relative_to(folder).as_posix()
            count += 1
            if count >= LISTED:
                return
