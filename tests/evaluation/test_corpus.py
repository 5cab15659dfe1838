"""Labelled prompts from files: the usual layout, variants of it, and rows that make no sense."""

import json
from pathlib import Path
from typing import Any

import pytest

from memgit.errors import UsageError
from memgit.evaluation.corpus import Previous, chatter, chatter_beside, load, load_all


def lines(path: Path, *rows: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_text(text, "utf-8")


def label(**more: Any) -> dict[str, Any]:
    return {"store": "one", "id": "p1", "kind": "subject", "relevant": ["a.md"], **more}


def make(folder: Path, name: str = "one") -> Path:
    home = folder / name
    (home / "notes").mkdir(parents=True)
    (home / "notes" / "a.md").write_text("a")
    before = {"prev_user": "before", "prev_assistant_tail": "said"}
    lines(
        home / "prompts.jsonl",
        {"id": "p1", "prompt": "first?", "lang": "en", **before},
        {"id": "p2", "prompt": "ok", "lang": "en"},
    )
    return home


def test_a_corpus_and_one_store_of_it_read_alike(tmp_path: Path) -> None:
    home = make(tmp_path)
    idle = {"store": "one", "id": "p2", "kind": "chatter", "relevant": [], "also": []}
    lines(tmp_path / "labels.jsonl", label(also=["a.md", "b.md"]), idle, label(store="other"))
    (whole,), faults = load(tmp_path)
    assert faults == []
    assert whole == load(home)[0][0]
    assert whole.log == ("first?", "ok")
    first, second = whole.cases
    assert first.previous == Previous("before", "said")
    assert (first.relevant, first.also) == (("a.md",), ("b.md",))
    assert (second.kind, second.relevant) == ("chatter", ())
    assert load_all([tmp_path, home])[0] == [whole]


def test_labels_may_lie_in_the_store_without_its_name_and_with_the_prompt(tmp_path: Path) -> None:
    home = make(tmp_path)
    lines(home / "labels.jsonl", {**label(id="x"), "store": None, "prompt": "told here"})
    (store,), _ = load(tmp_path)
    assert store.cases[0].prompt == "told here"


def test_a_row_that_makes_no_sense_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    make(tmp_path)
    lines(
        tmp_path / "labels.jsonl",
        "{half",
        "[1]",
        label(id="gone"),
        label(kind="odd"),
        label(relevant=[]),
        label(kind="chatter"),
        label(),
    )
    (store,), faults = load(tmp_path)
    assert len(store.cases) == 1
    assert sorted((fault.line, fault.code) for fault in faults) == [
        (1, "json"), (2, "json"), (3, "label"), (4, "label"), (5, "label"), (6, "label"),
    ]  # fmt: skip


def test_stores_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for corpus in ("left", "right"):
        make(tmp_path / corpus)
        lines(tmp_path / corpus / "labels.jsonl", label())
    stores, _ = load_all([tmp_path / "left", tmp_path / "right"])
    assert [store.name for store in stores] == ["left/one", "right/one"]
    assert stores[0].cases[0].store == "left/one"


def test_what_is_no_corpus_is_refused_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no corpus"):
        load(tmp_path)
    make(tmp_path)
    with pytest.raises(UsageError, match="no prompt is labelled"):
        load(tmp_path)


def test_chatter_is_found_beside_a_corpus(tmp_path: Path) -> None:
    home = make(tmp_path / "corpus")
    assert chatter_beside([home]) is None
    lines(tmp_path / "chatter.jsonl", {"text": "ok", "store": "one", "lang": "en"}, {"lang": "x"})
    for folder in (home, tmp_path / "corpus"):
        assert chatter_beside([folder]) == tmp_path / "chatter.jsonl"
    (case,), faults = chatter(tmp_path / "chatter.jsonl")
    assert (case.prompt, case.kind, case.relevant, faults) == ("ok", "chatter", (), [])
