"""The profile's operations: no line is ever lost, and it is never over its cap."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.always_on.profile import Profile
from memgit.domain.indexing.index import Index
from memgit.domain.operations.labelling import restore
from memgit.domain.operations.profiling import add_line, move_line, remove_line
from memgit.domain.operations.undoing import undo
from memgit.domain.saving import save
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.prompt.profile import INTRODUCTION, given, rows_of, units, within

Run = Callable[..., object]
START = "<!-- what must be known -->\n- one\n- two\n"


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    (store / "PROFILE.md").write_text(START)
    (store / "memgit.toml").write_text("format = 1\n[profile]\nlines = 3\nunits = 60\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=first")
    return Store.at(store)


def lines(store: Store) -> list[str]:
    return Profile.of(store).lines


def finds(store: Store, words: str) -> list[str]:
    return [hit.record["path"] for hit in Index(store).search(words, 5)]


def test_a_new_line_stands_on_top(opened: Store) -> None:
    done = add_line(opened, "Mio とは日本語で話す")
    assert done.commit
    assert done.moved == ()
    assert lines(opened) == ["- Mio とは日本語で話す", "- one", "- two"]
    assert opened.content("PROFILE.md").decode().startswith("<!-- what must be known -->\n- Mio")
    message = opened.repository.run("log", "-1", "--format=%B")
    assert message.startswith("profile-add: Mio とは日本語で話す\n")
    assert "Memgit-Operation: profile-add" in message


def test_without_room_the_last_line_becomes_a_memory_in_the_same_commit(opened: Store) -> None:
    add_line(opened, "three")
    done = add_line(opened, "four")
    assert done.moved == (("- two", "two"),)
    assert lines(opened) == ["- four", "- three", "- one"]
    shown = opened.repository.run("show", "--format=", "--name-only", "HEAD").splitlines()
    assert shown == ["PROFILE.md", "two.md"]
    assert finds(opened, "two") == ["two.md"]
    memory = opened.read("two.md")
    assert (memory.type, memory.metadata["origin"], memory.body) == ("user", "user", "two\n")
    undo(opened)
    assert lines(opened) == ["- three", "- one", "- two"]
    assert not (opened.root / "two.md").exists()


def test_a_line_longer_than_the_cap_is_a_memory_at_once(opened: Store) -> None:
    long = "long " * 20
    done = add_line(opened, long)
    assert [name for _, name in done.moved] == ["long-" * 11 + "long"]
    assert lines(opened) == ["- one", "- two"]
    assert finds(opened, "long")


def test_what_it_says_already_is_no_operation(opened: Store) -> None:
    assert add_line(opened, " one ").commit is None
    assert move_line(opened, "1", 1).commit is None


def test_lines_with_one_text_are_one_memory(opened: Store) -> None:
    for text in ("a", "b", "c", "d", "a", "b", "c", "d"):
        add_line(opened, text)
    assert [path for path in opened.paths() if path.startswith(("a", "b", "c", "d"))] == [
        "a.md", "b.md", "c.md", "d.md"
    ]  # fmt: skip


@pytest.mark.parametrize("wanted", ["2", "two", "- two", "tw"])
def test_a_line_that_is_taken_off_stays_as_a_retired_memory(opened: Store, wanted: str) -> None:
    done = remove_line(opened, wanted)
    assert (done.line, done.moved) == ("- two", (("- two", "two"),))
    assert lines(opened) == ["- one"]
    assert opened.read("two.md").is_retired
    assert finds(opened, "two") == ["two.md"]
    restore(opened, "two")
    assert not opened.read("two.md").is_retired


@pytest.mark.parametrize("wanted", ["3", "0", "nothing", "o", ""])
def test_a_line_that_is_not_one_is_refused(opened: Store, wanted: str) -> None:
    with pytest.raises(UsageError):
        remove_line(opened, wanted)
    assert opened.content("PROFILE.md").decode() == START


@pytest.mark.parametrize("text", ["", "  ", "-", "- ", "\n\t", "…"])
def test_a_line_without_words_is_refused(opened: Store, text: str) -> None:
    with pytest.raises(UsageError):
        add_line(opened, text)


def test_lines_are_moved(opened: Store) -> None:
    add_line(opened, "three")
    move_line(opened, "two", 1)
    assert lines(opened) == ["- two", "- three", "- one"]
    move_line(opened, "1", 99)
    assert lines(opened) == ["- three", "- one", "- two"]
    undo(opened)
    assert lines(opened) == ["- two", "- three", "- one"]


def test_an_addition_is_undone_after_later_ones(opened: Store) -> None:
    first = add_line(opened, "three")
    add_line(opened, "four")
    add_line(opened, "five")
    assert first.commit
    undo(opened, first.commit)
    assert lines(opened) == ["- five", "- four"]
    undo(opened)
    assert sorted(lines(opened)) == ["- five", "- four", "- three"]


def test_hand_edits_are_saved_first_and_fitted(opened: Store) -> None:
    (opened.root / "PROFILE.md").write_text("- a\n- b\n- c\n- d\n- e\n")
    add_line(opened, "new")
    assert lines(opened) == ["- new", "- a", "- b"]
    assert [finds(opened, word) for word in "cde"] == [["c.md"], ["d.md"], ["e.md"]]
    subjects = opened.repository.run("log", "-2", "--format=%s").splitlines()
    assert subjects == ["profile-add: new", "save: PROFILE.md"]


def test_saving_a_profile_over_its_cap_fits_it(opened: Store) -> None:
    (opened.root / "PROFILE.md").write_text(f"- a\n- {'long ' * 20}\n- b\n- c\n- d\n")
    save(opened, "agent", now=os.stat(opened.root / "PROFILE.md").st_mtime + 60)
    assert lines(opened) == ["- a", "- b", "- c"]
    assert opened.read("d.md").metadata["origin"] == "agent"
    assert finds(opened, "long")
    assert opened.repository.run("status", "--porcelain") == ""


def test_without_a_file_the_first_line_makes_one(store: Path) -> None:
    opened = Store.at(store)
    add_line(opened, "first")
    assert opened.content("PROFILE.md") == b"- first\n"


def test_comments_stay_where_they_are() -> None:
    text = "<!-- a\nb --> - kept\n- other\n<!-- c --> - d\n"
    profile = Profile(text)
    assert profile.lines == [" - kept", "- other", " - d"]
    assert profile.without(0).text == "<!-- a\nb -->\n- other\n<!-- c --> - d\n"


@pytest.mark.parametrize(
    ("lines", "cap", "fits"),
    [
        ([], Cap(3, 10), 0),
        (["aaa", "bbb"], Cap(3, 7), 2),
        (["aaa", "bbb"], Cap(3, 6), 1),
        (["aaa", "bbb"], Cap(1, 99), 1),
        (["😀😀"], Cap(1, 3), 0),
        (["a"], Cap(0, 9), 0),
    ],
)
def test_what_there_is_room_for(lines: list[str], cap: Cap, fits: int) -> None:
    assert within(lines, cap.lines, cap.units) == fits


def test_what_an_agent_is_given(opened: Store) -> None:
    assert given(str(opened.root)) == f"{INTRODUCTION}\n- one\n- two"
    (opened.root / "PROFILE.md").write_text("\ufeff- a\r\n\r\n- b\u2028\x1b[31m\n- c\n- d\n")
    assert given(str(opened.root)) == f"{INTRODUCTION}\n- a\n- b  [31m\n- c"
    for silent in ("", "<!-- only -->\n", "\n\n", "<!-- never ends\n- a\n"):
        (opened.root / "PROFILE.md").write_text(silent)
        assert given(str(opened.root)) == ""
    (opened.root / "memgit.toml").write_text("format = 1\n# [profile]\n# lines = 1\n")
    (opened.root / "PROFILE.md").write_text("- x\n" * 20)
    assert given(str(opened.root)).count("\n") == 14
    assert rows_of("- x\n") == [(0, "- x")]


def test_a_link_is_not_followed(opened: Store, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("- secret\n")
    (opened.root / "PROFILE.md").unlink()
    (opened.root / "PROFILE.md").symlink_to(tmp_path / "secret")
    assert given(str(opened.root)) == ""


def test_all_that_is_always_on_fits_by_default(store: Path, git: Run) -> None:
    from memgit.domain.always_on.budget import ALWAYS_ON
    from memgit.domain.settings import BUDGET, PROFILE

    assert BUDGET.units + PROFILE.units + units(INTRODUCTION) + 2 <= ALWAYS_ON
