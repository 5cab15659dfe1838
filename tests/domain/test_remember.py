"""Remembering: a free name, one commit, and words that stay when the commit fails."""

import os
import stat
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.domain.remember import Wish, keep, remember
from memgit.domain.store import Store
from memgit.errors import StoreError

NOW = datetime(2026, 5, 3, 10, 11, 12, 345678, tzinfo=UTC)


@pytest.fixture
def opened(store: Path) -> Store:
    return Store.at(store)


def test_the_file_is_in_claude_code_s_own_shape(opened: Store) -> None:
    done = remember(opened, Wish("Tabs.", "tabs", "feedback", "When: always"), NOW)
    assert (opened.root / done.path).read_text() == (
        '---\nname: tabs\ndescription: "When: always"\nmetadata:\n  node_type: memory\n'
        "  type: feedback\n  origin: user\n  modified: 2026-05-03T10:11:12.345Z\n---\n\nTabs.\n"
    )
    assert (done.name, done.path, done.taken) == ("tabs", "tabs.md", None)


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        (Wish("body words", "name words", description="about words"), "name-words"),
        (Wish("body words", description="about words"), "about-words"),
        (Wish("\n\n# Body: words!\nmore"), "body-words"),
        (Wish("body words", "!!!", description="👍"), "body-words"),
        (Wish("👍\n…\n"), "unnamed"),
    ],
)
def test_a_name_is_made_from_what_there_is(opened: Store, wish: Wish, name: str) -> None:
    assert remember(opened, wish).name == name


def test_numbers_count_up_past_everything_that_is_taken(opened: Store) -> None:
    names = [remember(opened, Wish(f"{number}", "Same")).name for number in range(3)]
    assert names == ["same", "same-2", "same-3"]
    (opened.root / "same-4.md").write_text("written by hand")
    done = remember(opened, Wish("x", "same"))
    assert (done.name, done.taken) == ("same-5", "same")


def test_a_broken_index_is_no_reason_to_refuse(opened: Store) -> None:
    remember(opened, Wish("one", "same"))
    for path in opened.derived.rglob("*"):
        if path.is_file():
            path.write_bytes(b"garbage")
    assert remember(opened, Wish("two", "same")).name == "same-2"


def test_words_are_kept_outside_the_work_tree(opened: Store) -> None:
    wish = Wish("the words", "../a name", "user", "d")
    first = keep(opened, wish, NOW)
    assert first.parent.parent == opened.derived / "unsaved"
    assert first.name == "a-name.md"
    assert first.read_text().endswith("---\n\nthe words\n")
    assert opened.paths() == []


def test_words_are_kept_among_temporary_files_where_there_is_no_better_place(
    opened: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert keep(None, Wish("words")).is_relative_to(tmp_path)
    (opened.derived).mkdir(parents=True)
    (opened.derived / "unsaved").write_text("in the way")
    assert keep(opened, Wish("words")).read_text().endswith("\nwords\n")
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null/nowhere")
    with pytest.raises(OSError, match="nowhere to keep"):
        keep(opened, Wish("words"))


def test_what_is_kept_is_for_its_person_alone(
    opened: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # Somebody else lays out the folder that the clock and the process give, to be written into.
    (shared / f"20260503T101112-{os.getpid()}").symlink_to(elsewhere)
    umask = os.umask(0)
    try:
        files = [keep(store, Wish("words"), NOW) for store in (None, opened)]
    finally:
        os.umask(umask)
    assert not list(elsewhere.iterdir())
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_refusal_leaves_no_trace(opened: Store) -> None:
    (opened.repository.git_dir / "MERGE_HEAD").write_text("")
    with pytest.raises(StoreError, match="a merge is in progress"):
        remember(opened, Wish("words"))
    assert opened.paths() == []
