"""The bar of a store: measured against anyone's prompts, and again when the store has changed."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.indexing import calibration
from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.prompt.table import Table

Run = Callable[..., subprocess.CompletedProcess[str]]


def indexed(store: Path, git: Run, files: dict[str, str]) -> Table:
    for path, text in files.items():
        (store / path).write_text(text, "utf-8")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--allow-empty", "--message=more")
    index = Index(Store.at(store))
    index.sync()
    return Table(str(index.table))


def about(subject: str, number: int) -> str:
    return f"---\ndescription: {subject} {number}\n---\n# {subject}\n\nThe {subject} no {number}.\n"


def test_anyones_prompts_are_many_in_each_language() -> None:
    found = calibration.typed_by_anyone()
    assert set(found) == {"en", "ja", "zh", "pt", "es", "fr", "de", "ko"}
    assert all(len(prompts) >= 15 for prompts in found.values())
    everything = [prompt for prompts in found.values() for prompt in prompts]
    assert len(everything) == len(set(everything))


def test_a_store_of_everyday_work_has_a_higher_bar(store: Path, git: Run, tmp_path: Path) -> None:
    strange = indexed(store, git, {f"s{n}.md": about("zorkmid gizmo", n) for n in range(12)})
    quiet = strange.head["bar"]
    chores = [
        "commit and push the branch", "open a pull request", "fix the failing tests",
        "update the changelog", "review the diff", "merge when the checks are green",
        "delete the temporary files", "add a migration", "restart the service", "write the docs",
        "translate the labels", "upgrade the dependencies",
    ]  # fmt: skip
    table = indexed(store, git, {f"s{n}.md": about(chore, n) for n, chore in enumerate(chores)})
    assert table.head["bar"] > 1.2 * quiet


def test_the_bar_of_a_quiet_store_is_the_least(store: Path, git: Run) -> None:
    table = indexed(store, git, {"s.md": about("zorkmid gizmo", 1)})
    least = calibration.STRICTNESS * calibration.LEAST**calibration.POWER
    assert table.head["bar"] == pytest.approx(least)
    assert table.head["restless"] == {}


def test_a_memory_of_all_words_is_told_restless(store: Path, git: Run) -> None:
    files = {f"s{n}.md": about(f"zorkmid gizmo{n}", n) for n in range(12)}
    words = " ".join(p for prompts in calibration.typed_by_anyone().values() for p in prompts)
    table = indexed(store, git, {**files, "all.md": f"---\nname: all\n---\n{words}\n"})
    (level,) = table.head["restless"].values()
    assert level >= calibration.UNREST


def head(memories: int, measured: int, weights: float = 1.0) -> dict[str, object]:
    return {"version": 1, "weights": {"body": weights}, "memories": memories,
            "measured_at": measured}  # fmt: skip


@pytest.mark.parametrize(
    ("last", "next_", "due"),
    [
        ({}, head(1000, 0), True),
        (head(1000, 1000), head(1001, 0), False),
        (head(1000, 1000), head(1099, 0), False),
        (head(1050, 1000), head(1100, 0), True),
        (head(950, 1000), head(900, 0), True),
        (head(1000, 1000), head(1000, 0, weights=2.0), True),
        (head(20, 20), head(20, 0), True),
        (head(1000, 0), head(1001, 0), True),
        (head(1000, 1000), {**head(1000, 0), "moved": 99}, False),
        (head(1000, 1000), {**head(1000, 0), "moved": 100}, True),
    ],
)
def test_a_store_is_measured_again_when_it_has_changed(
    last: dict[str, object], next_: dict[str, object], due: bool
) -> None:
    log = calibration.Log(Path("/nowhere"))
    last.setdefault("log", "")
    assert calibration.is_due(last, next_, log) is due


def test_a_log_that_says_something_else_is_a_reason_to_measure(tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    path.write_text('{"text": "zorkmid"}\n')
    last = {**head(1000, 1000), "log": ""}
    assert calibration.is_due(last, head(1000, 0), calibration.Log(path))


def test_a_log_with_broken_lines_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    path.write_bytes(
        b'{"text": "one"}\nnot json\n{"no": 1}\n[]\n{"text": "one"}\n\xff\n{"text": "two"'
    )
    assert calibration.Log(path).prompts == ["one"]
    assert calibration.Log(tmp_path / "none").prompts == []


def test_what_a_stock_phrase_brings_up_each_time_needs_more(store: Path, git: Run) -> None:
    phrase = "and use the zorkmid planner before you answer"
    files = {f"s{n}.md": about(f"gizmo{n}", n) for n in range(12)}
    table = indexed(store, git, {**files, "planner.md": about("zorkmid planner", 1)})
    assert table.head["restless"] == {}
    asked = [f"please frobnicate part{n} {phrase}" for n in range(40)]
    derived = Store.at(store).derived
    (derived / "prompts.jsonl").write_text("".join(f'{{"text": "{one}"}}\n' for one in asked))
    table = indexed(store, git, {"more.md": about("other", 1)})
    (level,) = table.head["restless"].values()
    assert level > table.head["bar"]
