"""The hooks as an agent runs them: a bare interpreter, an event on stdin."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.store import Store

ROOT = Path(__file__).resolve().parents[2]
BARE = os.path.realpath(sys.executable)
PORT = "psql says connection refused when I connect to staging from my laptop, which port was it?"

Run = Callable[..., subprocess.CompletedProcess[str]]
Ended = subprocess.CompletedProcess[bytes]
Hook = Callable[..., Ended]


def prompt(text: str = PORT, session: str = "s-1", **more: object) -> dict[str, Any]:
    """The event of a prompt; `more` are further keys, such as prompt_id."""
    named = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": text}
    return {**named, **more}


def start(source: str, session: str = "s-1") -> dict[str, Any]:
    """The event of a session that starts."""
    return {"hook_event_name": "SessionStart", "session_id": session, "source": source}


def words(launcher: str, store: Path, *options: str | Path) -> list[str]:
    """The command line of a hook, as the installer writes it."""
    path = ROOT / "hooks" / f"{launcher}.py"
    return [BARE, "-I", "-S", *map(str, (path, "--store", store, *options))]


@pytest.fixture
def hook() -> Hook:
    """`hook(launcher, store, event, *options)`: runs it to its end; bytes are given as they are."""

    def run(launcher: str, store: Path, event: object, *options: str | Path) -> Ended:
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        command = words(launcher, store, *options)
        return subprocess.run(command, input=data, capture_output=True, timeout=30)

    return run


_built: list[Path] = []
"""The sample store with its index, once it is built: a copy is faster than a build."""


@pytest.fixture
def indexed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The sample store with its index and table."""
    if not _built:
        sample: Path = request.getfixturevalue("sample")
        Index(Store.at(sample)).sync()
        kept: Path = request.getfixturevalue("tmp_path_factory").mktemp("built") / "store"
        _built.append(shutil.copytree(sample, kept))
    return shutil.copytree(_built[0], tmp_path / "indexed")


def derived(store: Path) -> Path:
    """Where a store's table, notes and log are."""
    return store / ".git" / "memgit" / "main"


def log(store: Path) -> str:
    """What the hooks left for `memgit doctor`."""
    path = derived(store) / "recall.log"
    return path.read_text("utf-8") if path.exists() else ""


def said(done: Ended, event: str = "UserPromptSubmit") -> str:
    """The context that a hook gave; "" when it was silent. Fails on anything between."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    assert list(answer) == ["hookSpecificOutput"]
    assert answer["hookSpecificOutput"]["hookEventName"] == event
    return str(answer["hookSpecificOutput"]["additionalContext"])


def without_rights() -> None:
    """For `preexec_fn`: what is read-only is read-only for root as well, after the next exec."""
    if sys.platform == "linux" and os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if libc.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                raise OSError(ctypes.get_errno(), "prctl")


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be made, changed or removed by one `without_rights`."""
    found = [path for path in (folder, *folder.rglob("*")) if not path.is_symlink()]
    rights = {path: path.stat().st_mode for path in found}
    try:
        for path, mode in rights.items():
            path.chmod(mode & 0o555)
        yield
    finally:
        for path, mode in rights.items():
            path.chmod(mode)
