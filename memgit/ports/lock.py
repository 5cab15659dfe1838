"""Locks between processes, through filelock. The only module that imports it.

The one rule: a lock ends with its process, however that ends; no file has to be cleaned up.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memgit.errors import StoreError

PATIENCE = 60.0
"""Seconds that one process waits for others: who is next is chance, and twenty may be waiting."""


@contextmanager
def hold(path: Path, what: str, patience: float | None = None) -> Iterator[None]:
    """Hold the lock file at `path`; within one process it may be held more than once.

    `patience` is how many seconds to wait for it. Raises StoreError when another process has held
    it for longer, with 0 when one holds it, or the disk refuses the file.
    """
    from filelock import FileLock, Timeout  # what only reads need not wait for it

    patience = PATIENCE if patience is None else patience
    lock = FileLock(path, is_singleton=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=patience)
    except Timeout:
        holds = f"has held {what} for {patience:.0f} s" if patience else f"holds {what}"
        raise StoreError(
            f"another process {holds} ({path})",
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
