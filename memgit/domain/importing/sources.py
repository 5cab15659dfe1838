"""Finding what `memgit import` can take over: memory folders of agents, trees of markdown, files.

The one rule: whatever is not taken is told with its reason; nothing outside the folders that a
person named is read.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from memgit.domain.memory import decode, is_memory_path, slug
from memgit.errors import UsageError

LARGEST = 50_000_000
"""Bytes. What is larger is data in markdown's clothes, and git would carry it forever."""

DEEPEST = 200
"""Folders above a file; a tree that goes deeper was not made by hand."""

INDEX = "MEMORY.md"

GUIDES = ("agents.md", "claude.md", "claude.local.md", "gemini.md", "profile.md")
"""Files that an agent is always given: instructions of a project, not memories of it."""

AGENT_FOLDERS = (".claude", ".serena")

_SAYS_NOTHING = {"", "memory", "memories", "notes", "docs", "projects", "claude", "serena"}


@dataclass(frozen=True)
class Remark:
    """What a person should know of one path."""

    path: str
    text: str


@dataclass(frozen=True)
class Found:
    """One file to take over.

    `shown` is its path as the person would type it, `file` the real one; `root` the folder it was
    found below, `label` a word for that folder, and `place` where the file stands in it.
    """

    shown: str
    file: Path
    root: Path
    label: str
    place: PurePosixPath

    @property
    def telling(self) -> list[str]:
        """The folders that may tell its name from others, the nearest first."""
        parts = [slug(part) for part in reversed(self.place.parts[:-1])]
        return [*(part for part in parts if part not in _SAYS_NOTHING), self.label]

    @property
    def is_index(self) -> bool:
        """Whether it is an index of memories instead of one."""
        return self.place.name == INDEX


class Unfit(Exception):
    """A file that cannot be a memory, and why."""


def find(
    given: Sequence[Path], store: Path, below: str = ""
) -> tuple[list[Found], list[Remark]]:  # fmt: skip
    """The files below the paths given, in order, each once, and what was left out with reasons.

    All are to stand `below` a folder. The store itself is never a source. Raises UsageError when a
    path does not exist.
    """
    walk = _Walk(_real(store), below)
    for path in given:
        try:
            path.stat()
        except OSError as fault:
            raise UsageError(
                f"{path}: {fault.strerror}", "name a folder or a markdown file"
            ) from None
    for path in given:
        walk.start(path)
    return walk.found, walk.left


