"""What git makes of two versions of a memory, with memgit's help and without it."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CalledProcessError, CompletedProcess

import pytest

from memgit.domain.always_on import listing
from memgit.domain.connecting.githooks import install as install_hooks
from memgit.domain.connecting.githooks import remove as remove_hooks
from memgit.domain.memory import parse
from memgit.domain.settings import BUDGET
from memgit.domain.sharing import merge_driver
from memgit.domain.store import Store
from memgit.ports.git import Repository

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def repository(store: Path) -> Repository:
    return Repository(store)


def memory(keys: str = "", body: str = "one\n\ntwo\n\nthree\n") -> bytes:
    return (
        f"---\nname: m\nmetadata:\n  node_type: memory\n  type: project\n{keys}---\n{body}".encode()
    )


def test_later_stamps_hold_and_lists_are_sets(repository: Repository) -> None:
    base = memory("  topics:\n    - a\n  modified: 2026-01-01\n")
    ours = memory("  topics:\n    - a\n    - b\n  modified: 2026-01-03\n")
    theirs = memory("  topics:\n    - c\n    - a\n  modified: 2026-01-02\n")
    for one, two in ((ours, theirs), (theirs, ours)):
        done, is_clean = merge_driver.merge(repository, "m.md", one, base, two)
        found = parse("m.md", done)[0]
        assert is_clean
        assert set(found.words("topics")) == {"a", "b", "c"}
        assert found.recorded == "2026-01-03"


def test_one_key_with_two_values_is_marked_with_both(repository: Repository) -> None:
    base, ours, theirs = (memory(f"  status: {word}\n") for word in ("open", "shut", "gone"))
    done, is_clean = merge_driver.merge(repository, "m.md", ours, base, theirs)
    assert not is_clean
    assert b"<<<<<<< ours\n  status: shut\n=======\n  status: gone\n>>>>>>> theirs\n" in done


def test_keys_that_no_line_collides_for_are_marked_too(repository: Repository) -> None:
    base = memory("  a: 1\n  b: 1\n  c: 1\n")
    ours = memory("  owner: kim\n  a: 1\n  b: 1\n  c: 1\n")
    theirs = memory("  a: 1\n  b: 1\n  c: 1\n  owner: lee\n")
    done, is_clean = merge_driver.merge(repository, "m.md", ours, base, theirs)
    assert not is_clean
    assert b"owner: kim" in done
    assert b"owner: lee" in done
    assert done.count(b"<<<<<<<") == done.count(b">>>>>>>") == 1


def test_a_generated_list_stays_ours_and_a_written_one_keeps_both(repository: Repository) -> None:
    made = [listing.text([], False, BUDGET), b"- by hand a\n", b"- by hand b\n"]
    assert merge_driver.merge(repository, "MEMORY.md", made[1], b"", made[0]) == (made[1], True)
    assert merge_driver.merge(repository, "MEMORY.md", made[0], b"", made[1]) == (made[1], True)
    done, is_clean = merge_driver.merge(repository, "MEMORY.md", made[1], b"", made[2])
    assert (sorted(done.splitlines()), is_clean) == ([b"- by hand a", b"- by hand b"], True)


def test_the_profile_keeps_every_line_once(repository: Repository) -> None:
    done, is_clean = merge_driver.merge(
        repository, "PROFILE.md", b"- a\n- b\n", b"- a\n", b"- a\n- c\n- b\n"
    )
    assert is_clean
    assert sorted(done.splitlines()) == [b"- a", b"- b", b"- c"]


def two_branches(git: Run, store: Path, base: bytes, ours: bytes, theirs: bytes) -> None:
    for branch, data in (("main", base), ("side", theirs), ("main", ours)):
        if branch == "side":
            git(store, "switch", "--quiet", "--create", "side")
        elif (store / "m.md").exists():
            git(store, "switch", "--quiet", "main")
        (store / "m.md").write_bytes(data)
        git(store, "add", "--all")
        git(store, "commit", "--quiet", "--message=x")


TOPICS = [memory("  topics:\n    - a\n  modified: 1\n"),
          memory("  topics:\n    - a\n    - b\n  modified: 3\n"),
          memory("  topics:\n    - a\n    - c\n  modified: 2\n")]  # fmt: skip


def test_git_asks_us_after_init_and_not_after_uninstall(store: Path, git: Run) -> None:
    opened = Store.at(store)
    attributes = store / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("*.x -diff\n")
    config = (store / ".git" / "config").read_text()
    exclude = (store / ".git" / "info" / "exclude").read_text()
    install_hooks(opened)
    (store / ".memgit-1-0.kept").write_text("there for a moment\n")
    assert git(store, "status", "--short").stdout == ""
    two_branches(git, store, *TOPICS)
    git(store, "merge", "--quiet", "--no-edit", "side")
    assert opened.read("m.md").words("topics") == ("a", "b", "c")
    assert any("merges memories" in line for line in remove_hooks(opened))
    assert attributes.read_text() == "*.x -diff\n"
    assert (store / ".git" / "info" / "exclude").read_text() == exclude
    assert (store / ".git" / "config").read_text() == config
    git(store, "reset", "--quiet", "--hard", "HEAD~1")
    with pytest.raises(CalledProcessError):
        git(store, "merge", "--quiet", "--no-edit", "side")
    assert "<<<<<<<" in (store / "m.md").read_text()


def test_where_memgit_is_gone_git_merges_as_ever(store: Path, git: Run) -> None:
    merge_driver.install(Repository(store))
    assert not merge_driver.install(Repository(store))
    two_branches(git, store, *TOPICS)
    (store / ".git" / "memgit" / "bin" / "memgit").write_text("#!/bin/sh\nexit 70\n")
    with pytest.raises(CalledProcessError):
        git(store, "merge", "--quiet", "--no-edit", "side")
    text = (store / "m.md").read_text()
    assert text.count("<<<<<<<") == 1
    assert "- b" in text
    assert "- c" in text
