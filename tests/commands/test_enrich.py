"""`memgit enrich`: asked by a replayed model, applied as one operation, kept or taken back."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.operations.history import events
from memgit.domain.store import Store

Run = Callable[..., subprocess.CompletedProcess[str]]

SETTINGS = '\n[model]\ndoor = "replay"\nanswers = "answers.jsonl"\n'
RIGHT = "why do partners get throttling errors from zorkmid gizmo?"


@pytest.fixture
def replay(sample: Path, git: Run) -> Callable[..., Path]:
    """`replay(words)`: the sample store, with a model that says them for one memory of its own."""

    def made(*words: str, calls: int = 100, **more: Any) -> Path:
        settings = sample / "memgit.toml"
        text = settings.read_text("utf-8") + SETTINGS + f"calls_per_day = {calls}\n"
        settings.write_text(text, "utf-8")
        row = {"task": "enrich", "usage": {"input": 700, "output": 30}, **more}
        if not more:
            row["value"] = {"notes": [{"number": 1, "words": list(words)}]}
        (sample / "answers.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
        git(sample, "add", "--all")
        git(sample, "commit", "--quiet", "--message=settings")
        return sample

    return made


def battery(root: Path, *rows: tuple[str, list[str]]) -> None:
    """The answers of a person: a prompt, and the memories that belong to it."""
    folder = Store.at(root).derived
    folder.mkdir(parents=True, exist_ok=True)
    told = [
        {"id": str(n), "prompt": prompt, "kind": "subject" if names else "nothing",
         "relevant": names, "lang": "en"}
        for n, (prompt, names) in enumerate(rows)
    ]  # fmt: skip
    (folder / "battery.jsonl").write_text("".join(json.dumps(row) + "\n" for row in told))


def test_words_lead_there_until_they_are_undone(replay: Callable[..., Path], memgit: Run) -> None:
    root = replay("throttling", "スロットリング", "fix")
    dry = memgit("--store", root, "enrich", "rate-limits", "--dry-run")
    assert (dry.returncode, "nothing was changed" in dry.stdout) == (0, True)
    assert memgit("--store", root, "search", "asked_as:throttling").returncode == 1
    done = memgit("--store", root, "enrich", "rate-limits")
    assert done.returncode == 0
    for said in ("rate-limits: throttling, スロットリング", "fix (rate-limits)", "700 tokens in"):
        assert said in done.stdout
    assert "ops/rate-limits.md" in memgit("--store", root, "search", "asked_as:throttling").stdout
    assert "Words that lead to it" in memgit("--store", root, "why", "rate-limits").stdout
    assert memgit("--store", root, "undo").returncode == 0
    assert memgit("--store", root, "search", "asked_as:throttling").returncode == 1
    assert "enrich" in memgit("--store", root, "cost").stdout


def test_nothing_new_costs_nothing(replay: Callable[..., Path], memgit: Run) -> None:
    root = replay("zorkmid")
    first = json.loads(memgit("--store", root, "enrich", "--json").stdout)
    assert first["asked"] > 20
    assert first["calls"] == -(-first["asked"] // 8)
    assert len(first["commits"]) <= first["calls"]
    again = json.loads(memgit("--store", root, "enrich", "--json").stdout)
    assert (again["asked"], again["calls"], again["commits"]) == (0, 0, [])
    assert "no memory is new" in memgit("--store", root, "enrich").stdout


def test_what_helps_is_kept(replay: Callable[..., Path], memgit: Run) -> None:
    root = replay("throttling", "zorkmid", "gizmo")
    battery(root, (RIGHT, ["rate-limits"]), ("thanks, go on", []))
    done = memgit("--store", root, "enrich", "rate-limits", "--ab")
    assert done.returncode == 0, done.stderr
    assert "kept in" in done.stdout
    assert "hit@2 0.000 → 1.000" in done.stdout
    assert next(events(Store.at(root))).kind == "alias"


def test_what_harms_is_taken_back_in_one_operation(
    replay: Callable[..., Path], memgit: Run
) -> None:
    root = replay("throttling", "zorkmid", "gizmo")
    before = Store.at(root).content("ops/rate-limits.md")
    battery(root, (RIGHT, []), ("which port is staging on?", ["staging-database"]))
    done = memgit("--store", root, "enrich", "rate-limits", "--ab", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["ab"]["fell"] == ["precision 1.000 → 0.500", "silence 1.000 → 0.000"]
    store = Store.at(root)
    undoing, tried = list(events(store))[:2]
    assert (undoing.id, undoing.kind, tried.kind) == (told["undone"], "undo", "alias")
    assert undoing.operation
    assert "silence 1.000 → 0.000" in undoing.operation.because
    assert store.content("ops/rate-limits.md") == before
    assert memgit("--store", root, "undo").returncode == 0  # and it can be had all the same
    assert b"zorkmid" in store.content("ops/rate-limits.md")


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--ab",), 3, "no battery yet"),
        (("--ab", "--dry-run"), 2, "--ab needs the words in place"),
        (("nobody",), 3, "no memory is named nobody"),
    ],
)
def test_what_cannot_be_done_asks_no_model(
    options: tuple[str, ...], code: int, said: str, replay: Callable[..., Path], memgit: Run
) -> None:
    root = replay("zorkmid")
    done = memgit("--store", root, "enrich", *options)
    assert (done.returncode, said in done.stderr) == (code, True)
    assert "no model was asked" in memgit("--store", root, "cost").stderr


def test_at_the_cap_it_stops_and_what_came_stays(replay: Callable[..., Path], memgit: Run) -> None:
    root = replay("zorkmid", calls=1)
    done = memgit("--store", root, "enrich", "--json")
    assert (done.returncode, "cap is reached" in done.stderr) == (4, True)
    told = json.loads(done.stdout)
    assert (told["asked"], told["calls"], len(told["commits"])) == (8, 1, 1)
    assert "cap is reached" in told["stopped"]


@pytest.mark.parametrize(
    "answer", [{"error": "overloaded"}, {"value": {"notes": "many"}}, {"value": {"words": []}}]
)
def test_an_answer_that_is_none_changes_nothing(
    answer: dict[str, Any], replay: Callable[..., Path], memgit: Run
) -> None:
    root = replay(**answer)
    head = Store.at(root).repository.head()
    done = memgit("--store", root, "enrich", "rate-limits")
    assert done.returncode == 4
    assert done.stderr.startswith("memgit: ")
    assert Store.at(root).repository.head() == head
    assert json.loads(memgit("--store", root, "enrich", "--json").stdout)["asked"] == 0
