"""The benchmark itself, on a store of its smallest size: what it times, counts and leaves behind.

No test here looks at how long anything took.
"""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from memgit.evaluation import fts5_process
from memgit.evaluation.prepared_store import Asked, PreparedStore
from memgit.evaluation.recall_bench import _found
from memgit.evaluation.stopwatch import (
    Command,
    FailedRun,
    Stopwatch,
    Taken,
    interleaved,
    ratios,
    summary,
)

from ..conftest import Run

CONTENDERS = {"hook", "bare", "fts5", "whoosh"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that keeps the generated store from one test to the next."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def stopwatch(tmp_path: Path) -> Stopwatch:
    return Stopwatch(sys.executable, tmp_path)


def test_one_json_document_tells_every_number(memgit: Run, cache: Path) -> None:
    done = memgit("bench", "recall", "--sizes", "100", "--runs", "4", "--cache", cache, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert set(report["machine"]) >= {"memgit", "python", "platform", "cpus", "date", "load"}
    (store,) = report["recall"]
    assert store["memories"] == 100
    for unit in ("wall_ms", "cpu_ms", "rss_mb"):
        assert set(store[unit]) == CONTENDERS
        for numbers in store[unit].values():
            assert numbers["n"] in (3, 4)  # one that is slow on a busy machine has few
            assert 0 <= numbers["min"] <= numbers["median"] <= numbers["max"]
    assert set(store["times_bare"]) == CONTENDERS - {"bare"}
    assert store["hook_times_fts5"]["n"] in (3, 4)
    assert store["bytes"]["texts"] > 100_000
    assert store["found"]["hook"]["prompts"] == 4
    assert store["found"]["hook"]["right"] >= 2
    assert store["found"]["fts5"]["answered"] == 4
    assert store["found"]["whoosh"]["answered"] == 4
    assert store["processes_started"] == 0
    assert store["sockets_opened"] == 0
    assert [row["memories"] for row in report["commit"]] == [100]
    assert report["commit"][0]["times_smallest"]["median"] == 1.0
    assert report["commit"][0]["hook_times_bare"]["n"] in (3, 4)


def test_a_second_run_builds_nothing_and_leaves_the_cache_as_it_was(
    memgit: Run, cache: Path
) -> None:
    def state() -> dict[str, int]:
        files = (path for path in cache.rglob("*") if path.is_file())
        return {str(path.relative_to(cache)): path.stat().st_mtime_ns for path in files}

    asked = ("bench", "recall", "--sizes", "100", "--runs", "1", "--cache", cache, "--json")
    if not list(cache.glob("memories-100-*")):
        memgit(*asked)
    before = state()
    done = memgit(*asked)
    assert "building" not in done.stderr
    assert state() == before
    assert len(before) > 100


def test_without_a_cache_nothing_stays(
    memgit: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    done = memgit("bench", "recall", "--sizes", "100", "--runs", "1")
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
    assert "timing recall" in done.stderr
    rows = re.findall(r"^  (\w+) +\d+\.\d\d ms \(", done.stdout, re.M)
    assert set(rows) == CONTENDERS
    assert "the hook started 0 processes, opened 0 sockets" in done.stdout


@pytest.mark.parametrize("sizes", ["", "many", "10", "1000,0", "1000001"])
def test_sizes_that_cannot_be_are_refused(memgit: Run, sizes: str) -> None:
    done = memgit("bench", "recall", "--sizes", sizes)
    assert done.returncode == 2
    assert "--sizes" in done.stderr
    assert not done.stdout


def test_a_process_is_timed_from_outside_with_its_input(
    stopwatch: Stopwatch, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_bytes(b"\0told\n")
    program = "import sys, time; time.sleep(0.05); sys.stdout.write(sys.stdin.read().upper())"
    with stopwatch:
        taken = stopwatch.time(Command((sys.executable, "-c", program), given))
    assert taken.output == b"\0TOLD\n"
    assert taken.wall > 50 > taken.cpu >= 0


def test_the_peak_of_memory_is_the_childs_own(stopwatch: Stopwatch) -> None:
    ballast = b"x" * 100_000_000
    with stopwatch:
        small = stopwatch.time(Command((sys.executable, "-I", "-S", "-c", "pass")))
        large = stopwatch.time(Command((sys.executable, "-I", "-S", "-c", "b'x' * 90_000_000")))
    assert small.rss < 40 < 90 < large.rss < len(ballast)


def test_a_process_that_fails_is_told_with_its_words(stopwatch: Stopwatch) -> None:
    with stopwatch:
        with pytest.raises(FailedRun, match="no such thing"):
            stopwatch.time(Command((sys.executable, "-c", "raise SystemExit('no such thing')")))
        assert stopwatch.time(Command((sys.executable, "-c", "print(1)"))).output == b"1\n"
        with pytest.raises(FailedRun, match="could not be started"):
            stopwatch.time(Command(("/nonexistent/program",)))


def test_contenders_take_turns_and_the_first_rounds_do_not_count(tmp_path: Path) -> None:
    order: list[str] = []

    class Fake:
        def time(self, command: Command) -> Taken:
            order.append(command.words[0])
            return Taken(1.0, 1.0, 1.0, command.words[1].encode())

    def named(name: str) -> object:
        return lambda run: Command((name, str(run)))

    told: list[tuple[int, int]] = []
    contenders = {name: named(name) for name in "ABC"}
    taken = interleaved(Fake(), contenders, 2, lambda *done: told.append(done))  # type: ignore[arg-type]
    assert "".join(order) == "ABCCBAABCCBA"
    assert [one.output for one in taken["B"]] == [b"0", b"1"]
    assert told[-1] == (2, 2)


def test_a_slow_contender_has_few_runs() -> None:
    class Fake:
        def time(self, command: Command) -> Taken:
            return Taken(float(command.words[0]), 1.0, 1.0, b"")

    contenders = {name: (lambda run, name=name: Command((name,))) for name in ("10", "2000")}
    taken = interleaved(Fake(), contenders, 12, lambda done, total: None)  # type: ignore[arg-type]
    assert [len(taken["10"]), len(taken["2000"])] == [12, 3]
    assert ratios(taken["2000"], taken["10"]) == {"n": 3, "min": 200, "median": 200, "max": 200}


@pytest.mark.parametrize("path", ["ops/港.md", "ops/harbour.md"])
def test_a_found_memory_counts_for_whoever_prints_its_path(path: str, tmp_path: Path) -> None:
    asked = (Asked("one", False, path), Asked("two", False, path), Asked("three", False, path))
    store = PreparedStore(tmp_path, 1, 1, 1.0, asked)
    hook = json.dumps({"additionalContext": f'- memory "x" ({path}; project)'}).encode()
    for output in (hook, f"a.md: other\n{path}: about\n".encode()):
        rows = [Taken(1.0, 1.0, 1.0, said) for said in (output, b"a.md: other\n", b"")]
        assert _found(store, rows) == {"prompts": 3, "answered": 2, "right": 1}


def test_numbers_are_medians_and_ratios_of_pairs() -> None:
    def took(*values: float) -> list[Taken]:
        return [Taken(value, 0.0, 0.0, b"") for value in values]

    assert summary([3.0, 1.0, 2.0, 10.0]) == {"n": 4, "min": 1.0, "median": 2.5, "max": 10.0}
    assert ratios(took(2, 30, 3), took(1, 10, 2))["median"] == 2.0


def test_the_fts5_rival_answers_any_prompt(stopwatch: Stopwatch, tmp_path: Path) -> None:
    database = tmp_path / "fts5.db"
    fts5_process.build(
        str(database),
        [("a.md", "a", "about harbours", "ferries"), ("b.md", "b", "about 港", "船")],
    )
    given = tmp_path / "event"
    program = (
        f"import sys; sys.path.append({str(Path(fts5_process.__file__).parents[2])!r});"
        f"from memgit.evaluation.fts5_process import main; main({os.fspath(database)!r})"
    )
    command = Command((sys.executable, "-I", "-S", "-c", program), given)
    with stopwatch:
        for prompt, expected in [('which "ferries" OR (', "a.md"), ("船 NEAR", "b.md")]:
            given.write_text(json.dumps({"prompt": prompt}))
            assert stopwatch.time(command).output.startswith(expected.encode())
