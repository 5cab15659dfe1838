"""`memgit sync`, `scope` and `promote`, as a person runs them."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.battery.servers import bare, http_server

Run = Callable[..., CompletedProcess[str]]
PASSWORD = "only-for-this-test"


@pytest.fixture
def hub(tmp_path: Path, store: Path, git: Run) -> Path:
    folder = bare(tmp_path)
    git(store, "remote", "add", "origin", str(folder))
    return folder


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "served"
    folder.mkdir()
    bare(folder)
    with http_server(folder, PASSWORD) as address:
        yield address


def test_what_is_printed(memgit: Run, store: Path, hub: Path, tmp_path: Path, git: Run) -> None:
    (store / "ferry.md").write_text("---\nname: ferry\n---\nThe ferry leaves at nine.\n")
    done = memgit("sync", cwd=store)
    assert (done.returncode, done.stdout) == (0, "origin/main: 2 commits sent\n"), done.stderr
    assert done.stderr == ""
    git(tmp_path, "clone", "--quiet", str(hub), "other")
    (tmp_path / "other" / "ferry-2.md").write_text("---\nname: Ferry\n---\nAt ten.\n")
    told = memgit("sync", "--json", cwd=tmp_path / "other")
    assert json.loads(told.stdout)["saved"] == ["ferry-2.md"]
    done = memgit("sync", cwd=store)
    assert done.stdout == "origin/main: 1 commit received (forwarded)\n"
    assert "ferry-2.md:2: name Ferry is also the name of ferry.md" in done.stderr
    again = memgit("sync", "--json", cwd=store)
    assert json.loads(again.stdout) == {
        "remote": "origin", "branch": "main", "how": "current", "received": 0, "sent": 0,
        "saved": [], "renamed": [], "findings": [],
        "commit": git(store, "rev-parse", "HEAD").stdout.strip(),
    }  # fmt: skip
    assert memgit("search", "ten", "--json", cwd=store).stdout


@pytest.mark.parametrize("variable", ["GIT_INDEX_FILE", "GIT_REFLOG_ACTION"])
def test_a_hook_pushes_nothing(
    memgit: Run, store: Path, hub: Path, git: Run, variable: str
) -> None:
    done = memgit("sync", cwd=store, env={variable: ".git/index"})
    assert done.returncode == 2
    assert "not run by a git hook" in done.stderr
    assert git(hub, "for-each-ref").stdout == ""


def test_another_repository_that_git_variables_name_is_left_alone(
    memgit: Run, store: Path, hub: Path, tmp_path: Path, git: Run
) -> None:
    project = tmp_path / "project"
    git(tmp_path, "init", "--quiet", "project")
    (store / "a.md").write_text("words\n")
    env = {"GIT_DIR": str(project / ".git"), "GIT_WORK_TREE": str(project),
           "GIT_OBJECT_DIRECTORY": str(project / ".git/objects")}  # fmt: skip
    done = memgit("--store", store, "sync", cwd=project, env=env)
    assert done.returncode == 0, done.stderr
    assert git(project, "for-each-ref").stdout == ""
    assert "a.md" in git(hub, "ls-tree", "--name-only", "main").stdout
    done = memgit("--store", project, "sync", env=env)
    assert done.returncode == 3
    assert "not a store" in done.stderr


def test_a_password_is_asked_of_nobody(
    memgit: Run, store: Path, locked: str, tmp_path: Path, git: Run
) -> None:
    asked = tmp_path / "ask"
    asked.write_text(f"#!/bin/sh\ntouch {tmp_path}/was-asked\nsleep 60\n")
    asked.chmod(0o755)
    git(store, "remote", "add", "origin", f"{locked}/store.git")
    began = time.monotonic()
    env = {"GIT_ASKPASS": str(asked), "SSH_ASKPASS": str(asked), "GIT_TERMINAL_PROMPT": "1"}
    done = memgit("sync", cwd=store, env=env)
    assert time.monotonic() - began < 20
    assert not (tmp_path / "was-asked").exists()
    assert done.returncode == 3
    first, hint = done.stderr.splitlines()
    assert first.startswith("memgit: origin does not let you in")
    assert "log in once with git itself" in hint


def test_a_password_that_git_keeps_is_used_and_never_told(
    memgit: Run, store: Path, locked: str, tmp_path: Path, git: Run, sealed: Path
) -> None:
    address = locked.replace("://", f"://somebody:{PASSWORD}@")
    git(store, "remote", "add", "origin", f"{address}/store.git")
    assert memgit("sync", cwd=store).returncode == 0
    git(store, "remote", "set-url", "origin", f"{address}/absent.git")
    done = memgit("sync", cwd=store)
    assert done.returncode == 3
    assert PASSWORD not in done.stderr


def test_a_memory_tied_to_a_branch_until_it_is_merged(
    memgit: Run, store: Path, tmp_path: Path, git: Run
) -> None:
    project = tmp_path / "shop"
    git(tmp_path, "init", "--quiet", "shop")
    git(project, "commit", "--quiet", "--allow-empty", "--message=0")
    git(project, "switch", "--quiet", "--create", "new-login")
    assert memgit("--store", store, "add", "--name", "login", "--body", "OAuth.").returncode == 0
    done = memgit("--store", store, "scope", "login", cwd=project)
    assert "login to branch new-login of shop" in done.stdout
    assert "unmerged: branch new-login of shop" in memgit("--store", store, "show", "login").stdout
    done = memgit("--store", store, "promote", cwd=project)
    assert done.returncode == 1
    assert "login: branch new-login has no commit of its own yet" in done.stderr
    (project / "f").write_text("x\n")
    git(project, "add", "f")
    git(project, "commit", "--quiet", "--message=1")
    git(project, "switch", "--quiet", "main")
    git(project, "merge", "--quiet", "--squash", "new-login")
    git(project, "commit", "--quiet", "--message=squashed")
    git(project, "branch", "--quiet", "-D", "new-login")
    done = memgit("--store", store, "promote", "--project", project)
    assert (done.returncode, "not here any more" in done.stderr) == (1, True)
    done = memgit("--store", store, "scope", "login", cwd=project)
    assert done.returncode == 3
    assert "main is what other branches are merged into" in done.stderr
