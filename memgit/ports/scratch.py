"""A folder for what is needed for a while.

The one rule: it goes away however the program ends, but for a kill that no program is told of.
"""

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn


@contextmanager
def scratch(prefix: str, keep: bool = False) -> Iterator[Path]:
    """A new folder whose name begins with `prefix`; it goes away at the end, unless it is to stay.

    Meanwhile SIGTERM and SIGHUP raise SystemExit. To be called in the main thread.
    """
    before = {number: signal.signal(number, _end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        folder = Path(tempfile.mkdtemp(prefix=prefix)).resolve()
        try:
            yield folder
        finally:
            if not keep:
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, frame: object) -> NoReturn:
    """End as the signal would, but by way of what is left to tidy."""
    raise SystemExit(128 + number)
