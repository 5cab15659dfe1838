"""A project as git knows it: names of every kind, and states in which git does not answer."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.errors import StoreError
from memgit.ports import checkout
from memgit.ports.checkout import Checkout, Unreadable

Git = Callable[..., subprocess.CompletedProcess[str]]

NAMES = [
    "a b.txt",
    "日本語.md",
    'quote".txt',
    "line\nend.txt",
    "tab\t.txt",
    "-dash.txt",
    ":colon.md",
]


@pytest.fixture
def folder(tmp_path: Path, git: Git) -> Path:
    made = tmp_path / "project"
    git(tmp_path, "init", "--quiet", str(made))
    for name in NAMES:
        (made / name).write_text(f"{name} and more of it\n")
    git(made, "add", "--all")
    git(made, "commit", "--quiet", "--message=first")
    return made


def test_names_of_every_kind(folder: Path, git: Git) -> None:
    opened = Checkout(folder)
    assert sorted(opened.files()[0]) == sorted(NAMES)
    (folder / "moved").mkdir()
    for name in NAMES:
        git(folder, "mv", "--", f"./{name}", f"moved/{name}")
    git(folder, "commit", "--quiet", "--message=moved")
    gone = [event for event in opened.events() if event.kind == "D"]
    assert sorted(event.path for event in gone) == sorted(NAMES)
    (commit,) = {event.commit for event in gone}
    assert opened.renames([commit])[commit] == {name: f"moved/{name}" for name in NAMES}


def test_what_git_ignores(folder: Path) -> None:
    (folder / ".gitignore").write_text("*.log\n/cache/\n")
    opened = Checkout(folder)
    asked = ["x.log", "cache/a.txt", "src/a.txt", ":(glob)*.log", "日本.log", "", "-x.log"]
    assert opened.ignored(asked) == {"x.log", "cache/a.txt", "日本.log", "-x.log"}
    assert opened.ignored([]) == set()


def test_a_repository_without_a_commit(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "--quiet", str(tmp_path / "new"))
    opened = Checkout(tmp_path / "new")
    assert (opened.head(), opened.files(), list(opened.events())) == ("", ([], []), [])
    assert (opened.branches(), opened.elsewhere()) == ({}, {})


def test_kinds_of_ids(folder: Path, git: Git) -> None:
    head = git(folder, "rev-parse", "HEAD").stdout.strip()
    tree = git(folder, "rev-parse", "HEAD^{tree}").stdout.strip()
    asked = [head, tree, "0" * 40, head[:8], head]
    assert Checkout(folder).kinds(asked) == {
        head: "commit", tree: "tree", "0" * 40: "missing", head[:8]: "commit",
    }  # fmt: skip


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a git repository"):
        Checkout(tmp_path)


def test_a_question_that_takes_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Checkout(folder)
    monkeypatch.setattr(checkout, "PATIENCE", 0.0001)
    with pytest.raises(Unreadable, match="took longer"):
        opened.files()


def test_a_project_runs_nothing_for_a_look(folder: Path, git: Git, tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    program = f"touch {canary}"
    for name in ("core.fsmonitor", "diff.external", "core.pager", "core.sshCommand",
                 "gpg.program", "filter.x.clean", "filter.x.smudge", "core.editor"):  # fmt: skip
        git(folder, "config", name, program)
    git(folder, "config", "log.showSignature", "true")
    (folder / ".gitattributes").write_text("* filter=x diff=x\n")
    git(folder, "config", "diff.x.textconv", program)
    opened = Checkout(folder)
    opened.files()
    list(opened.events())
    opened.renames([opened.head()])
    opened.elsewhere()
    opened.worktrees()
    opened.ignored(["a"])
    opened.kinds([opened.head()])
    opened.blob("a b.txt", 1000)
    assert not canary.exists()
