"""A conversation with one running CLI process, prompt by prompt.

The one rule: a prompt is sent only after the result of the one before, so that no two are merged.
"""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from .replies import Json
from .turns import Turn, Watch

TIMEOUT = 60.0  # seconds; a turn takes about half a second


class Session:
    """A running `claude -p --input-format stream-json`; `watch` is called as a turn begins."""

    def __init__(
        self, process: subprocess.Popen[str], stderr: Any, watch: Callable[[], Watch]
    ) -> None:
        self._watch = watch
        self._process = process
        self._stderr = stderr

    def say(self, prompt: str, timeout: float = TIMEOUT) -> Turn:
        """Sends a prompt and waits for its result.

        Raises subprocess.TimeoutExpired after `timeout` seconds, EOFError if the CLI ends.
        """
        assert self._process.stdin
        watch = self._watch()
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        with contextlib.suppress(BrokenPipeError):  # it has ended: told below
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        deadline = time.monotonic() + timeout
        alarm = threading.Timer(timeout, end, [self._process])
        alarm.start()
        try:
            events = list(self._until_result())
        finally:
            alarm.cancel()
        if not events or events[-1].get("type") != "result":
            if time.monotonic() >= deadline:
                raise subprocess.TimeoutExpired(self._process.args, timeout)
            raise EOFError(f"the CLI ended without a result: {self.stderr}")
        return Turn(prompt, events, *watch.added_by(events))

    @property
    def stderr(self) -> str:
        """What the CLI said on stderr so far."""
        self._stderr.seek(0)
        return str(self._stderr.read())

    def close(self, timeout: float = TIMEOUT) -> int:
        """Ends the session as a user would, hooks of SessionEnd included; gives the exit code."""
        if self._process.poll() is None:
            self._process.communicate(timeout=timeout)
        return self._process.returncode

    def _until_result(self) -> Iterator[Json]:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("{"):
                yield (event := json.loads(line))
                if event.get("type") == "result":
                    return


def end(process: subprocess.Popen[Any]) -> None:
    """Kills the process with its children, if it still runs."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
