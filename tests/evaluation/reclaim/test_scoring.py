"""The answer of a reply, and what it is."""

import pytest

from memgit.evaluation.metrics import share
from memgit.evaluation.reclaim.scoring import (
    ABSTAINED,
    INHERITED,
    OTHER,
    TRUE,
    Gold,
    answer,
    judge,
    number,
    same,
)

RUNNERS = ("Ana", "Ben", "Jo", "Joan")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("7 × $4 = $28, so\n\nANSWER: 46", 46),
        ("ANSWER: $46", 46),
        ("ANSWER: \\$197", 197),
        ("ANSWER: $\\$197$", 197),
        ("**ANSWER:** **46**", 46),
        ("**Answer: 46.**", 46),
        ("ANSWER: \\boxed{46}", 46),
        ("ANSWER: 1,234.50", 1234.5),
        ("ANSWER: $12,345 in all", 12345),
        ("ANSWER: -7", -7),
        ("ANSWER: −7", -7),
        ("ANSWER: ４６", 46),
        ("ＡＮＳＷＥＲ：４６", 46),
        ("答え: 46", 46),
        ("答え：４６円", 46),
        ("計算すると…\n答えは 1,280 円です。", 1280),
        ("ANSWER:\n\n46", 46),
        ("so the total is: ANSWER: 60.00", 60),
        ("ANSWER: 55\nWait, that is wrong.\nANSWER: 46", 46),
        ("ANSWER: $168 - $52 = $116", 116),
        ('{"answer": 46}', 46),
        ('```json\n{"answer": "$46"}\n```', 46),
        ("ANSWER: 46 (7 notebooks and 9 pens)", 46),
    ],
)
def test_a_value_beside_the_marker_is_the_answer(reply: str, value: float) -> None:
    assert answer(reply) == value


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   \n",
        "The note says $55, and 8 % tax makes 59.40.",
        "ANSWER:",
        "ANSWER: I cannot tell; the note has only the total of $55 for 2 goods.",
        "ANSWER: unknown (5 of 6 items are there, which make $146)",
        "ANSWER: The 5 items make $146, but one is missing",
        "ANSWER: 40-50",
        "ANSWER: $40 – $50",
        "ANSWER: 40 to 50",
        "ANSWER: 46 or 55",
        "ANSWER: 40〜50",
        "ANSWER: 5 of 6 items",
        "ANSWER: <answer>",
        "ANSWER: between 40 and 50",
        "ANSWER: 46\nOn reflection I cannot know.\nANSWER: not enough information",
        "答え: わかりません。合計55ドルしか残っていません。",
        '{"answer": null}',
        '{"answer": "ABSTAIN"}',
        "Let me recheck: 32 + 16 = 48, so the answ",
    ],
)
def test_a_refusal_is_none_whatever_numbers_it_holds(reply: str) -> None:
    assert answer(reply) is None


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("ANSWER: Ben", "Ben"),
        ("ANSWER: **ben**.", "Ben"),
        ("ANSWER: Joan", "Joan"),
        ("ANSWER: Jo came last", "Jo"),
        ("ANSWER: the Ana", "Ana"),
        ("ANSWER: Ben or Ana", None),
        ("ANSWER: Benjamin", None),
        ("ANSWER: not Ben", None),
        ("ANSWER: Cleo", None),
        ("Ben is last.", None),
    ],
)
def test_a_word_is_an_answer_where_it_is_an_option(reply: str, word: str | None) -> None:
    assert answer(reply, RUNNERS) == word


def test_japanese_words() -> None:
    options = ("青", "赤", "緑")
    assert answer("推理の結果、\n答え: 青です。", options) == "青"
    assert answer("答え：「赤」", options) == "赤"
    assert answer("答え: 青または赤", options) is None


def test_what_an_answer_is() -> None:
    gold = Gold(46.0, 55.0)
    assert judge("ANSWER: 46", gold) == (46.0, TRUE)
    assert judge("ANSWER: $55", gold) == (55.0, INHERITED)
    assert judge("ANSWER: 50", gold) == (50.0, OTHER)
    assert judge("I cannot recompute $55.", gold) == (None, ABSTAINED)


def test_numbers_are_one_below_a_half_apart() -> None:
    assert same(65.6, 66.0)
    assert not same(54.5, 55.0)
    assert same("Blue", "blue")
    assert same("$46", 46.0)
    assert not same(None, None)
    assert number("12,34") is None
    assert number("21:45") is None


def test_none_of_forty_has_an_interval_all_the_same() -> None:
    figure = share(0, 40)
    assert figure.low == 0
    assert figure.high == pytest.approx(0.088, abs=0.001)
