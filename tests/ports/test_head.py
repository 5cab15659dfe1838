"""HEAD read from git's files: what git says, or nothing."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.ports.head import plain_branch, plain_head

Run = Callable[..., subprocess.CompletedProcess[str]]


def head_of(store: Path, git: Run) -> str:
    return git(store, "rev-parse", "HEAD").stdout.strip()


def test_a_branch_and_no_branch(store: Path, git: Run) -> None:
    folder = store / ".git"
    assert plain_head(folder, folder) == head_of(store, git)
    git(store, "switch", "--quiet", "--create", "topic/日本")
    git(store, "commit", "--quiet", "--allow-empty", "--message=two")
    assert plain_head(folder, folder) == head_of(store, git)
    git(store, "checkout", "--quiet", "--detach", "HEAD~1")
    assert plain_head(folder, folder) == head_of(store, git)


def test_the_name_of_a_branch(store: Path, git: Run) -> None:
    folder = store / ".git"
    git(store, "switch", "--quiet", "--create", "topic/日本")
    assert plain_branch(folder) == "topic/日本"
    git(store, "switch", "--quiet", "--orphan", "unborn")
    assert plain_branch(folder) == "unborn"
    (folder / "HEAD").write_text("ref: refs/heads/.invalid\n")  # so do repositories with a reftable
    assert plain_branch(folder) is None
    git(store, "update-ref", "--no-deref", "HEAD", "main")
    assert plain_branch(folder) is None


def test_a_linked_work_tree(store: Path, tmp_path: Path, git: Run) -> None:
    git(store, "worktree", "add", "--quiet", "-b", "other", tmp_path / "linked")
    git(tmp_path / "linked", "commit", "--quiet", "--allow-empty", "--message=two")
    common = store / ".git"
    linked = plain_head(common / "worktrees/linked", common)
    assert linked == head_of(tmp_path / "linked", git) != plain_head(common, common)


@pytest.mark.parametrize(
    "change",
    [
        "git pack-refs --all --prune",
        "git repack -adq && git prune-packed -q",
        "git checkout --quiet --orphan new",
        "printf 'ref: refs/heads/../heads/main\\n' > .git/HEAD",
        "printf 'ref: refs/heads/.invalid\\n' > .git/HEAD",
        "printf 'garbage\\n' > .git/refs/heads/main",
        "tree=$(git rev-parse HEAD^{tree}) && echo $tree > .git/refs/heads/main",
        "f=$(git rev-parse HEAD | sed 's|^..|.git/objects/&/|') && chmod +w $f && : > $f",
        "f=$(git rev-parse HEAD | sed 's|^..|.git/objects/&/|') && rm -f $f",
        "rm .git/HEAD",
    ],
)
def test_what_is_not_plain_is_left_to_git(store: Path, git: Run, change: str) -> None:
    subprocess.run(["sh", "-c", change], cwd=store, check=True)
    assert plain_head(store / ".git", store / ".git") is None
