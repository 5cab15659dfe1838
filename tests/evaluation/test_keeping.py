"""A change may stand where none of three figures fell."""

import pytest

from memgit.evaluation.corpus import Case
from memgit.evaluation.keeping import Kept
from memgit.evaluation.metrics import Judged, Shown


def answers(*shown: str) -> list[Judged]:
    """One prompt for each word: `+` right, `-` wrong, `.` silence; `0` before it: none belongs."""
    memories = {"+": Shown("a.md", "a"), "-": Shown("x.md", "x")}
    return [
        Judged(
            Case("s", str(at), "p", "subject", relevant=() if word[0] == "0" else ("a.md",)),
            tuple(memories[sign] for sign in word if sign in memories),
        )
        for at, word in enumerate(shown)
    ]


@pytest.mark.parametrize(
    ("before", "after", "fell"),
    [
        (["+", "0."], ["+", "0."], []),
        ([".", "0."], ["+", "0."], []),
        (["+", "0."], [".", "0."], ["hit@2", "precision"]),
        (["+", "0."], ["+-", "0."], ["precision"]),
        (["+", "0."], ["+", "0-"], ["precision", "silence"]),
        (["+", "."], [".", "+"], []),
        ([".", "0."], [".", "0."], []),
        ([".", "0."], ["-", "0."], ["precision"]),
        (["0."], ["0-"], ["precision", "silence"]),
    ],
)
def test_what_fell(before: list[str], after: list[str], fell: list[str]) -> None:
    kept = Kept(answers(*before), answers(*after))
    assert [told.split()[0] for told in kept.fell] == fell
    assert kept.record()["prompts"] == len(before)
