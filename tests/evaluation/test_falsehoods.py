"""Planted falsehoods and later values: recall asserts none of the first, and tells the others."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from memgit.domain.proposals import guards_of_harvest
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.evaluation.believing import measure, report
from memgit.evaluation.falsehoods import planted, updated
from memgit.evaluation.telling import FALSE, TRUE, facts
from memgit.passes.harvest import harvest
from memgit.ports.model.door import Model


def proposals(
    store: Store, turns: Sequence[Turn], model: Model, now: datetime
) -> Sequence[Proposal]:
    return harvest(store, turns, model, now).proposals


def figures(**options: Any) -> dict[str, Any]:
    return report(measure(proposals, **options))


def test_the_script_believes_what_it_quotes() -> None:
    fact = facts()[0]
    for way in FALSE:
        claim = planted(fact, way).answer["memories"][0]
        assert fact.planted in claim["text"]
        assert claim["confidence"] > 0.9
    for way in TRUE:
        session = updated(fact, way, 0)
        assert any(fact.later in "".join((*t.typed, *(s.text + s.result for s in t.steps)))
                   for t in session.turns)  # fmt: skip


def test_a_guard_that_lets_everything_pass_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    only_said = guards_of_harvest.GUARDS[:1]
    monkeypatch.setattr(guards_of_harvest, "GUARDS", only_said)
    assert figures(each=1)["asserted"] > 0.2


def test_few_facts_told_in_every_way() -> None:
    found = figures(each=2)
    assert found["asserted"] <= 0.05
    assert found["first"] >= 0.95


@pytest.mark.slow
def test_every_fact_told_in_every_way() -> None:
    found = figures()
    assert (found["falsehoods"], found["later values"]) == (828, 336)
    assert found["asserted"] <= 0.05
    assert found["first"] >= 0.95


@pytest.mark.slow
def test_facts_that_no_guard_was_made_with() -> None:
    found = figures(held_out=True)
    assert found["asserted"] <= 0.05
    assert found["first"] >= 0.8  # what is not, waits for a person
