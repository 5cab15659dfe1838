"""What a draft is filled with: nothing of one task, the usual failure, sessions that did a step."""

from dataclasses import replace

import pytest

from memgit.domain.skills.drafting import project_name
from memgit.domain.skills.procedure import Occurrence, Procedure
from memgit.domain.skills.template import Seen, evidence, slotted, text_of


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("fatal: The current branch shop-x2q has no upstream branch",
         "fatal: The current branch <name> has no upstream branch"),
        ("git push -u origin feature/shop now", "git push -u origin <name> now"),
        ("On branch main nothing to commit", "On branch main nothing to commit"),
        ("ファイルsrc/合計.pyを開けません: 3件", "ファイル<path>を開けません: <n>件"),
        ("error: 未使用の変数 `合計` と「値」", "error: 未使用の変数 <text> と<text>"),
        ("コミット3f9c2a1bd4e5がない", "コミット<id>がない"),
        ("Merge conflict in src/a.py", "Merge conflict in <path>"),
        ("word " * 40, ("word " * 32).strip()),
        ("語" * 200, "語" * 160),
    ],
)  # fmt: skip
def test_what_was_said_keeps_nothing_of_one_task(said: str, left: str) -> None:
    assert slotted(said) == left


@pytest.mark.parametrize(
    ("folder", "name"),
    [("/home/me/shop", "shop"), ("/home/me/shop/.worktrees/me/fix-total", "shop"),
     ("/home/me/shop/.claude/worktrees/x", "shop"), ("/home/me/shop-worktrees/x2q", "shop"),
     ("/tmp/tmpx2q", ""), ("/", "/")],
)  # fmt: skip
def test_a_work_tree_is_called_what_its_project_is(folder: str, name: str) -> None:
    assert project_name(folder) == name


def failing(session: str, why: str) -> Occurrence:
    return Occurrence(session, (f"{session}-1",), (), True, why, record_failed=f"{session}-2")


def test_the_failure_of_most_sessions_is_the_one_that_is_named() -> None:
    told = [failing("a", "nothing to commit"), failing("b", "CONFLICT in x/1.py"),
            failing("c", "CONFLICT in x/2.py"), failing("d", "")]  # fmt: skip
    found = evidence(Procedure("p", ("x a", "x b"), told))
    assert found
    assert (found[1].said, found[1].record) == ("CONFLICT in <path>", "b-2")


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        (0, "in 1 of 1 sessions."),
        (1, "in 1 of 1 sessions; mending that took 1 further call or edit in all."),
        (2, "in 1 of 1 sessions; mending that took 2 further calls and edits in all."),
    ],
)
def test_what_mending_took_is_told_where_something_was_counted(calls: int, said: str) -> None:
    told = [replace(failing("a", "競合: 文言.po を直してください"), calls=calls)]
    text = text_of("n", Procedure("p", ("x a", "x b"), told), Seen(), {}, "rules").decode()
    assert f"before the end {said}\n" in text


def test_a_look_is_shown_from_a_session_that_looked_so() -> None:
    told = [Occurrence("a", (), (), looked=("git log",)), Occurrence("b", (), ()),
            Occurrence("c", (), (), looked=("git status",))]  # fmt: skip
    steps = ("git status", "git log", "git commit")
    text = text_of("n", Procedure("p", steps, told), Seen(), {}, "rules").decode()
    assert "`git status` (seen in c)" in text
    assert "`git log` (seen in a)" in text
