"""The commands and skills that an installed Claude Code brings along, told by itself.

The one rule: it is asked in a home of its own and can reach nobody: the list is printed before it
asks any model, and the program is ended, with all that it started, as soon as it stands there.
"""

import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

from memgit.ports.model.choosing import PROGRAM
from memgit.ports.processes import LARGEST

LONGEST = 15.0
"""Seconds after which it is ended without a list."""

_NOWHERE = "http://127.0.0.1:9"
"""A port of this machine that a person's program has no right to open: nobody listens there."""


def program() -> Path | None:
    """The Claude Code of this machine: the one that is named, else the one on PATH."""
    found = os.environ.get(PROGRAM) or shutil.which("claude")
    return Path(found).resolve() if found and Path(found).is_file() else None


def commands_of(cli: Path, longest: float = LONGEST) -> list[str] | None:
    """The names of the commands and skills that it has by itself; None where it tells none."""
    with tempfile.TemporaryDirectory(prefix="memgit-", ignore_cleanup_errors=True) as home:
        try:
            process = subprocess.Popen(
                [str(cli), "-p", "--output-format", "stream-json", "--verbose", "x"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                cwd=home, env=_environment(home), start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError):
            return None
        with process:
            try:
                return next(filter(None, map(_names, _lines(process, longest))), None)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)


def _environment(home: str) -> dict[str, str]:
    """All that it sees: nothing of the person's but where programs are."""
    return {
        "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8",
        "HOME": home, "TMPDIR": home, "CLAUDE_CONFIG_DIR": f"{home}/.claude",
        "ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": _NOWHERE,
        "HTTP_PROXY": _NOWHERE, "HTTPS_PROXY": _NOWHERE, "CLAUDE_CODE_MAX_RETRIES": "0",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
    }  # fmt: skip


def _lines(process: "subprocess.Popen[bytes]", longest: float) -> Iterator[bytes]:
    """What it prints, line by line, until it ends, is late, or prints too much."""
    assert process.stdout is not None  # noqa: S101 - it was asked for
    end, read, rest = monotonic() + longest, 0, b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while read < LARGEST and waiting.select(max(0.0, end - monotonic())):
            data = os.read(process.stdout.fileno(), 65_536)
            if not data:
                return
            read += len(data)
            *lines, rest = (rest + data).split(b"\n")
            yield from lines


def _names(line: bytes) -> list[str] | None:
    """The names in the line that opens a session; None for every other line."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or (told.get("type"), told.get("subtype")) != ("system", "init"):
        return None
    found: set[str] = set()
    for key in ("slash_commands", "terminal_slash_commands"):
        names = told.get(key)
        found.update(one for one in (names if isinstance(names, list) else ()) if type(one) is str)
    return sorted(found) or None
