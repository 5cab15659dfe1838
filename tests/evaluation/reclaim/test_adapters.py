"""Other systems in the same slot; the models behind them are made here."""

import json
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from memgit.errors import UsageError
from memgit.evaluation.reclaim.adapters import langchain_summary, mem0_facts, pairs, vector_rag
from memgit.evaluation.reclaim.readers import Message, Rule
from memgit.evaluation.reclaim.rows import load
from memgit.evaluation.reclaim.running import Runner, run
from memgit.evaluation.reclaim.trial import Trial, plan
from memgit.ports.model.door import LimitReached, NoAnswer

with_mem0 = pytest.mark.skipif(find_spec("mem0") is None, reason="mem0ai is not installed")
"""Looked for and not imported: whoever imports it first decides whether it reports."""

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


class Remembering(Writing):
    """A model that remembers every fact of what was said last."""

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        super().reply(messages, arm)
        new = messages[-1]["content"].partition("## New Messages")[2]
        lines = [line for line in new.splitlines() if line.startswith("Bought")
                 or line.startswith("user: Bought")]  # fmt: skip
        facts = [{"text": line.removeprefix("user: ")} for line in lines]
        return json.dumps({"memory": facts}) if new else "ANSWER: 1"


@pytest.fixture
def no_net(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something was connected to")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)


@with_mem0
@pytest.mark.usefixtures("no_net")
def test_mem0_is_asked_once_for_each_pair_and_tells_nobody(tmp_path: Path) -> None:
    said = [("user", "Bought 3 lamps at $4 each."), ("assistant", "Noted."),
            ("user", "Bought 5 ropes at $2 each."), ("user", "And the total?"),
            ("assistant", "$22.")]  # fmt: skip
    model = Remembering()
    text = mem0_facts(said, model, embed, tmp_path)
    assert text == "Bought 3 lamps at $4 each.\nBought 5 ropes at $2 each."
    assert len(model.asked) == 2
    assert "3 lamps" in model.asked[1], "what it knows by then is put before the model"


@with_mem0
@pytest.mark.usefixtures("no_net")
def test_what_fails_behind_mem0_is_an_error_and_no_note(tmp_path: Path) -> None:

    class Failing(Remembering):
        def reply(self, messages: Sequence[Message], arm: str) -> str:
            raise LimitReached("no more today")

    vectors = 0

    def at_times(texts: Sequence[str]) -> list[list[float]]:
        nonlocal vectors
        vectors += 1
        if vectors > 2:  # the session's first facts
            raise NoAnswer("no vectors")
        return embed(texts)

    trials = [Trial("others", "arithmetic", 0, 0, "mem0")]
    with pytest.raises(LimitReached, match="no more today"):
        run(Runner(Failing(), lambda *_: (), tmp_path, embed=embed), trials, tmp_path / "a.jsonl")
    run(
        Runner(Remembering(), lambda *_: (), tmp_path, embed=at_times), trials, tmp_path / "b.jsonl"
    )
    (row,) = load(tmp_path / "b.jsonl").values()
    assert (row["outcome"], row["error"]) == ("error", "no vectors")


@pytest.mark.parametrize("policy", ["langchain_summary", "mem0"])
def test_a_rule_writes_no_notes_and_nothing_is_begun(tmp_path: Path, policy: str) -> None:
    runner, out = Runner(Rule(), lambda *_: (), tmp_path, embed=embed), tmp_path / "rows.jsonl"
    trials = plan(["fields", "others"], ["arithmetic"], ["lossy", policy], 1, 1)
    with pytest.raises(UsageError, match=f"{policy} needs a model"):
        run(runner, trials, out)
    assert not out.exists()


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
