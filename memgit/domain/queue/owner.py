"""Who works on the queue: one process for each store.

The one rule: the lock is an open file that ends with its process. A worker that a hook started has
inherited it; one that a person started takes it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memgit.domain.store import Store
from memgit.prompt.detached import LOCK, lock_file, taken
from memgit.prompt.jobs import VERB


@contextmanager
def owned(store: Store, verb: str = VERB) -> Iterator[bool]:
    """Own the queue, or the work of another verb, while the body runs; False where another does."""
    path = lock_file(str(store.derived), verb)
    if _is_inherited(Path(path)):
        try:
            yield True
        finally:
            os.close(LOCK)
        return
    file = taken(path)
    try:
        yield file is not None
    finally:
        if file:
            file.close()


def _is_inherited(path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(LOCK), path.stat())
    return False
