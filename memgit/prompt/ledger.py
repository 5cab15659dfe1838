"""The usage ledger: which memory was shown when, one line each, in the store's derived folder.

The one rule: it is written after the answer, in one write, and never says what was asked. It takes
no more than two files of `SIZE` bytes each; `domain/usage.py` reads them.
"""

from zlib import crc32

from memgit.prompt.session import opened

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from io import FileIO
    from typing import Any

FILE = "usage.log"
OLDER = "usage.older.log"
SIZE = 1024 * 1024
"""Bytes after which the file takes the place of the older one."""


def note(derived: str, session: str, shown: "list[dict[str, Any]]", now: float) -> None:
    """Append `SECONDS SESSION BLOB PATH` for each record that was shown. Raises OSError.

    `session` is any text that tells it from others; only its checksum stands here.
    """
    start = f"{int(now)} {crc32(session.encode('utf-8', 'replace')):08x}"
    lines = [f"{start} {one['blob']} {one['path'].replace(chr(10), '?')}\n" for one in shown]
    path = f"{derived}/{FILE}"
    with opened(path) as file:
        file.write("".join(lines).encode("utf-8", "replace"))
        if file.tell() > SIZE:
            turn_over(file, path, f"{derived}/{OLDER}")


def turn_over(file: "FileIO", path: str, older: str) -> None:
    """Make an open file the older one, unless another hook is doing so or has done it."""
    from fcntl import LOCK_EX, LOCK_NB, flock
    from posix import fstat, rename, stat

    try:
        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return
    if stat(path).st_ino == fstat(file.fileno()).st_ino:
        rename(path, older)
