"""Sync: what both sides did is in both afterwards, and where that cannot be, nothing is changed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.operations.labelling import put_label
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.sharing.syncing import RESCUE, Synced, sync
from memgit.domain.store import Store
from memgit.errors import StoreError

Run = Callable[..., object]
LINES = "".join(f"line {number}\n\n" for number in range(1, 9))


@pytest.fixture
def hub(tmp_path: Path, git: Run) -> Path:
    folder = tmp_path / "hub.git"
    folder.mkdir()
    git(folder, "init", "--quiet", "--bare")
    return folder


@pytest.fixture
def a(store: Path, hub: Path, git: Run) -> Store:
    """A store with the memories `old`, `x`, `y`, pushed."""
    git(store, "remote", "add", "origin", str(hub))
    opened = Store.at(store)
    for name in ("old", "x", "y"):
        remember(opened, Wish(f"{LINES}This is {name}.", name))
    exchange(opened)
    return opened


@pytest.fixture
def b(a: Store, hub: Path, tmp_path: Path, git: Run) -> Store:
    """Another clone of it, which never ran `memgit init`."""
    git(tmp_path, "clone", "--quiet", str(hub), "b")
    return Store.at(tmp_path / "b")


def exchange(store: Store, remote: str | None = None) -> Synced:
    return sync(store, remote, lambda text: None)


def write(store: Store, path: str, old: str, new: str) -> None:
    file = store.root / path
    file.write_text(file.read_text().replace(old, new))


def state(store: Store) -> tuple[str | None, str, dict[str, bytes]]:
    files = {path: store.content(path) for path in store.files()}
    return store.repository.head(), store.repository.run("status", "--short"), files


def names(store: Store) -> set[str]:
    return {row["name"] for row in Index(store).records()}


def both_hold(a: Store, b: Store) -> None:
    """Both clones have the same commit, nothing unsaved, and an index of it."""
    assert a.repository.head() == b.repository.head()
    for one in (a, b):
        assert one.repository.run("status", "--short") == ""
        assert names(one) == {one.read(path).name for path in one.paths()}


def test_the_first_push_sets_the_upstream(a: Store, hub: Path, git: Run) -> None:
    assert a.repository.config("branch.main.remote") == "origin"
    assert a.repository.config("branch.main.merge") == "refs/heads/main"
    assert git(hub, "rev-parse", "main").stdout.strip() == a.repository.head()  # type: ignore[attr-defined]
    again = exchange(a)
    assert (again.how, again.received, again.sent) == ("current", 0, 0)


def test_what_was_only_written_goes_along(a: Store, b: Store) -> None:
    (a.root / "ferry.md").write_text("---\nname: ferry\n---\nThe ferry.\n")
    done = exchange(a)
    assert (list(done.saved), done.sent) == (["ferry.md"], 1)
    assert exchange(b).how == "forwarded"
    assert b.read("ferry.md").name == "ferry"
    both_hold(a, b)


def test_local_commits_go_on_top_and_keep_who_and_when(a: Store, b: Store) -> None:
    remember(a, Wish("From a.", "from-a"))
    exchange(a)
    (b.root / "hand.md").write_text("By hand.\n")
    b.repository.run("add", "hand.md")
    b.repository.run("-c", "user.name=Someone Else", "commit", "-m", "hand",
                     "--date=2024-02-03T04:05:06+0900")  # fmt: skip
    done = exchange(b)
    assert (done.how, done.received, done.sent) == ("rebased", 1, 1)
    told = b.repository.run("log", "-1", "--format=%an %aI %s")
    assert told == "Someone Else 2024-02-03T04:05:06+09:00 hand"
    exchange(a)
    both_hold(a, b)


def test_commits_that_others_name_are_merged_as_they_are(a: Store, b: Store) -> None:
    remember(a, Wish("From a.", "from-a"))
    exchange(a)
    put_label(b, "x", "unverified")
    labelled = b.repository.head() or ""
    undo(b)
    assert exchange(b).how == "merged"
    assert labelled in b.repository.run("log", "--format=%B")
    assert labelled in b.repository.run("rev-list", "HEAD").split()


def test_commits_that_another_remote_has_are_merged(
    a: Store, b: Store, tmp_path: Path, git: Run
) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "mirror.git")
    b.repository.run("remote", "add", "mirror", str(tmp_path / "mirror.git"))
    remember(b, Wish("From b.", "from-b"))
    exchange(b, "mirror")
    remember(a, Wish("From a.", "from-a"))
    exchange(a)
    before = b.repository.head()
    assert exchange(b).how == "merged"
    assert b.repository.run("merge-base", str(before), "HEAD") == before


def test_edits_of_one_memory_in_different_places(a: Store, b: Store) -> None:
    write(a, "x.md", "line 1\n", "line one\n")
    put_label(a, "x", "unverified")
    exchange(a)
    write(b, "x.md", "line 8\n", "line eight\n")
    file = b.root / "x.md"
    file.write_text(
        file.read_text().replace("origin: user", "origin: user\n  topics:\n    - ferry")
    )
    exchange(b)
    exchange(a)
    memory = a.read("x.md")
    assert "line one\n" in memory.body
    assert "line eight\n" in memory.body
    assert memory.words("topics") == ("ferry",)
    assert memory.labels[0].startswith("unverified")
    both_hold(a, b)


def test_the_same_line_is_left_to_a_person(a: Store, b: Store) -> None:
    write(a, "x.md", "line 4\n", "line four by a\n")
    exchange(a)
    write(b, "x.md", "line 4\n", "line four by b\n")
    remember(b, Wish("Beside it.", "beside"))
    with pytest.raises(StoreError, match=r"both sides changed x\.md; committed here: x\.md"):
        exchange(b)
    before = state(b)
    with pytest.raises(StoreError, match=RESCUE) as told:
        exchange(b)
    assert state(b) == before
    assert before[1] == ""
    rescued = b.repository.run("for-each-ref", "--format=%(objectname)", RESCUE).split()
    assert rescued == [before[0]]
    assert "merge origin/main, mend the files" in told.value.hint
    assert not (b.repository.common_dir / "worktrees").exists() or not list(
        (b.repository.common_dir / "worktrees").iterdir()
    )
    status, _, _ = b.repository.run_status("merge", "origin/main")
    assert status == 1
    text = (b.root / "x.md").read_text()
    assert text.count("<<<<<<<") == 1
    assert "line four by a\n" in text
    assert "line four by b\n" in text
    assert text.index("---\n", 4) < text.index("<<<<<<<")
    with pytest.raises(StoreError, match="a merge is in progress"):
        exchange(b)
    kept = [line for line in text.splitlines() if not line.startswith(("<<<<", "====", ">>>>"))]
    (b.root / "x.md").write_text("\n".join(kept) + "\n")
    b.repository.run("add", "x.md")
    b.repository.run("commit", "--no-edit")
    exchange(b)
    exchange(a)
    both_hold(a, b)
    assert "beside" in names(a)


def test_histories_with_nothing_in_common(a: Store, hub: Path, tmp_path: Path, git: Run) -> None:
    other = tmp_path / "other"
    git(tmp_path, "init", "--quiet", "other")
    (other / "memgit.toml").write_text("format = 1\n")
    git(other, "add", "--all")
    git(other, "commit", "--quiet", "--message=first")
    git(other, "remote", "add", "origin", str(hub))
    with pytest.raises(StoreError, match="no common history") as told:
        exchange(Store.at(other))
    assert "--allow-unrelated-histories" in told.value.hint


def test_two_supersessions_that_cross_are_told(a: Store, b: Store) -> None:
    supersede(a, "x", "y")
    exchange(a)
    supersede(b, "y", "x")
    done = exchange(b)
    found = {finding.fault.code: finding.fault.message for finding in done.findings}
    assert "cycle" in found
    assert "x → y → x" in found["cycle"] or "y → x → y" in found["cycle"]
    assert b.read("x.md").superseded_by == "y"
    assert b.read("y.md").superseded_by == "x"


def test_one_memory_replaced_by_two_keeps_both_and_is_told(a: Store, b: Store) -> None:
    supersede(a, "old", "x")
    exchange(a)
    supersede(b, "old", "y")
    done = exchange(b)
    assert sorted(b.read("old.md").metadata["superseded_by"]) == ["x", "y"]
    told = [finding for finding in done.findings if finding.fault.code == "successors"]
    assert [finding.fault.path for finding in told] == ["old.md"]
    exchange(a)
    both_hold(a, b)


def test_a_rename_here_and_an_edit_there(a: Store, b: Store) -> None:
    rename(a, "x", "new-name")
    exchange(a)
    write(b, "x.md", "line 5\n", "line five\n")
    exchange(b)
    exchange(a)
    memory = a.read("new-name.md")
    assert memory.name == "new-name"
    assert "line five\n" in memory.body
    assert not (a.root / "x.md").exists()
    both_hold(a, b)


def test_a_name_that_both_gave_stays_with_what_came(a: Store, b: Store) -> None:
    remember(a, Wish("The ferry leaves at nine.", "ferry"))
    exchange(a)
    remember(b, Wish("Something else about ferries altogether.", "ferry"))
    done = exchange(b)
    assert list(done.renamed) == [("ferry", "ferry-2")]
    assert "nine" in b.read("ferry.md").body
    assert "altogether" in b.read("ferry-2.md").body
    exchange(a)
    both_hold(a, b)


def test_where_something_else_cannot_be_merged_nothing_is_renamed(a: Store, b: Store) -> None:
    remember(a, Wish("The ferry leaves at nine.", "ferry"))
    write(a, "x.md", "line 4\n", "line four by a\n")
    exchange(a)
    remember(b, Wish("Something else altogether.", "ferry"))
    write(b, "x.md", "line 4\n", "line four by b\n")
    with pytest.raises(StoreError, match=r"both sides changed ferry\.md, x\.md"):
        exchange(b)
    assert sorted(b.paths()) == ["ferry.md", "old.md", "x.md", "y.md"]


def test_a_shallow_clone_is_told_what_it_is(a: Store, hub: Path, tmp_path: Path, git: Run) -> None:
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{hub}", "shallow")
    shallow = Store.at(tmp_path / "shallow")
    for number in range(2):
        remember(a, Wish(f"From a {number}.", f"from-a-{number}"))
    exchange(a)
    remember(shallow, Wish("From the shallow one.", "from-shallow"))
    assert exchange(shallow).received == 2


def test_duplicates_that_a_merge_makes_are_told_and_kept(a: Store, b: Store) -> None:
    text = "The staging queue is drained by the worker on host seven, every night at three.\n" * 2
    (a.root / "queue.md").write_text(f"---\nname: queue\n---\n{text}")
    exchange(a)
    (b.root / "ops").mkdir()
    (b.root / "ops" / "queue.md").write_text(f"---\nname: Queue\n---\n{text}")
    done = exchange(b)
    assert {finding.fault.code for finding in done.findings} >= {"name", "duplicate"}
    assert {"queue.md", "ops/queue.md"} <= set(b.paths())


def test_a_squash_of_what_is_here_brings_nothing_twice(
    a: Store, b: Store, tmp_path: Path, hub: Path, git: Run
) -> None:
    remember(b, Wish("First.", "first"))
    remember(b, Wish("Second.", "second"))
    git(tmp_path, "clone", "--quiet", str(hub), "c")
    git(tmp_path / "c", "fetch", "--quiet", str(b.root), "main")
    git(tmp_path / "c", "merge", "--quiet", "--squash", "FETCH_HEAD")
    git(tmp_path / "c", "commit", "--quiet", "--message=squashed")
    git(tmp_path / "c", "push", "--quiet")
    exchange(b)
    exchange(a)
    both_hold(a, b)
    assert {"first", "second"} <= names(a)
    assert len(a.paths()) == 5


def test_from_a_linked_work_tree(a: Store, b: Store, tmp_path: Path) -> None:
    a.repository.run("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = Store.at(tmp_path / "side")
    remember(side, Wish("On the side.", "aside"))
    assert exchange(side).branch == "side"
    assert a.repository.run("rev-parse", "origin/side") == side.repository.head()
    assert "aside" not in names(a)
    b.repository.run("fetch", "--quiet")
    b.repository.run("switch", "--quiet", "side")
    remember(b, Wish("Also.", "also"))
    exchange(b)
    exchange(side)
    both_hold(side, b)


def test_nothing_signs_asks_or_runs_a_hook(
    a: Store, b: Store, tmp_path: Path, sealed: Path, git: Run
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-push", "pre-rebase", "post-merge", "pre-merge-commit", "post-rewrite"):
        (hooks / name).write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    git(tmp_path, "config", "--global", "core.hooksPath", str(hooks))
    for key, value in (("commit.gpgSign", "true"), ("gpg.program", "false"),
                       ("push.gpgSign", "true"), ("merge.verifySignatures", "true"),
                       ("rebase.autoStash", "true"), ("merge.ff", "only"),
                       ("pull.rebase", "interactive"), ("core.askPass", "false")):  # fmt: skip
        git(tmp_path, "config", "--global", key, value)
    remember(a, Wish("From a.", "from-a"))
    exchange(a)
    remember(b, Wish("From b.", "from-b"))
    assert exchange(b).how == "rebased"
    remember(a, Wish("More.", "more"))
    put_label(a, "x", "unverified")
    undo(a)
    assert exchange(a).how == "merged"
    assert not (tmp_path / "ran").exists()


def test_where_others_push_first_it_tries_again(a: Store, b: Store) -> None:
    pushed = []

    def told(text: str) -> None:
        if text.startswith("pushing") and len(pushed) < 3:
            pushed.append(text)
            remember(a, Wish(f"In between {len(pushed)}.", f"between-{len(pushed)}"))
            exchange(a)

    remember(b, Wish("From b.", "from-b"))
    done = sync(b, None, told)
    assert len(pushed) == 3
    assert done.received == 3
    exchange(a)
    both_hold(a, b)


@pytest.mark.parametrize("committed", [True, False])
def test_what_is_written_meanwhile_is_not_lost(a: Store, b: Store, committed: bool) -> None:
    remember(a, Wish("From a.", "from-a"))
    write(a, "x.md", "line 1\n", "line one\n")
    exchange(a)
    remember(b, Wish("From b.", "from-b"))
    written = []

    def told(text: str) -> None:
        if not text.startswith("pushing") and not text.startswith("fetching") and not written:
            written.append(text)
            write(b, "x.md", "line 8\n", "line eight\n")
            if committed:
                b.repository.run("commit", "--quiet", "--all", "--message=meanwhile")

    sync(b, None, told)
    assert written
    exchange(a)
    both_hold(a, b)
    assert {"line one", "line eight"} <= set(a.read("x.md").body.splitlines())


def test_another_file_that_is_not_committed_is_not_touched(a: Store, b: Store) -> None:
    for text, one in (("a's", a), ("b's", b)):
        (one.root / "script.sh").write_text(text)
    a.repository.run("add", "script.sh")
    a.repository.run("commit", "--message=script")
    exchange(a)
    before = state(b)
    with pytest.raises(StoreError, match=r"script\.sh: not committed"):
        exchange(b)
    assert state(b) == before
    (b.root / "script.sh").rename(b.root / "mine.sh")
    exchange(b)
    assert (b.root / "script.sh").read_text() == "a's"
    assert (b.root / "mine.sh").read_text() == "b's"


def test_modes_links_and_folders_come_along(a: Store, b: Store) -> None:
    (a.root / "deep" / "er").mkdir(parents=True)
    (a.root / "deep" / "er" / "m.md").write_text("Deep.\n")
    (a.root / "run.sh").write_text("#!/bin/sh\n")
    (a.root / "run.sh").chmod(0o755)
    (a.root / "link").symlink_to("run.sh")
    a.repository.run("add", "--all")
    a.repository.run("commit", "--message=more")
    exchange(a)
    exchange(b)
    assert os.access(b.root / "run.sh", os.X_OK)
    assert (b.root / "link").is_symlink()
    a.repository.run("rm", "--quiet", "-r", "deep", "run.sh")
    a.repository.run("commit", "--message=less")
    exchange(a)
    exchange(b)
    assert not (b.root / "deep").exists()
    both_hold(a, b)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (("remote", "remove", "origin"), "no remote to sync with"),
        (("checkout", "--quiet", "--detach"), "no branch is checked out"),
        (("remote", "set-url", "origin", "/nowhere/at/all.git"), "cannot be reached"),
        (("remote", "set-url", "origin", "http://127.0.0.1:9/x.git"), "cannot be reached"),
    ],
)
def test_where_there_is_no_way(a: Store, prepare: tuple[str, ...], message: str) -> None:
    a.repository.run(*prepare)
    with pytest.raises(StoreError, match=message) as told:
        exchange(a)
    assert told.value.hint


def test_two_remotes_and_none_chosen(store: Path, hub: Path, git: Run) -> None:
    for name in ("one", "two"):
        git(store, "remote", "add", name, str(hub))
    with pytest.raises(StoreError, match="2 remotes: one, two"):
        exchange(Store.at(store))
    with pytest.raises(StoreError, match="three is no remote"):
        exchange(Store.at(store), "three")
    assert exchange(Store.at(store), "two").sent == 1


def test_a_protected_branch_is_told_with_what_to_do(a: Store, hub: Path) -> None:
    hook = hub / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'main is protected: open a pull request' >&2\nexit 1\n")
    hook.chmod(0o755)
    remember(a, Wish("From a.", "from-a"))
    head = a.repository.head()
    with pytest.raises(StoreError, match="main is protected: open a pull request") as told:
        exchange(a)
    assert "open a pull request: git" in told.value.hint
    assert a.repository.head() == head


def test_a_refusal_says_what_was_committed_before(a: Store, b: Store) -> None:
    write(a, "x.md", "line 3\n", "one way\n")
    exchange(a)
    write(b, "x.md", "line 3\n", "another way\n")
    with pytest.raises(StoreError, match=r"changed x\.md; committed here: x\.md") as told:
        exchange(b)
    assert "nothing was changed" not in str(told.value)
    assert b.repository.run("status", "--short") == ""
    with pytest.raises(StoreError, match="nothing was changed here"):
        exchange(b)
