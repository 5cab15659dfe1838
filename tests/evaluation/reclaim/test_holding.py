"""Whether a text still holds what a conclusion follows from."""

import random

import pytest

from memgit.domain.gates.certificate import (
    DIFFERS,
    MISSING,
    PARTIAL,
    RECOMPUTES,
    certificate,
)
from memgit.domain.gates.priced import total
from memgit.evaluation.reclaim.holding import held

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


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        ("The total before tax is $166.", RECOMPUTES),
        ("It came to $175.", DIFFERS),
        ("The total of the year was 175 percent of the plan", None),
        ("The budget is $400.", None),
        ("The total with the others, which Bo keeps, is not known.", None),
    ],
)
def test_a_total_below_counts_at_prices_is_recomputed(end: str, verdict: str | None) -> None:
    found = certificate("\n".join(["What was bought:", "", *PARTS, end]))
    assert [one.verdict for one in found] == ([verdict] if verdict else [])


def test_every_total_is_flagged_whose_parts_were_cut_and_no_sound_one() -> None:
    chance = random.Random(11)
    flagged = false = 0
    for number in range(456):
        rows = [(chance.randint(1, 9), f"{'abcdefghij'[place]}ings", chance.randint(2, 15))
                for place in range(chance.randint(3, 10))]  # fmt: skip
        lines = [f"- {n} {good} at ${price} each" for n, good, price in rows]
        end = f"The total before tax is ${sum(n * price for n, _, price in rows)}."
        cut = lines[: chance.randint(2, len(lines) - 1)] if number % 2 else lines[1:]
        if len(cut) >= 2:
            flagged += any(v.verdict == DIFFERS for v in certificate("\n".join([*cut, end])))
        else:
            flagged += held("\n".join([*cut, end]), lines).flagged
        false += any(v.verdict != RECOMPUTES for v in certificate("\n".join([*lines, end])))
    assert (flagged, false) == (456, 0)
