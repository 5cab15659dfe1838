"""`memgit save`, as a person or an agent's hook runs it."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Run = Callable[..., CompletedProcess[str]]


def test_what_was_written_is_committed_and_found(memgit: Run, store: Path, git: Run) -> None:
    (store / "ferry.md").write_text("---\nname: ferry\n---\nThe zanzibar ferry.\n")
    done = memgit("save", cwd=store)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("saved ferry.md in ")
    assert git(store, "status", "--short").stdout == ""
    found = memgit("search", "zanzibar", "--json", cwd=store)
    assert json.loads(found.stdout)["name"] == "ferry"
    again = memgit("save", cwd=store)
    assert (again.returncode, again.stdout) == (0, "nothing to save\n")


def test_findings_are_told_on_stderr_and_saved_too(memgit: Run, store: Path, git: Run) -> None:
    (store / "a.md").write_text("---\nname: a\nsuperseded_by: gone\n---\nx\n")
    done = memgit("save", "--json", cwd=store)
    assert done.returncode == 0
    assert json.loads(done.stdout)["new"] == ["a.md"]
    assert "a.md:3: link superseded_by names gone" in done.stderr
    assert git(store, "status", "--short").stdout == ""


def test_an_agent_leaves_what_is_still_being_written(memgit: Run, store: Path, git: Run) -> None:
    (store / "a.md").write_text("half a sent")
    done = memgit("save", "--actor", "agent", cwd=store)
    assert done.stdout.splitlines() == [
        "a.md: still being written, left for the next time", "nothing to save",
    ]  # fmt: skip
    assert git(store, "status", "--short").stdout == "?? a.md\n"


def test_a_merge_in_progress_is_refused_in_one_line(memgit: Run, store: Path) -> None:
    (store / "a.md").write_text("x\n")
    (store / ".git" / "MERGE_HEAD").write_text("0" * 40 + "\n")
    done = memgit("save", cwd=store)
    assert done.returncode == 3
    assert done.stderr.splitlines() == [
        f"memgit: {store}: a merge is in progress", "  finish it, or `git merge --abort`",
    ]  # fmt: skip


def test_in_the_hook_of_another_repository(
    memgit: Run, store: Path, tmp_path: Path, git: Run
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    (store / "a.md").write_text("x\n")
    env = {"GIT_DIR": str(other / ".git"), "GIT_INDEX_FILE": str(other / ".git/index"),
           "MEMGIT_REPO": str(store)}  # fmt: skip
    assert memgit("save", cwd=other, env=env).returncode == 0
    assert git(store, "status", "--short").stdout == ""
    assert git(other, "status", "--short").stdout == ""
