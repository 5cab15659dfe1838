"""The benchmark of a session: what it makes up is a transcript, and every figure is there."""

import json
from pathlib import Path

from memgit.domain.transcripts.reader import records
from memgit.domain.transcripts.turns import turns
from memgit.evaluation.session_bench import made_up
from tests.conftest import Run


def test_what_is_made_up_is_the_same_each_time_and_reads_as_a_session(tmp_path: Path) -> None:
    data = b"".join(made_up(300_000))
    assert data == b"".join(made_up(300_000))
    assert 300_000 <= len(data) < 330_000
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    found = list(turns(path))
    assert len(found) > 2
    assert all(step.result for turn in found for step in turn.steps if step.tool)
    read = sum(record.end - record.start for record in records(path))
    assert 0.1 < read / len(data) < 0.5


def test_every_figure_is_there(memgit: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "s.jsonl").write_bytes(b"".join(made_up(20_000)))
    done = memgit("bench", "sessions", "--megabytes", "1", "--runs", "2", "--json",
                  "--turns", "400", "--transcripts", tmp_path / "mine")  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert list(report["hooks"]) == [
        "bare", "Stop, large", "Stop, small", "SessionEnd, large", "SessionEnd, small",
    ]  # fmt: skip
    for row in report["reading"].values():
        assert all(number > 0 for number in row.values())
    assert len(report["reading"]) == 2
    assert report["read_on_ms"] > 0
    index = report["index"]
    assert index["turns"] == 400
    assert index["turns_per_minute"] > 0
    assert index["new_session_s"] > 0
    assert len(index["query_ms"]) == 4
