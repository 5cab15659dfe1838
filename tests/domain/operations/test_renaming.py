"""Renaming: name, file, links and references in one commit, and the old name still leads there."""

from pathlib import Path

import pytest

from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.labelling import restore, retire
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError

from .conftest import memory


def test_file_name_links_and_references_follow_in_one_commit(descent: Store) -> None:
    supersede(descent, "other", "root")
    before = descent.repository.head()
    rename(descent, "root", "ground")
    assert descent.repository.run("rev-list", "--count", f"{before}..HEAD") == "1"
    assert not (descent.root / "root.md").exists()
    moved = descent.read("ground.md")
    assert (moved.name, moved.words("aliases")) == ("ground", ("root",))
    assert descent.read("other.md").superseded_by == "ground"
    assert descent.read("deep/child.md").words("derived_from") == ("ground",)
    assert descent.read("great.md").body == (
        "See [[ground]] and [[child|the child]], not `[[root]]`.\n"
    )
    assert descent.repository.run("status", "--porcelain") == ""


def test_the_old_name_still_finds_it(descent: Store) -> None:
    rename(descent, "child", "kid")
    assert Catalogue(descent).find("child").path == "deep/kid.md"


def test_reasons_follow_so_that_restoring_finds_them(descent: Store) -> None:
    before = descent.content("great.md")
    retire(descent, "child")
    rename(descent, "child", "kid")
    assert "derived from kid, which was retired" in descent.read("great.md").labels[0]
    restore(descent, "kid")
    assert descent.content("great.md") == before.replace(b"[[child|", b"[[kid|")


def test_back_again_leaves_one_alias(descent: Store) -> None:
    rename(descent, "root", "ground")
    rename(descent, "ground", "root")
    assert descent.read("root.md").words("aliases") == ("ground",)


def test_only_case_keeps_the_file(descent: Store) -> None:
    rename(descent, "root", "Root")
    assert descent.read("root.md").name == "Root"
    assert descent.read("root.md").words("aliases") == ()


def test_a_plain_file_gets_its_name_written(descent: Store) -> None:
    (descent.root / "日本語.md").write_text("本文\n")
    rename(descent, "日本語", "にほんご")
    assert descent.read("にほんご.md").name == "にほんご"
    assert descent.read("にほんご.md").body == "本文\n"


@pytest.mark.parametrize(
    ("new", "kind", "message"),
    [
        ("other", StoreError, "other is taken by other.md"),
        ("OTHER", StoreError, "taken"),
        ("a/b", UsageError, "is not a name"),
        ("../x", UsageError, "is not a name"),
        ("", UsageError, "is not a name"),
        ("-x", UsageError, "is not a name"),
        ("MEMORY", StoreError, "cannot be its file"),
        ("ignored", StoreError, "cannot be its file"),
    ],
)
def test_what_is_refused(descent: Store, new: str, kind: type[Exception], message: str) -> None:
    (descent.root / ".git/info/exclude").write_text("ignored.md\n")
    (descent.root / "ignored.md").write_text("mine\n")
    before = descent.repository.head()
    with pytest.raises(kind, match=message):
        rename(descent, "root", new)
    assert descent.repository.head() == before
    assert (descent.root / "ignored.md").read_text() == "mine\n"


def test_an_alias_of_another_memory_is_taken(descent: Store) -> None:
    path = Path(descent.root / "event.md")
    path.write_text(memory("event", aliases="\n    - happening"))
    with pytest.raises(StoreError, match=r"happening is taken by event\.md"):
        rename(descent, "root", "happening")
