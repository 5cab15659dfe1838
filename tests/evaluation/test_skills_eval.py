"""Judging what was detected: a listed procedure is matched once, and look-alikes are told."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.skills.procedure import Occurrence, Procedure
from memgit.evaluation.skills_eval import BadLabels, judge, likeness, load
from tests.made_sessions import releases, session_id

Run = Callable[..., subprocess.CompletedProcess[str]]


def reported(*steps: str, sessions: str = "abc") -> Procedure:
    told = [Occurrence(one, (), ()) for one in sessions]
    return Procedure("-".join(steps).replace(" ", "-"), steps, told)


def listed(*steps: str, sessions: str = "abc", name: str = "one") -> dict[str, Any]:
    return {"id": name, "steps": list(steps), "sessions": [{"session": one} for one in sessions]}


REBASE = listed("git fetch origin [<base>]", "git rebase origin/<base> | git merge origin/<base>")


def test_forms_and_slots_are_the_same_step() -> None:
    assert likeness(reported("git fetch", "git rebase"), REBASE) == 1.0
    assert likeness(reported("git fetch", "git merge"), REBASE) == 1.0
    assert likeness(reported("git status | git fetch", "git merge"), REBASE) == 1.0


def test_other_steps_another_order_or_other_sessions_are_not() -> None:
    assert likeness(reported("git rebase", "git fetch"), REBASE) == 0.0
    assert likeness(reported("git fetch", "git push"), REBASE) == 0.0
    assert likeness(reported("git fetch", "git rebase", sessions="xyz"), REBASE) == 0.0


def test_what_is_reported_twice_is_wrong_once() -> None:
    found = [reported("git fetch", "git rebase"), reported("git fetch", "git merge")]
    judged = judge(found, [REBASE, listed("make a", "make b", name="two")], [])
    assert (judged.recall, judged.precision) == (0.5, 0.5)
    assert judged.missed == ["two"]
    assert len(judged.wrong) == 1


def test_a_lookalike_is_told() -> None:
    stash = {"what": "below the threshold", "why": "(git stash -> make test -> git stash pop)",
             "sessions": ["a"]}  # fmt: skip
    judged = judge([reported("git stash", "make test"), reported("make a", "make b")], [], [stash])
    assert list(judged.lookalikes.values()) == ["below the threshold"]
    assert judged.precision == 0.0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"procedures": 1, "not_counting": []}'])
def test_what_is_no_list_of_procedures(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recurring.json"
    path.write_text(text)
    with pytest.raises(BadLabels):
        load(path)


def test_the_verb(memgit: Run, tmp_path: Path) -> None:
    releases(tmp_path / "projects")
    assert memgit("eval", "skills", tmp_path).returncode == 2
    theirs = [{"session": session_id(number)} for number in (1, 2, 3, 4)]
    told = {"id": "release", "steps": ["git fetch", "git rebase", "git push"], "sessions": theirs}
    labels = {"procedures": [told], "not_counting": []}
    (tmp_path / "recurring.json").write_text(json.dumps(labels))
    done = memgit("eval", "skills", tmp_path, "--json")
    assert done.returncode == 0
    made = json.loads(done.stdout)
    assert (made["recall"], made["precision"], made["missed"]) == (1.0, 1.0, [])
    labels["procedures"].append({**told, "id": "other", "steps": ["make a", "make b"]})
    (tmp_path / "recurring.json").write_text(json.dumps(labels))
    assert memgit("eval", "skills", tmp_path).returncode == 1
