"""Memories of a branch: promoted however the branch was merged, and never before."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.sharing.branch_scope import Left, promote, tie
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.branches import identity
from memgit.ports.git import Repository

Run = Callable[..., object]


@pytest.fixture
def project(tmp_path: Path, git: Run) -> Path:
    folder = tmp_path / "shop"
    git(tmp_path, "init", "--quiet", "shop")
    commit(git, folder, "base.txt", "".join(f"line {number}\n" for number in range(20)))
    return folder


@pytest.fixture
def opened(store: Path) -> Store:
    opened = Store.at(store)
    remember(opened, Wish("Words.", "login"))
    return opened


def commit(git: Run, folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    git(folder, "add", name)
    git(folder, "commit", "--quiet", f"--message={name}")


def branch(git: Run, project: Path) -> None:
    """A branch with two commits, and one more on main."""
    git(project, "switch", "--quiet", "--create", "feat/login")
    text = (project / "base.txt").read_text()
    commit(git, project, "base.txt", text.replace("line 3\n", "line three\n"))
    commit(git, project, "login.txt", "login\n")


def merge(git: Run, project: Path, how: str) -> None:
    git(project, "switch", "--quiet", "main")
    commit(git, project, "other.txt", "other\n")
    if how == "merge":
        git(project, "merge", "--quiet", "--no-edit", "feat/login")
    elif how == "rebase":
        git(project, "rebase", "--quiet", "main", "feat/login")
        git(project, "switch", "--quiet", "main")
        git(project, "cherry-pick", "main..feat/login")
    else:
        git(project, "merge", "--quiet", "--squash", "feat/login")
        git(project, "commit", "--quiet", "--message=squashed")


@pytest.mark.parametrize("how", ["merge", "rebase", "squash"])
@pytest.mark.parametrize("gone", [False, True])
def test_it_is_promoted_however_it_was_merged(
    opened: Store, project: Path, git: Run, how: str, gone: bool
) -> None:
    branch(git, project)
    done = tie(opened, "login", project)
    assert done.commit
    assert opened.read("login.md").labels == ("unmerged: branch feat/login of shop",)
    assert promote(opened, project)[1] == [Left("login", "branch feat/login is not merged")]
    merge(git, project, how)
    commit(git, project, "base.txt", (project / "base.txt").read_text() + "more\n")
    if gone:
        git(project, "branch", "--quiet", "-D", "feat/login")
    changed, left = promote(opened, project)
    assert (changed.operation.kind, list(changed.operation.memories)) == ("promote", ["login"])
    assert left == []
    assert opened.read("login.md").labels == ()
    undo(opened)
    assert opened.read("login.md").branch == "branch feat/login of shop"


def test_of_a_later_squash_of_more_than_was_known(opened: Store, project: Path, git: Run) -> None:
    branch(git, project)
    tie(opened, "login", project)
    commit(git, project, "later.txt", "later\n")
    merge(git, project, "squash")
    commit(git, project, "later.txt", "changed since\n")
    assert promote(opened, project)[0].commit


def test_a_branch_without_a_commit_is_not_merged(opened: Store, project: Path, git: Run) -> None:
    git(project, "switch", "--quiet", "--create", "feat/login")
    tie(opened, "login", project)
    changed, left = promote(opened, project)
    assert changed.commit is None
    assert left == [Left("login", "branch feat/login has no commit of its own yet")]
    commit(git, project, "login.txt", "login\n")
    assert promote(opened, project)[0].commit is None
    merge(git, project, "merge")
    assert promote(opened, project)[0].commit


def test_an_abandoned_branch_is_told(opened: Store, project: Path, git: Run) -> None:
    branch(git, project)
    tie(opened, "login", project)
    git(project, "switch", "--quiet", "main")
    git(project, "branch", "--quiet", "-D", "feat/login")
    assert promote(opened, project)[1] == [
        Left("login", "branch feat/login is not merged and is not here any more")
    ]


def test_only_memories_of_that_project_are_looked_at(
    opened: Store, project: Path, tmp_path: Path, git: Run
) -> None:
    branch(git, project)
    tie(opened, "login", project)
    git(tmp_path, "init", "--quiet", "elsewhere")
    commit(git, tmp_path / "elsewhere", "f", "x")
    changed, left = promote(opened, tmp_path / "elsewhere")
    assert (changed.commit, left) == (None, [])


def test_what_is_no_branch_of_a_project(opened: Store, project: Path, git: Run) -> None:
    with pytest.raises(StoreError, match="main is what other branches are merged into"):
        tie(opened, "login", project)
    with pytest.raises(StoreError, match="that is the store itself"):
        tie(opened, "login", opened.root)
    git(project, "checkout", "--quiet", "--detach")
    with pytest.raises(StoreError, match="no branch is checked out"):
        tie(opened, "login", project)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://kim:secret@git.example.com/team/shop.git", "git.example.com/team/shop"),
        ("git@git.example.com:team/shop.git", "git.example.com/team/shop"),
        ("ssh://git@git.example.com:2222/team/shop", "git.example.com/team/shop"),
        ("/srv/git/shop.git", "shop"),
        ("../shop.git", "shop"),
    ],
)
def test_a_project_is_called_alike_in_every_clone(
    project: Path, git: Run, address: str, expected: str
) -> None:
    git(project, "remote", "add", "origin", address)
    assert identity(Repository(project)) == expected