def content(file: Path) -> tuple[bytes, datetime]:
    """The bytes of a file that can be a memory, and when it last changed. Raises Unfit."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Unfit("not a regular file")
        if status.st_size > LARGEST:
            raise Unfit(f"too large ({status.st_size / 1e6:.0f} MB, at most {LARGEST / 1e6:.0f})")
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)  # it may have grown since
        if len(data) > LARGEST:
            raise Unfit(f"too large (more than {LARGEST / 1e6:.0f} MB)")
    except OSError as fault:
        raise Unfit(f"cannot be read: {fault.strerror}") from None
    text, _ = decode(data)
    if "\0" in text:
        raise Unfit("binary")
    if not text.strip():
        raise Unfit("empty")
    return data, datetime.fromtimestamp(status.st_mtime, UTC)


class _Walk:
    """Goes through folders, files before folders, both by name."""

    def __init__(self, store: Path, below: str) -> None:
        self.found: list[Found] = []
        self.left: list[Remark] = []
        self._topic = below
        self._store = store
        self._seen: set[Path] = set()

    def start(self, given: Path) -> None:
        """Take a path that the person named."""
        folder = _real(given)
        if os.path.isdir(folder):
            memories = list(_memory_folders(folder))
            for inner, topic in memories:
                root = _Root(inner, str(PurePosixPath(self._topic, topic)))
                self._tree(inner, given / inner.relative_to(folder), root)
            if not memories and folder.name in AGENT_FOLDERS:
                self._leave(given, "no memories in it; name the folder that holds them")
            elif not memories:
                self._tree(folder, given, _Root(folder, self._topic))
        else:
            place = PurePosixPath(readable(given.name))
            if not is_memory_path(f"in/{place}"):
                bare = place.name.lstrip(".") or "memory"
                place = PurePosixPath(f"{bare.rpartition('.')[0] or bare}.md")
            root = _Root(folder.parent, self._topic)
            self._file(given, root, PurePosixPath(root.topic, place))

    def _tree(self, folder: Path, shown: Path, root: "_Root") -> None:
        if folder == self._store:
            return self._leave(shown, "the store itself")
        if len(folder.parts) > DEEPEST:
            return self._leave(shown, f"below more than {DEEPEST} folders")
        try:
            with os.scandir(folder) as found:
                entries = sorted((entry.name, entry.is_dir(follow_symlinks=False))
                                 for entry in found)  # fmt: skip
        except OSError as fault:
            return self._leave(shown, f"cannot be read: {fault.strerror}")
        others = 0
        for name, is_folder in entries:
            if not is_folder:
                others += self._entry(folder / name, shown / name, root)
        if others:
            self._leave(shown, f"{others} {'file' if others == 1 else 'files'} not in markdown")
        for name, is_folder in entries:
            if is_folder:
                self._below(folder / name, shown / name, root)
        return None

    def _entry(self, file: Path, shown: Path, root: "_Root") -> bool:
        """Take a file of a folder, or leave it; whether it is only one of those not in markdown."""
        name = file.name.lower()
        if file.is_symlink() and os.path.isdir(file):
            self._leave(shown, "a symbolic link to a folder")
        elif not is_memory_path(f"in/{name.lstrip('.')}"):
            return not name.startswith(".")
        elif name.startswith("."):
            self._leave(shown, "hidden; name it to take it over")
        elif name in GUIDES:
            self._leave(shown, "given to agents as it is; name it to take it over")
        else:
            self._file(shown, root, root.place(file))
        return False

    def _below(self, folder: Path, shown: Path, root: "_Root") -> None:
        if not folder.name.startswith("."):
            return self._tree(folder, shown, root)
        inner = list(_memory_folders(folder)) if folder.name in AGENT_FOLDERS else []
        for memories, topic in inner:
            above = root.place(folder.parent) / topic
            self._tree(memories, shown / memories.relative_to(folder), _Root(memories, str(above)))
        if not inner and folder.name != ".git":
            self._leave(shown, "a hidden folder; name it to take it over")
        return None

    def _file(self, shown: Path, root: "_Root", place: PurePosixPath) -> None:
        file = _real(shown)
        if shown.is_symlink() and not file.is_relative_to(root.folder):
            return self._leave(shown, "a symbolic link out of the folder")
        inside = file.is_relative_to(self._store) and file.relative_to(self._store).parts
        if inside and inside[0] != ".git":  # that is where `add` keeps what it could not commit
            return self._leave(shown, "in the store already")
        if file in self._seen:
            return self._leave(shown, "the same file as one before it")
        self._seen.add(file)
        self.found.append(Found(readable(str(shown)), file, root.folder, root.label, place))
        return None

    def _leave(self, path: Path, reason: str) -> None:
        self.left.append(Remark(readable(str(path)), reason))


@dataclass(frozen=True)
class _Root:
    """A folder whose own layout is kept, below the folder `topic` of the store."""

    folder: Path
    topic: str = ""

    def place(self, path: Path) -> PurePosixPath:
        return PurePosixPath(self.topic, readable(path.relative_to(self.folder).as_posix()))

    @property
    def label(self) -> str:
        if self.topic not in ("", "."):
            return slug(self.topic)
        parts = (slug(part) for part in reversed(self.folder.parts))
        return next((part for part in parts if part not in _SAYS_NOTHING), "imported")


def _memory_folders(folder: Path) -> Iterator[tuple[Path, str]]:
    """The memory folders in a folder of an agent, each with a topic that tells them apart."""
    projects = folder if folder.name == "projects" else folder / "projects"
    for memories in sorted(projects.glob("-*/memory")):
        yield memories, slug(memories.parent.name)
    if folder.name.startswith("-") and os.path.isdir(folder / "memory"):
        yield folder / "memory", ""
    if folder.name in AGENT_FOLDERS:
        for name in ("memory", "memories"):
            if os.path.isdir(folder / name):
                yield folder / name, ""
        for memories in sorted(folder.glob("agent-memory*/*")):
            if os.path.isdir(memories):
                yield memories, slug(memories.name)


def _real(path: Path) -> Path:
    """Where a path leads, as far as it does: links may be broken, in a circle, or not for us."""
    return Path(os.path.realpath(path))


def recorded_path(file: Path) -> str:
    """A source's path as the store records it: from the home folder on, which others need not
    know, and which is another on the next machine."""
    home = Path.home()
    return (
        f"~/{readable(str(file.relative_to(home)))}"
        if file.is_relative_to(home)
        else (readable(str(file)))
    )


def readable(path: str) -> str:
    """A path as text, whatever bytes it is made of."""
    return decode(os.fsencode(path))[0]
