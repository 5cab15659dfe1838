"""Looking at files below one folder, and at nothing else: each step of the way is opened by itself.

The one rule: no symbolic link is followed out of the folder, and only plain files are read, up to a
limit; a way that leads out, or through what is no folder, ends in a value and not in a read.
"""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

LARGEST = 2_000_000
"""Bytes of a file that are read; what is longer is not looked into."""

FILE, FOLDER, OTHER, NOTHING, OUTSIDE = "file", "folder", "other", "nothing", "outside"
"""What can stand at a path. `outside` is a link that leads out of the folder, whatever is there."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LINKS = 8
"""Links that one way may go through."""


def kind_of(root: Path, path: str) -> str:
    """What stands at a path below `root`, its case being exactly this one where that matters."""
    found = _way(root, path)
    if found is None:
        return OUTSIDE
    try:
        with _Opened(root, found[:-1]) as folder:
            if not found:
                return FOLDER
            mode = os.lstat(found[-1], dir_fd=folder).st_mode
    except (OSError, ValueError):
        return NOTHING
    return FILE if stat.S_ISREG(mode) else FOLDER if stat.S_ISDIR(mode) else OTHER


def read(root: Path, path: str) -> bytes | None:
    """The content of a plain file below `root`; None for anything else, and for a large one."""
    found = _way(root, path)
    if not found:
        return None
    try:
        with _Opened(root, found[:-1]) as folder:
            number = os.open(found[-1], _PLAIN, dir_fd=folder)
            with os.fdopen(number, "rb") as file:
                about = os.fstat(number)
                if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
                    return None
                return file.read(LARGEST)
    except (OSError, ValueError):
        return None


def names(root: Path, path: str = "") -> list[str]:
    """What a folder below `root` holds, sorted; nothing where there is none."""
    found = _way(root, path)
    if found is None:
        return []
    try:
        with _Opened(root, found) as folder:
            return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


class _Opened:
    """A folder below a root, opened step by step so that none of the steps is a link."""

    def __init__(self, root: Path, parts: Sequence[str]) -> None:
        self._root, self._parts = root, parts

    def __enter__(self) -> int:
        self._number = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for part in self._parts:
            try:
                inner = os.open(part, _FOLDER, dir_fd=self._number)
            finally:
                os.close(self._number)
            self._number = inner
        return self._number

    def __exit__(self, *fault: object) -> None:
        os.close(self._number)


def _way(root: Path, path: str) -> list[str] | None:
    """The steps to a path once links within `root` are followed; None where it leads outside."""
    waiting = [part for part in path.split("/") if part not in ("", ".")]
    done: list[str] = []
    links = 0
    while waiting:
        part = waiting.pop(0)
        if part == "..":
            if not done:
                return None
            done.pop()
            continue
        try:
            target = os.readlink(os.path.join(root, *done, part))
        except (OSError, ValueError):
            done.append(part)
            continue
        links += 1
        if target.startswith("/") or links > _LINKS:
            return None
        waiting = [step for step in target.split("/") if step not in ("", ".")] + waiting
    return done
