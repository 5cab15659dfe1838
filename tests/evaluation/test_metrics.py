"""Judging and counting: known intervals, and silence that is never taken for a wrong answer."""

import pytest

from memgit.evaluation.corpus import Case
from memgit.evaluation.metrics import Judged, Shown, figures, mean, quantile, share, sign_test

CASE = Case("s", "1", "p", "subject", "en", relevant=("a.md",), also=("b.md",))
IDLE = Case("s", "2", "ok", "chatter", "en")


def judged(*paths: str, case: Case = CASE) -> Judged:
    return Judged(case, tuple(Shown(path, path.removesuffix(".md")) for path in paths))


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (5, 10, 0.237, 0.763), (48, 100, 0.385, 0.577)],
)
def test_wilsons_interval(hits: int, n: int, low: float, high: float) -> None:
    figure = share(hits, n)
    assert figure.value == hits / n
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=0.001)


def test_nothing_counted_is_no_figure() -> None:
    assert share(0, 0).record() == {"n": 0, "value": None, "low": None, "high": None}
    assert mean([]).value is None
    assert mean([2.0]).low is None
    assert quantile([], 0.5) == 0.0


@pytest.mark.parametrize(
    ("one", "hit", "lenient", "good", "signed"),
    [
        (judged("a.md"), True, True, True, 1),
        (judged("c.md", "a.md"), True, True, True, 0),
        (judged("b.md"), False, True, False, 0),
        (judged("c.md"), False, False, False, -1),
        (judged("c.md", "d.md", "a.md"), False, False, False, -1),
        (judged(), False, False, False, 0),
        (judged(case=IDLE), False, False, True, 0),
        (judged("a.md", case=IDLE), False, False, False, -1),
    ],
)
def test_an_answer_is_judged(
    one: Judged, hit: bool, lenient: bool, good: bool, signed: int
) -> None:
    assert (one.hit(), one.hit(True), one.good, one.signed) == (hit, lenient, good, signed)


def test_a_memory_is_meant_by_its_path_or_by_its_name() -> None:
    shown = Shown("rules/a.md", "No-Deploy")
    assert shown.among(["rules/a.md"])
    assert shown.among(["no-deploy"])
    assert not shown.among(["a.md", "a"])


def test_silence_and_wrong_memories_are_counted_apart() -> None:
    made = figures([judged("a.md", "c.md"), judged(), judged("b.md"), judged("x.md", case=IDLE)])
    assert made["outcomes"] == {"right": 1, "also": 1, "wrong": 1, "silent": 1}
    assert made["wrong_memories"] == 2
    assert (made["hit2"]["n"], made["hit2"]["value"]) == (3, 0.333)
    assert made["hit2_lenient"]["value"] == 0.667
    assert (made["precision"]["n"], made["precision"]["value"]) == (4, 0.25)
    assert made["precision_lenient"]["value"] == 0.5
    assert made["silent"]["value"] == 0.25
    assert made["signed"]["value"] == -0.25


@pytest.mark.parametrize(
    ("up", "down", "p"), [(0, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (3, 3, 1.0), (9, 1, 0.0215)]
)
def test_the_sign_test_is_exact(up: int, down: int, p: float) -> None:
    assert sign_test(up, down) == sign_test(down, up) == pytest.approx(p, abs=0.0001)
