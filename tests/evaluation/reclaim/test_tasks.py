"""Problems: seeded, unique, and different from what is planted."""

import json
import re
from pathlib import Path

import pytest

from memgit.errors import UsageError
from memgit.evaluation.reclaim import ledgers, logic, slots
from memgit.evaluation.reclaim.generating import problem
from memgit.evaluation.reclaim.problem import FAMILIES
from memgit.evaluation.reclaim.scoring import answer, same
from memgit.evaluation.reclaim.wording import CORRECTIONS, VALUE_GIVEN, correction, wrong


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_gives_the_same_problems_whatever_came_before(family: str) -> None:
    first = [repr(problem(family, number, 3)) for number in range(6)]
    again = [repr(problem(family, number, 3)) for number in reversed(range(6))]
    assert first == again[::-1]
    assert first != [repr(problem(family, number, 4)) for number in range(6)]


def test_a_seed_gives_these_bytes() -> None:
    assert ledgers.arithmetic(1, 0).facts == (
        "Bought 8 racks at $5 each.", "Bought 5 brackets at $6 each.",
    )  # fmt: skip
    assert ledgers.arithmetic(1, 0).premise == "A colleague worked out the racks at $51."


@pytest.mark.parametrize("family", FAMILIES)
def test_the_planted_answer_is_another_one(family: str) -> None:
    for number in range(24):
        made = problem(family, number, 0)
        assert not same(made.gold.true, made.gold.planted)
        assert not same(wrong(made), made.gold.true)
        assert not same(wrong(made), made.gold.planted)
        assert made.locus != made.false_locus


@pytest.mark.parametrize("family", ["order", "assignment"])
def test_logic_has_one_answer_with_its_clues_and_one_with_the_planted_clue(family: str) -> None:
    for number in range(24):
        made = problem(family, number, 1)
        assert logic.answers(made.facts, made.asked) == {made.gold.true}
        planted = made.premise.removeprefix("A colleague noted that ")
        turned = [planted if _contradicts(fact, planted) else fact for fact in made.facts]
        assert logic.answers(turned, made.asked) == {made.gold.planted}


def _contradicts(fact: str, planted: str) -> bool:
    names = re.findall(r"\b[A-Z]\w+", fact)
    if "ahead" in fact:
        return sorted(names) == sorted(re.findall(r"\b[A-Z]\w+", planted))
    return fact.replace("does not have", "has") == planted and fact != planted


def test_clues_that_contradict_each_other_give_nothing() -> None:
    facts = ["Ada came in ahead of Bo.", "Bo came in ahead of Ada."]
    assert logic.answers(facts, "who came in last") == set()
    assert logic.answers(["Ada came in ahead of Bo.", "Ada came in ahead of Cleo."],
                         "who came in last") == {"Bo", "Cleo"}  # fmt: skip


@pytest.mark.parametrize("kind", [one for one in CORRECTIONS if one != VALUE_GIVEN])
def test_no_correction_tells_the_right_value(kind: str) -> None:
    for family in ("arithmetic", "slot"):
        made = problem(family, 2, 0)
        said = " ".join(correction(made, kind))
        assert made.shown(made.gold.true) not in said


def test_the_slot_task_reads_times() -> None:
    made = problem("slot", 0, 0)
    assert answer("ANSWER: 18:45", made.gold.options) == "18:45"
    assert answer("ANSWER: 6:45 pm", made.gold.options) == "18:45"
    assert answer("答え：１８：４５です", made.gold.options) == "18:45"
    assert answer("ANSWER: the table was at 18:45", made.gold.options) is None
    assert answer("ANSWER: unknown, 18:45 or 21:45", made.gold.options) is None


def test_multiwoz_files_are_read(tmp_path: Path) -> None:
    said = "I want to leave after 09:15 on Friday."
    turns = [
        {"speaker": "USER", "utterance": "I need a train.", "frames": [{"slots": []}]},
        {"speaker": "SYSTEM", "utterance": "When?", "frames": []},
        {"speaker": "USER", "utterance": said, "frames": [{"service": "train", "slots": [
            {"slot": "train-leaveat", "value": "09:15", "start": 22, "exclusive_end": 27}]}]},
    ]  # fmt: skip
    other = [{"speaker": "USER", "utterance": "Some food, please.", "frames": []}]
    split = tmp_path / "dev"
    split.mkdir()
    (split / "dialogues_001.json").write_text(json.dumps([
        {"dialogue_id": "PMUL1.json", "turns": turns}, {"dialogue_id": "X", "turns": other},
    ]))  # fmt: skip
    made = slots.multiwoz(split, 0)
    assert [one.facts for one in made] == [(said,)]
    assert (made[0].gold.true, made[0].gold.planted) in (("09:15", "06:15"), ("09:15", "12:15"))
    assert made == slots.multiwoz(tmp_path, 0)
    with pytest.raises(UsageError, match="no dialogues"):
        slots.multiwoz(tmp_path / "dev" / "none", 0)
    (split / "dialogues_002.json").write_text('{"no": "list"}')
    with pytest.raises(UsageError, match="no list"):
        slots.multiwoz(split, 0)
