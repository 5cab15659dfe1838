"""Putting files into a work tree so that all of them stand there, or none.

The one rule: nothing that stood there before is lost. It is kept beside its place, not copied,
until the caller has done what the files were for; so a full disk does not stand in the way back.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from memgit.errors import StoreError

BEGIN, NEW, KEPT = ".memgit-", ".new", ".kept"
"""How the names begin of files that are there for a moment; how they end of a file on its way, and
of what stood in its place until then."""


def is_left_over(path: str) -> bool:
    """Whether a path has the name of a file that is there only while others are put in place."""
    name = path.rpartition("/")[2]
    return name.startswith(BEGIN) and name.endswith((NEW, KEPT))


BARRED = ("..", ".git", "git~1")
"""Parts that no path has: what leads out, and git's own folder by both of its names, which git
takes into no commit."""


Seen = Mapping[str, bytes | None]
"""What stood at a path when it was read; None for nothing."""

UNSEEN: Seen = MappingProxyType({})
"""For files that are written whatever stands there."""


class Rewritten(Exception):
    """Somebody wrote a file since it was read; what he wrote stands."""


@contextmanager
def placed(root: Path, files: Mapping[str, bytes | None], seen: Seen = UNSEEN) -> Iterator[None]:
    """Put each file below `root` (None removes one); take all back if the body raises.

    Raises Rewritten where a path that was `seen` holds something else by now, StoreError for a path
    that leads out of `root` or through a symbolic link, and OSError.
    """
    targets = {path: _target(root, path) for path in files}
    for folder in {target.parent for target in targets.values()}:
        _sweep(folder)
    done: list[_Placed] = []
    try:
        for number, (path, data) in enumerate(files.items()):
            one = _Placed(targets[path], number)
            done.append(one)
            one.put(data)
            if path in seen and one.replaced() != seen[path]:
                raise Rewritten(path)
        yield
    except BaseException:
        for one in reversed(done):
            one.take_back()
        raise
    for one in done:
        one.settle()


class _Placed:
    """One file on its way, what stood in its place, and the folders made for it."""

    def __init__(self, target: Path, number: int) -> None:
        self._target = target
        self._new = target.with_name(f"{BEGIN}{os.getpid()}-{number}{NEW}")
        self._kept = self._new.with_suffix(KEPT)
        self._made: list[Path] = []
        self._changed = False
        self._same = False

    def put(self, data: bytes | None) -> None:
        if data is None:
            if self._target.is_file():
                os.rename(self._target, self._kept)
            return
        self._make_folder()
        stood = self._target.exists()
        if stood and self._target.read_bytes() == data:
            self._same = True
            return
        self._new.write_bytes(data)
        if stood:
            shutil.copymode(self._target, self._new)
            _keep(self._target, self._kept)
        os.replace(self._new, self._target)
        self._changed = True

    def replaced(self) -> bytes | None:
        """What stood there until now."""
        kept = self._target if self._same else self._kept
        return kept.read_bytes() if kept.exists() else None

    def _make_folder(self) -> None:
        missing = self._target.parent
        while not missing.exists():
            self._made.append(missing)
            missing = missing.parent
        for folder in reversed(self._made):
            folder.mkdir()

    def take_back(self) -> None:
        """Never raises: what cannot be put back stays beside its place."""
        with suppress(OSError):
            self._new.unlink(missing_ok=True)
        with suppress(OSError):
            if self._kept.exists():
                os.replace(self._kept, self._target)
            elif self._changed:
                self._target.unlink(missing_ok=True)
        for folder in self._made:
            with suppress(OSError):
                folder.rmdir()

    def settle(self) -> None:
        with suppress(OSError):
            self._kept.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove the halves that a writer left who was killed; under the store's lock there is none."""
    for left in folder.glob(".memgit-*.new"):
        with suppress(OSError):
            left.unlink()


def _keep(target: Path, kept: Path) -> None:
    """The same file under a second name; a copy where the disk has no hard links."""
    try:
        os.link(target, kept)
    except FileExistsError:
        raise
    except OSError:
        shutil.copy2(target, kept)


def _target(root: Path, path: str) -> Path:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or any(part.casefold() in BARRED for part in parts):
        raise StoreError(f"{path!r}: not a path inside the store")
    target = root.joinpath(*parts)
    for place in (target, *target.parents[: len(parts) - 1]):
        if place.is_symlink():
            raise StoreError(
                f"{place}: a symbolic link, and memgit writes through none",
                "put a file or a folder there instead",
            )
    return target
