"""The machine that the pages are read on: a home with a store, a project, sessions and a remote.

The one rule: whatever a page's blocks need and do not make themselves is made here.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import GIT_CONFIG, ROOT
from tests.docs.forking import CLIENT

PROGRAMS = (
    "awk basename bash cat chmod cp cut date diff dirname env false find git git-receive-pack"
    " git-upload-pack grep head hostname ln ls mkdir mktemp mv readlink rm sed sh sleep sort tail"
    " tee test touch tr true uname wc xargs"
).split()
"""What stands on PATH beside memgit: no agent, no forge, no timer, no registry."""


@dataclass(frozen=True)
class Machine:
    """A home, and the environment that its shell has."""

    home: Path
    environment: Mapping[str, str]

    def run(self, script: str) -> subprocess.CompletedProcess[bytes]:
        """A script in the home folder, its two streams as one, as on a terminal."""
        return subprocess.run(
            ["bash", "--norc", "-c", script], cwd=self.home, env=dict(self.environment),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
        )  # fmt: skip


@contextmanager
def machine() -> Iterator[Machine]:
    """A machine with an empty home, and `memgit` on its PATH."""
    top = Path(tempfile.mkdtemp(prefix="docs-", dir="/tmp"))  # short: paths stand in what is shown
    home, programs, door = top / "me", top / "bin", top / "door"
    home.mkdir()
    programs.mkdir()
    (home / ".gitconfig").write_text(GIT_CONFIG)
    for name in PROGRAMS:
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    typed = programs / "memgit"
    typed.write_text(CLIENT.format(python=sys.executable, socket=str(door)))
    typed.chmod(0o755)
    environment = {
        "HOME": str(home), "PATH": str(programs), "PYTHONPATH": str(ROOT), "TZ": "UTC",
        "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "80", "GIT_CONFIG_NOSYSTEM": "1",
        "USER": "me",
    }  # fmt: skip
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.docs.forking", str(door)], cwd=ROOT, env=environment
    )
    try:
        until = time.monotonic() + 30
        while not door.exists() and server.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        yield Machine(home, environment)
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(top, ignore_errors=True)


def empty(home: Path) -> None:
    """Take away what a page left behind."""
    for path in home.iterdir():
        if path.name == ".gitconfig":
            continue
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def written(home: Path) -> None:
    """What a machine has before memgit: memories that an agent wrote, a project, its sessions."""
    wrote = home / ".claude" / "projects" / "-home-me-src-harbor-board" / "memory"
    shutil.copytree(ROOT / "sample-store" / "rules", wrote)


def furnish(machine: Machine) -> None:
    """The sample store in ~/memory with a remote, found from anywhere."""
    written(machine.home)
    shutil.copytree(ROOT / "sample-store", machine.home / "memory")
    done = machine.run(
        "set -e\n"
        "git init --quiet memory\n"
        "git -C memory add --all && git -C memory commit --quiet --message='the sample store'\n"
        "memgit init ~/memory && memgit install claude-code --store ~/memory\n"
        "git init --quiet --bare team.git && git -C memory remote add origin ~/team.git\n"
        "memgit sync\n"
    )
    assert done.returncode == 0, done.stdout.decode()
