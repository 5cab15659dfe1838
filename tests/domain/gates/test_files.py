"""Gates on one file as such."""

import pytest

from memgit.domain.gates.mending import mend
from tests.domain.gates.looking import lines, look_at, rows

SIDES = "one\n<<<<<<< HEAD\nport 1\n=======\nport 2\n>>>>>>> theirs\n"


def test_the_sides_of_a_merge_are_found_where_they_begin() -> None:
    (finding,) = look_at({"a.md": f"---\nname: a\n---\n{SIDES}"}, code="conflict")
    assert rows([finding]) == [
        ("a.md", 5, "conflict", "the two sides of a merge stand here, up to line 9")
    ]
    assert finding.gate.blocks


def test_every_conflict_is_found_also_with_the_base_between() -> None:
    text = SIDES.replace("=======", "||||||| base\nport 0\n=======").replace("\n", "\r\n")
    assert lines(SIDES + text, "conflict") == [2, 8]


def test_files_beside_are_looked_through() -> None:
    found = look_at({}, beside={"MEMORY.md": SIDES}, code="conflict")
    assert [finding.fault.line for finding in found] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=======\ntext\n",
        "a line with <<<<<<< HEAD in it\n=======\n>>>>>>> theirs\n",
        "=======\n>>>>>>> theirs\n<<<<<<< HEAD\n",
        "<<<<<<< HEAD\n>>>>>>> theirs\n",
        f"```text\n{SIDES}```\n",
        f"~~~~\n```\n{SIDES}~~~~\n",
    ],
)
def test_what_is_no_conflict(text: str) -> None:
    assert lines(text, "conflict") == []


@pytest.mark.parametrize(
    "text",
    [
        f"```\ncode\n```\n{SIDES}```\ncode\n```\n",  # between two fences
        f"```\n{SIDES}",  # in one that is never closed
        SIDES.replace("port 1", "```\nport 1\n```"),  # a side brings a fence of its own
        SIDES.replace("one", "```").replace("port 1", "port 1\n```").replace("port 2", "```\n2"),
    ],
)
def test_a_fence_hides_no_merge_that_it_does_not_hold_whole(text: str) -> None:
    assert len(lines(text, "conflict")) == 1


def test_the_hint_for_a_nul_byte_is_what_mends_it() -> None:
    data = b"one\0two\n"
    (finding,) = look_at({"a.md": data}, code="encoding")
    assert finding.fault.message == "a NUL byte"
    assert mend("a.md", data) == (data, [])
    assert "leaves NUL bytes to you" in finding.gate.fix
    assert "tr -d '\\000'" in finding.gate.fix
