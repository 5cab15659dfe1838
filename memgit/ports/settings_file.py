"""A settings file of another program: read, and replaced with a backup beside it.

The one rule: it is replaced whole or not at all, through links, with its rights kept, and never
over a change that somebody made since it was read. A device or a pipe is no settings file.
"""

import os
import stat
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from memgit.errors import StoreError, UsageError


class SettingsFile:
    """A file by its path. `target` is where links lead to; `backup` lies beside that."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.target = Path(os.path.realpath(path))
        self.backup = self.target.with_name(f"{self.target.name}.memgit-backup")

    def read(self) -> bytes | None:
        """What stands in it; None where there is no such file."""
        return self._bytes(self.target)

    def read_backup(self) -> bytes | None:
        """What was kept; None where nothing was."""
        return self._bytes(self.backup)

    def text(self, data: bytes) -> str:
        """What was read, as text. Raises UsageError that says where it is not UTF-8."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as fault:
            line = data.count(b"\n", 0, fault.start) + 1
            column = fault.start - data.rfind(b"\n", 0, fault.start)
            raise UsageError(
                f"{self.path}:{line}:{column}: byte {data[fault.start]:#04x} is not UTF-8",
                "save the file as UTF-8 and run this again; nothing was changed",
            ) from None

    def keep(self, data: bytes) -> None:
        """Write the backup."""
        self._write(self.backup, data)

    def drop_backup(self) -> None:
        """Remove the backup, if there is one."""
        self.backup.unlink(missing_ok=True)

    def replace(self, before: bytes | None, after: bytes | None) -> None:
        """Put `after` where `before` was read; None is no file.

        Raises StoreError, with nothing changed, when the file is no longer what was read.
        """
        if self.read() != before:
            raise StoreError(f"{self.path}: it was changed just now", "run this again")
        if after is not None:
            self._write(self.target, after)
        elif before is not None:
            self.target.unlink()

    def _bytes(self, path: Path) -> bytes | None:
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise StoreError(f"{path}: not a regular file", "nothing was changed")
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise StoreError(f"{path}: {fault.strerror}", "nothing was changed") from None

    def _write(self, path: Path, data: bytes) -> None:
        """Written aside with the rights of the file itself, flushed, renamed."""
        aside = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            rights = self.target.stat().st_mode & 0o777 if self.target.exists() else None
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(
                os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights or 0o666), "wb"
            ) as file:
                if rights is not None:
                    os.fchmod(file.fileno(), rights)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except OSError as fault:
            raise StoreError(
                f"{fault.filename or path}: {fault.strerror}", "nothing was changed"
            ) from None
        finally:
            aside.unlink(missing_ok=True)


@dataclass(frozen=True)
class Edit:
    """A change of a settings file that may be shown or made; None stands for no file.

    With `keep`, what is there now goes into the backup first.
    """

    file: SettingsFile
    before: bytes | None
    after: bytes | None
    keep: bool = False

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = (_lines(self.file, data) for data in (self.before, self.after))
        name = str(self.file.path)
        return "".join(unified_diff(old, new, name, name if self.after is not None else os.devnull))

    def make(self) -> None:
        """Change the file. A backup that says the same as the file then is no longer needed."""
        if self.keep and self.before is not None:
            self.file.keep(self.before)
        self.file.replace(self.before, self.after)
        if self.after == self.file.read_backup():
            self.file.drop_backup()


def _lines(file: SettingsFile, data: bytes | None) -> list[str]:
    lines = file.text(data or b"").splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\r", "\n")):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
