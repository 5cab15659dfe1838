"""A secret is taken out of files, derived data and history of a real repository, and looked for."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.operations.history import events
from memgit.domain.operations.labelling import retire
from memgit.domain.operations.purging import look, obstacles, purge_history, purge_tree
from memgit.domain.operations.secret import Secret
from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.sharing.syncing import sync
from memgit.domain.store import Store
from memgit.errors import StoreError

Run = Callable[..., subprocess.CompletedProcess[str]]

KEY = "sk-live-Ab12Cd34Ef56"
SECRET = Secret(KEY)


@pytest.fixture
def leaked(store: Path, git: Run) -> Store:
    """A store whose history has the secret in a memory, a message, a tag, and a side branch."""
    opened = Store.at(store)
    remember(opened, Wish(f"Before.\nThe key is {KEY}.\nAfter.", "keys", description=f"has {KEY}"))
    Index(opened).sync()
    remember(opened, Wish("Innocent.", "other"))
    retire(opened, "other")
    undo(opened)
    git(store, "commit", "--quiet", "--allow-empty", f"--message=uses {KEY}\n\nand more")
    git(store, "tag", "--annotate", "v1", f"--message=with {KEY}")
    git(store, "switch", "--quiet", "--create", "side")
    (store / "deep").mkdir()
    (store / "deep" / "日本 x.md").write_text(f"{KEY}\nstays\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=on the side")
    git(store, "switch", "--quiet", "main")
    git(store, "merge", "--quiet", "--no-ff", "--no-edit", "side")
    Index(opened).sync()
    (opened.derived / "recall.log").write_text(f"could not read {KEY}\n")
    return opened


def raw(folder: Path) -> list[str]:
    """Every file below a folder that holds the key as it is, and every object of git."""
    found = [str(path) for path in folder.rglob("*")
             if path.is_file() and KEY.encode() in path.read_bytes()]  # fmt: skip
    listed = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"],
        cwd=folder, capture_output=True, check=True,
    ).stdout  # fmt: skip
    return found + ["an object"] * (KEY.encode() in listed)


def test_it_is_found_wherever_it_stands(leaked: Store) -> None:
    found = look(leaked, SECRET)
    assert found.tree == ["deep/日本 x.md", "keys.md"]
    assert {"main/recall.log", "main/table"} <= set(found.index)
    assert {one.split()[0] for one in found.history} == {"blob", "commit", "tag"}
    assert found.loose == []
    assert "COMMIT_EDITMSG" in found.git or any("logs" in one for one in found.git)


def test_files_and_index_go_first_and_history_still_has_it(leaked: Store) -> None:
    commit = purge_tree(leaked, SECRET)
    assert KEY not in leaked.repository.run("log", "-1", "--format=%B", commit or "")
    assert leaked.read("keys.md").body == "\nBefore.\n[purged]\nAfter.\n"
    assert leaked.read("keys.md").description == "has [purged]"
    found = look(leaked, SECRET)
    assert (found.tree, found.index) == ([], [])
    assert found.history
    assert Index(leaked).search("innocent", 3)


def test_then_history_is_written_anew(leaked: Store, git: Run) -> None:
    purge_tree(leaked, SECRET)
    before = leaked.repository.run("log", "--all", "--format=%an %aI %cI %P").count("\n")
    tree = leaked.repository.run("rev-parse", "HEAD^{tree}")
    parents = leaked.repository.run("log", "--format=%p").split("\n")
    purge_history(leaked, SECRET)
    assert not look(leaked, SECRET)
    assert raw(leaked.root) == []
    assert leaked.repository.run("rev-parse", "HEAD^{tree}") == tree
    told, *old = leaked.repository.run("log", "--all", "--format=%an %aI %cI %P %s").split("\n")
    assert told.endswith("purge: history was written anew")
    assert len(old) == before + 1
    now = leaked.repository.run("log", "--format=%p", "HEAD~1").split("\n")
    assert [len(line.split()) for line in now] == [len(line.split()) for line in parents]
    assert leaked.repository.run("status", "--porcelain") == ""
    assert "[purged]" in leaked.repository.run("log", "--all", "--format=%B")
    assert leaked.repository.run("tag", "--list", "--format=%(contents)") == "[purged]\n"
    assert leaked.repository.run("branch", "--format=%(refname:short)") == "main\nside"
    git(leaked.root, "fsck", "--strict")


def test_operations_still_know_what_they_undid(leaked: Store) -> None:
    purge_tree(leaked, SECRET)
    purge_history(leaked, SECRET)
    found = {event.id: event for event in events(leaked)}
    undone = [event.operation.undoes for event in found.values()
              if event.operation and event.operation.undoes]  # fmt: skip
    assert [found[one].kind for one in undone] == ["retire"]
    again = undo(leaked, undone[0])
    assert again.note.startswith("nothing of it is left")


def test_a_purge_is_not_undone(leaked: Store) -> None:
    done = purge_tree(leaked, SECRET)
    with pytest.raises(StoreError, match="cannot be undone"):
        undo(leaked, done)


def test_what_was_pushed_is_said(leaked: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "server")
    git(leaked.root, "remote", "add", "origin", tmp_path / "server")
    git(leaked.root, "push", "--quiet", "origin", "main")
    purge_tree(leaked, SECRET)
    assert look(leaked, SECRET).pushed == ["refs/remotes/origin/main"]
    purge_history(leaked, SECRET)
    found = look(leaked, SECRET)
    assert (found.history, found.pushed) == ([], [])


def test_what_would_be_lost_stands_in_the_way(leaked: Store, git: Run, tmp_path: Path) -> None:
    (leaked.root / "other.md").write_text("half done\n")
    git(leaked.root, "stash")
    git(leaked.root, "worktree", "add", "--quiet", "--detach", tmp_path / "linked")
    told = list(obstacles(leaked))
    assert [re.search("stash|work tree", one) is not None for one in told] == [True, True]
    head = leaked.repository.head()
    with pytest.raises(StoreError, match="there are stashes"):
        purge_history(leaked, SECRET)
    assert leaked.repository.head() == head
    git(leaked.root, "switch", "--quiet", "--detach")
    assert "no branch is checked out" in next(iter(obstacles(leaked)))


def test_ignored_and_foreign_files_are_told_and_left(leaked: Store) -> None:
    (leaked.root / ".gitignore").write_text(".env\n")
    (leaked.root / ".env").write_text(f"KEY={KEY}\n")
    (leaked.root / "notes.txt").write_text(f"{KEY}\n")
    purge_tree(leaked, SECRET)
    assert look(leaked, SECRET).tree == [".env", "notes.txt"]
    assert KEY in (leaked.root / ".env").read_text()
    assert leaked.repository.run("ls-files", ".env", "notes.txt") == ""


def test_a_file_named_so_is_renamed_first(leaked: Store) -> None:
    (leaked.root / f"{KEY}.md").write_text("x\n")
    with pytest.raises(StoreError, match="its name holds the string"):
        purge_tree(leaked, SECRET)


def test_names_in_history_are_purged_too(leaked: Store, git: Run) -> None:
    (leaked.root / f"{KEY}.md").write_text("x\n")
    git(leaked.root, "add", "--all")
    git(leaked.root, "commit", "--quiet", "--message=named")
    git(leaked.root, "rm", "--quiet", f"{KEY}.md")
    git(leaked.root, "commit", "--quiet", "--message=gone")
    purge_tree(leaked, SECRET)
    purge_history(leaked, SECRET)
    assert raw(leaked.root) == []
    assert not look(leaked, SECRET)


@pytest.fixture
def shared(leaked: Store, git: Run, tmp_path: Path) -> tuple[Store, Store]:
    """Two clones of one server that have the secret; the first one has purged it."""
    git(tmp_path, "init", "--quiet", "--bare", "server")
    git(leaked.root, "remote", "add", "origin", tmp_path / "server")
    sync(leaked, told=lambda text: None)
    git(tmp_path, "clone", "--quiet", "server", "other")
    purge_tree(leaked, SECRET)
    purge_history(leaked, SECRET)
    return leaked, Store.at(tmp_path / "other")


def test_a_sync_does_not_bring_it_back(shared: tuple[Store, Store], git: Run) -> None:
    here, _ = shared
    kept = here.repository.common_dir / "memgit" / "purged"
    assert KEY not in kept.read_text()
    head = here.repository.head()
    server = here.root.parent / "server"
    there = git(server, "rev-parse", "main").stdout
    for _ in range(2):
        with pytest.raises(StoreError, match=r"still has \d+ commits .*nothing was chan") as told:
            sync(here, told=lambda text: None)
        assert here.repository.head() == head
        assert git(server, "rev-parse", "main").stdout == there
    assert told.value.exit_code == 3

    advised = re.search(r"push --force-with-lease (\S+) (\S+);", told.value.hint)
    assert advised
    git(here.root, "push", "--quiet", "--force-with-lease", *advised.groups())
    assert sync(here, told=lambda text: None).how == "current"
    assert KEY not in git(server, "log", "-p", "main").stdout


def test_another_clone_sees_that_it_has_what_was_purged(
    shared: tuple[Store, Store], git: Run
) -> None:
    here, other = shared
    git(here.root, "push", "--quiet", "--force", "origin", "main")
    server = here.root.parent / "server"
    there = git(server, "rev-parse", "main").stdout
    remember(other, Wish("Only theirs.", "theirs"))
    head = other.repository.head()
    for _ in range(2):  # what is fetched is known the second time
        with pytest.raises(StoreError, match=r"was purged of a secret, and \d+ commits") as told:
            sync(other, told=lambda text: None)
        assert f"then remove {other.root}" in told.value.hint
        assert other.repository.head() == head
        assert git(server, "rev-parse", "main").stdout == there
    assert KEY not in git(server, "log", "-p", "main").stdout
    git(server.parent, "clone", "--quiet", "server", "anew")
    anew = Store.at(server.parent / "anew")
    remember(anew, Wish("Of today.", "today"))
    sync(anew, told=lambda text: None)
    assert sync(here, told=lambda text: None).received == 1
    assert KEY not in git(server, "log", "-p", "main").stdout


def test_nor_from_a_clone_that_was_not_made_anew(shared: tuple[Store, Store], git: Run) -> None:
    here, other = shared
    git(here.root, "push", "--quiet", "--force", "origin", "main")
    git(other.root, "pull", "--quiet", "--no-rebase", "--no-edit", "-X", "ours")
    remember(other, Wish("Only theirs.", "theirs"))
    sync(other, told=lambda text: None)
    (here.root / "mine.md").write_text("just written\n")
    with pytest.raises(StoreError, match=r"committed here: .*mine\.md") as told:
        sync(here, told=lambda text: None)
    assert "nothing was changed here" not in str(told.value)
    assert re.search(r"of \d+ commits that only origin/main has", told.value.hint)
    assert not (here.root / "theirs.md").exists()
    assert KEY not in here.repository.run("log", "-p", "main")


def test_what_only_the_remote_had_is_known_too(leaked: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "server")
    git(leaked.root, "remote", "add", "origin", tmp_path / "server")
    purge_tree(leaked, SECRET)
    purge_history(leaked, SECRET)
    sync(leaked, told=lambda text: None)
    git(tmp_path, "clone", "--quiet", "server", "other")
    remember(Store.at(tmp_path / "other"), Wish(f"It is {KEY}.", "again"))
    git(tmp_path / "other", "push", "--quiet")
    git(leaked.root, "fetch", "--quiet")
    purge_history(leaked, SECRET)
    with pytest.raises(StoreError, match="still has 1 commit"):
        sync(leaked, told=lambda text: None)
