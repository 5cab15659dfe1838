"""Finding and starting a real agent for a test, in a home of its own.

The one rule: a run sees nothing of the machine but PATH.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

TIMEOUT = 60
"""Seconds; a run takes one or two."""


def find(variable: str, name: str) -> Path | None:
    """The program to test with: the one that an environment variable names, else PATH's.

    Raises FileNotFoundError when the variable names no file, so that a typing error in a CI
    configuration does not skip the tests.
    """
    if named := os.environ.get(variable):
        if not Path(named).is_file():
            raise FileNotFoundError(f"{variable}: there is no file {named}")
        return Path(named)
    on_path = shutil.which(name)
    return Path(on_path) if on_path else None


def sealed_environment(home: Path, proxy: str, **more: str) -> dict[str, str]:
    """The whole environment of an agent: PATH, a home, and a proxy that refuses."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "HTTP_PROXY": proxy,
        "HTTPS_PROXY": proxy,
        "NO_PROXY": "127.0.0.1",
        **more,
    }


def start(
    program: Path, *arguments: str | Path, cwd: Path, env: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run it to its end; subprocess.TimeoutExpired where there is none in time."""
    return subprocess.run(
        [program, *map(str, arguments)], cwd=cwd, env=dict(env), input=stdin, capture_output=True,
        text=True, timeout=TIMEOUT, errors="replace",
    )  # fmt: skip
