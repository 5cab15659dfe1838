"""Locks between processes, through filelock. The only module that imports it.

The one rule: a lock ends with its process, however that ends; no file has to be cleaned up.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from memgit.errors import StoreError

PATIENCE = 30.0
"""Seconds that one process waits for another."""


@contextmanager
def hold(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at `path`; within one process it may be held more than once.

    Raises StoreError when another process has held it for too long, or the disk refuses the file.
    """
    lock = FileLock(path, timeout=PATIENCE, is_singleton=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise StoreError(
            f"another process has held {what} for {PATIENCE:.0f} s ({path})",
            "wait for it to end, then try again; nothing was changed",
        ) from None
    except OSError as fault:
        raise StoreError(
            f"{fault.filename or path}: {fault.strerror}",
            "memgit must be able to write there; nothing was changed",
        ) from None
    try:
        yield
    finally:
        lock.release()
