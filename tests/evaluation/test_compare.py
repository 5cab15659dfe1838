"""A change is better or worse only where chance would rarely make the same."""

import pytest

from memgit.evaluation.compare import BETTER, NOISE, SAME, WORSE, Comparison
from memgit.evaluation.corpus import Case
from memgit.evaluation.metrics import Judged, Shown


def answers(*shown: str) -> list[Judged]:
    """One case for each word: `+` the right memory, `-` a wrong one, `.` silence."""
    memories = {"+": Shown("a.md", "a"), "-": Shown("x.md", "x")}
    return [
        Judged(
            Case("s", str(at), "p", "subject", relevant=("a.md",)),
            tuple(memories[sign] for sign in word if sign != "."),
        )
        for at, word in enumerate(shown)
    ]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ([".", "+"], [".", "+"], SAME),
        (["."] * 5, ["+"] * 5, NOISE),
        (["."] * 6, ["+"] * 6, BETTER),
        (["+"] * 6, ["."] * 6, WORSE),
        (["."] * 6, ["-"] * 6, WORSE),
        (["-"] * 6, ["."] * 6, BETTER),
        (["."] * 7, ["+-"] * 7, BETTER),
        (["+"] * 7, ["+-"] * 7, WORSE),
        (["."] * 4 + ["+"] * 4, ["+"] * 4 + ["."] * 4, NOISE),
    ],
)
def test_the_verdict(before: list[str], after: list[str], verdict: str) -> None:
    assert Comparison(answers(*before), answers(*after)).verdict == verdict


def test_each_changed_prompt_is_told() -> None:
    made = Comparison(answers(".", "+", "-", "+", "+"), answers("+", "-", ".", "+-", "+")).record()
    assert [(c["id"], c["what"]) for c in made["changes"]] == [
        ("0", "gained"), ("1", "lost"), ("2", "fewer wrong"), ("3", "more wrong"),
    ]  # fmt: skip
    assert made["tests"]["right"] == {"n": 5, "up": 1, "down": 1, "p": 1.0}
    assert made["changes"][0]["after"] == ["a.md"]
