"""Probes of files: three answers and `pending`, in work trees of every kind."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.claims.finding import Finder
from memgit.domain.claims.root import opened
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Verdict

from .conftest import ask, write

Git = Callable[..., subprocess.CompletedProcess[str]]


def verdict(path: str, *folders: Path) -> str:
    return str(ask("path_exists", *folders, path=path).verdict)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", "supported"),
        ("./src/app.py", "supported"),
        ("src/", "supported"),
        ("src", "supported"),
        ("app.py", "supported"),
        ("src/当番表.md", "supported"),
        ("docs/how to/run book.md", "supported"),
        ("src/../src/app.py", "supported"),
        ("ops/rotate.py", "refuted"),
        ("old/plan.md", "refuted"),
        ("plan.md", "refuted"),
        ("old/", "refuted"),
        ("src/never.py", "refuted"),
        ("SRC/app.py", "refuted"),
        ("nowhere/at/all.py", "unknown"),
        ("logging.py", "unknown"),
        ("never.py", "unknown"),
        ("../harbor/src/app.py", "unknown"),
        ("../../etc/passwd", "unknown"),
        ("/etc/passwd", "unknown"),
        ("~/.ssh/id_rsa", "unknown"),
    ],
)
def test_what_is_said_of_a_path(project: Path, path: str, expected: str) -> None:
    assert verdict(path, project) == expected


def test_a_moved_file_is_refuted_with_its_new_place(project: Path) -> None:
    said = ask("path_exists", project, path="ops/rotate.py")
    assert (said.verdict, said.moved_to) == (Verdict.REFUTED, "tools/rotate.py")


def test_a_chain_of_moves_is_followed_to_its_end(project: Path, git: Git) -> None:
    (project / "bin").mkdir()
    git(project, "mv", "tools/rotate.py", "bin/rotate_keys.py")
    git(project, "commit", "--quiet", "--message=again")
    assert ask("path_exists", project, path="ops/rotate.py").moved_to == "bin/rotate_keys.py"


def test_what_was_moved_and_then_deleted_has_no_new_place(project: Path, git: Git) -> None:
    git(project, "rm", "--quiet", "tools/rotate.py")
    git(project, "commit", "--quiet", "--message=gone")
    said = ask("path_exists", project, path="ops/rotate.py")
    assert (said.verdict, said.moved_to) == (Verdict.REFUTED, "")


def test_a_moved_folder_has_a_new_place(project: Path, git: Git) -> None:
    git(project, "mv", "docs", "handbook")
    git(project, "commit", "--quiet", "--message=folder")
    said = ask("path_exists", project, path="docs/how to/")
    assert (said.verdict, said.moved_to) == (Verdict.REFUTED, "handbook/how to")


def test_an_absolute_path_within_the_root_is_looked_up(project: Path) -> None:
    assert verdict(str(project / "src/app.py"), project) == "supported"
    assert verdict(str(project / "ops/rotate.py"), project) == "refuted"


def test_home_counts_where_the_root_is_there(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(project.parent))
    assert verdict("~/harbor/src/app.py", project) == "supported"
    assert verdict("~/other/src/app.py", project) == "unknown"


def test_a_file_of_an_unmerged_branch_is_pending(project: Path, git: Git) -> None:
    git(project, "switch", "--quiet", "--create", "feature/wait")
    write(project, {"src/waitlist.py": "x\n"})
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=wait")
    git(project, "switch", "--quiet", "main")
    said = ask("path_exists", project, path="src/waitlist.py")
    assert said.verdict is Verdict.PENDING
    assert "feature/wait" in said.why
    git(project, "merge", "--quiet", "feature/wait")
    assert verdict("src/waitlist.py", project) == "supported"


def test_a_file_of_another_worktree_is_pending(project: Path, git: Git, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(project, "worktree", "add", "--quiet", "--detach", str(other))
    write(other, {"src/new.py": "x\n"})
    git(other, "add", "--all")
    git(other, "commit", "--quiet", "--message=new")
    assert verdict("src/new.py", project) == "pending"


def test_what_went_from_main_is_gone_whatever_old_branch_has_it(project: Path, git: Git) -> None:
    git(project, "switch", "--quiet", "--create", "stale", "HEAD~1")
    write(project, {"src/other.py": "x\n"})
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=other")
    git(project, "switch", "--quiet", "main")
    assert verdict("old/plan.md", project) == "refuted"


def test_a_shallow_clone_refutes_nothing(project: Path, git: Git, tmp_path: Path) -> None:
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", str(clone))
    assert verdict("src/app.py", clone) == "supported"
    assert verdict("ops/rotate.py", clone) == "unknown"
    assert verdict("src/never.py", clone) == "unknown"


def test_a_bare_repository_is_read_at_its_head(project: Path, git: Git, tmp_path: Path) -> None:
    bare = tmp_path / "harbor.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(project), str(bare))
    assert verdict("src/app.py", bare) == "supported"
    assert ask("path_exists", bare, path="ops/rotate.py").moved_to == "tools/rotate.py"
    assert ask("path_contains", bare, path="tools/rotate.py", symbol="rotate_keys").verdict == (
        "supported"
    )


def test_a_submodule_is_a_repository_of_its_own(project: Path, git: Git, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    git(tmp_path, "init", "--quiet", str(outer))
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
        str(project), "libs/harbor")  # fmt: skip
    git(outer, "commit", "--quiet", "--message=sub")
    assert verdict("libs/harbor/src/app.py", outer) == "supported"
    assert verdict("libs/harbor/src/never.py", outer) == "unknown"
    inner = outer / "libs/harbor"
    assert verdict("src/app.py", inner) == "supported"
    assert verdict("ops/rotate.py", inner) == "refuted"


def test_a_folder_without_git_is_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    write(folder, {"src/app.py": "x\n"})
    assert verdict("src/app.py", folder) == "supported"
    assert verdict("src/never.py", folder) == "refuted"
    assert verdict("elsewhere/never.py", folder) == "unknown"


def test_where_case_does_not_count_another_case_is_the_same_file(project: Path, git: Git) -> None:
    assert ask("path_exists", project, path="SRC/App.py").moved_to == "src/app.py"
    git(project, "config", "core.ignorecase", "true")
    assert verdict("SRC/App.py", project) == "supported"


def test_a_file_that_git_ignores_is_made_where_it_is_needed(project: Path, git: Git) -> None:
    write(project, {".gitignore": "src/cache.json\n"})
    assert _prepared(project, "src/cache.json") == "unknown"
    assert _prepared(project, "src/never.json") == "refuted"


def _prepared(folder: Path, path: str) -> str:
    finder = Finder(opened(folder))
    finder.prepare([(path, "")])
    from memgit.domain.claims.probing.files import path_exists

    return str(path_exists({"path": path}, Scene([finder])).verdict)


def test_an_untracked_file_is_there(project: Path) -> None:
    write(project, {"src/new.py": "x\n"})
    assert verdict("src/new.py", project) == "supported"


def test_of_two_projects_the_one_that_has_it_counts(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write(other, {"src/unlike.py": "x\n"})
    assert verdict("src/unlike.py", project, other) == "supported"
    assert verdict("src/never.py", project, other) == "unknown"
    assert verdict("ops/rotate.py", project, other) == "refuted"


def test_links_within_the_root_are_followed_and_others_are_not(
    project: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    write(secret, {"key.txt": "AKIA\n"})
    (project / "inner").symlink_to("src")
    (project / "outer").symlink_to(secret)
    (project / "sly").symlink_to("src/../../secret")
    assert verdict("inner/app.py", project) == "supported"
    for path in ("outer/key.txt", "sly/key.txt", "outer/never.txt"):
        said = ask("path_exists", project, path=path)
        assert (said.verdict, "leads out" in said.why) == (Verdict.UNKNOWN, True), path
        held = ask("path_contains", project, path=path, text="AKIA")
        assert held.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"text": "LIMIT = 12"}, "supported"),
        ({"text": "LIMIT=12"}, "supported"),
        ({"text": "limit.LIMIT: 12"}, "supported"),
        ({"text": "LIMIT = 1"}, "refuted"),
        ({"text": "LIMIT = 30"}, "refuted"),
        ({"symbol": "rotate_keys"}, "supported"),
        ({"symbol": "tools.rotate_keys"}, "supported"),
        ({"symbol": "rotate"}, "refuted"),
        ({"line": 6}, "supported"),
        ({"line": 7}, "refuted"),
        ({}, "unknown"),
    ],
)
def test_what_a_file_holds(project: Path, arguments: dict[str, object], expected: str) -> None:
    said = ask("path_contains", project, path="tools/rotate.py", **arguments)
    assert str(said.verdict) == expected


def test_a_file_that_is_not_there_holds_nothing_for_or_against(project: Path) -> None:
    assert ask("path_contains", project, path="ops/rotate.py", text="LIMIT").verdict == "unknown"


def test_a_pipe_is_not_waited_for(project: Path) -> None:
    os.mkfifo(project / "src/pipe.txt")
    assert ask("path_contains", project, path="src/pipe.txt", text="x").verdict == "unknown"
