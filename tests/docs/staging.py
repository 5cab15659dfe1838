"""The machine that the pages are read on: a home with a store, a project and sessions.

The one rule: whatever a page's blocks need and do not make themselves is made here.
"""

import json
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
from tests.domain.test_transcripts import agent, user, write
from tests.made_sessions import releases

PROGRAMS = """
    awk basename bash cat chmod cp cut date diff dirname env false find git git-receive-pack
    git-upload-pack grep head hostname ln ls mkdir mktemp mv readlink rm sed sh sleep sort tail
    tee test touch tr true uname wc xargs
"""
"""What stands on PATH beside memgit: no agent, no forge, no timer, no registry."""

SESSION = "5f0c2d1e-7a64-4b39-9c58-3e1d0a9b7f42"
SAID = "From now on, never squash merge in this repository: we need the bisect history."

ANSWERS = {
    "harvest": {
        "memories": [
            {
                "type": "feedback", "name": "never-squash-merge",
                "description": "Never squash merge in this repository",
                "text": "Never squash merge in this repository: we need the bisect history.",
                "quotes": [{"turn": 1, "by": "user", "words": SAID}], "mentions": 1,
                "state": "holds", "known": "", "relation": "new", "confidence": 0.95,
                "topics": ["git"],
            },
            {
                "type": "project", "name": "bisect-broke", "description": "A bisect broke in May",
                "text": "A bisect broke in May.",
                "quotes": [{"turn": 1, "by": "user", "words": "the bisect broke in May"}],
                "mentions": 1, "state": "holds", "known": "", "relation": "new",
                "confidence": 0.9, "topics": ["git"],
            },
        ]
    },
    "curate": {"pairs": []},
    "enrich": {"notes": [{"number": 1, "words": ["zorkmid"]}]},
}  # fmt: skip
"""What the model of the store says, by task. Of the harvest's two, one was said by nobody."""


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
    top = Path(tempfile.mkdtemp(prefix="docs-", dir="/tmp")).resolve()  # short, for its socket
    home, programs, door = top / "me", top / "bin", top / "door"
    home.mkdir()
    programs.mkdir()
    (home / ".gitconfig").write_text(GIT_CONFIG)
    for name in PROGRAMS.split():
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
    """What a machine has before memgit: what an agent wrote down, and its sessions."""
    sessions = home / ".claude" / "projects" / "-home-me-src-harbor-board"
    shutil.copytree(ROOT / "sample-store" / "rules", sessions / "memory")
    write(
        sessions / f"{SESSION}.jsonl",
        user(SAID, uuid="u1", sessionId=SESSION, timestamp="2026-11-30T10:00:00Z"),
        agent("Understood."),
    )
    releases(home / ".claude" / "projects", cwd=str(home / "src" / "harbor-board"))


def project(machine: Machine) -> None:
    """A project in ~/src/harbor-board, one of whose scripts has moved."""
    folder = machine.home / "src" / "harbor-board"
    (folder / "ops").mkdir(parents=True)
    (folder / "ops" / "restore_drill.sh").write_text("pg_restore --list\n")
    (folder / "CLAUDE.md").write_text("# Harbor board\n\nLines of code end at 100 characters.\n")
    done = machine.run(
        "set -e; cd src/harbor-board\n"
        "git init --quiet && git add --all && git commit --quiet --message='a drill'\n"
        "mkdir tools && git mv ops/restore_drill.sh tools/\n"
        "git commit --quiet --message='tools'\n"
    )
    assert done.returncode == 0, done.stdout.decode()


def furnish(machine: Machine) -> None:
    """The sample store in ~/memory, found from anywhere, with a model that replays."""
    written(machine.home)
    project(machine)
    store = machine.home / "memory"
    shutil.copytree(ROOT / "sample-store", store)
    with (store / "memgit.toml").open("a") as file:
        file.write('\n[model]\ndoor = "replay"\n')
    lines = ({"task": task, "value": value} for task, value in ANSWERS.items())
    (store / "answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = machine.run(
        "set -e\n"
        "git init --quiet memory\n"
        "git -C memory add --all && git -C memory commit --quiet --message='the sample store'\n"
        "memgit init ~/memory && memgit install claude-code --store ~/memory\n"
    )
    assert done.returncode == 0, done.stdout.decode()
