"""The person's pager: what is longer than the terminal is shown a screen at a time.

The one rule: text is data on the pager's stdin. No shell starts it, and `less` is told to run
nothing for anyone (`LESSSECURE`).
"""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

VARIABLES = ("MEMGIT_PAGER", "PAGER")
"""The variables that name the pager, the first that is set counts; empty or `cat` means none."""

USUAL = "less"

_LESS = {"LESS": "FRX", "LV": "-c"}
"""How pagers are told to keep colours and to leave the text on the screen, unless the person has
told them otherwise; as git does it."""


def wanted() -> list[str]:
    """The words that start the pager; none where stdout is no terminal that can be paged on."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return []
    if not all(os.get_terminal_size(sys.stdout.fileno())):
        return []  # a terminal that nobody told its size, as in some containers
    said = next((os.environ[name] for name in VARIABLES if name in os.environ), USUAL)
    try:
        words = shlex.split(said)
    except ValueError:  # quotes that do not close
        words = [USUAL]
    return [] if words[:1] == ["cat"] else words


@contextmanager
def opened(words: list[str], unpaged: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """A function that shows text: through the pager as soon as there is more than a screen of it,
    `unpaged` before that. It raises BrokenPipeError when the person has left the pager.
    """
    paged = _Paged(words, unpaged)
    try:
        yield paged.show
    finally:
        paged.end()


class _Paged:
    """Text on its way to the terminal."""

    def __init__(self, words: list[str], unpaged: Callable[[str], None]) -> None:
        self._words = words
        self._unpaged = unpaged
        columns, lines = os.get_terminal_size(sys.stdout.fileno())
        self._columns = columns or 80
        self._lines = lines or sys.maxsize  # one that does not tell its size is not paged on
        self._held: list[str] = []
        self._rows = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._interrupt: object = None

    def show(self, text: str) -> None:
        """Show it, or hold it until there is a screen of it."""
        if self._process:
            self._feed(text)
            return
        self._held.append(text)
        self._rows += sum(map(self._rows_of, text.splitlines()))
        if self._rows >= self._lines and self._words and self._start():
            self._feed("".join(self._held))
            self._held.clear()

    def end(self) -> None:
        """Show what is held, and wait until the person has seen enough."""
        if self._process is None:
            self._unpaged("".join(self._held))
            return
        assert self._process.stdin is not None  # noqa: S101 - it was asked for
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        signal.signal(signal.SIGINT, self._interrupt)  # type: ignore[arg-type]

    def _start(self) -> bool:
        """Whether the pager runs now; where it cannot be started, nothing is paged."""
        environment = {**_LESS, **os.environ, "LESSSECURE": "1"}
        sys.stdout.flush()
        try:
            self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, env=environment)
        except OSError:
            self._words = []
            return False
        # What Ctrl-C means is the pager's to say while it has the terminal.
        self._interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        return True

    def _feed(self, text: str) -> None:
        assert self._process is not None  # noqa: S101
        assert self._process.stdin is not None  # noqa: S101
        self._process.stdin.write(text.encode(sys.stdout.encoding, "backslashreplace"))
        self._process.stdin.flush()

    def _rows_of(self, line: str) -> int:
        """Rows that a line takes at most: what is not ASCII may be two columns wide."""
        width = len(line) if line.isascii() else 2 * len(line)
        return max(1, -(-width // self._columns))
