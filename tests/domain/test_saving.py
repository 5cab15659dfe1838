"""What `save` commits, and what it leaves."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.recording import AGENT
from memgit.domain.saving import STILL, save
from memgit.domain.store import Store
from memgit.errors import StoreError

Run = Callable[..., object]


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    (store / "ops").mkdir()
    for path in ("a.md", "b.md", "ops/c.md", "readme.txt"):
        (store / path).write_text(f"---\nname: name of {path}\n---\nold\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=first")
    return Store.at(store)


def message(store: Store) -> str:
    return store.repository.run("log", "-1", "--format=%B")


def changed(store: Store) -> list[str]:
    return store.repository.run("show", "--format=", "--name-status", "HEAD").splitlines()


def commits(store: Store) -> int:
    return int(store.repository.run("rev-list", "--count", "HEAD"))


def test_new_changed_and_deleted_memories_are_one_commit(opened: Store) -> None:
    (opened.root / "a.md").write_text("---\nname: renamed\n---\nnew\n")
    (opened.root / "b.md").unlink()
    (opened.root / "日本").mkdir()
    (opened.root / "日本" / "d e.md").write_text("fresh\n")
    done = save(opened, "user")
    assert (done.new, done.changed, done.deleted) == (["日本/d e.md"], ["a.md"], ["b.md"])
    assert changed(opened) == ["M\ta.md", "D\tb.md", "A\t日本/d e.md"]
    assert message(opened).splitlines() == [
        "save: 3 memories (1 new, 1 changed, 1 deleted)",
        "",
        "Memgit-Operation: save",
        "Memgit-Actor: user",
        "Memgit-Memory: renamed",
        "Memgit-Memory: d e",
        "Memgit-Memory: name of b.md",
    ]
    assert opened.repository.run("status", "--porcelain") == ""


def test_only_memories_and_the_two_files_beside_them(opened: Store, git: Run) -> None:
    for path in ("MEMORY.md", "PROFILE.md", "x.txt", ".hidden.md", "ops/data.json", "memgit.toml"):
        (opened.root / path).write_text("format = 1\n# new\n")
    (opened.root / "drafts").mkdir()
    (opened.root / "drafts" / "skill.md").write_text("draft\n")
    (opened.root / "readme.txt").write_text("changed\n")
    git(opened.root, "add", "readme.txt")
    done = save(opened, "user")
    assert done.paths == ["MEMORY.md", "PROFILE.md", "format-1.md", "new.md"]
    assert message(opened).startswith("save: 2 memories (2 new) and MEMORY.md and PROFILE.md\n")
    assert opened.repository.run("diff", "--cached", "--name-only") == "readme.txt"


def test_staged_or_not_makes_no_difference(opened: Store, git: Run) -> None:
    (opened.root / "a.md").write_text("staged\n")
    (opened.root / "new.md").write_text("staged\n")
    git(opened.root, "add", "--all")
    (opened.root / "a.md").write_text("and more\n")
    git(opened.root, "rm", "--quiet", "b.md")
    git(opened.root, "mv", "ops/c.md", "ops/moved.md")
    done = save(opened, "user")
    assert sorted(done.deleted) == ["b.md", "ops/c.md"]
    assert opened.repository.run("show", "HEAD:a.md") == "and more"
    assert opened.repository.run("status", "--porcelain") == ""


def test_nothing_to_save(opened: Store, git: Run) -> None:
    assert save(opened, "user").commit is None
    (opened.root / "a.md").write_text("staged\n")
    git(opened.root, "add", "a.md")
    git(opened.root, "show", "HEAD:a.md")
    (opened.root / "a.md").write_text("---\nname: name of a.md\n---\nold\n")
    assert save(opened, "user").commit is None
    assert commits(opened) == 2


def test_a_file_still_being_written_waits_for_an_agent_only(opened: Store) -> None:
    for path in ("a.md", "new.md"):
        (opened.root / path).write_text("half a sent")
    (opened.root / "b.md").write_text("done\n")
    now = (opened.root / "a.md").stat().st_mtime
    os.utime(opened.root / "b.md", (now - STILL, now - STILL))
    done = save(opened, AGENT, now + 0.1)
    assert (done.paths, sorted(done.waiting)) == (["b.md"], ["a.md", "new.md"])
    assert "Memgit-Actor: agent" in message(opened)
    assert save(opened, "user", now + 0.1).paths == ["a.md", "new.md"]


def test_a_time_in_the_future_is_not_fresh(opened: Store) -> None:
    (opened.root / "a.md").write_text("x\n")
    now = (opened.root / "a.md").stat().st_mtime
    assert save(opened, AGENT, now - 60).paths == ["a.md"]


def test_faults_do_not_keep_a_memory_out(opened: Store) -> None:
    (opened.root / "bad.md").write_bytes(b"---\nname: [\n---\ncaf\xe9\0\n")
    assert save(opened, "user").commit
    assert changed(opened) == ["A\tbad.md"]


def test_links_and_ignored_files_stay(opened: Store, tmp_path: Path) -> None:
    (opened.root / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (opened.root / "private.md").write_text("mine\n")
    (opened.repository.git_dir / "info" / "exclude").write_text("private.md\n")
    assert save(opened, "user").commit is None


@pytest.mark.parametrize("state", ["merge", "rebase"])
def test_the_middle_of_a_merge_or_a_rebase(opened: Store, git: Run, state: str) -> None:
    git(opened.root, "switch", "--quiet", "--create", "side")
    (opened.root / "a.md").write_text("side\n")
    git(opened.root, "commit", "--quiet", "--all", "--message=side")
    git(opened.root, "switch", "--quiet", "main")
    (opened.root / "a.md").write_text("main\n")
    git(opened.root, "commit", "--quiet", "--all", "--message=main")
    opened.repository.run(state, "side", check=False)
    with pytest.raises(StoreError, match=f"a {state} is in progress"):
        save(opened, "user")


def test_conflict_marks_that_a_stash_left_are_not_committed(opened: Store, git: Run) -> None:
    (opened.root / "a.md").write_text("stashed\n")
    git(opened.root, "stash")
    (opened.root / "a.md").write_text("committed\n")
    git(opened.root, "commit", "--quiet", "--all", "--message=other")
    opened.repository.run("stash", "pop", check=False)
    with pytest.raises(StoreError, match="two versions"):
        save(opened, "user")


def test_the_first_commit(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "memgit.toml").write_text("format = 1\n")
    (tmp_path / "a.md").write_text("x\n")
    store = Store.at(tmp_path)
    assert save(store, "user").new == ["a.md"]
    assert changed(store) == ["A\ta.md"]
