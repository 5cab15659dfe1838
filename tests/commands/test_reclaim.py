"""`memgit reclaim` as a person types it."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

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
    made = json.loads(memgit("reclaim", "rescore", folder, "--json").stdout)
    lossy = next(one for one in made["files"][0]["cells"] if one["group"]["policy"] == "lossy")
    assert lossy["inherited"] == {"n": 4, "value": 1.0, "low": 0.51, "high": 1.0}


def test_rescore_says_what_it_cannot_read(memgit: Run, tmp_path: Path) -> None:
    strange = tmp_path / "strange.jsonl"
    strange.write_text('{"hello": 1}\n')
    shown = memgit("reclaim", "rescore", strange)
    assert shown.returncode == 2
    assert "strange.jsonl:1: row no field tells what was right" in shown.stderr
