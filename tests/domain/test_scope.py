"""What the gates are told of the memories beside those they judge."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.gates import register
from memgit.domain.gates.scope import File, changed, some, whole
from memgit.domain.memory import parse
from memgit.domain.store import Store

Run = Callable[..., object]


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    (store / "a.md").write_text("---\nname: Alpha\naliases: [First]\n---\na\n")
    (store / "b.md").write_text("---\nname: beta\n---\nb\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=two")
    return Store.at(store)


def test_the_others_are_known_by_name_and_alias(opened: Store) -> None:
    register = some(opened, [File("c.md", b"c\n")]).register
    assert [entry.path for entry in register.named("ALPHA")] == ["a.md"]
    assert register.named("first") == []
    assert [entry.path for entry in register.called("[[first]]")] == ["a.md"]
    assert register.called("second") == []
    assert sorted(register.entries) == ["a.md", "b.md", "c.md"]


def test_what_is_judged_stands_for_itself_and_what_is_gone_for_nothing(opened: Store) -> None:
    scope = some(opened, [File("a.md", b"---\nname: gamma\n---\n")], gone=["b.md"])
    named = {name: len(scope.register.named(name)) for name in ("alpha", "beta", "gamma")}
    assert named == {"alpha": 0, "beta": 0, "gamma": 1}
    assert scope.paths == ["a.md"]


def test_what_was_read_once_is_not_read_again_unless_it_changed(
    opened: Store, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register, "FEW", 0)
    some(opened, [])
    read: list[str] = []
    monkeypatch.setattr(
        register, "parse", lambda path, data: read.append(path) or parse(path, data)
    )
    some(opened, [])
    assert read == []
    (opened.root / "d.md").write_text("---\nname: delta\n---\n")
    git(opened.root, "add", "d.md")
    git(opened.root, "commit", "--quiet", "--message=three")
    assert len(some(opened, []).register.named("delta")) == 1
    assert read == ["d.md"]


@pytest.mark.parametrize("kept", [b"", b"[]", b"{", b'{"version": 1, "entries": {"a.md": []}}'])
def test_a_damaged_register_is_made_anew(opened: Store, kept: bytes) -> None:
    opened.derived.mkdir(parents=True)
    (opened.derived / "register.json").write_bytes(kept)
    assert len(some(opened, []).register.named("alpha")) == 1


def test_a_register_that_cannot_be_kept_leaves_nothing_behind(
    opened: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register, "FEW", 0)
    (opened.derived / "register.json").mkdir(parents=True)
    assert len(some(opened, []).register.named("alpha")) == 1
    assert [one.name for one in opened.derived.glob("register*")] == ["register.json"]


def test_a_change_is_judged_on_top_of_the_commit(opened: Store) -> None:
    files = {"a.md": None, "new.md": b"new\n", "MEMORY.md": b"- [x](x.md)\n"}
    scope = changed(opened, files)
    assert [file.path for file in scope.files] == ["new.md"]
    assert [file.path for file in scope.beside] == ["MEMORY.md"]
    assert scope.paths == ["b.md", "new.md"]
    assert scope.body("b.md") == "b\n"


def test_a_store_without_a_commit_has_nothing_beside(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "memgit.toml").write_text("format = 1\n")
    assert some(Store.at(tmp_path), [File("a.md", b"a\n")]).paths == ["a.md"]


def test_the_whole_work_tree(opened: Store) -> None:
    (opened.root / "new.md").write_text("new\n")
    (opened.root / "b.md").unlink()
    scope = whole(opened)
    assert [file.path for file in scope.files] == scope.paths == ["a.md", "new.md"]


def test_lines_of_keys() -> None:
    file = File("a.md", b"---\r\nname: a\r\n# c\r\nlist:\r\n  - x\r\n  - y\r\n---\r\nbody\r\n")
    assert [file.line_of(key) for key in ("name", "list", "none")] == [2, 4, 1]
    assert file.line_of("list", "y") == 6
    assert file.body_line == 8
