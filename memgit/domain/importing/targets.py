"""Which memory a name in a text means, when names come from elsewhere and may have to change.

The one rule: a name means the memory that is nearest to the text it stands in.
"""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memgit.domain.memory import key_of


@dataclass(frozen=True)
class Called:
    """One memory as texts may call it: by `names` or by its `path` below `root`."""

    number: int
    root: Path
    path: PurePosixPath
    names: tuple[str, ...]


class Targets:
    """The memories that a name may mean."""

    def __init__(self, called: Iterable[Called]) -> None:
        self._by_key: dict[str, list[Called]] = {}
        for one in called:
            for key in {key_of(word) for word in (*one.names, str(one.path.with_suffix("")))}:
                self._by_key.setdefault(key, []).append(one)

    def find(self, target: str, root: Path, folder: PurePosixPath) -> int | None:
        """The number of the memory that `target` means in a text of that folder below `root`."""
        bare = target.removesuffix(".md")
        beside = posixpath.normpath((folder / bare).as_posix())
        for key in (key_of(beside), key_of(bare)):
            if found := self._by_key.get(key):
                return max(found, key=lambda one: self._nearness(one, root, folder)).number
        return None

    @staticmethod
    def _nearness(one: Called, root: Path, folder: PurePosixPath) -> tuple[bool, int, int]:
        shared = 0
        for ours, theirs in zip(folder.parts, one.path.parent.parts, strict=False):
            if ours != theirs:
                break
            shared += 1
        return one.root == root, shared, -len(one.path.parts)
