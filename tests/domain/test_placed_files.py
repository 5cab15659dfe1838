"""Files put in place: all or none, and never over words that nobody has read."""

from pathlib import Path
from typing import Any

import pytest

from memgit.domain.operations import changing
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.placed_files import Rewritten, placed
from memgit.domain.remember import Wish, remember
from memgit.domain.store import Store
from memgit.errors import StoreError


@pytest.mark.parametrize("new", [b"new", b"theirs", None])
@pytest.mark.parametrize("seen", [b"read", None])
def test_what_was_written_since_it_was_read_stands(
    tmp_path: Path, new: bytes | None, seen: bytes | None
) -> None:
    (tmp_path / "a").write_bytes(b"theirs")
    (tmp_path / "b").write_bytes(b"old")
    with (
        pytest.raises(Rewritten),
        placed(tmp_path, {"b": b"other", "c": b"more", "a": new}, {"a": seen, "b": b"old"}),
    ):
        raise AssertionError("nothing is done with files that are not in place")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        "a": b"theirs", "b": b"old",
    }  # fmt: skip


def test_what_is_as_it_was_read_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"read")
    with placed(tmp_path, {"a": b"new", "b": b"b"}, {"a": b"read", "b": None}):
        pass
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        "a": b"new", "b": b"b",
    }  # fmt: skip


def test_an_editor_that_saves_at_the_last_moment_loses_nothing(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Store.at(store)
    remember(opened, Wish("one\ntwo\nthree", "m"))
    record = changing.record
    written: list[str] = []

    def late(*arguments: Any, **more: Any) -> Any:
        if not written:
            written.append("late")
            file = store / "m.md"
            file.write_text(file.read_text() + "by the editor\n")
        return record(*arguments, **more)

    monkeypatch.setattr(changing, "record", late)
    edit(opened, "m", Edit("two", "2"))
    assert opened.read("m.md").body.split() == ["one", "2", "three", "by", "the", "editor"]
    assert opened.repository.run("log", "-2", "--format=%s").splitlines()[1].startswith("save:")


@pytest.mark.parametrize("path", ["../a.md", "a/../b.md", "a/.Git/b.md", "GIT~1/a.md", "/a.md"])
def test_no_path_leads_out_or_into_what_git_keeps(tmp_path: Path, path: str) -> None:
    with pytest.raises(StoreError), placed(tmp_path / "root", {path: b"x"}):
        raise AssertionError("it stands there")
    assert list(tmp_path.rglob("*")) == []
