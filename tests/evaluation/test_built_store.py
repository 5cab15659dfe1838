"""Stores built to be measured: found again in the cache, and never out of step with anything."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.evaluation import built_store
from memgit.evaluation.built_store import LOG, SETTINGS, BuiltStore, fold_of, of_notes, of_store


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "staging-database.md").write_text("# Staging database\n\nIts port is 15432.\n")
    (folder / "deep" / "夜間.md").write_text("夜間バッチは二時に始まる。\n", "utf-8")
    (folder / "outside.md").symlink_to("/etc/hostname")
    return folder


def test_the_files_are_taken_as_they_are_and_links_are_not_followed(
    notes: Path, tmp_path: Path
) -> None:
    built = of_notes(notes, SETTINGS, (), tmp_path / "cache")
    assert built.store.paths() == ["deep/夜間.md", "staging-database.md"]
    for path in built.store.paths():
        assert built.store.content(path) == (notes / path).read_bytes()


def test_a_second_time_nothing_is_built_and_other_texts_are_another_store(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    first = of_notes(notes, SETTINGS, (), cache)
    first.without_log()
    with monkeypatch.context() as sealed:
        sealed.setattr(built_store, "Index", None)
        again = of_notes(notes, SETTINGS, (), cache)
        again.without_log()
    assert again.store.root == first.store.root
    (notes / "staging-database.md").write_text("# Staging database\n\nIts port is 6.\n")
    assert of_notes(notes, SETTINGS, (), cache).store.root != first.store.root


def test_what_other_code_built_is_built_anew(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    entry = of_notes(notes, SETTINGS, (), cache).store.root.parent
    of_notes(notes, SETTINGS, (), cache).without_log()
    assert list(entry.glob("table-*"))
    monkeypatch.setattr(built_store, "_code", lambda: "other")
    of_notes(notes, SETTINGS, (), cache)
    assert not list(entry.glob("table-*"))


def test_the_log_that_a_table_knows_lacks_the_judged_prompt(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = [f"prompt number {n}" for n in range(40)] + ["prompt  Number 7"]
    built = of_notes(notes, SETTINGS, log, tmp_path / "cache")
    monkeypatch.setattr(BuiltStore, "_log_matters", True)
    path = built.store.derived / LOG
    for prompt in ("prompt number 7", "one that was never logged"):
        built.held_out(prompt)
        known = {json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()}
        assert known == {text for text in log if fold_of(text) != fold_of(prompt)}
        assert 20 <= len(known) < 41
    assert fold_of("prompt number 7") == fold_of("prompt  Number 7")
    built.without_log()
    assert not path.exists()


def test_a_log_that_changes_nothing_costs_one_table(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = of_notes(notes, SETTINGS, ["one", "two", "three", "four"], tmp_path / "cache")
    heads = iter([{"bar": 1, "segments": [1]}, {"bar": 1, "segments": [2]}])
    monkeypatch.setattr(built_store, "Table", lambda folder: SimpleNamespace(head=next(heads)))
    assert built.held_out("one") is built.without_log()
    assert built.held_out("two") is built.without_log()
    assert len(list(built.store.root.parent.glob("table-*"))) == 2


def test_a_persons_store_at_a_commit_and_as_it_stands(sample: Path, tmp_path: Path) -> None:
    store = Store.at(sample)
    before = (store.repository.head(), store.repository.run("status", "--porcelain"))
    (sample / "new.md").write_text("---\nname: new\n---\nwords\n")
    (sample / "ops" / "deploy.md").unlink()
    old = of_store(store, "HEAD", (), tmp_path / "cache").store
    now = of_store(store, None, (), tmp_path / "cache").store
    assert "ops/deploy.md" in old.paths()
    assert set(now.paths()) == {*old.paths(), "new.md"} - {"ops/deploy.md"}
    log = old.repository.run("log", "--format=%H")
    assert store.repository.head() in log, (
        "its history comes along, so that ages stay what they are"
    )
    (sample / "new.md").unlink()
    store.repository.run("checkout", "--", "ops/deploy.md")
    assert (store.repository.head(), store.repository.run("status", "--porcelain")) == before


def test_no_such_commit_is_an_error_that_says_so(sample: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        of_store(Store.at(sample), "nowhere", (), tmp_path / "cache")


def test_a_store_that_has_aged_is_made_anew(notes: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    built = of_notes(notes, SETTINGS, (), cache)
    marked = built.store.root / "mark"
    marked.touch()
    os.utime(built.store.root, (1, 1))
    again = of_notes(notes, SETTINGS, (), cache)
    assert not marked.exists()
    assert again.store.root == built.store.root
    assert again.without_log().memories == 2


def test_the_cache_is_bounded(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_store, "KEPT", 2)
    for number in range(5):
        (notes / "staging-database.md").write_text(f"port {number}\n")
        of_notes(notes, SETTINGS, (), tmp_path / "cache")
    assert len(list((tmp_path / "cache").iterdir())) <= 3
