"""Two commits of memgit against each other: what is compared with what, and what runs."""

import json
from pathlib import Path

import pytest

from memgit.evaluation.commit_bench import _compared
from memgit.evaluation.stopwatch import Taken
from tests.conftest import ROOT, Run


def taken(*cpu: float) -> list[Taken]:
    return [Taken(wall=2 * one, cpu=one, rss=1.0, output=b"") for one in cpu]


def test_a_run_is_compared_with_the_one_beside_it() -> None:
    made = _compared(taken(10, 20, 40), taken(20, 20, 20))
    assert made["ratio"] == {"n": 3, "min": 0.5, "median": 1.0, "max": 2.0}
    assert [side["median"] for side in made["cpu_ms"]] == [20, 20]
    assert [side["median"] for side in made["wall_ms"]] == [40, 40]


def test_a_side_that_is_too_slow_for_all_runs_is_compared_by_those_it_had() -> None:
    made = _compared(taken(10, 10), taken(20, 30, 90))
    assert made["ratio"] == {"n": 2, "min": 2.0, "median": 2.5, "max": 3.0}


@pytest.mark.parametrize("revision", ["no-such-commit", "--output=hit"])
def test_a_revision_that_is_none_is_told(revision: str, memgit: Run, tmp_path: Path) -> None:
    done = memgit("bench", "compare", "--memories", "10", "--source", ROOT, "--", revision)
    assert done.returncode == 2, done.stderr
    assert f"{revision}: no commit of" in done.stderr
    assert not (tmp_path / "hit").exists()


def test_a_commit_without_memgit_is_told(memgit: Run, store: Path) -> None:
    done = memgit("bench", "compare", "--memories", "10", "--source", store, "HEAD")
    assert done.returncode == 2
    assert "there is no memgit in it" in done.stderr


@pytest.mark.slow
def test_both_sides_run_their_own_code(memgit: Run) -> None:
    done = memgit("bench", "compare", "HEAD", "--runs", "1", "--memories", "10", "--json")
    told = json.loads(done.stdout)
    assert told["compared"] == ["HEAD", "the work tree"]
    assert set(told["of"]) == {"recall hook", "add", "list"}
    assert all(one["ratio"]["n"] == 1 for one in told["of"].values())
