"""Repositories on this machine to which memories may belong, and how two of them are told the same.

The one rule: they are only read, and a repository is the same as another where their histories
begin with the same commit, whatever their folders are called.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memgit.domain.native.trail import address_of
from memgit.errors import StoreError
from memgit.ports.checkout import Checkout, Unreadable

DEEPEST = 6
"""Folders below a root that are gone down."""

MOST = 20_000
"""Folders that are read in the search below all roots."""

_PASSED = ("node_modules", "venv", "target", "vendor", "site-packages")


@dataclass(frozen=True)
class Known:
    """A repository: its main folder, the first commit of its history, and what its remotes are
    called alike everywhere.
    """

    path: str
    first: str
    remotes: frozenset[str]
    checkout: Checkout

    @classmethod
    def at(cls, path: str) -> "Known | None":
        """The repository at a folder; None where there is none, or none with a commit."""
        try:
            checkout = Checkout(Path(path))
            status, told, _ = checkout.run("rev-list", "--max-parents=0", "HEAD")
        except (StoreError, Unreadable):
            return None
        if status or not told.split():
            return None
        addresses = (checkout.config(f"remote.{name}.url") for name in checkout.remotes())
        names = frozenset(filter(None, map(address_of, addresses)))
        return cls(path, told.split()[-1], names, checkout)

    def has(self, ids: Iterable[str]) -> list[str]:
        """Those of the ids that are commits of it."""
        try:
            kinds = self.checkout.kinds(ids)
        except Unreadable:
            return []
        return [name for name, kind in kinds.items() if kind == "commit"]


def below(roots: Sequence[Path]) -> Iterator[str]:
    """The main folders of repositories below these roots; hidden folders are passed over."""
    waiting = [(os.path.realpath(root), 0) for root in roots]
    for _ in range(MOST):
        if not waiting:
            return
        place, depth = waiting.pop(0)
        if os.path.isdir(os.path.join(place, ".git")):
            yield place
        if depth < DEEPEST:
            waiting += [(inner, depth + 1) for inner in _folders(place)]


def _folders(place: str) -> list[str]:
    try:
        with os.scandir(place) as entries:
            return sorted(
                entry.path for entry in entries
                if entry.is_dir(follow_symlinks=False)
                and not entry.name.startswith(".") and entry.name not in _PASSED
            )  # fmt: skip
    except OSError:
        return []
