"""Claude Code as a person runs it: interactive, in a terminal.

The one rule: it waits for what it can see, never for a length of time. A test needs this only
where `claude -p` differs (workspace trust, permission modes).
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path

from .cli import Claude
from .session import TIMEOUT, end

# Printed by a terminal program once it reads its input: "bracketed paste on".
_READY = "\x1b[?2004h"
_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\].*?(?:\x07|\x1b\\)|\x1b.", re.DOTALL)


class Terminal:
    """An interactive session in `claude.project`, which counts as trusted. A context manager.

    It starts without a first-run dialogue; what it shows is in `screen`.
    """

    def __init__(self, claude: Claude, *arguments: str | Path) -> None:
        _settle_in(claude)
        self._output = b""
        self._end, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self._process = subprocess.Popen(
            [str(claude.cli), *map(str, arguments)],
            cwd=claude.project,
            env={**claude.env, "TERM": "xterm-256color"},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)

    def __enter__(self) -> "Terminal":
        self.wait_for(lambda: _READY in self._raw)
        return self

    def __exit__(self, *_: object) -> None:
        end(self._process)
        self._process.wait()
        os.close(self._end)

    @property
    def screen(self) -> str:
        """All that was shown so far, without colours and movements of the cursor."""
        return _ESCAPES.sub("", self._raw)

    def type(self, line: str) -> None:
        """Types a line, sees it on the screen, and presses Enter."""
        before = len(self._output)
        os.write(self._end, line.encode())
        self.wait_for(lambda: all(word in self._shown_since(before) for word in line.split()))
        os.write(self._end, b"\r")

    def wait_for(self, condition: Callable[[], bool], timeout: float = TIMEOUT) -> None:
        """Reads on until the condition holds. Raises TimeoutError with the screen if it won't."""
        deadline = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not in {timeout} s; the screen: {self.screen[-2000:]}")
            if select.select([self._end], [], [], 0.05)[0]:
                self._read()

    def wait_for_exit(self, timeout: float = TIMEOUT) -> int:
        """Reads on until the CLI ends; gives its exit code."""
        self.wait_for(lambda: self._process.poll() is not None, timeout)
        return self._process.returncode

    @property
    def _raw(self) -> str:
        return self._output.decode("utf-8", "replace")

    def _shown_since(self, offset: int) -> str:
        return _ESCAPES.sub("", self._output[offset:].decode("utf-8", "replace"))

    def _read(self) -> None:
        try:
            self._output += os.read(self._end, 65536)
        except OSError:  # EIO: the other end is closed
            time.sleep(0.05)


def _settle_in(claude: Claude) -> None:
    """Notes what a person has answered on the first start: theme, key, trust in the folder."""
    state_file = claude.config / ".claude.json"
    state = json.loads(state_file.read_text("utf-8")) if state_file.exists() else {}
    state["hasCompletedOnboarding"] = True
    state["theme"] = "dark"
    state["customApiKeyResponses"] = {"approved": [claude.env["ANTHROPIC_API_KEY"]], "rejected": []}
    state.setdefault("projects", {})[str(claude.project)] = {"hasTrustDialogAccepted": True}
    state_file.write_text(json.dumps(state), encoding="utf-8")
