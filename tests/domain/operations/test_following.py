"""After git's own commits and merges: labels reach what derives, `MEMORY.md` says what is there."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.connecting.githooks import install
from memgit.domain.indexing.index import Index
from memgit.domain.operations.labelling import restore, take_label
from memgit.domain.recording import is_current, take_over
from memgit.domain.store import Store

from .conftest import memory

Run = Callable[..., subprocess.CompletedProcess[str]]

LINE = ("deep/child.md", "grandchild.md", "great.md")


@pytest.fixture
def hooked(descent: Store) -> Store:
    """The store of four generations with its hooks and its index."""
    install(descent)
    Index(descent).sync()
    return descent


def written(store: Store, git: Run, text: str, *options: str) -> str:
    """What git says when root is committed by hand with other words."""
    (store.root / "root.md").write_text(text)
    git(store.root, "add", "root.md")
    return git(store.root, "commit", "--message=by hand", *options).stderr


def labelled(store: Store) -> int:
    """How many of the three derived memories say so, in their files and in the index alike."""
    count = sum(bool(store.read(path).labels) for path in LINE)
    rows = {row["path"]: row["labels"] for row in Index(store).records()}
    assert count == sum(bool(rows[path]) for path in LINE)
    assert store.repository.run("status", "--porcelain") == ""
    return count


@pytest.mark.parametrize("key", ["superseded_by", "retired", "refuted"])
def test_a_plain_commit_reaches_what_derives(hooked: Store, git: Run, key: str) -> None:
    said = written(hooked, git, memory("root", **{key: "other"}))
    assert "labels changed on child, grandchild, great" in said
    assert labelled(hooked) == 3
    assert "no longer" in written(hooked, git, memory("root"))
    assert labelled(hooked) == 0


def test_without_an_error_nothing_else_is_committed(hooked: Store, git: Run) -> None:
    assert written(hooked, git, memory("root", body="Other words.")) == ""
    assert git(hooked.root, "log", "-1", "--format=%s").stdout == "by hand\n"


def test_an_amended_commit_too(hooked: Store, git: Run) -> None:
    written(hooked, git, memory("root", body="Other words."))
    written(hooked, git, memory("root", superseded_by="other"), "--amend")
    assert labelled(hooked) == 3


def test_a_label_that_a_person_took_away_stays_away(hooked: Store, git: Run) -> None:
    written(hooked, git, memory("root", retired="yes"))
    take_label(hooked, "child", "unverified")
    written(hooked, git, memory("root", retired="yes", body="Other words."))
    git(hooked.root, "switch", "--quiet", "--create", "old", "HEAD~3")
    git(hooked.root, "merge", "--quiet", "main")
    assert labelled(hooked) == 2
    restore(hooked, "root")
    assert labelled(hooked) == 0


def test_another_branch_that_is_checked_out_gets_no_commit(hooked: Store, git: Run) -> None:
    git(hooked.root, "switch", "--quiet", "--create", "side")
    (hooked.root / "root.md").write_text(memory("root", retired="yes"))
    git(hooked.root, "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-am", "elsewhere")
    git(hooked.root, "switch", "--quiet", "main")
    git(hooked.root, "switch", "--quiet", "side")
    assert git(hooked.root, "log", "-1", "--format=%s").stdout == "elsewhere\n"


def test_a_merge_of_an_error_and_what_derives(hooked: Store, git: Run) -> None:
    git(hooked.root, "switch", "--quiet", "--create", "side")
    written(hooked, git, memory("root", superseded_by="other"))
    git(hooked.root, "switch", "--quiet", "main")
    (hooked.root / "late.md").write_text(memory("late", derived_from="root"))
    git(hooked.root, "add", "late.md")
    git(hooked.root, "commit", "--quiet", "--message=late")
    git(hooked.root, "merge", "--quiet", "--no-edit", "side")
    assert hooked.read("late.md").labels
    assert labelled(hooked) == 3


def test_a_rebase_is_followed_by_what_comes_next(hooked: Store, git: Run) -> None:
    git(hooked.root, "switch", "--quiet", "--create", "side")
    (hooked.root / "late.md").write_text(memory("late", derived_from="root"))
    git(hooked.root, "add", "late.md")
    git(hooked.root, "commit", "--quiet", "--message=late")
    git(hooked.root, "switch", "--quiet", "main")
    written(hooked, git, memory("root", superseded_by="other"))
    git(hooked.root, "switch", "--quiet", "side")
    git(hooked.root, "rebase", "--quiet", "main")
    assert git(hooked.root, "log", "-1", "--format=%s").stdout == "late\n"
    git(hooked.root, "commit", "--quiet", "--allow-empty", "--message=next")
    assert hooked.read("late.md").labels
    assert labelled(hooked) == 3


def test_a_row_of_reverts_goes_through_and_is_followed_then(hooked: Store, git: Run) -> None:
    quietly = ("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--all")
    for text in (memory("root", refuted="yes"), memory("root")):
        (hooked.root / "root.md").write_text(text)
        git(hooked.root, *quietly, "--message=unseen")
    git(hooked.root, "revert", "--no-edit", "HEAD", "HEAD~1")
    git(hooked.root, "revert", "--no-edit", "HEAD")
    assert git(hooked.root, "log", "-4", "--format=%s").stdout.splitlines() == [
        "cascade: root is refuted", 'Revert "Revert "unseen""', *['Revert "unseen"'] * 2,
    ]  # fmt: skip
    assert labelled(hooked) == 3


@pytest.mark.parametrize("driver", [True, False])
def test_the_list_after_a_plain_pull(
    hooked: Store, git: Run, memgit: Run, tmp_path: Path, driver: bool
) -> None:
    (hooked.root / "MEMORY.md").write_text("")
    assert memgit("save", cwd=hooked.root).returncode == 0
    git(tmp_path, "clone", "--quiet", hooked.root, "there")
    there = Store.at(tmp_path / "there")
    install(there)
    if not driver:
        (there.root / ".git/info/attributes").unlink()
    assert memgit("add", "--name", "here", "--body", "Here.", cwd=hooked.root).returncode == 0
    assert memgit("add", "--name", "beyond", "--body", "There.", cwd=there.root).returncode == 0
    pull = ["git", "-c", "pull.rebase=false", "pull", "--no-edit"]
    pulled = subprocess.run(pull, cwd=there.root, capture_output=True, text=True, check=False)
    if pulled.returncode:  # both sides made the first line another
        assert not driver
        git(there.root, "add", "--all")
        git(there.root, "commit", "--quiet", "--no-edit", "--no-verify")
        take_over(there)
    else:
        assert "MEMORY.md was made anew after the merge" in pulled.stderr
    assert is_current(there)
    listed = (there.root / "MEMORY.md").read_text()
    assert "here.md" in listed
    assert "beyond.md" in listed
    assert there.repository.run("status", "--porcelain") == ""


def test_a_list_that_came_as_it_is_is_told(
    hooked: Store, git: Run, memgit: Run, tmp_path: Path
) -> None:
    (hooked.root / "MEMORY.md").write_text("")
    assert memgit("save", cwd=hooked.root).returncode == 0
    git(tmp_path, "clone", "--quiet", hooked.root, "there")
    install(Store.at(tmp_path / "there"))
    (hooked.root / "new.md").write_text("Nobody lists it.\n")
    git(hooked.root, "add", "new.md")
    git(hooked.root, "commit", "--quiet", "--message=by hand")
    pulled = git(tmp_path / "there", "pull")
    assert "MEMORY.md is not what the memories say; `memgit save` makes it anew" in pulled.stderr
    assert (
        git(tmp_path / "there", "rev-parse", "HEAD").stdout
        == git(hooked.root, "rev-parse", "HEAD").stdout
    )


def test_what_both_sides_wrote_into_the_list_is_taken_over_in_silence(
    hooked: Store, git: Run, memgit: Run
) -> None:
    (hooked.root / "MEMORY.md").write_text("")
    assert memgit("save", cwd=hooked.root).returncode == 0
    git(hooked.root, "branch", "other")
    for branch, line in (("main", "from the main side"), ("other", "from the other side")):
        git(hooked.root, "checkout", "--quiet", branch)
        with (hooked.root / "MEMORY.md").open("a") as file:
            file.write(f"- {line}\n")
        git(hooked.root, "commit", "--quiet", "--all", f"--message={branch}")
    git(hooked.root, "checkout", "--quiet", "main")
    done = git(hooked.root, "merge", "--no-edit", "other")
    assert "in progress" not in done.stderr
    assert is_current(hooked)
    assert {"from-the-main-side.md", "from-the-other-side.md"} <= set(hooked.paths())
