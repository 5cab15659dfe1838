"""Work of more than a moment: one worker in a session of its own, which a hook does not wait for.

The one rule: there is one worker of a kind for each store. Its lock is an open file that it
inherits, so that it ends with the worker, however that ends; there is nothing to clean up.
"""

from memgit.prompt.session import opened

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from io import FileIO
    from typing import Any

    from memgit.prompt.hook import Call

LOCK = 3
"""The descriptor under which a worker finds its lock."""


def start(call: "Call", verb: str, *options: str) -> bool:
    """Start `memgit VERB` on its own, unless one that a hook started still runs.

    The hook's `--python PATH` names the interpreter that has all of memgit; without it nothing is
    started. Returns whether something was.
    """
    from posix import O_RDWR, POSIX_SPAWN_DUP2, POSIX_SPAWN_OPEN, environ, posix_spawn

    python = call.options.get("python", "")
    if not python or not (lock := taken(lock_file(call.where, verb))):
        return False
    program = f"{__file__.rpartition('/prompt/')[0]}/__main__.py"
    files: list[Any] = [(POSIX_SPAWN_OPEN, number, "/dev/null", O_RDWR, 0) for number in range(3)]
    files.append((POSIX_SPAWN_DUP2, lock.fileno(), LOCK))
    words = [python, "-P", program, "--store", call.root, verb, *options]
    posix_spawn(python, words, environ, file_actions=files, setsid=True)
    return True


def lock_file(where: str, verb: str) -> str:
    """The lock file of a worker, in a store's derived folder."""
    return f"{where}/{verb}.worker"


def taken(path: str) -> "FileIO | None":
    """A lock file, open and locked; None while another worker has it."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    file = opened(path)
    try:
        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return None
    return file
