"""History as git has it: operations and commits by hand, of all memories or of one."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.operation import Provenance
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.operations.history import events, story_of
from memgit.domain.operations.labelling import retire
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.store import Store

Run = Callable[..., object]


@pytest.fixture
def lived(store: Path, git: Run) -> Store:
    opened = Store.at(store)
    remember(opened, Wish("first words", "early"))
    (store / "by hand.md").write_text("hand\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=typed: by hand\n\nand more")
    rename(opened, "early", "middle")
    edit(opened, "middle", Edit("first words", "second words"), Provenance("agent"))
    remember(opened, Wish("unrelated", "unrelated"))
    rename(opened, "middle", "late")
    supersede(opened, "by hand", "late", Provenance("curate", "it moved"))
    return opened


def told(found: object) -> list[tuple[str, str]]:
    return [(event.kind, event.subject) for event in found]  # type: ignore[attr-defined]


def test_everything_newest_first(lived: Store) -> None:
    assert told(events(lived)) == [
        ("supersede", "by hand by late"),
        ("rename", "middle to late"),
        ("add", "unrelated"),
        ("edit", "middle"),
        ("rename", "early to middle"),
        ("edit", "typed: by hand"),
        ("add", "early"),
        ("commit", "init: an empty store"),
    ]


def test_one_memory_through_all_its_names(lived: Store) -> None:
    expected = ["supersede", "rename", "edit", "rename", "add"]
    for name in ("late", "early", "middle", "LATE", "late.md"):
        assert [event.kind for event in story_of(lived, name)] == expected, name


def test_one_made_by_hand(lived: Store) -> None:
    assert told(story_of(lived, "by hand")) == [
        ("supersede", "by hand by late"),
        ("edit", "typed: by hand"),
    ]


def test_one_that_is_gone_and_one_that_never_was(lived: Store, git: Run) -> None:
    git(lived.root, "rm", "--quiet", "unrelated.md")
    git(lived.root, "commit", "--quiet", "--message=away with it")
    assert told(story_of(lived, "unrelated")) == [("edit", "away with it"), ("add", "unrelated")]
    assert told(story_of(lived, "nobody")) == []


def test_who_and_when(lived: Store) -> None:
    found = list(events(lived))
    assert [event.actor for event in found[:4]] == ["curate", "user", "user", "agent"]
    assert found[5].actor == "user"
    assert found[5].memories == ("by hand",)
    assert found[0].day == found[0].moment.date().isoformat()


def test_a_rename_here_and_an_edit_there(lived: Store, git: Run) -> None:
    git(lived.root, "switch", "--quiet", "--create", "side")
    edit(lived, "by hand", Edit("hand", "both hands"))
    git(lived.root, "switch", "--quiet", "main")
    rename(lived, "by hand", "handy")
    git(lived.root, "merge", "--quiet", "--no-edit", "side")
    kinds = [event.kind for event in story_of(lived, "handy")]
    assert sorted(kinds) == ["edit", "edit", "rename", "supersede"]
    assert next(iter(events(lived))).kind == "merge"


def test_an_undone_rename(lived: Store) -> None:
    undo(lived, next(event.id for event in events(lived) if event.subject == "middle to late"))
    retire(lived, "middle")
    kinds = [event.kind for event in story_of(lived, "middle")]
    assert kinds == ["retire", "undo", "supersede", "rename", "edit", "rename", "add"]


def test_a_squashed_branch_is_one_edit(lived: Store, git: Run) -> None:
    git(lived.root, "switch", "--quiet", "--create", "side")
    retire(lived, "late")
    remember(lived, Wish("more", "more"))
    git(lived.root, "switch", "--quiet", "main")
    git(lived.root, "merge", "--quiet", "--squash", "side")
    git(lived.root, "commit", "--quiet", "--no-edit")
    newest = next(iter(events(lived)))
    assert newest.kind == "edit"
    assert set(newest.memories) == {"late", "more"}


def test_odd_paths_and_messages(store: Path, git: Run) -> None:
    (store / ":x\n\ty.md").write_text("x\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=日本語 \x01 :100644\n\n:000000 no path")
    newest = next(iter(events(Store.at(store))))
    assert newest.commit.touched[0].path == ":x\n\ty.md"
    assert newest.subject == "日本語 :100644"


def test_bytes_that_are_no_text_can_still_be_printed(store: Path, git: Run) -> None:
    path = os.fsencode(store) + b"/caf\xe9.md"
    with open(path, "w") as file:
        file.write("x\n")
    git(store, "add", "--all")
    message = store.parent / "message"
    message.write_bytes(b"caf\xe9 \x1b[31mred\n")
    git(store, "commit", "--quiet", f"--file={message}")
    newest = next(iter(events(Store.at(store))))
    assert newest.memories == ("caf?",)
    assert newest.subject.endswith(" [31mred")
    newest.subject.encode()


def test_a_store_without_a_commit(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "memgit.toml").touch()
    assert list(events(Store.at(tmp_path))) == []


def test_a_reader_that_stops_early_ends_git(lived: Store) -> None:
    stream = events(lived)
    next(stream)
    stream.close() if hasattr(stream, "close") else None
    assert len(list(events(lived))) == 8
