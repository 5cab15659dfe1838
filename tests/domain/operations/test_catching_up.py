"""Errors that were written by hand, or came by a merge, reach what derives from them too."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from memgit.domain.operations.catching_up import catch_up
from memgit.domain.operations.history import events
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.saving import save
from memgit.domain.sharing.syncing import sync
from memgit.domain.store import Store

from .conftest import memory

Run = Callable[..., object]

DAY = datetime(2026, 3, 4, tzinfo=UTC)
LINE = ("deep/child.md", "grandchild.md", "great.md")


def labels(store: Store) -> list[tuple[str, ...]]:
    return [store.read(path).labels for path in LINE]


def saved(store: Store, text: str) -> int:
    before = store.repository.head()
    (store.root / "root.md").write_text(text)
    save(store, "user")
    return len(catch_up(store, before, now=DAY))


def test_by_hand_superseded_then_retired_then_neither(descent: Store) -> None:
    clean = memory("root")
    first = ("unverified: derived from root, which was superseded by other on 2026-03-04",)
    second = ("unverified: derived from root, which was retired on 2026-03-04",)
    assert saved(descent, memory("root", superseded_by="other")) == 1
    assert labels(descent) == [first] * 3
    assert saved(descent, memory("root", superseded_by="other", retired="yes")) == 1
    assert labels(descent) == [first + second] * 3
    assert saved(descent, memory("root", retired="yes")) == 1
    assert labels(descent) == [second] * 3
    assert saved(descent, clean) == 1
    assert labels(descent) == [()] * 3
    kinds = [event.kind for event in events(descent)][:8]
    assert kinds == ["uncascade", "save", "uncascade", "save", "cascade", "save", "cascade", "save"]


def test_without_an_error_nothing_is_done(descent: Store) -> None:
    assert saved(descent, memory("root", body="Other words.")) == 0
    assert catch_up(descent, None) == []
    assert catch_up(descent, descent.repository.head()) == []


def test_what_an_operation_has_labelled_is_not_labelled_again(descent: Store) -> None:
    before = descent.repository.head()
    supersede(descent, "root", "other")
    assert catch_up(descent, before, now=DAY) == []
    assert all(len(told) == 1 for told in labels(descent))


def test_a_derived_memory_that_came_by_a_merge(descent: Store, git: Run) -> None:
    git(descent.root, "switch", "--quiet", "--create", "side")
    supersede(descent, "root", "other", now=DAY)
    git(descent.root, "switch", "--quiet", "main")
    (descent.root / "late.md").write_text(memory("late", derived_from="root"))
    save(descent, "user")
    before = descent.repository.head()
    git(descent.root, "merge", "--quiet", "--no-edit", "side")
    (done,) = catch_up(descent, before, now=DAY)
    assert done.operation.memories == ("root", "late")
    assert descent.read("late.md").labels == labels(descent)[0]
    undo(descent)
    assert descent.read("late.md").labels == ()


def test_the_command_tells(descent: Store, memgit: Run) -> None:
    (descent.root / "root.md").write_text(memory("root", superseded_by="other"))
    done = memgit("--store", descent.root, "save")
    assert "root is superseded by other: labels changed on child, grandchild, great" in (
        done.stdout  # type: ignore[attr-defined]
    )


def test_a_sync_brings_an_error_to_what_was_derived_here(
    descent: Store, git: Run, tmp_path: Path
) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "server")
    git(descent.root, "remote", "add", "origin", tmp_path / "server")
    sync(descent)
    git(tmp_path, "clone", "--quiet", tmp_path / "server", "there")
    there = Store.at(tmp_path / "there")
    supersede(there, "root", "other", now=DAY)
    sync(there)
    (descent.root / "late.md").write_text(memory("late", derived_from="root"))
    sync(descent)
    (label,) = descent.read("late.md").labels
    assert label.startswith("unverified: derived from root, which was superseded by other on ")
    sync(there)
    assert there.read("late.md").labels == (label,)
    assert there.repository.head() == descent.repository.head()
