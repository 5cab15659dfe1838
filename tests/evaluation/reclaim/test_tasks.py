"""Problems: seeded, unique, and different from what is planted."""

import json
import re
from pathlib import Path

import pytest

from memgit.errors import UsageError
from memgit.evaluation.reclaim import ledgers, logic, slots
from memgit.evaluation.reclaim.generating import problem
from memgit.evaluation.reclaim.problem import FAMILIES
from memgit.evaluation.reclaim.readers import Rule
from memgit.evaluation.reclaim.running import Runner
from memgit.evaluation.reclaim.scoring import answer, same
from memgit.evaluation.reclaim.trial import plan
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


TIMED = "I want to leave after 09:15 on Friday."


def multiwoz_file(folder: Path, *dialogues: object) -> Path:
    folder.mkdir()
    (folder / "dialogues_001.json").write_text(json.dumps(dialogues))
    return folder


def dialogue(name: str, slot: str = "train-leaveat", value: object = "09:15") -> dict[str, object]:
    """As the files of MultiWOZ 2.2 have it."""
    span = {"slot": slot, "value": value, "start": 22, "exclusive_end": 27}
    state = {"active_intent": "find_train", "requested_slots": [], "slot_values": {slot: [value]}}
    return {"dialogue_id": name, "services": ["train"], "turns": [
        {"turn_id": "0", "speaker": "USER", "utterance": "I need a train.",
         "frames": [{"service": "train", "slots": []}]},
        {"turn_id": "1", "speaker": "SYSTEM", "utterance": "When?", "frames": []},
        {"turn_id": "2", "speaker": "USER", "utterance": TIMED,
         "frames": [{"service": "train", "slots": [span], "state": state}]},
    ]}  # fmt: skip


def test_multiwoz_files_are_read(tmp_path: Path) -> None:
    split = multiwoz_file(tmp_path / "dev", dialogue("PMUL1.json"),
                          dialogue("COPIED.json", value=["09:15"]),
                          dialogue("FOOD.json", "restaurant-food", "thai"),
                          dialogue("SNG2.json", "restaurant-booktime"))  # fmt: skip
    made = slots.multiwoz(split, 0)
    assert [one.subject for one in made] == ["dialogue PMUL1.json", "dialogue SNG2.json"]
    assert [one.facts for one in made] == [(TIMED,)] * 2
    assert (made[0].gold.true, made[0].gold.planted) in (("09:15", "06:15"), ("09:15", "12:15"))
    assert made == slots.multiwoz(tmp_path, 0)
    with pytest.raises(UsageError, match="no dialogues"):
        slots.multiwoz(tmp_path / "dev" / "none", 0)
    (split / "dialogues_002.json").write_text('{"no": "list"}')
    with pytest.raises(UsageError, match="no list"):
        slots.multiwoz(split, 0)


@pytest.mark.parametrize("slot", ["train-leaveat", "taxi-arriveby", "restaurant-booktime"])
def test_a_rule_answers_what_multiwoz_asks(tmp_path: Path, slot: str) -> None:
    given = [slots.multiwoz(multiwoz_file(tmp_path / "dev", dialogue("A.json", slot)), 0)]
    runner = Runner(Rule(), lambda *_: (), tmp_path, given)
    trials = plan(["wall"], ["slot"], ["lossy", "source_first"], 8, 1, slots=1)
    found = {trial.policy: runner.row(trial)["outcome"] for trial in trials if trial.integrity < 1}
    assert found == {"lossy": "inherited", "source_first": "true"}
    assert {trial.number for trial in trials} == {0}, "no dialogue counts twice"


@pytest.mark.parametrize(
    "turns",
    [None, "x", {"a": 1}, [1, None], [{"speaker": "USER", "utterance": "at 09:15", "frames": 3}],
     [{"speaker": 1, "utterance": None, "frames": [None, {"slots": [7, {"slot": None}]}]}]],
)  # fmt: skip
def test_dialogues_of_another_shape_hold_no_time(tmp_path: Path, turns: object) -> None:
    split = multiwoz_file(tmp_path / "dev", {"dialogue_id": "A", "turns": turns}, {})
    assert slots.multiwoz(split, 0) == []
