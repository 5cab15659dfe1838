"""`memgit check`, by hand and as git's pre-commit hook."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.domain.gates.tokens import VENDORS

Run = Callable[..., CompletedProcess[str]]

GOOD = "---\nname: {0}\nmetadata:\n  type: project\n---\nabout {0}\n"
BAD = "---\nname: bad\nsuperseded_by: gone\n---\nbody\n"


@pytest.fixture
def hooked(store: Path) -> Path:
    """The store with `memgit check --staged` as its pre-commit hook."""
    hook = store / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memgit check --staged\n')
    hook.chmod(0o755)
    return store


def commit(store: Path, *arguments: str) -> CompletedProcess[str]:
    return subprocess.run(
        ["git", "commit", "--message=by hand", *arguments],
        cwd=store, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_clean_store(memgit: Run, sample: Path) -> None:
    done = memgit("check", cwd=sample)
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing to mend" in done.stderr


def test_findings_are_printed_with_place_code_and_how_to_mend(memgit: Run, store: Path) -> None:
    (store / "bad.md").write_text(BAD)
    (store / "latin.md").write_bytes(b"caf\xe9\n")
    done = memgit("check", cwd=store)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "bad.md:3: link superseded_by names gone, and no memory is called that",
        "latin.md:1: encoding byte 0xe9, which is not UTF-8",
    ]
    assert done.stderr.count("link: ") == 1


def test_json(memgit: Run, store: Path) -> None:
    (store / "bad.md").write_text(BAD)
    done = memgit("check", "--json", cwd=store)
    assert done.returncode == 1
    (row,) = map(json.loads, done.stdout.splitlines())
    assert {key: row[key] for key in ("path", "line", "code", "blocks")} == {
        "path": "bad.md", "line": 3, "code": "link", "blocks": True,
    }  # fmt: skip
    assert row["message"]
    assert row["fix"]


def test_what_does_not_block_is_told_and_lets_the_commit_through(hooked: Path, git: Run) -> None:
    (hooked / "a.md").write_text("---\nname: a\ntype: report\n---\nbody\n")
    git(hooked, "add", "a.md")
    done = commit(hooked)
    assert done.returncode == 0
    assert "a.md:3: type report is none of" in done.stdout + done.stderr


def test_staged_means_as_it_is_staged(memgit: Run, store: Path, git: Run) -> None:
    (store / "a.md").write_text(BAD)
    git(store, "add", "a.md")
    (store / "a.md").write_text(GOOD.format("a"))
    (store / "unstaged.md").write_text(BAD)
    done = memgit("check", "--staged", cwd=store)
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["a.md:3:"]
    git(store, "add", "a.md")
    assert memgit("check", "--staged", cwd=store).returncode == 0


def test_staged_names_are_held_against_the_rest_of_the_store(
    memgit: Run, store: Path, git: Run
) -> None:
    (store / "a.md").write_text(GOOD.format("deploy"))
    git(store, "add", "a.md")
    git(store, "commit", "--quiet", "--message=a")
    (store / "b.md").write_text(GOOD.format("Deploy").replace("about", "on"))
    (store / "A.md").write_text(GOOD.format("other"))
    git(store, "add", "--all")
    done = memgit("check", "--staged", cwd=store)
    assert done.stdout.splitlines() == [
        "A.md:1: name its path differs from a.md only by case or Unicode form",
        "b.md:2: name Deploy is also the name of a.md",
    ]
    git(store, "rm", "--quiet", "--cached", "a.md")
    assert memgit("check", "--staged", cwd=store).returncode == 0


def test_nothing_staged(memgit: Run, store: Path) -> None:
    done = memgit("check", "--staged", cwd=store)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("how", [("--all",), ("--only", "a.md"), ("--include", "a.md")])
def test_as_a_hook_it_sees_what_git_is_about_to_commit(
    hooked: Path, git: Run, how: tuple[str, ...]
) -> None:
    """`git commit -a` and `git commit PATH` commit from an index of their own."""
    (hooked / "a.md").write_text(GOOD.format("a"))
    (hooked / "other.md").write_text(GOOD.format("other"))
    git(hooked, "add", "--all")
    assert commit(hooked).returncode == 0
    (hooked / "a.md").write_text(BAD)
    done = commit(hooked, *how)
    assert done.returncode == 1
    assert "a.md:3: link" in done.stdout + done.stderr
    (hooked / "a.md").write_text(GOOD.format("mended"))
    assert commit(hooked, *how).returncode == 0


def test_as_a_hook_it_checks_the_store_being_committed_to(
    hooked: Path, sample: Path, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMGIT_REPO", str(sample))
    (hooked / "a.md").write_text(BAD)
    git(hooked, "add", "a.md")
    assert commit(hooked).returncode == 1


def test_in_a_linked_worktree(hooked: Path, git: Run, tmp_path: Path) -> None:
    git(hooked, "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "a b"))
    (tmp_path / "a b" / "a.md").write_text(BAD)
    git(tmp_path / "a b", "add", "a.md")
    assert commit(tmp_path / "a b").returncode == 1


def test_in_the_hook_of_another_repository(
    memgit: Run, store: Path, tmp_path: Path, git: Run
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    (store / "a.md").write_text(BAD)
    git(store, "add", "a.md")
    env = {"GIT_DIR": str(other / ".git"), "GIT_INDEX_FILE": str(other / ".git/index")}
    done = memgit("--store", store, "check", "--staged", cwd=other, env=env)
    assert done.stdout.startswith("a.md:3: link")


def test_the_first_commit_of_a_store(tmp_path: Path, git: Run, memgit: Run) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "memgit.toml").write_text("format = 1\n")
    (folder / "a.md").write_text(BAD)
    git(folder, "add", "--all")
    assert memgit("check", "--staged", cwd=folder).returncode == 1


def test_it_changes_nothing(memgit: Run, sample: Path, git: Run) -> None:
    before = sorted(os.listdir(sample)), git(sample, "rev-parse", "HEAD").stdout
    (sample / "bad.md").write_text(BAD)
    git(sample, "add", "bad.md")
    memgit("check", cwd=sample)
    memgit("check", "--staged", cwd=sample)
    assert git(sample, "status", "--short").stdout == "A  bad.md\n"
    (sample / "bad.md").unlink()
    assert (sorted(os.listdir(sample)), git(sample, "rev-parse", "HEAD").stdout) == before


@pytest.mark.parametrize("name", ["a.md", "PROFILE.md", ".env", "drafts/skill.md"])
def test_a_staged_secret_stops_the_commit_and_can_be_taken_out_of_git(
    hooked: Path, git: Run, name: str
) -> None:
    token = VENDORS["GitHub personal"](random.Random("staged"))
    file = hooked / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"one\nTOKEN={token}\n")
    git(hooked, "add", name)
    blob = git(hooked, "rev-parse", f":{name}").stdout.strip()
    done = commit(hooked)
    assert done.returncode == 1
    assert f"{name}:2: secret looks like a secret: GitHub token" in done.stdout + done.stderr
    assert "git prune --expire=now" in done.stdout + done.stderr
    assert token not in done.stdout + done.stderr
    file.write_text("one\nthe token is in the vault\n")
    git(hooked, "add", name)
    git(hooked, "prune", "--expire=now")
    gone = subprocess.run(["git", "cat-file", "-e", blob], cwd=hooked, capture_output=True)
    assert gone.returncode != 0
    assert commit(hooked).returncode == 0
