"""`memgit eval claims` on a small recorded project, whose every figure is known by hand."""

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.errors import UsageError
from memgit.evaluation.claims_eval import cases, of_paths, of_pulls
from memgit.evaluation.recorded_project import build
from memgit.ports.checkout import Checkout

Run = Callable[..., subprocess.CompletedProcess[str]]

TREE = ["notes/deploy.md", "notes/more/keys.md", "src/app.py", "tools/rotate.py", 'x "y".txt']
HISTORY = """\
2026-03-01\tD\told/gone.py\t
2026-02-02\tR090\tops/rotate.py\ttools/rotate.py
2026-01-02\tA\tnotes/deploy.md\t
2026-01-02\tA\tnotes/more/keys.md\t
2026-01-02\tA\told/gone.py\t
2026-01-02\tA\tops/rotate.py\t
2026-01-01\tA\tsrc/app.py\t
2026-01-01\tA\tx "y".txt\t
"""
NOTES = {
    "deploy.md": "Starts in `src/app.py`, yes/no.\n\n`old/gone.py` does it.\n\nPR #3 merged.\n",
    "more/keys.md": "`ops/rotate.py` rotates.\n\nPR #4 is open; PR #5 is unlike it.\n",
}
LABELS = [
    {"note": "deploy.md", "line": 1, "mention": "src/app.py", "label": "alive"},
    {"note": "deploy.md", "line": 1, "mention": "yes/no", "label": "not-a-path"},
    {"note": "deploy.md", "line": 3, "mention": "old/gone.py", "label": "dead"},
    {"note": "more/keys.md", "line": 1, "mention": "ops/rotate.py", "label": "moved",
     "target": "tools/rotate.py"},
]  # fmt: skip
PULLS = [
    {"note": "deploy.md", "line": 5, "mention": "PR #3", "pr": 3, "states": ["merged"]},
    {"note": "more/keys.md", "line": 3, "mention": "PR #4", "pr": 4, "states": ["open"]},
    {"note": "more/keys.md", "line": 3, "mention": "PR #5", "pr": 5, "states": []},
]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    folder = tmp_path / "recorded"
    for path, text in NOTES.items():
        (folder / "notes" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "notes" / path).write_text(text)
    (folder / "tree.txt").write_text("".join(f"{path}\n" for path in TREE))
    with gzip.open(folder / "path-history.tsv.gz", "wt") as file:
        file.write(HISTORY)
    for name, rows in (("path-labels.jsonl", LABELS), ("pr-mentions.jsonl", PULLS)):
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def test_a_project_is_built_again_with_its_renames(recorded: Path, tmp_path: Path) -> None:
    assert build(tmp_path / "built", recorded) >= 4
    checkout = Checkout(tmp_path / "built")
    assert sorted(checkout.files()[0]) == sorted(TREE)
    gone = next(event for event in checkout.events() if event.path == "ops/rotate.py")
    assert checkout.renames([gone.commit]) == {gone.commit: {"ops/rotate.py": "tools/rotate.py"}}


def test_a_history_that_leads_elsewhere_is_refused(recorded: Path, tmp_path: Path) -> None:
    (recorded / "tree.txt").write_text("src/app.py\n")
    with pytest.raises(UsageError, match=r"tree\.txt"):
        build(tmp_path / "built", recorded)


def test_the_figures_of_a_small_project(recorded: Path, memgit: Run) -> None:
    done = memgit("eval", "claims", recorded, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    paths = told["paths"]
    assert [paths[key]["value"] for key in
            ("precision", "recall", "moved_right", "alive_supported")] == [1, 1, 1, 1]  # fmt: skip
    assert (paths["said_of_no_path"], paths["no_paths"], paths["faults"]) == (0, 1, [])
    right = told["pull_requests"]["right"]
    assert (right["n"], right["value"]) == (3, 1.0)
    text = memgit("eval", "claims", recorded).stdout
    assert "refuted, precision      1.000 of 2" in text


def test_what_goes_wrong_is_counted_and_named(recorded: Path) -> None:
    said = [
        {"path": "deploy.md", "probe": "path_exists", "args": {"path": path}, "verdict": verdict,
         "moved_to": None}
        for path, verdict in (("src/app.py", "refuted"), ("yes/no", "supported"))
    ]  # fmt: skip
    told = of_paths(cases(recorded, said))
    assert (told["precision"].value, told["recall"].value) == (0, 0)
    assert told["said_of_no_path"] == 1
    assert len(told["faults"]) == 4


def test_states_of_pull_requests_are_compared_line_by_line(recorded: Path) -> None:
    assert of_pulls(recorded)["faults"] == []
    (recorded / "notes/deploy.md").write_text("\n\n\n\nPR #3 is not merged.\n")
    assert [row["pr"] for row in of_pulls(recorded)["faults"]] == [3]


def test_a_folder_that_is_not_recorded_is_told_in_one_line(tmp_path: Path, memgit: Run) -> None:
    (tmp_path / "empty").mkdir()
    done = memgit("eval", "claims", tmp_path / "empty")
    assert (done.returncode, "path-history.tsv.gz" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr
