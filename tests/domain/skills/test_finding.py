"""Procedures are counted over distinct sessions; habits, retries and what was done twice are not"""

from pathlib import Path

import pytest

from memgit.domain.sessions.index import SessionIndex
from memgit.domain.skills.finding import procedures
from memgit.domain.skills.procedure import Procedure
from memgit.domain.skills.recounting import recount
from tests.made_sessions import CONFLICT, OTHERS, RELEASE, made, put, releases, rows, session_id


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "projects"


def found(folder: Path) -> list[Procedure]:
    index = SessionIndex(folder.parent / "index.db")
    index.sync(folder)
    sessions = index.deeds(folder)
    index.close()
    return procedures(sessions)


def others(folder: Path) -> None:
    for number, calls in enumerate(OTHERS, 101):
        made(folder, number, *calls)


def test_three_sessions_make_a_procedure_and_two_do_not(folder: Path) -> None:
    releases(folder, 2)
    assert found(folder) == []
    made(folder, 3, *RELEASE)
    (one,) = found(folder)
    assert one.steps == ("git fetch", "git rebase", "git push")
    assert sorted(one.sessions) == [session_id(number) for number in (1, 2, 3)]
    assert one.failed_first == 1
    assert one.cost == 1
    assert one.example == "git fetch origin ; git rebase origin/main ; git push"


def test_thrice_in_one_session_is_one_session(folder: Path) -> None:
    others(folder)
    made(folder, 1, *RELEASE, "make docs", *RELEASE, "make docs", *RELEASE)
    assert found(folder) == []


def test_forks_and_copies_of_a_session_are_one_session(folder: Path) -> None:
    others(folder)
    history = rows(1, RELEASE)
    for number in (1, 2, 3, 4):
        put(folder, number, [{**row, "sessionId": session_id(number)} for row in history])
    assert found(folder) == []


def test_a_session_that_is_taken_up_again_and_again_is_one_session(folder: Path) -> None:
    """Each has the words of the one before, and does the same once more."""
    others(folder)
    history = rows(1, RELEASE)
    put(folder, 1, history)
    for number in (2, 3, 4):
        history += rows(number, ["make docs", *RELEASE], prompt=f"again {number}")
        put(folder, number, [{**row, "sessionId": session_id(number)} for row in history])
    assert found(folder) == []


def test_habits_and_retries_are_none(folder: Path) -> None:
    others(folder)
    for number in range(1, 6):
        made(folder, number, "ls", "git status", "cat x", "grep -n y z", "git status", "ls")
        made(folder, number + 10, ("make test", "FAIL x"), "make test", "make test", "make test")
    assert found(folder) == []


def test_reading_and_editing_files_is_none(folder: Path) -> None:
    others(folder)
    edit = {"tool": "Edit", "file_path": "/p/a.py"}
    for number in range(1, 6):
        todo = {"tool": "TodoWrite", "todos": []}
        made(folder, number, {"tool": "Read", "file_path": "/p/a.py"}, edit, todo, edit, todo)
    assert found(folder) == []


def test_what_follows_a_look_has_the_look_as_a_step(folder: Path) -> None:
    others(folder)
    for number in range(1, 5):
        made(folder, number, "git status", "git diff", f"git add {number}.py", "git commit -m x")
    (one,) = found(folder)
    assert one.steps == ("git status", "git diff", "git add", "git commit")


def test_looks_that_are_as_usual_have_one_order_and_their_own_sessions(folder: Path) -> None:
    """A name that changed from run to run could not be drafted by what `detect` called it."""
    others(folder)
    looks = ("git status", "git log", "git diff", "git blame")
    for number in range(1, 9):
        made(folder, number, looks[number % 4], f"mkdocs build {number}")
    for number in range(21, 25):
        made(folder, number, "mkdocs build", "cargo build")
    (one,) = found(folder)
    assert one.steps == ("git blame | git diff | git log", "mkdocs build")
    assert all(len(each.looked) == 1 for each in one.occurrences)


def test_a_failure_that_is_mended_otherwise_than_by_trying_again(folder: Path) -> None:
    others(folder)
    edit = {"tool": "Edit", "file_path": "/p/a.py"}
    for number in range(1, 5):
        made(folder, number, "git fetch origin", ("git merge origin/main", CONFLICT), edit,
             "git add a.py", "git commit --no-edit")  # fmt: skip
    steps = {one.steps for one in found(folder)}
    assert ("git merge", "edit", "git add", "git commit") in steps


def test_what_never_went_well_is_no_procedure(folder: Path) -> None:
    others(folder)
    for number in range(1, 5):
        made(folder, number, "npm run build", ("npm run deploy", "error: 403"))
    assert found(folder) == []


def test_a_pipe_does_not_hide_a_failure(folder: Path) -> None:
    releases(folder, 3)
    made(folder, 4, "git fetch", ("git rebase origin/main 2>&1 | tail -3", ""), "git push")
    path = folder / "-p" / f"{session_id(4)}.jsonl"
    text = path.read_text().replace('"content":"done"', f'"content":"{CONFLICT}"', 2)
    path.write_text(text)
    (one,) = found(folder)
    assert one.failed_first == 2


def test_procedures_of_one_name_are_told_apart(folder: Path) -> None:
    others(folder)
    for number in range(1, 5):
        made(folder, number, "mise run lint", "mise run docs")
        made(folder, number + 10, "mise run lint", "just docs")
    assert sorted(one.name for one in found(folder)) == ["mise-lint-docs", "mise-lint-docs-2"]


def test_forms_of_a_step_are_variants(folder: Path) -> None:
    others(folder)
    for number in range(1, 5):
        made(folder, number, "mise run lint", "mise run test")
    for number in range(11, 15):
        made(folder, number, "mise run lint", "mise run test:ci")
    names = {one.steps: one for one in found(folder)}
    assert len(names) == 1
    (one,) = names.values()
    assert len(one.sessions) == 8
    assert len(one.variants) == 1


def test_what_is_counted_is_counted_again(folder: Path) -> None:
    releases(folder)
    index = SessionIndex(folder.parent / "again.db")
    index.sync(folder)
    sessions = index.deeds(folder)
    counted = recount(sessions, ["git fetch", "git rebase", "git push"])
    assert counted.sessions == {session_id(number) for number in (1, 2, 3, 4)}
    assert counted.failed == {session_id(2)}
    for steps in (["git push", "git fetch"], ["ls", "cat"], ["git fetch"], [], ["edit", "edit"]):
        assert recount(sessions, steps).sessions == frozenset()


def test_what_a_person_turned_down_was_not_done(folder: Path) -> None:
    others(folder)
    no = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    for number in range(1, 5):
        made(folder, number, "git fetch", ("git rebase main", no))
    assert found(folder) == []


def test_what_begins_like_a_procedure_of_more_sessions_goes_on_from_its_end(folder: Path) -> None:
    """Of three looks only the first two are the other's: they are no deeds, and go together."""
    others(folder)
    for number in range(1, 7):
        made(folder, number, "git status", "git diff", "git add a", "git commit -m 直す")
    for number in range(11, 15):
        made(folder, number, "git status", "git diff", "git log", "git add a",
             "git commit -m 直す", "npm publish")  # fmt: skip
    often, rare = found(folder)
    assert often.steps == ("git status", "git diff", "git add", "git commit")
    assert (rare.steps, len(rare.sessions)) == (("git commit", "npm publish"), 4)
    assert rare.example == "git commit -m 直す ; npm publish"
