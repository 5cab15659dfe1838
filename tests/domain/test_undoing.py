"""Undo: one operation taken back, later ones kept, nothing lost, and what cannot be is told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.importing.taking_over import import_memories
from memgit.domain.indexing.index import Index
from memgit.domain.operation import Provenance
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.operations.labelling import put_label, restore, retire
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.saving import save
from memgit.domain.store import Store
from memgit.errors import StoreError

Run = Callable[..., object]
Files = dict[str, bytes]

BODY = "\n".join(f"line {number}" for number in range(1, 13)) + "\n"


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    for name, rest in (("a", ""), ("b", "  derived_from:\n    - a\n"), ("c", ""), ("d", "")):
        text = (
            f"---\nname: {name}\nmetadata:\n  node_type: memory\n  type: project\n{rest}---\n{BODY}"
        )
        (store / f"{name}.md").write_text(text)
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=first")
    return Store.at(store)


def files(store: Store) -> Files:
    return {path: store.content(path) for path in store.paths()}


def head(store: Store) -> str:
    return store.repository.run("rev-parse", "HEAD")


def added(store: Store) -> None:
    remember(store, Wish("Brand new words.", "fresh"))


def imported(store: Store) -> None:
    folder = store.root.parent / "elsewhere"
    folder.mkdir()
    (folder / "one.md").write_text("---\nname: one\n---\nfirst\n")
    (folder / "two.md").write_text("second\n")
    import_memories(store, [folder])


def saved(store: Store) -> None:
    (store.root / "a.md").write_text("by hand\n")
    (store.root / "b.md").unlink()
    (store.root / "new.md").write_text("new\n")
    save(store, "user")


OPERATIONS: dict[str, Callable[[Store], object]] = {
    "add": added,
    "import": imported,
    "save": saved,
    "rename": lambda store: rename(store, "a", "z"),
    "supersede": lambda store: supersede(store, "a", "c"),
    "retire": lambda store: retire(store, "a"),
    "label": lambda store: put_label(store, "a", "refuted"),
    "edit": lambda store: edit(store, "a", Edit("line 3", "line three")),
}


@pytest.mark.parametrize("kind", OPERATIONS)
def test_each_operation_can_be_undone_and_redone_byte_for_byte(opened: Store, kind: str) -> None:
    before = files(opened)
    OPERATIONS[kind](opened)
    after = files(opened)
    assert after != before
    first = undo(opened)
    assert files(opened) == before
    assert first.operation.undoes
    assert opened.repository.run("status", "--porcelain") == ""
    assert Index(opened).head()["commit"] == head(opened)
    undo(opened)
    assert files(opened) == after
    undo(opened)
    assert files(opened) == before


@pytest.mark.parametrize("kind", [kind for kind in OPERATIONS if kind != "save"])
def test_later_operations_stay(opened: Store, kind: str) -> None:
    OPERATIONS[kind](opened)
    target = head(opened)
    put_label(opened, "d", "unverified")
    edit(opened, "c", Edit("line 9", "line nine"))
    kept = files(opened)
    undo(opened, target[:10])
    now = files(opened)
    assert (now["c.md"], now["d.md"]) == (kept["c.md"], kept["d.md"])
    assert now["a.md"].decode().count("\n") == 12 + 6
    assert not opened.read("a.md").labels


def test_a_supersession_with_its_cascade_after_ten_later_commits(opened: Store) -> None:
    supersede(opened, "a", "c")
    target = head(opened)
    for number in range(1, 6):
        edit(opened, "a", Edit(f"line {number}", f"changed {number}"))
    put_label(opened, "b", "unverified", Provenance(because="a guess"))
    edit(opened, "b", Edit("line 12", "changed 12"))
    rename(opened, "c", "see")
    retire(opened, "d")
    restore(opened, "d")
    undo(opened, target)
    a, b = opened.read("a.md"), opened.read("b.md")
    assert a.labels == ()
    assert a.body.startswith("changed 1\nchanged 2\nchanged 3\nchanged 4\nchanged 5\nline 6\n")
    assert b.labels == ("unverified: a guess",)
    assert "changed 12" in b.body
    assert opened.read("see.md").name == "see"


def test_keys_on_neighbouring_lines_are_told_apart(opened: Store) -> None:
    supersede(opened, "a", "c")
    target = head(opened)
    retire(opened, "a")
    put_label(opened, "a", "unverified")
    undo(opened, target)
    assert [label.partition(":")[0] for label in opened.read("a.md").labels] == [
        "retired",
        "unverified",
    ]


def test_after_its_memory_was_renamed(opened: Store) -> None:
    supersede(opened, "a", "c")
    target = head(opened)
    rename(opened, "a", "z")
    undo(opened, target)
    assert opened.read("z.md").labels == ()
    assert opened.read("z.md").words("aliases") == ("a",)


def test_a_rename_keeps_what_was_edited_since(opened: Store) -> None:
    rename(opened, "a", "z")
    target = head(opened)
    edit(opened, "z", Edit("line 5", "changed 5"))
    undo(opened, target)
    assert "changed 5" in opened.read("a.md").body
    assert opened.read("a.md").words("aliases") == ()
    assert opened.read("b.md").words("derived_from") == ("a",)
    assert not (opened.root / "z.md").exists()


def test_across_a_merge(opened: Store, git: Run) -> None:
    git(opened.root, "switch", "--quiet", "--create", "side")
    supersede(opened, "a", "c")
    target = head(opened)
    git(opened.root, "switch", "--quiet", "main")
    edit(opened, "a", Edit("line 8", "changed 8"))
    git(opened.root, "merge", "--quiet", "--no-edit", "side")
    undo(opened, target)
    assert opened.read("a.md").labels == ()
    assert opened.read("b.md").labels == ()
    assert "changed 8" in opened.read("a.md").body


def test_the_list_made_anew_is_passed_over(opened: Store) -> None:
    added(opened)
    done = head(opened)
    (opened.root / "MEMORY.md").write_text("")
    save(opened, "user")
    assert opened.repository.run("show", "--format=", "--name-only", "HEAD") == "MEMORY.md"
    assert "fresh.md" in files(opened)
    undo(opened)
    assert "fresh.md" not in files(opened)
    assert f"Memgit-Undoes: {done}" in opened.repository.run("log", "-1", "--format=%B")


def test_two_supersessions_crossing_in_two_clones(opened: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", opened.root, "clone")
    other = Store.at(tmp_path / "clone")
    supersede(opened, "c", "d")
    mine = head(opened)
    supersede(other, "d", "c")
    git(opened.root, "pull", "--quiet", "--no-rebase", "--no-edit", other.root, "main")
    undo(opened, mine)
    assert opened.read("c.md").labels == ()
    assert opened.read("d.md").labels == ("superseded by c",)


def test_a_rename_here_and_an_edit_there(opened: Store, git: Run) -> None:
    git(opened.root, "switch", "--quiet", "--create", "side")
    edit(opened, "a", Edit("line 8", "changed 8"))
    target = head(opened)
    git(opened.root, "switch", "--quiet", "main")
    rename(opened, "a", "z")
    git(opened.root, "merge", "--quiet", "--no-edit", "side")
    undo(opened, target)
    assert opened.read("z.md").body == BODY


def test_uncommitted_words_are_kept(opened: Store) -> None:
    supersede(opened, "a", "c")
    path = opened.root / "a.md"
    path.write_text(path.read_text() + "typed just now\n")
    undo(opened)
    assert opened.read("a.md").body.endswith("typed just now\n")
    assert opened.read("a.md").labels == ()


def test_the_words_of_an_undone_add_are_said_to_be_in_history(opened: Store, git: Run) -> None:
    added(opened)
    commit = head(opened)
    done = undo(opened)
    assert done.note.endswith(f"git show {commit[:12]}:fresh.md")
    assert "Brand new words." in opened.repository.run("show", f"{commit}:fresh.md")


def test_a_plain_commit_can_be_undone(opened: Store, git: Run) -> None:
    before = files(opened)
    (opened.root / "a.md").write_text("all gone\n")
    git(opened.root, "commit", "--quiet", "--all", "--message=by hand")
    undo(opened, "HEAD")
    assert files(opened) == before


def test_mending_a_fault_can_be_undone(opened: Store) -> None:
    (opened.root / "a.md").write_text("---\nname: [a\n---\nx\n")
    save(opened, "user")
    broken = files(opened)
    (opened.root / "a.md").write_text("---\nname: a\n---\nx\n")
    save(opened, "user")
    undo(opened)
    assert files(opened) == broken


def refused(store: Store, which: str | None) -> StoreError:
    before, stood = head(store), files(store)
    with pytest.raises(StoreError) as told:
        undo(store, which)
    assert (head(store), files(store)) == (before, stood)
    assert store.repository.run("status", "--porcelain") == ""
    return told.value


def test_the_same_lines_changed_later_are_told(opened: Store) -> None:
    edit(opened, "a", Edit("line 3", "line three"))
    target = head(opened)
    edit(opened, "a", Edit("line three", "line III"))
    told = refused(opened, target)
    assert "a.md: the same lines of its text changed since" in str(told)
    assert f"memgit undo {head(opened)[:12]}" in told.hint


def test_one_refused_file_leaves_all_as_they_are(opened: Store) -> None:
    imported(opened)
    target = head(opened)
    edit(opened, "two", Edit("second", "changed"))
    assert "was changed since" in str(refused(opened, target))


def test_what_others_refer_to_does_not_go(opened: Store) -> None:
    added(opened)
    target = head(opened)
    supersede(opened, "a", "fresh")
    told = refused(opened, target)
    assert "superseded_by names fresh" in str(told)


def test_a_second_renaming_goes_first(opened: Store) -> None:
    rename(opened, "a", "z")
    target = head(opened)
    rename(opened, "z", "y")
    assert "y.md: was renamed again since" in str(refused(opened, target))


def test_what_is_no_operation(opened: Store, git: Run) -> None:
    assert "no operation to undo" in str(refused(opened, None))
    assert "no commit of this store" in str(refused(opened, "nothing"))
    assert "no commit of this store" in str(refused(opened, "--help"))
    git(opened.root, "switch", "--quiet", "--create", "side")
    added(opened)
    side = head(opened)
    git(opened.root, "switch", "--quiet", "main")
    assert "not in the history" in str(refused(opened, side))
    retire(opened, "d")
    git(opened.root, "merge", "--quiet", "--no-edit", "side")
    assert "is a merge" in str(refused(opened, "HEAD"))
    root = opened.repository.run("rev-list", "--max-parents=0", "HEAD")
    assert "cannot be undone" in str(refused(opened, root))


def test_twice_is_nothing_to_do(opened: Store) -> None:
    retire(opened, "a")
    target = head(opened)
    undone = undo(opened, target).commit or ""
    done = undo(opened, target)
    assert done.commit is None
    assert done.note == f"nothing of it is left: it was undone in {undone[:12]}"


def test_not_in_the_middle_of_a_merge(opened: Store) -> None:
    retire(opened, "a")
    (opened.repository.git_dir / "MERGE_HEAD").write_text(head(opened))
    with pytest.raises(StoreError, match="a merge is in progress"):
        undo(opened)
