"""Whether a text still holds what a conclusion follows from."""

import random

import pytest

from memgit.domain.gates.certificate import DIFFERS, MISSING, PARTIAL, RECOMPUTES
from memgit.domain.gates.holding import held, total

PARTS = ("Bought 7 nibs at $4 each.", "Bought 9 pens at $2 each.", "Bought 12 pads at $10 each.")


@pytest.mark.parametrize(
    ("text", "stated", "verdict"),
    [
        ("\n".join(PARTS), None, RECOMPUTES),
        ("\n".join(PARTS), 166.0, RECOMPUTES),
        ("\n".join(PARTS), 175.0, DIFFERS),
        ("- 7 nibs at $4 each\n- 9 pens at $2 each\n- 12 pads, $10 each", 166.0, RECOMPUTES),
        ("\n".join(PARTS[:2]), 166.0, PARTIAL),
        ("The order came to $166.", 166.0, MISSING),
        ("", None, MISSING),
        ("Bought 9 nibs at $4 each.\nBought 7 pens at $2 each.", None, MISSING),
    ],
)
def test_verdicts(text: str, stated: float | None, verdict: str) -> None:
    assert held(text, PARTS, stated).verdict == verdict


def test_kept_of() -> None:
    one = held("\n".join(PARTS[:2]), PARTS)
    assert (one.kept, one.of, one.flagged) == (2, 3, True)


def test_words_and_japanese() -> None:
    clues = ("Ada came in ahead of Bo.", "送別会は18:30に始まります。")
    assert (
        held("Ada came in ahead of Bo. 送別会は１８：３０に始まります。", clues).verdict
        == RECOMPUTES
    )
    assert held("送別会は19:30に始まります。", clues).verdict == MISSING


def test_a_total_is_of_counts_at_prices_only() -> None:
    assert total(PARTS) == 166
    assert total((*PARTS, "and a box")) is None
    assert total(()) is None


def test_every_cut_note_is_flagged_and_no_whole_one() -> None:
    chance = random.Random(7)
    goods = [f"{a}{b}s" for a in ("bell", "lamp", "rope", "tile") for b in ("box", "rack", "kit")]
    cut = whole = 0
    for _ in range(500):
        rows = [(chance.randint(1, 9), good, chance.randint(2, 15))
                for good in chance.sample(goods, chance.randint(2, 12))]  # fmt: skip
        parts = [f"Bought {n} {good} at ${price} each." for n, good, price in rows]
        true = float(sum(n * price for n, _, price in rows))
        kept = chance.randint(0, len(parts) - 1)
        cut += held("\n".join([*parts[:kept], "To find: the total."]), parts, true).flagged
        shuffled = chance.sample(parts, len(parts))
        whole += held("\n".join(["The order, so far:", *shuffled]), parts, true).flagged
    assert (cut, whole) == (500, 0)
