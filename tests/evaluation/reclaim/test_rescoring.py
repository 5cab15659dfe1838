"""Recorded replies, scored again; the rows are made here."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from memgit.evaluation.reclaim import rescored
from memgit.evaluation.reclaim.cells import cell, cells
from memgit.evaluation.reclaim.replies import kind_of, read
from memgit.evaluation.reclaim.rescoring import score

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write(rows, name)`: a file of JSON lines."""

    def made(rows: Sequence[dict[str, Any]], name: str = "blank_somebody.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return path

    return made


def blank_row(
    policy: str, reply: str, bucket: str, answer: float | None = None, **more: Any
) -> Any:
    row = {"pid": "p", "policy": policy, "seed": 0, "bucket": bucket, "attractor": answer == 55,
           "answer": answer, "reply": reply}  # fmt: skip
    return {**row, **more}


def test_a_raw_reply_is_parsed_and_compared_with_what_was_recorded(write: Write) -> None:
    rows = [
        blank_row("blank", "ANSWER: unknown; $55 is all I have", "abstain"),
        blank_row("blank", "ANSWER: \\$60", "abstain"),
        blank_row("lossy", "ANSWER: $55", "emit", 55.0),
        blank_row("lossy", "ANSWER: 46", "true", 46.0),
        blank_row("lossy", "ANSWER: 46", "emit", 46.0),
    ]
    path = write(rows)
    (path.parent / "pids.json").write_text('{"p": {"truth": 46.0, "drift": 55.0}}')
    recorded = read(path)
    scored = score(recorded)
    assert recorded.kind == "blank against lossy"
    assert [one.outcome for one in scored] == [
        "abstained", "abstained", "inherited", "true", "true",
    ]  # fmt: skip
    assert [one.mended for one in scored][1] == "other"
    assert [one.agrees for one in scored] == [True, True, True, True, False]
    document = rescored.document([recorded])["files"][0]
    assert document["mended"] == 1
    assert len(document["differs"]) == 1
    assert document["lossy_minus_blank"][0]["difference"]["value"] == pytest.approx(1 / 3, abs=1e-3)


def test_what_is_right_follows_from_the_rows_where_nothing_tells_it(write: Write) -> None:
    rows = [
        {"pid": "p", "integrity": 0.1, "policy": "lossy", "answer": value, "correct": value == 46}
        for value in (46.0, 46.0, 45.8, 55.0, None)
    ]
    rows[2]["correct"] = True
    scored = score(read(write(rows, "fix.jsonl")))
    assert [one.outcome for one in scored] == ["true", "true", "true", "other", "abstained"]
    assert all(one.agrees for one in scored)


def test_hops_and_chosen_things(write: Write) -> None:
    hops = [{"H": 2, "policy": "lossy", "planted": True, "per_hop": [False, True], "blast": 1,
             "reclaim": False}] * 4  # fmt: skip
    figures = cell(score(read(write(hops))))
    assert figures["blast"]["value"] == 1
    assert figures["blast_share"]["value"] == 0.5
    assert figures["reclaim"]["value"] == 0
    assert figures["emit"]["value"] == 0, "what was given instead is not recorded"
    chosen = [{"policy": "blank", "chosen": given, "correct_new": "1", "drift_new": "2",
               "outcome": told} for given, told in
              (("1", "reclaim"), ("2", "stuck"), ("none", "abstain"), ("9", "other"),
               ("8", "abstain"))]  # fmt: skip
    scored = score(read(write(chosen)))
    assert [one.outcome for one in scored] == [
        "true", "inherited", "abstained", "other", "abstained",
    ]  # fmt: skip
    assert all(one.agrees for one in scored)


def test_a_part_that_is_told_and_one_that_is_not(write: Write) -> None:
    def row(reply: str, bucket: str, value: float = 146.0) -> dict[str, Any]:
        return {"budget": 300, "n": 6, "k": 5, "store": 0, "seed": 0, "answer": value,
                "bucket": bucket, "correct": False, "reply": reply}  # fmt: skip

    rows = [
        row("ANSWER: $146 (one item is missing)", "flagged_partial"),
        row("ANSWER: $146", "silent_missum"),
        row("ANSWER: it cannot be determined, as 1 of the 6 is missing", "abstain", 6.0),
        row("ANSWER: $150", "other_wrong", 150.0),
        row("only 5 of the 6 are here\nANSWER: $146", "silent_missum"),
    ]
    scored = score(read(write(rows)))
    assert [one.outcome for one in scored] == [
        "flagged partial", "silent missum", "abstained", "other", "silent missum",
    ]  # fmt: skip
    assert scored[4].mended == "flagged partial"
    assert all(one.agrees for one in scored)


def test_an_error_is_no_abstention(write: Write) -> None:
    rows = [{"pid": "p", "policy": "blank", "answer": None, "correct": False, "error": "timed out"},
            {"pid": "p", "policy": "blank", "answer": None, "correct": False}]  # fmt: skip
    figures = cell(score(read(write(rows))))
    assert (figures["n"], figures["errors"]) == (1, 1)
    assert figures["counts"] == {"abstained": 1, "error": 1}


def test_a_file_that_ends_early_is_told_and_the_rest_counts(write: Write) -> None:
    path = write([blank_row("blank", "ANSWER: none", "abstain")] * 3)
    path.write_bytes(path.read_bytes()[:-30])
    recorded = read(path)
    assert len(recorded.rows) == 2
    assert [fault.line for fault in recorded.faults] == [3]
    assert "cut off" in str(recorded.faults[0])


@pytest.mark.parametrize(("text", "why"), [("", "no rows"), ("[1]\n", "no JSON object"),
                                           ('{"hello": 1}\n', "hello")])  # fmt: skip
def test_what_is_not_known_is_told_in_a_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "strange.jsonl"
    path.write_text(text)
    recorded = read(path)
    assert not recorded.rows
    assert why in str(recorded.faults[0])


def test_fields_that_nobody_told_of_group_the_rows(write: Write) -> None:
    rows = [{"pid": "p", "decoys": decoys, "method": method, "answer": 46.0, "correct": True}
            for decoys in (0, 4) for method in ("a", "b") for _ in range(3)]  # fmt: skip
    made = cells(score(read(write(rows))))
    assert [one["group"] for one in made] == [
        {"decoys": 0, "method": "a"}, {"decoys": 0, "method": "b"},
        {"decoys": 4, "method": "a"}, {"decoys": 4, "method": "b"},
    ]  # fmt: skip
    assert all(one["reclaim"]["value"] == 1 for one in made)


def test_a_row_may_tell_itself_what_is_right(write: Write) -> None:
    said = (("21:45", "inherit"), ("18:45", "true"), (None, "abstain"), ("09:00", "other"))
    row = {"id": "x", "policy": "lossy", "truth": "18:45", "drift": "21:45"}
    rows = [{**row, "answer": given, "outcome": told} for given, told in said]
    scored = score(read(write(rows)))
    assert [one.outcome for one in scored] == ["inherited", "true", "abstained", "other"]
    assert all(one.agrees for one in scored)


def test_replies_of_a_rule_are_not_pooled_with_those_of_models(write: Write) -> None:
    rows = [blank_row("blank", "ANSWER: none", "abstain")] * 3
    files = [read(write(rows, name)) for name in ("blank_dry.jsonl", "a_x.jsonl", "b_y.jsonl")]
    document = rescored.document(files)
    assert [one["deterministic"] for one in document["files"]] == [True, False, False]
    assert document["pooled"][0]["rows"] == 6
    assert "no model" in rescored.heading(document["files"][0])


def test_a_row_is_known_by_its_fields() -> None:
    assert kind_of({"chosen": 1, "outcome": 2}) == "chosen option"
    assert kind_of({"nothing": 1}) == ""


SAMPLES = (
    blank_row("blank", "ANSWER: 46", "true", 46.0),
    {"H": 2, "policy": "lossy", "planted": True, "per_hop": [False, True], "blast": 1,
     "reclaim": False, "store": 1},
    {"H": 2, "policy": "lossy", "blast": 1, "reclaim": True},
    {"policy": "blank", "chosen": "1", "correct_new": "1", "drift_new": "2", "outcome": "reclaim"},
    {"budget": 300, "n": 6, "k": 5, "store": 0, "seed": 0, "answer": 146.0, "correct": False,
     "bucket": "silent_missum", "reply": "ANSWER: $146"},
    {"budget": 300, "n": 6, "policy": "lossy", "k_items": 6, "answer": 1, "correct": True},
    {"pid": "p", "variant": "x", "memory_text": "4 at $2", "src_nums": ["4", "$2"],
     "answer": "8", "correct": True},
    {"schema": 1, "outcome": "true", "prompts": []},
)  # fmt: skip


@pytest.mark.parametrize("row", SAMPLES, ids=lambda row: kind_of(row))
def test_whatever_a_recorded_field_holds_it_is_told_or_scored(
    write: Write, row: dict[str, Any]
) -> None:
    strange = (None, [], {"a": 1}, [[1]], float("nan"), float("-inf"), 10**400, -1, True, 0.5,
               "x\x1b[2J", "1" * 5000, "1e999")  # fmt: skip
    for name in row:
        for value in strange:
            recorded = read(write([row, {**row, name: value}]))
            made = rescored.document([recorded])
            json.dumps(made, allow_nan=False)
            assert len(recorded.rows) + len(recorded.faults) == 2
            for of in made["files"]:
                assert "cells" not in of or rescored.rows_of(of["cells"])


def test_a_line_nested_beyond_reading_is_told_and_the_rest_counts(write: Write) -> None:
    path = write([blank_row("blank", "ANSWER: 46", "true", 46.0)])
    deep = b"[" * 50_000 + b"]" * 50_000 + b"\n"
    path.write_bytes(deep + path.read_bytes() + b'{"pid": "\xff"}\n' + b"x" * 5_000_000 + b"\n")
    recorded = read(path)
    assert len(recorded.rows) == 1
    assert [(fault.line, "no JSON" in str(fault)) for fault in recorded.faults] == [
        (1, True), (3, True), (4, True),
    ]  # fmt: skip
    assert all(len(str(fault)) < 300 for fault in recorded.faults)
