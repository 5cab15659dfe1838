"""Curating hand-written pairs with a model that lies: nothing wrong is applied, all is undone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.commands._curated import curate
from memgit.domain.proposals.applying import Settled
from memgit.domain.store import Store
from memgit.evaluation.contradictions import Pair, pairs
from memgit.evaluation.curate_eval import Measured, measure
from memgit.ports.model.door import Model


def curated(store: Store, model: Model) -> Settled:
    return curate(store, datetime.now(UTC), open_model=lambda: model).settled


def measured(every: list[Pair], folder: Path, always: bool) -> Measured:
    return measure(every, folder / "store", curated, always)


def test_the_model_lies_about_half_of_every_kind() -> None:
    every = pairs()
    for kind in {pair.kind for pair in every}:
        of_kind = [pair for pair in every if pair.kind == kind]
        lied = sum(pair.is_lied_about for pair in of_kind)
        assert 0.4 <= lied / len(of_kind) <= 0.6


def test_a_few_of_each_kind(tmp_path: Path) -> None:
    every = [pair for pair in pairs() if pair.number % 14 in (0, 1)]
    made = measured(every, tmp_path, always=True)
    assert made.wrong == []
    assert len(made.right) >= 8
    assert made.undone == made.applied
    assert made.nameless == 0


@pytest.mark.slow
@pytest.mark.parametrize("always", [False, True])
def test_all_of_them(tmp_path: Path, always: bool) -> None:
    record = measured(pairs(), tmp_path, always).record()
    assert record["precision"]["value"] >= 0.95
    assert record["refusals_without_a_guard"] == 0
    assert record["undone_by_one_command"] == record["applied"]
    assert record["recall_of_offered"]["value"] >= 0.9
    assert record["recall_held_out"]["value"] >= 0.8
    assert record["unseen"] <= 12
