"""Programs that are started to see what they do: a hook as the agent or git would start it.

The one rule: a program gets a list of words, a clean environment, a time limit and a limit on what
it may print; whatever happens, the answer is a value, and a program over its limits is ended with
all that it started.
"""

import os
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from time import perf_counter

from memgit.ports.git_settings import LOCAL_VARIABLES

LONGEST = 10.0
"""Seconds after which a program is ended."""

LARGEST = 1_000_000
"""Bytes of output or of error output after which a program is ended."""


@dataclass(frozen=True)
class Ended:
    """How a program ended. `status` is negative when a signal ended it, None when it never ran."""

    status: int | None
    out: bytes
    err: bytes
    seconds: float
    stopped: str = ""
    """Why we ended it, or why it could not start; "" when it ran to its end."""


def run(
    words: Sequence[str],
    stdin: bytes = b"",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    longest: float = LONGEST,
    without: Collection[str] = (),
) -> Ended:
    """Run a program to its end and tell how it ended.

    `environment` is added to our own, less git's local variables and those named in `without`.
    """
    barred = {*LOCAL_VARIABLES, *without}
    washed = {name: value for name, value in os.environ.items() if name not in barred}
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        start = perf_counter()
        try:
            process = subprocess.Popen(
                list(words), stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=folder, env={**washed, **(environment or {})}, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) else str(fault)
            return Ended(None, b"", b"", 0.0, f"cannot be started: {reason}")
        with process:
            return _follow(process, start, longest)


def _follow(process: "subprocess.Popen[bytes]", start: float, longest: float) -> Ended:
    """Collect what it prints until it ends, or until a limit is reached and we end it."""
    late = Timer(longest, _end, [process])
    late.start()
    try:
        out, err, stopped = _collect(process, start, longest)
        if stopped:
            _end(process)
        # A blocking wait: the one with a time limit looks only once in a while and would be timed.
        status = process.wait()
        seconds = perf_counter() - start
    finally:
        late.cancel()
    if not stopped and seconds >= longest:
        stopped = _late(longest)
    return Ended(status, out, err, seconds, stopped)


def _collect(
    process: "subprocess.Popen[bytes]", start: float, longest: float
) -> tuple[bytes, bytes, str]:
    """(output, error output, why it has to be ended or "")."""
    kept = {process.stdout: bytearray(), process.stderr: bytearray()}
    with selectors.DefaultSelector() as waiting:
        for pipe in kept:
            assert pipe is not None  # noqa: S101 - both were asked for
            waiting.register(pipe, selectors.EVENT_READ)
        stopped = ""
        while waiting.get_map() and not stopped:
            ready = waiting.select(max(0.0, start + longest - perf_counter()))
            if not ready:
                stopped = _late(longest)
            for key, _ in ready:
                data = os.read(key.fd, 65_536)
                buffer = kept[key.fileobj]  # type: ignore[index]
                buffer += data
                if not data:
                    waiting.unregister(key.fileobj)
                elif len(buffer) > LARGEST:
                    stopped = f"printed more than {LARGEST:,} bytes"
    out, err = (bytes(buffer[:LARGEST]) for buffer in kept.values())
    return out, err, stopped


def _late(longest: float) -> str:
    return f"did not end within {longest:g} s"


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the program's whole group, unless it has ended by itself."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
