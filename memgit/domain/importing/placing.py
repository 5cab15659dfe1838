"""Names and paths for memories that come from elsewhere.

The one rule: no two memories of a store differ in name or path by case or Unicode form alone,
since file systems of other machines would make them one.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memgit.domain.memory import NOT_MEMORIES, is_memory_path, key_of, slug

_LONGEST = 180
"""Bytes of one part of a path. File systems take 255, and a file is first written beside itself
under a longer name."""

_LONGEST_PATH = 1000
"""Bytes of a whole path; beyond that it loses its highest folders. Systems take 4096, with all
that stands above the store."""

_IN_NAMES = "_-.+@"


class Places:
    """The names and paths that are taken, and the next free ones.

    `occupied` tells of paths that exist for other reasons, such as files that git ignores, and
    `barred` of those that can be no folder of memories, since something else stands there.
    """

    def __init__(
        self,
        names: Iterable[str],
        paths: Iterable[str],
        occupied: Callable[[str], bool],
        barred: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self._names = {key_of(name) for name in names}
        self._paths = {key_of(path) for path in NOT_MEMORIES}
        self._folders: dict[str, str] = {}
        self._occupied = occupied
        self._barred = barred
        for path in paths:
            self._take(path)

    def name(self, wanted: str, folders: Sequence[str]) -> str:
        """A free name, now taken: the one wanted, else with its folders before it, else a number.

        `folders` are words that may tell it apart, the nearest first.
        """
        for name in _names(wanted, folders):
            if key_of(name) not in self._names:
                self._names.add(key_of(name))
                return name
        raise AssertionError("numbers do not end")

    def path(self, wanted: PurePosixPath, name: str) -> str:
        """A free path, now taken: the one wanted, else a file called `name` in its folder."""
        for path in _paths(self._made_safe(wanted), name):
            if self._is_free(path):
                self._take(path)
                return path
        raise AssertionError("numbers do not end")

    def _made_safe(self, wanted: PurePosixPath) -> PurePosixPath:
        """A path that any file system can hold and that is a memory's."""
        *folders, file = (_safe(part) for part in wanted.parts)
        suffix = PurePosixPath(file).suffix
        file = f"{_cut(file.removesuffix(suffix), _LONGEST)}{suffix}"
        while len("/".join((*folders, file)).encode()) > _LONGEST_PATH:
            folders = folders[1:]
        path = PurePosixPath(*folders, file)
        if not is_memory_path(path.as_posix()) and folders:
            path = PurePosixPath("imported", path)
        above = ""
        for folder in path.parts[:-1]:
            above = self._folder(f"{above}/{folder}" if above else folder)
        return PurePosixPath(above, path.name)

    def _folder(self, wanted: str) -> str:
        """A folder as the store spells it; with a number where a file has its name."""
        here = wanted
        number = 1
        while key_of(here) in self._paths or self._barred(here):
            number += 1
            here = f"{wanted}-{number}"
        return self._folders.get(key_of(here), here)

    def _is_free(self, path: str) -> bool:
        key = key_of(path)
        taken = key in self._paths or key in self._folders
        return not taken and is_memory_path(path) and not self._occupied(path)

    def _take(self, path: str) -> None:
        self._paths.add(key_of(path))
        for above in PurePosixPath(path).parents:
            self._folders.setdefault(key_of(str(above)), str(above))


def name_from(text: str) -> str:
    """A name as near to a text as links and command lines allow; "" where it has no letters."""
    name = unicodedata.normalize("NFC", text.strip())
    fits = all(c.isalnum() or c in _IN_NAMES or unicodedata.category(c)[0] == "M" for c in name)
    if fits and len(name) <= 80 and name[:1] not in ("-", "."):
        return name
    return slug(text)


def _names(wanted: str, folders: Sequence[str]) -> Iterator[str]:
    yield wanted
    name = wanted
    for folder in folders:
        name = f"{folder}-{name}"
        yield name
    number = 2
    while True:
        yield f"{wanted}-{number}"
        number += 1


def _paths(wanted: PurePosixPath, name: str) -> Iterator[str]:
    yield wanted.as_posix()
    stem = _cut(name, _LONGEST)
    yield wanted.with_name(f"{stem}.md").as_posix()
    number = 2
    while True:
        yield wanted.with_name(f"{stem}-{number}.md").as_posix()
        number += 1


def _safe(part: str) -> str:
    """One part of a path without what some system cannot hold.

    `git~1` is how others call `.git`: git takes no file below it.
    """
    normal = unicodedata.normalize("NFC", part)
    kept = "".join("-" if c in '\\:*?"<>|' or unicodedata.category(c)[0] == "C" else c
                   for c in normal)  # fmt: skip
    bare = _cut(kept, _LONGEST + 20).strip().lstrip(".") or "memory"
    return bare.replace("~", "-", 1) if bare.casefold().startswith("git~") else bare


def _cut(text: str, longest: int) -> str:
    """The start of a text that takes up to `longest` bytes."""
    return text.encode("utf-8", "ignore")[:longest].decode("utf-8", "ignore")
