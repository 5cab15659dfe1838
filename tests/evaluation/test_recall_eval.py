"""Recall measured: every contender's finds are judged alike, whatever calls the memories."""

from pathlib import Path

import pytest

from memgit.evaluation.built_store import SETTINGS, of_notes
from memgit.evaluation.corpus import SUBJECT, case
from memgit.evaluation.recall_eval import Measured, evaluate


class Named:
    """A note whose name is not its path."""

    PATH = "ops/港.md"
    NAME = "staging-database"
    TEXT = f"---\nname: {NAME}\ndescription: d\n---\nStaging listens on port 15432.\n"


@pytest.mark.parametrize("called", [Named.PATH, Named.NAME])
def test_a_rival_that_finds_a_memory_is_right_by_path_and_by_name(
    called: str, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    (notes / "ops").mkdir(parents=True)
    (notes / Named.PATH).write_text(Named.TEXT, "utf-8")
    (notes / "other.md").write_text("Lunch is at noon.\n")
    built = of_notes(notes, SETTINGS, (), tmp_path / "cache")
    row = {"id": "1", "prompt": "staging port 15432", "kind": SUBJECT, "relevant": [called]}
    asked = case(row, "own", row)
    assert not isinstance(asked, str)
    done = evaluate([Measured("own", built, [asked])], [], lambda done, total: None)
    assert len(done.judged) == 5
    assert {name: one.count("right") for name, (one,) in done.judged.items()} == dict.fromkeys(
        done.judged, 1
    )
