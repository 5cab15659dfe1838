"""A prompt to segments: what was typed, without what was pasted."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit.prompt.query import PAIR, PARTS, SENTENCES, SERIAL, TOGETHER, segments


def typed(prompt: str) -> set[str]:
    """The terms that were really typed, of all segments."""
    return {term for one in segments(prompt) for term, weight in one.items() if weight > 0.0}


PASTED = {
    "a fence": "look:\n```py\nzorkmid = frobnicate()\n```\nwhy?",
    "a tilde fence": "look:\n~~~\nzorkmid\n~~~\nwhy?",
    "an open fence": "look, why?\n```\nzorkmid",
    "a tag of the host": "<system-reminder>\nzorkmid\n</system-reminder>\nlook, why?",
    "a tag in one line": "<command-name>zorkmid</command-name> look, why?",
    "a link": "look at https://zorkmid.example/frobnicate why?",
    "a Python trace": "look\nTraceback (most recent call last):\n"
    '  File "zorkmid.py", line 3, in f\n'
    "    zorkmid()\nzorkmid.Frobnicated: zorkmid\nwhy?",
    "a JavaScript trace": "look\nTypeError: zorkmid is not a function\n    at f (zorkmid.js:1:2)\n"
    "    at g (zorkmid.js:3:4)\nwhy?",
    "a log": "look\n2026-11-30 12:00:01,123 INFO zorkmid started\nwhy?",
    "a shell's prompt": "look\n$ zorkmid --frobnicate\nwhy?",
    "an image": "[Image #1] zorkmid\nlook, why?",
    "a table of numbers": "look\n| 0.123 | 4.5678 | 12.3456 | 91.234 | zork | 0.0001 |\nwhy?",
    "a command": "/zorkmid look, why?",
}


@pytest.mark.parametrize("what", PASTED)
def test_what_is_pasted_is_left_out_and_what_is_typed_stays(what: str) -> None:
    terms = typed(PASTED[what])
    assert {"look", "why"} <= terms
    assert not {term for term in terms if "zork" in term or "frob" in term}


@pytest.mark.parametrize(
    "prompt", ["", "  \n ", "👍", "https://a.example/b", "/compact", "```\nx\n```"]
)
def test_nothing_typed_makes_no_segment(prompt: str) -> None:
    assert segments(prompt) == []


def test_a_path_is_not_a_command() -> None:
    assert {"etc", "hosts"} <= typed("/etc/hosts is wrong")


def test_short_sentences_are_one_question() -> None:
    assert len(segments("The port is closed. Which one is it? On staging.")) == 1


def test_a_long_prompt_is_cut_at_its_sentences() -> None:
    sentence = " ".join(f"word{n}" for n in range(TOGETHER - 4))
    found = segments(f"{sentence}. Which port? {sentence.replace('word', 'other')}.")
    assert any({"which", "port"} == set(one) - {"whichport"} for one in found)
    assert all(sum(weight > 0.0 for weight in one.values()) <= TOGETHER for one in found)


def test_the_parts_of_a_name_weigh_no_more_than_the_name() -> None:
    (found,) = segments("parseHTTPHeaderFieldValue")
    parts = {term: weight for term, weight in found.items() if term != "parsehttpheaderfieldvalue"}
    assert len(parts) == 5
    assert sum(parts.values()) == pytest.approx(PARTS)


def test_neighbours_are_tried_as_one_name() -> None:
    (found,) = segments("the rate limit, please")
    assert found["ratelimit"] == -PAIR
    assert "limitplease" not in found


def test_a_short_number_weighs_little() -> None:
    (found,) = segments("task 002 on port 6432")
    assert found["002"] == SERIAL
    assert found["6432"] == 1.0


def test_megabytes_are_answered_from_their_ends() -> None:
    noise = " ".join(Random(1).choices(["lorem", "ipsum", "dolor"], k=300_000))
    found = segments(f"Which port is it?\n{noise}\nWhich day is it?")
    assert len(found) <= 2 * SENTENCES
    assert {"port", "day"} <= {term for one in found for term in one}


@given(st.text(max_size=400))
def test_any_text(prompt: str) -> None:
    assert segments(prompt) == segments(prompt)
    assert all(one and all(term for term in one) for one in segments(prompt))
