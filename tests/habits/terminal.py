"""A program on a terminal of its own, typed to and read from as a person would."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 30.0
"""Seconds until what is waited for must have been shown."""


_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\].*?(?:\x07|\x1b\\)|\x1b.", re.DOTALL)


class Terminal:
    """A program with a terminal of 80 columns and 24 lines; a context manager."""

    def __init__(self, words: Sequence[str], folder: Path, **more: str) -> None:
        self._near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            list(words), stdin=far, stdout=far, stderr=far, cwd=folder,
            env={**os.environ, **more}, start_new_session=True,
            preexec_fn=lambda: _own(far),
        )  # fmt: skip
        os.close(far)
        self.raw = b""
        self._seen = 0

    @property
    def shown(self) -> str:
        """All that it wrote so far, without colours and movements of the cursor."""
        return _ESCAPES.sub("", self.raw.decode("utf-8", "replace"))

    def press(self, keys: str) -> None:
        """Press these keys."""
        os.write(self._near, keys.encode())

    def wait(self, pattern: str) -> str:
        """Read until a pattern has been shown, after what was waited for before; what matched."""
        end = time.monotonic() + PATIENCE
        while not (found := re.compile(pattern).search(self.shown, self._seen)):
            assert time.monotonic() < end, f"{pattern!r} not shown: {self.shown[self._seen :]!r}"
            if not self._read(end):
                found = re.compile(pattern).search(self.shown, self._seen)
                assert found, f"{pattern!r} not shown: {self.shown[self._seen :]!r}"
                break
        self._seen = found.end()
        return found[0]

    def press_until(self, keys: str, pattern: str) -> None:
        """Press keys until a pattern is shown: a program may throw away what is typed meanwhile."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.press(keys)
            soon = time.monotonic() + 1
            while time.monotonic() < soon:
                if re.compile(pattern).search(self.shown, self._seen):
                    return
                self._read(soon)
        self.wait(pattern)

    def end(self) -> int:
        """Read until the program has ended; its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            assert time.monotonic() < end, self.shown
        return self._process.wait(PATIENCE)

    def _read(self, end: float) -> bool:
        """Whether there may be more."""
        ready, _, _ = select.select([self._near], [], [], max(0.0, end - time.monotonic()))
        try:
            data = os.read(self._near, 65_536) if ready else b""
        except OSError:  # how Linux says that nobody has the terminal any more
            return False
        self.raw += data
        return bool(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._near)


def _own(far: int) -> None:
    """Let the terminal be this process's own, so that keys reach it as signals too."""
    fcntl.ioctl(far, termios.TIOCSCTTY, 0)
