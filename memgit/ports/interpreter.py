"""The Python that runs the hooks.

The one rule: it is proved by running a hook with it, not believed.
"""

import os
import sys
from pathlib import Path

from memgit.errors import MemgitError
from memgit.ports.processes import run


def bare(launcher: Path) -> str:
    """The interpreter behind any virtual environment or shim, which starts fastest.

    `launcher` is a hook that is given an event of which it knows nothing. Raises MemgitError when
    no interpreter runs it.
    """
    said = b""
    for python in dict.fromkeys((os.path.realpath(sys.executable), full())):
        done = run([python, "-I", "-S", str(launcher), "--store", os.sep], stdin=b"{}")
        if done.status == 0 and not done.err:
            return python
        said = done.err or done.stopped.encode()
    last = said.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
    raise MemgitError(
        f"{sys.executable} does not run {launcher}: {last[0]}",
        "install memgit again, with a Python of its own: `pipx install memgit-tools`",
    )


def full() -> str:
    """The interpreter that has memgit and all it needs: the one that runs now."""
    return os.path.abspath(sys.executable)
