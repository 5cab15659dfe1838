"""What the gates cost: a commit by hand beside the same without them, and `memgit add`.

The one rule: both sides run in turn on one machine, and processor time counts, so that a busy
machine makes the numbers larger but not wrong.
"""

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memgit.evaluation.generated_store import GeneratedStore

Run = Callable[..., CompletedProcess[str]]

MEMORIES = 1_000
RUNS = 9
EMPTY = "repos: []\n"
CONFIG = ".pre-commit-config.yaml"


@pytest.fixture
def large(tmp_path: Path, git: Run, memgit: Run) -> Path:
    """A store of a thousand memories, with its hooks and its index."""
    folder = tmp_path / "large"
    for text in GeneratedStore(7, MEMORIES).memories():
        (folder / text.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / text.path).write_bytes(text.data)
    (folder / "memgit.toml").write_text("format = 1\n")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=a thousand")
    assert memgit("init", folder).returncode == 0
    return folder


def seconds(*command: str, cwd: Path, env: Mapping[str, str] = os.environ) -> float:
    """Processor time of a command and everything that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, env=env, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.mark.slow
def test_a_commit_with_all_gates_beside_one_without(large: Path, git: Run) -> None:
    whole = (large / CONFIG).read_text()
    taken: dict[str, list[float]] = {EMPTY: [], whole: []}
    for number in range(2 * RUNS):
        config = whole if number % 2 else EMPTY
        (large / CONFIG).write_text(config)
        git(large, "commit", "--quiet", "--no-verify", "--allow-empty", "--message=config", CONFIG)
        (large / f"new-{number}.md").write_text(f"Note {number} about a deploy, see `ops/a.py`.\n")
        git(large, "add", "--all")
        spent = seconds("git", "commit", "--quiet", "--message=one memory", cwd=large)
        taken[config].append(spent)
    empty, gates = (statistics.median(times[1:]) for times in taken.values())
    print(f"empty {empty:.3f} s, gates {gates:.3f} s, {gates / empty:.2f} times")
    assert gates / empty <= 1.5


@pytest.mark.slow
def test_add_with_its_index_and_its_gates(large: Path, tmp_path: Path) -> None:
    # As it is installed, with its bytecode, whatever the person who tests has told Python.
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    times = [
        seconds(sys.executable, "-m", "memgit", "add", "--body", f"Number {number} of some.",
                cwd=large, env=env)
        for number in range(RUNS)
    ][1:]  # fmt: skip
    print(f"add {statistics.median(times):.3f} s, {min(times):.3f} to {max(times):.3f}")
    assert statistics.median(times) <= 0.3
