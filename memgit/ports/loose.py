"""Objects of git, read from its own files where that is plain.

The one rule: it answers only what git would answer too. What is packed, borrowed, replaced or
damaged is git's to tell: asking costs a process, and a command asks often for what is new.
"""

import os
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

_FOLDER = b"40000"
_MODES = (b"100644", b"100755", b"120000", b"160000")
"""The modes of what is no folder, as git tells them too; old ones are told as one of these."""

Entry = tuple[str, str]
"""(mode, id) of what stands at a path."""

Row = tuple[str, Entry | None, Entry | None]
"""(path, what stood there, what does)."""


class NotPlain(Exception):
    """Only git can tell."""


class Loose:
    """The objects that lie in files of their own below a `.git` folder."""

    def __init__(self, common_dir: Path) -> None:
        self._common_dir = common_dir

    def read(self, kind: str, name: str) -> bytes:
        """The content of the object of this kind with this id. Raises NotPlain."""
        if self._has_replacements or not _ID.fullmatch(name):
            raise NotPlain
        try:
            packed = (self._common_dir / "objects" / name[:2] / name[2:]).read_bytes()
            head, _, data = zlib.decompress(packed).partition(b"\0")
        except (OSError, ValueError, zlib.error):
            raise NotPlain from None
        if head != f"{kind} {len(data)}".encode():
            raise NotPlain
        return data

    def blobs(self, names: Sequence[str]) -> list[bytes]:
        """The content of each of these blobs. Raises NotPlain."""
        return [self.read("blob", name) for name in names]

    def tree_of(self, commit: str) -> str:
        """The id of a commit's tree. Raises NotPlain."""
        key, _, tree = self.read("commit", commit).partition(b"\n")[0].partition(b" ")
        if key != b"tree":
            raise NotPlain
        return tree.decode("ascii", "replace")

    def files(self, commit: str) -> Iterator[tuple[str, Entry]]:
        """Each path of a commit with what stands there, in git's order. Raises NotPlain."""
        for path, _, entry in self._differing(None, self.tree_of(commit)):
            if entry:
                yield path, entry

    def changes(self, old: str, new: str) -> Iterator[Row]:
        """Each path that differs between two commits, in git's order. Raises NotPlain."""
        return self._differing(self.tree_of(old), self.tree_of(new))

    def _differing(self, old: str | None, new: str | None, folder: bytes = b"") -> Iterator[Row]:
        before, after = self._entries(old), self._entries(new)
        for name in sorted({**before, **after}):
            was, stands = before.get(name), after.get(name)
            if was == stands:
                continue
            if name.endswith(b"/"):
                yield from self._differing(was and was[1], stands and stands[1], folder + name)
            else:
                yield os.fsdecode(folder + name), was, stands

    def _entries(self, tree: str | None) -> dict[bytes, Entry]:
        """Name → entry of one folder; the names of folders end in a slash, which sorts them."""
        data = self.read("tree", tree) if tree else b""
        size = len(tree or "") // 2
        found: dict[bytes, Entry] = {}
        at = 0
        while at < len(data):
            end = data.find(b"\0", at)
            mode, _, name = data[at:end].partition(b" ")
            at = end + 1 + size
            if end < 0 or not name or at > len(data):
                raise NotPlain
            if mode == _FOLDER:
                name += b"/"
            elif mode not in _MODES:
                raise NotPlain
            found[name] = (mode.decode(), data[end + 1 : at].hex())
        return found

    @cached_property
    def _has_replacements(self) -> bool:
        """Whether somebody let objects stand for others."""
        try:
            if any((self._common_dir / "refs" / "replace").iterdir()):
                return True
        except OSError:
            pass
        try:
            return b" refs/replace/" in (self._common_dir / "packed-refs").read_bytes()
        except OSError:
            return False
