"""The measure of an index. Each text and what is left of it was seen with the real Claude Code."""

import pytest

from memgit.domain.always_on.budget import CLIFF, Measure, counted, measure
from memgit.domain.settings import Cap


def loaded(text: str) -> str:
    return "\n".join(line for _, line in counted(text))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- a <!-- inline --> b\n- c\n", "- a <!-- inline --> b\n- c"),
        ("<!-- block -->\n- a\n<!-- multi\nline -->\n- b\n", "- a\n- b"),
        ("<!-- block --> tail words\n- a\n", "tail words\n- a"),
        ("<!-- a --> mid <!-- b -->\n- x\n", "mid \n- x"),
        ("<!-- a --><!-- b -->\n- x\n", "- x"),
        ("- a\n  <!-- nested -->\n- b\n", "- a\n  <!-- nested -->\n- b"),
        ("   <!-- three -->\n- b\n", "- b"),
        ("```\n<!-- in fence -->\n```\n- b\n", "```\n<!-- in fence -->\n```\n- b"),
        ("- a\n\n<!-- unclosed\n- b\n", "- a\n\n<!-- unclosed\n- b"),
        ("para\n<!-- after para -->\nmore\n", "para\nmore"),
        ("- a <!-- inl\nine --> b\n- c\n", "- a <!-- inl\nine --> b\n- c"),
        ("---\nname: x\n---\n- a\n", "- a"),
        ("---\nname: x\n...\n- a\n", "---\nname: x\n...\n- a"),
        ("\n---\nname: x\n---\n- a\n", "---\nname: x\n---\n- a"),
        ("<!-- x -->\n---\nname: y\n---\n- a\n", "---\nname: y\n---\n- a"),
        ("\n\n- a\n\n\n- b\n\n<!-- c -->\n\n- d\n\n\n", "- a\n\n\n- b\n\n- d"),
        ("- a\r- b\r\n- c\n", "- a\n- b\n- c"),
        ("\ufeff- a\n", "- a"),
        ("\u00a0- a\u3000\n", "- a"),
        ("", ""),
        ("<!-- only this -->\n", ""),
    ],
)
def test_what_is_counted(text: str, left: str) -> None:
    assert loaded(text) == left


@pytest.mark.parametrize(
    ("text", "lines", "units", "past", "cut"),
    [
        ("".join(f"- line {i}\n" for i in range(1, 201)), 200, 2091, 0, 0),
        ("".join(f"- line {i}\n" for i in range(1, 201)) + "\n\n\n", 200, 2091, 0, 0),
        ("".join(f"- line {i}\n" for i in range(1, 206)), 205, 2146, 5, 0),
        ("".join(f"- line {i} {'x' * 990}\n" for i in range(1, 30)), 29, 29019, 5, 0),
        ("".join(f"- line {i} {'x' * 150}\n" for i in range(1, 230)), 229, 36989, 75, 0),
        ("x" * 25000, 1, 25000, 0, 0),
        ("x" * 25001, 1, 25001, 0, 1),
        ("x" * 24999 + "\ny", 2, 25001, 1, 0),
        ("- a\n" + "x" * 26000 + "\n- c\n", 3, 26008, 2, 0),
        ("x" * 26000 + "\n- c\n", 2, 26004, 1, 1),
        ("😀" * 12600, 1, 25200, 0, 1),
        ("é" * 24999, 1, 24999, 0, 0),
    ],
)
def test_the_cliff(text: str, lines: int, units: int, past: int, cut: int) -> None:
    found = measure(text)
    assert (found.lines, found.units, len(found.past), found.cut) == (lines, units, past, cut)
    assert found.is_over == bool(past or cut)


def test_lines_past_the_limit_are_named_by_their_place_in_the_file() -> None:
    text = "---\nname: x\n---\n<!-- a\nb -->\n\n- one\n- two\n- three\n"
    assert measure(text, Cap(1, 100)).past == ((8, "- two"), (9, "- three"))


def test_four_fifths_are_near() -> None:
    assert not measure("x\n" * 159).is_near
    assert measure("x\n" * 160).is_near
    assert measure("x" * 20_000).is_near
    assert not measure("").is_near


def test_a_limit_of_nothing() -> None:
    assert measure("- a\n", Cap(0, 0)).past == ((1, "- a"),)
    assert not measure("", Cap(0, 0)).is_over
    assert Measure(0, 0, CLIFF).share == 0
