"""Other systems in the same slot; the models behind them are made here."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from memgit.errors import UsageError
from memgit.evaluation.reclaim.adapters import langchain_summary, pairs, vector_rag
from memgit.evaluation.reclaim.readers import Message, Rule
from memgit.evaluation.reclaim.running import Runner
from memgit.evaluation.reclaim.trial import Trial, plan

SAID = [("user", "one"), ("user", "two"), ("assistant", "three"), ("user", "four")]


class Writing:
    """A model that says what it was asked for last."""

    name = "server: somebody"
    deterministic = False

    def __init__(self) -> None:
        self.asked: list[str] = []

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        self.asked.append(messages[-1]["content"])
        return f"summary {len(self.asked)}"


def embed(texts: Sequence[str]) -> list[list[float]]:
    """A vector of letters."""
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz$"]
            for text in texts]  # fmt: skip


def test_a_session_is_pairs() -> None:
    assert pairs(SAID) == [("one\ntwo", "three"), ("four", "")]


def test_langchain_is_asked_once_for_each_pair() -> None:
    pytest.importorskip("langchain_classic")
    model = Writing()
    assert langchain_summary(SAID, model) == "summary 2"
    assert "summary 1" in model.asked[1]


def test_a_rule_writes_no_summary(tmp_path: Path) -> None:
    runner = Runner(Rule(), lambda *_: (), tmp_path)
    with pytest.raises(UsageError, match="needs a model"):
        runner.row(Trial("others", "arithmetic", 0, 0, "langchain_summary"))


def test_retrieval_brings_the_nearest_turns_in_their_order(tmp_path: Path) -> None:
    said = [("user", text) for text in ("zzz", "pens at $2", "yyy", "xxx", "nibs at $4", "www")]
    text = vector_rag(said, "pens nibs at $", embed)
    assert text.index("pens") < text.index("nibs")
    assert len(text.split("\n")) == 4
    with pytest.raises(UsageError, match="embed"):
        Runner(Rule(), lambda *_: (), tmp_path).row(Trial("others", "slot", 0, 0, "vector_rag"))
    runner = Runner(Rule(), lambda *_: (), tmp_path, embed=embed)
    rows = [runner.row(trial) for trial in plan(["others"], ["arithmetic"], ["vector_rag"], 2, 1)]
    assert [row["of"] for row in rows] == [2] * 4
