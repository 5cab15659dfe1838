"""Rows of a run in a file: what is one, and what is told of everything else."""

import json
from pathlib import Path
from typing import Any

import pytest

from memgit.errors import UsageError
from memgit.evaluation.reclaim.page import page
from memgit.evaluation.reclaim.readers import Rule
from memgit.evaluation.reclaim.rows import cut_off, key_of, load, together
from memgit.evaluation.reclaim.run_report import compare, comparison, document, sections
from memgit.evaluation.reclaim.running import Runner, run
from memgit.evaluation.reclaim.trial import Trial, plan

STRANGE = (None, [], {"a": 1}, float("nan"), float("inf"), 10**400, -1, True, "x\x1b[2J", 0.5)


def a_row(folder: Path, **changes: Any) -> dict[str, Any]:
    made = Runner(Rule(), lambda *_: (), folder).row(Trial("wall", "arithmetic", 0, 0, "lossy"))
    return {**made, **changes}


def a_file(folder: Path, *rows: object, end: bytes = b"\n") -> Path:
    path = folder / "rows.jsonl"
    path.write_bytes(end.join(row if isinstance(row, bytes) else json.dumps(row).encode()
                              for row in rows) + end)  # fmt: skip
    return path


def test_whatever_a_field_holds_it_is_told_or_shown(tmp_path: Path) -> None:
    good = a_row(tmp_path)
    told = []
    for name in good:
        for value in STRANGE:
            path = a_file(tmp_path, {**good, name: value})
            try:
                made = document(together([path]))
            except UsageError as fault:
                told.append(str(fault))
                continue
            page(made)
            json.dumps(made, allow_nan=False)
    assert len(told) > 100
    assert all(one.startswith(f"{path}:1: no row of a run") for one in told)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"[" * 50_000 + b"]" * 50_000, "no JSON object"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "no JSON object"),
        (bytes(range(128, 200)), "no JSON object"),
        (b"", "no JSON object"),
        (b"[1]", "no JSON object"),
        (b'{"schema": 2}', "its schema is not 1"),
        (b'{"schema": 1, "outcome": "true"}', "it has no condition"),
    ],
)
def test_a_line_of_something_else_is_told_with_its_place(
    tmp_path: Path, line: bytes, why: str
) -> None:
    path = a_file(tmp_path, a_row(tmp_path), line)
    with pytest.raises(UsageError, match=why) as told:
        load(path)
    assert f"{path}:2:" in str(told.value)


def test_of_a_trial_in_several_files_the_last_counts(tmp_path: Path) -> None:
    path = a_file(tmp_path, a_row(tmp_path), a_row(tmp_path, outcome="true"))
    other = tmp_path / "other.jsonl"
    other.write_bytes(path.read_bytes())
    assert [row["outcome"] for row in together([path, other, path])] == ["true"]


def test_a_file_with_ends_of_another_system_goes_on(tmp_path: Path) -> None:
    trials = plan(["fields"], ["arithmetic"], ["lossy"], 2, 1)
    runner = Runner(Rule(), lambda *_: (), tmp_path)
    whole = tmp_path / "whole.jsonl"
    run(runner, trials, whole)
    path = a_file(tmp_path, *whole.read_bytes().splitlines()[:4], end=b"\r\n")
    path.write_bytes(path.read_bytes() + b'{"schema": 1, "cond')
    assert cut_off(path)
    assert run(runner, trials, path) == 2
    assert not cut_off(path)
    assert load(path) == load(whole)


def test_the_most_hostile_names_stay_text(tmp_path: Path) -> None:
    name = "<script>alert(1)</script><img src=x onerror=y>\x00\x1b[2J\u202e"
    rows = [a_row(tmp_path, reader=name, condition=one, size=n, hops=n, certificate=name,
                  policy="source_first")
            for n in (1, 2) for one in ("size", "cascade", "noise", "wall")]  # fmt: skip
    shown = page(document(rows), (comparison(compare(rows, rows)),))
    for part in ("<script", "<img", "\x00", "\x1b", "\u202e"):
        assert part not in shown


def test_readers_are_compared_with_themselves(tmp_path: Path) -> None:
    old = [a_row(tmp_path, reader=who, outcome=how) for who, how in (("a", "true"), ("b", "other"))]
    new = [a_row(tmp_path, reader=who, outcome="true") for who in ("b", "a")]
    found = compare(old, new)
    assert [(one["reader"], one["gained"], one["lost"]) for one in found] == [
        ("b", 1, 0), ("a", 0, 0),
    ]  # fmt: skip
    assert "reader" in comparison(found).columns
    assert compare(old[:1], new[:1])[0]["n"] == 1, (
        "two runs of one reader each are laid side by side"
    )
    assert "no trial is in both" in comparison(compare(old, [])).note


def test_what_is_the_same_in_all_rows_stands_above_them(tmp_path: Path) -> None:
    rows = [a_row(tmp_path, policy=policy, correction=correction)
            for policy in ("lossy", "blank") for correction in ("generic", "directed")]  # fmt: skip
    found = sections(document(rows))
    assert [one.title.partition(": ")[0] for one in found] == [
        "wall, arithmetic, generic", "wall, arithmetic, directed",
    ]  # fmt: skip
    assert "integrity 0.1" in found[0].note
    assert "n 1" in found[0].note
    assert list(found[0].columns)[:2] == ["policy", "reclaimed"]
    assert key_of(rows[0]) != key_of(rows[1])


def test_what_is_so_or_not_is_told_as_a_word(tmp_path: Path) -> None:
    rows = [a_row(tmp_path, condition="cascade", hops=2, planted=planted, policy="lossy")
            for planted in (True, False)]  # fmt: skip
    (one,) = sections(document(rows))
    assert one.columns[0] == "planted"
    assert sorted(row[0] for row in one.rows) == ["no", "yes"]
