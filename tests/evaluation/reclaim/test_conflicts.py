"""Memories in conflict: what recall asserts afterwards."""

from collections.abc import Sequence
from datetime import datetime

import pytest

from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.evaluation.reclaim import conflicts
from memgit.evaluation.reclaim.conflicts import KINDS, Outcome, Question, measure, report
from memgit.evaluation.reclaim.entities import conditional, things
from memgit.passes.harvest import harvest
from memgit.ports.model.door import Model


def harvested(
    store: Store, turns: Sequence[Turn], model: Model, now: datetime
) -> Sequence[Proposal]:
    return harvest(store, turns, model, now).proposals


def nothing(store: Store, turns: Sequence[Turn], model: Model, now: datetime) -> Sequence[Proposal]:
    return ()


def counts(found: Sequence[Outcome], kind: str) -> dict[str, int]:
    return dict(report({100: found})["sizes"]["100"]["kinds"][kind]["counts"])


def test_things_are_distinct_and_the_same_each_time() -> None:
    every = things(960)
    assert len({one.memory.name for one in every}) == 960
    assert len({one.question for one in every}) == 960
    assert every == things(960)
    assert every[:50] == things(50)
    assert all(one.value != other.value for one, other in conditional())


def test_falsehoods_are_not_asserted_and_updates_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "ASKED", 8)
    found = measure(harvested, 100, each=4)
    assert {one.question.kind for one in found} == set(KINDS)
    assert counts(found, "falsehood planted late")["wrong"] == 0
    assert counts(found, "real update")["right"] >= 3
    assert counts(found, "another thing's value") == {
        "right": 8, "wrong": 0, "flagged": 0, "silent": 0,
    }  # fmt: skip
    assert counts(found, "conditional rule")["wrong"] == 0


def test_without_a_harvest_no_update_is_known() -> None:
    found = measure(nothing, 100, each=2)
    assert counts(found, "real update")["wrong"] == 2
    assert counts(found, "falsehood planted late")["right"] == 2


def test_wrong_and_silent_are_never_one_figure() -> None:
    question = Question("real update", "?", "right", ("wrong",), "name")
    found = [Outcome(question, one) for one in ("right", "wrong", "silent", "flagged")]
    made = report({100: found, 1000: found[:2]})
    of = made["sizes"]["100"]["kinds"]["real update"]
    assert (of["wrong"]["value"], of["silent"]["value"], of["signed"]["value"]) == (0.25, 0.25, 0.0)
    assert of["flagged_or_right"]["value"] == 0.5
    assert made["wrong_rate"] == {"smallest": 0.25, "largest": 0.5, "ratio": 2.0}
