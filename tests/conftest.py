"""The sealed environment of every test: its own home, git identity, zone, and no outside setting.

The one rule: nothing that a developer's machine knows can change what a test sees.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How quick a machine is says nothing about what is tested.
settings.register_profile("memgit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("memgit")

ROOT = Path(__file__).resolve().parent.parent

GIT_CONFIG = """
[user]
    name = Test Person
    email = person@example.com
[init]
    defaultBranch = main
[commit]
    gpgSign = false
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; returns it."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(
            ("GIT_", "MEMGIT_", "CLAUDE", "CODEX_", "GEMINI_", "XDG_", "PRE_COMMIT", "ANTHROPIC_")
        ):
            if name.startswith(("MEMGIT_TEST_", "MEMGIT_BENCH_")):
                continue
            monkeypatch.delenv(name)
    (home / "gitconfig").write_text(GIT_CONFIG)
    settings = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "PRE_COMMIT_HOME": str(home / ".cache" / "pre-commit"),
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PYTHONPATH": str(ROOT),
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture
def git() -> Run:
    """`git(folder, *arguments)`: the real git; raises where it fails."""

    def run(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True, **options
        )

    return run


@pytest.fixture
def memgit(tmp_path: Path) -> Run:
    """`memgit(*arguments, cwd=, stdin=, env=)`: the real command, in a process of its own."""

    def run(
        *arguments: str | Path,
        cwd: Path | None = None,
        stdin: str | bytes = "",
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "memgit", *map(str, arguments)],
            cwd=cwd or tmp_path, input=data, capture_output=True, env={**os.environ, **(env or {})},
            timeout=120,
        )  # fmt: skip
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


@pytest.fixture
def store(tmp_path: Path, git: Run) -> Path:
    """An empty store: a repository with a `memgit.toml` and one commit, without hooks."""
    folder = tmp_path / "store"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "memgit.toml").write_text("format = 1\n")
    git(folder, "add", "memgit.toml")
    git(folder, "commit", "--quiet", "--message=init: an empty store")
    return folder


@pytest.fixture
def sample(tmp_path: Path, git: Run) -> Path:
    """The sample store, copied and committed, without hooks."""
    import shutil

    folder = tmp_path / "sample"
    shutil.copytree(ROOT / "sample-store", folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=init: the sample store")
    return folder


def index_past_the_cliff() -> str:
    """A hand-written `MEMORY.md` of 229 lines and 31,283 bytes, on memories called `setting-N`."""
    line = "- [Setting {0}](setting-{0}.md) — Setting {0} of the harbour board, note{0}x"
    lines = [line.format(number) for number in range(229)]
    padded = [text + " and more"[: 135 - len(text.encode())].ljust(135 - len(text.encode()), ".")
              for text in lines]  # fmt: skip
    rest = 31_283 - len("\n".join(padded).encode()) - 1
    padded[-1] += " the very last words ".ljust(rest, "!")
    return "\n".join(padded) + "\n"
