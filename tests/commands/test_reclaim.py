"""`memgit reclaim` as a person types it."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def replies(folder: Path) -> Path:
    folder.mkdir()
    (folder / "pids.json").write_text('{"p": {"truth": 46.0, "drift": 55.0}}')
    rows = [("blank", "ANSWER: unknown", None, "abstain"), ("lossy", "ANSWER: $55", 55.0, "emit")]
    lines = [json.dumps({"pid": "p", "policy": policy, "seed": n, "bucket": bucket,
                         "attractor": value == 55, "answer": value, "reply": reply})
             for n in range(4) for policy, reply, value, bucket in rows]  # fmt: skip
    (folder / "blank_somebody.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def test_rescore_prints_tables_and_json(memgit: Run, tmp_path: Path) -> None:
    folder = replies(tmp_path / "replies")
    shown = memgit("reclaim", "rescore", folder)
    assert shown.returncode == 0, shown.stderr
    assert "recorded replies of somebody" in shown.stdout
    assert "lossy − blank: +1.00" in shown.stdout
    assert shown.stdout.endswith("\n8 of 8 rows score as they are recorded\n")
    made = json.loads(memgit("reclaim", "rescore", folder, "--json").stdout)
    lossy = next(one for one in made["files"][0]["cells"] if one["group"]["policy"] == "lossy")
    assert lossy["inherited"] == {
        "n": 4,
        "value": 1.0,
        "low": pytest.approx(0.51, abs=1e-3),
        "high": 1.0,
    }


def test_rescore_says_what_it_cannot_read(memgit: Run, tmp_path: Path) -> None:
    strange = tmp_path / "strange.jsonl"
    strange.write_text('{"hello": 1}\n')
    shown = memgit("reclaim", "rescore", strange)
    assert shown.returncode == 2
    assert "strange.jsonl:1: row no field tells what was right" in shown.stderr


def test_run_and_report(memgit: Run, tmp_path: Path) -> None:
    words = ("--condition", "fields", "--family", "arithmetic", "--policy", "lossy",
             "--policy", "source_first", "--problems", "2")  # fmt: skip
    for reader in ("answers", "abstains"):
        done = memgit("reclaim", "run", "--out", f"{reader}.jsonl", *words, "--reader", reader)
        assert done.returncode == 0, done.stderr
        assert "12 trials by rule" in done.stdout
    again = memgit("reclaim", "run", "--out", "answers.jsonl", *words)
    assert "0 trials" in again.stdout
    assert "12 were there already" in again.stdout
    shown = memgit("reclaim", "report", "abstains.jsonl", "--compare", "answers.jsonl",
                   "--html", "report.html")  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    assert "a rule, no model" in shown.stdout
    assert "compared" in shown.stdout
    assert "a rule, no model" in (tmp_path / "report.html").read_text()
    made = json.loads(memgit("reclaim", "report", "answers.jsonl", "--json").stdout)
    assert made["readers"][0]["deterministic"] is True
    wrong = (tmp_path / "answers.jsonl").read_text().replace('"inherited"', '"abstained"')
    (tmp_path / "otherwise.jsonl").write_text(wrong)
    told = memgit("reclaim", "rescore", "otherwise.jsonl").stdout.splitlines()[-1]
    assert told == f"{12 - wrong.count('abstained')} of 12 rows score as they are recorded"
    assert not told.startswith("12")
    scored = memgit("reclaim", "rescore", "answers.jsonl", "--json")
    assert json.loads(scored.stdout)["files"][0]["kind"] == "run of memgit"


def test_a_report_on_several_conditions_begins_with_each_policy_over_all(memgit: Run) -> None:
    done = memgit("reclaim", "run", "--out", "run.jsonl", "--family", "arithmetic", "--policy",
                  "lossy", "--policy", "source_first", "--problems", "1",
                  "--condition", "wall", "--condition", "fields")  # fmt: skip
    assert "what came of it: memgit reclaim report run.jsonl" in done.stderr
    shown = memgit("reclaim", "report", "run.jsonl").stdout
    titles = [line for line in shown.splitlines() if "no model)" in line]
    assert titles[0].startswith("by policy")
    pooled = json.loads(memgit("reclaim", "report", "run.jsonl", "--json").stdout)["readers"][0]
    right = {one["group"]["policy"]: one["reclaim"]["value"] for one in pooled["policies"]}
    assert right["source_first"] == 1.0 > right["lossy"]
    assert sum(one["n"] for one in pooled["policies"]) == pooled["rows"]


def test_rescore_tells_of_what_lossy_and_blank_are_compared(memgit: Run, tmp_path: Path) -> None:
    words = ("--condition", "wall", "--policy", "lossy", "--policy", "blank", "--problems", "1")
    memgit("reclaim", "run", "--out", "run.jsonl", "--family", "order", *words)
    shown = memgit("reclaim", "rescore", "run.jsonl").stdout
    told = [line.partition(":")[0] for line in shown.splitlines() if "lossy − blank" in line]
    assert told == [f"wrong given, lossy − blank ({kind})" for kind in ("directed", "generic")]


def test_a_model_behind_a_door_is_a_reader(memgit: Run, tmp_path: Path) -> None:
    (tmp_path / "said.jsonl").write_text('{"task": "reclaim", "value": {"reply": "ANSWER: 1"}}\n')
    done = memgit("reclaim", "run", "--out", "run.jsonl", "--condition", "wall", "--family",
                  "arithmetic", "--policy", "blank", "--problems", "1", "--reader", "replay",
                  "--answers", "said.jsonl")  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert {(row["reader"], row["deterministic"], row["outcome"]) for row in rows} == {
        ("door replay", False, "other")
    }


def test_a_server_elsewhere_is_refused(memgit: Run) -> None:
    done = memgit("reclaim", "run", "--out", "run.jsonl", "--condition", "wall", "--problems", "1",
                  "--policy", "blank", "--url", "http://192.0.2.7", "--model", "x")  # fmt: skip
    assert done.returncode == 2
    assert "not on this machine" in done.stderr


def test_prevalence_of_a_store(memgit: Run, sample: Path, tmp_path: Path) -> None:
    shown = memgit("reclaim", "prevalence", sample)
    assert shown.returncode == 0, shown.stderr
    assert "brittle today" in shown.stdout
    assert "published for other data" in shown.stdout
    (tmp_path / "empty").mkdir()
    assert memgit("reclaim", "prevalence", tmp_path / "empty").returncode == 2
