"""Secrets never become a git object, whichever way they come."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.domain.gates.tokens import VENDORS

Run = Callable[..., CompletedProcess[str]]

TOKEN = VENDORS["GitHub personal"](random.Random("refused"))


def is_in_git(store: Path) -> bool:
    """Whether any object of the repository holds the token, reachable or not."""
    listed = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=store, capture_output=True
    )
    return TOKEN.encode() in listed.stdout


def test_add_refuses_and_keeps_what_was_typed(memgit: Run, store: Path) -> None:
    done = memgit("add", "--name", "deploy", "--body", f"Use {TOKEN} to deploy.", cwd=store)
    assert done.returncode == 3
    assert "refused: deploy.md:" in done.stderr
    assert TOKEN not in done.stderr
    (kept,) = (store / ".git/memgit/main/unsaved").rglob("*.md")
    assert TOKEN in kept.read_text()
    assert not (store / "deploy.md").exists()
    assert not is_in_git(store)


def test_add_refuses_one_in_the_description(memgit: Run, store: Path) -> None:
    done = memgit("add", "--description", f"x {TOKEN}", "--body", "b", cwd=store)
    assert done.returncode == 3
    assert not is_in_git(store)


def test_save_leaves_the_file_and_saves_the_others(memgit: Run, store: Path, git: Run) -> None:
    (store / "good.md").write_text("Use tabs.\n")
    (store / "bad.md").write_text(f"one\nUse {TOKEN}.\n")
    done = memgit("save", cwd=store)
    assert done.returncode == 1
    assert "bad.md:2: secret looks like a secret: GitHub token" in done.stdout
    assert git(store, "status", "--short").stdout == "?? bad.md\n"
    assert not is_in_git(store)
    (store / "bad.md").write_text("Use the token in the vault.\n")
    assert memgit("save", cwd=store).returncode == 0
    assert git(store, "status", "--short").stdout == ""


def test_import_leaves_it_out_and_says_why(memgit: Run, store: Path, tmp_path: Path) -> None:
    source = tmp_path / "notes"
    source.mkdir()
    (source / "good.md").write_text("Use tabs.\n")
    (source / "bad.md").write_text(f"one\nUse {TOKEN}.\n")
    done = memgit("import", source, cwd=store)
    assert done.returncode == 0
    assert "line 2 looks like a secret: GitHub token" in done.stdout
    assert (store / "good.md").exists()
    assert not is_in_git(store)


def test_edit_refuses(memgit: Run, store: Path) -> None:
    memgit("add", "--name", "deploy", "--body", "Use the token.", cwd=store)
    done = memgit("edit", "deploy", "--line", "Use the token.", "--to", f"Use {TOKEN}.", cwd=store)
    assert done.returncode == 3
    assert "secret" in done.stderr
    assert not is_in_git(store)


def test_what_was_written_by_hand_is_refused_before_the_next_operation(
    memgit: Run, store: Path
) -> None:
    memgit("add", "--name", "deploy", "--body", "Use the token.", cwd=store)
    (store / "deploy.md").write_text(f"---\nname: deploy\n---\nUse {TOKEN}.\n")
    done = memgit("retire", "deploy", cwd=store)
    assert done.returncode == 3
    assert TOKEN in (store / "deploy.md").read_text()
    assert not is_in_git(store)


def test_a_reason_is_looked_at_as_well(memgit: Run, store: Path) -> None:
    memgit("add", "--name", "deploy", "--body", "Use the token.", cwd=store)
    done = memgit("retire", "deploy", "--because", f"leaked {TOKEN}", cwd=store)
    assert done.returncode == 3
    assert not is_in_git(store)


def test_what_is_committed_already_does_not_stop_what_mends_it(
    memgit: Run, store: Path, git: Run
) -> None:
    (store / "old.md").write_text(f"---\nname: old\n---\nUse {TOKEN}.\n")
    git(store, "add", "old.md")
    git(store, "commit", "--quiet", "--message=before there was a gate")
    assert memgit("retire", "old", "--because", "holds a token", cwd=store).returncode == 0
    assert memgit("check", cwd=store).returncode == 1


def test_add_tells_what_does_not_stop_it(memgit: Run, store: Path) -> None:
    memgit("add", "--name", "one", "--body", "Use tabs, see [[later]].", cwd=store)
    done = memgit("add", "--name", "two", "--body", "Use tabs, see [[later]].", cwd=store)
    assert done.returncode == 0
    assert "dangling [[later]] leads to no memory yet" in done.stderr
    assert "duplicate the same text as one (one.md)" in done.stderr
    assert done.stdout.startswith("added two")


def test_a_file_in_the_encoding_that_attributes_tell(memgit: Run, store: Path, git: Run) -> None:
    (store / ".gitattributes").write_text("*.md working-tree-encoding=IBM037\n")
    git(store, "add", ".gitattributes")
    git(store, "commit", "--quiet", "--message=as the mainframe writes")
    (store / "bad.md").write_bytes(f"Use {TOKEN}.\n".encode("cp037"))
    done = memgit("save", cwd=store)
    assert done.returncode == 1
    assert "bad.md:1: secret" in done.stdout
    assert not is_in_git(store)


def test_a_file_whose_name_holds_one_is_left(memgit: Run, store: Path, git: Run) -> None:
    (store / f"{TOKEN}.md").write_text("Use tabs.\n")
    (store / "good.md").write_text("Use spaces.\n")
    done = memgit("save", cwd=store)
    assert done.returncode == 1
    assert "***.md:1: secret the file's name" in done.stdout
    assert TOKEN not in done.stdout + done.stderr
    assert git(store, "ls-files", "*.md").stdout == "good.md\n"
    assert not is_in_git(store)


@pytest.mark.parametrize("staged", [True, False])
def test_where_a_link_leads_is_looked_at(memgit: Run, store: Path, git: Run, staged: bool) -> None:
    (store / "key.md").symlink_to(f"/vault/{TOKEN}")
    git(store, "add", "key.md")
    done = memgit("check", *(["--staged"] if staged else []), cwd=store)
    assert done.returncode == 1
    assert "key.md:1: secret looks like a secret: GitHub token" in done.stdout
    assert TOKEN not in done.stdout + done.stderr


def test_the_list_of_memories_puts_none_together(memgit: Run, store: Path, git: Run) -> None:
    (store / "MEMORY.md").write_text("")
    assert memgit("save", cwd=store).returncode == 0
    half = len(TOKEN) // 2
    body = f"# The key {TOKEN[:half]}**{TOKEN[half:]}** is for deploys\n"
    assert memgit("add", "--name", "deploy", "--body", body, cwd=store).returncode == 0
    assert "- [Deploy](deploy.md)\n" in (store / "MEMORY.md").read_text()
    assert not is_in_git(store)
