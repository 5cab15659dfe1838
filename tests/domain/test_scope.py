"""What the gates are told of the memories beside those they judge."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.index import Index
from memgit.domain.scope import FEW, File, some, whole
from memgit.domain.store import Store

Run = Callable[..., object]


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    (store / "a.md").write_text("---\nname: Alpha\naliases: [First]\n---\na\n")
    (store / "b.md").write_text("---\nname: beta\n---\nb\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=two")
    return Store.at(store)


@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("asked", [0, FEW + 1])
def test_names_come_from_the_index_or_from_the_files(
    opened: Store, indexed: bool, asked: int
) -> None:
    if indexed:
        Index(opened).sync()
    scope = some(opened, [File("c.md", b"c\n")])
    for number in range(asked):
        assert list(scope.others(f"none-{number}")) == []
    assert list(scope.others("ALPHA")) == ["a.md"]
    assert list(scope.others("first")) == []
    assert scope.called("first")
    assert not scope.called("second")
    assert scope.paths == ["a.md", "b.md", "c.md"]


@pytest.mark.parametrize("indexed", [False, True])
def test_what_is_judged_or_gone_is_not_beside(opened: Store, indexed: bool) -> None:
    if indexed:
        Index(opened).sync()
    scope = some(opened, [File("a.md", b"---\nname: gamma\n---\n")], gone=["b.md"])
    assert [list(scope.others(name)) for name in ("alpha", "beta", "gamma")] == [[], [], []]
    assert scope.paths == ["a.md"]


def test_an_index_of_another_commit_is_not_asked(opened: Store, git: Run) -> None:
    Index(opened).sync()
    (opened.root / "d.md").write_text("---\nname: delta\n---\n")
    git(opened.root, "add", "d.md")
    git(opened.root, "commit", "--quiet", "--message=three")
    assert list(some(opened, []).others("delta")) == ["d.md"]


def test_a_store_without_a_commit_has_nothing_beside(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "memgit.toml").write_text("format = 1\n")
    scope = some(Store.at(tmp_path), [File("a.md", b"a\n")])
    assert list(scope.others("a")) == []
    assert scope.paths == ["a.md"]


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
