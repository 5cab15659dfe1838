"""The ledger and the cap: what was asked is written down before, and nothing is asked beyond."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.spending import Ledger, Metered, open_model
from memgit.domain.store import Store
from memgit.domain.trust import trust
from memgit.ports.model.door import Answer, LimitReached, NoAnswer, Request, Usage

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SCHEMA: Mapping[str, Any] = {"type": "object"}
ASKED = Request("harvest", "i" * 30, "d" * 60, SCHEMA, about="a-session", longest=70)


@dataclass
class Model:
    """Takes 40 tokens each time, fails where it is told to."""

    fault: Exception | None = None
    name: str = "replay"
    calls: int = 0
    seen: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        self.calls += 1
        if self.fault:
            raise self.fault
        return Answer({}, Usage(30, 10, 0, 0.25, "m"))


def metered(store: Path, model: Model, now: datetime = NOW, **caps: int) -> Metered:
    rows = "".join(f"{name} = {value}\n" for name, value in caps.items())
    (store / "memgit.toml").write_text(f"format = 1\n[model]\n{rows}")
    return Metered(model, Ledger(Store.at(store)), lambda: now)


def test_each_call_is_written_down_with_what_it_took(store: Path) -> None:
    model = metered(store, Model())
    model.ask(ASKED)
    (call,) = Ledger(Store.at(store)).calls()
    assert (call.task, call.about, call.door) == ("harvest", "a-session", "replay")
    assert call.usage == Usage(30, 10, 0, 0.25, "m")
    assert (call.failed, call.ended) == ("", True)
    assert not any(path.name == "spending" for path in store.iterdir())


def test_what_failed_has_cost_all_the_same(store: Path) -> None:
    fault = NoAnswer("no object", usage=Usage(5, 6))
    with pytest.raises(NoAnswer):
        metered(store, Model(fault)).ask(ASKED)
    (call,) = Ledger(Store.at(store)).calls()
    assert (call.usage, call.failed) == (Usage(5, 6), "no object")


def test_at_the_cap_nothing_is_asked_and_tomorrow_it_goes_on(store: Path) -> None:
    model = Model()
    for _ in range(2):
        metered(store, model, calls_per_day=2).ask(ASKED)
    with pytest.raises(LimitReached, match="2 of 2 calls are made") as fault:
        metered(store, model, calls_per_day=2).ask(ASKED)
    assert "memgit cost" in fault.value.hint
    assert model.calls == 2
    metered(store, model, NOW + timedelta(days=1), calls_per_day=2).ask(ASKED)
    assert model.calls == 3


def test_a_call_that_could_go_beyond_the_tokens_is_not_made(store: Path) -> None:
    model = Model()
    metered(store, model, tokens_per_day=150).ask(ASKED)  # 40 of them
    metered(store, model, tokens_per_day=150).ask(ASKED)  # at most 100 more
    with pytest.raises(LimitReached, match="80 of 150 tokens"):
        metered(store, model, tokens_per_day=150).ask(ASKED)
    assert model.calls == 2


def test_no_calls_at_all_can_be_allowed(store: Path) -> None:
    model = Model()
    with pytest.raises(LimitReached):
        metered(store, model, calls_per_day=0).ask(ASKED)
    assert model.calls == 0


def test_a_process_killed_in_the_middle_has_spent_the_most_that_it_could(
    store: Path, tmp_path: Path
) -> None:
    program = (
        "import os, signal, sys\n"
        "from datetime import datetime, UTC\n"
        "from pathlib import Path\n"
        "from memgit.domain.spending import Ledger, Metered\n"
        "from memgit.domain.store import Store\n"
        "from memgit.ports.model.door import Request\n"
        "class M:\n    name = 'replay'\n"
        "    def ask(self, request):\n        os.kill(os.getpid(), signal.SIGKILL)\n"
        f"now = datetime.fromisoformat({NOW.isoformat()!r})\n"
        f"m = Metered(M(), Ledger(Store.at(Path({str(store)!r}))), lambda: now)\n"
        "m.ask(Request('harvest', 'i' * 30, 'd' * 60, {}, longest=70))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    (call,) = Ledger(Store.at(store)).calls()
    assert (call.ended, call.usage.tokens) == (False, 100)
    assert Ledger(Store.at(store)).spent(NOW.date()).calls == 1


def test_half_a_line_costs_no_other_line(store: Path) -> None:
    model = Model()
    metered(store, model).ask(ASKED)
    ledger = Ledger(Store.at(store))
    file = next(ledger.folder.iterdir())
    file.write_bytes(file.read_bytes() + b'{"event": "asked", "id": "x')
    metered(store, model).ask(ASKED)
    assert len(ledger.calls()) == 2
    file.write_bytes(file.read_bytes() + b"[1]\n\xff\n" + json.dumps({"event": "asked"}).encode())
    assert len(ledger.calls()) == 2


@pytest.mark.parametrize("usage", [{"input": "x"}, {"output": 1e999}, {"evil": 1}, 7])
def test_a_usage_that_cannot_be_added_up_is_passed_over(store: Path, usage: Any) -> None:
    model = metered(store, Model())
    model.ask(ASKED)
    (file,) = (store / ".git" / "memgit" / "spending").glob("*.jsonl")
    asked, ended = map(json.loads, file.read_text().splitlines())
    with file.open("a") as more:
        more.write(json.dumps({**asked, "id": "other", "usage": usage}) + "\n")
        more.write(json.dumps({**ended, "usage": usage}) + "\n")
    assert Ledger(Store.at(store)).spent(NOW.astimezone().date()).usage.tokens == 40


def test_the_ledger_is_of_all_work_trees(store: Path, tmp_path: Path, git: Any) -> None:
    git(store, "worktree", "add", "-q", str(tmp_path / "other"))
    metered(store, Model(), calls_per_day=1).ask(ASKED)
    with pytest.raises(LimitReached):
        metered(tmp_path / "other", Model(), calls_per_day=1).ask(ASKED)


def test_cost_tells_days_and_passes_and_what_is_left(store: Path, memgit: Any) -> None:
    shown = memgit("cost", cwd=store)
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "no model was asked" in shown.stderr
    now = datetime.now(UTC)
    model = metered(store, Model(), now)
    model.ask(ASKED)
    model.ask(Request("curate", "", "", SCHEMA, about="a-memory"))
    shown = memgit("cost", "--json", cwd=store)
    rows = [json.loads(line) for line in shown.stdout.splitlines()]
    assert {(row["pass"], row["calls"], row["in"], row["out"]) for row in rows} == {
        ("harvest", 1, 30, 10), ("curate", 1, 30, 10),
    }  # fmt: skip
    assert "today: 2 of 100 calls, 80 of 2,000,000 tokens" in shown.stderr
    shown = memgit("cost", "--by", "about", cwd=store)
    assert "a-session" in shown.stdout
    assert "a-memory" in shown.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('door = "paid"', "model.door is 'paid'"),
        ("door = 1", "model.door is 1"),
        ('name = ""', "model.name is ''"),
        ("calls_per_day = -1", "not within"),
        ("tokens_per_day = 1.5", "not a whole number"),
        ("key = 1", "unknown setting model.key"),
    ],
)
def test_a_setting_that_does_not_fit_is_told(
    store: Path, memgit: Any, text: str, said: str
) -> None:
    (store / "memgit.toml").write_text(f"[model]\n{text}\n")
    shown = memgit("cost", cwd=store)
    assert shown.returncode == 3
    assert said in shown.stderr


def test_a_door_that_a_key_pays_for_needs_the_persons_word(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key for another purpose")
    (store / "memgit.toml").write_text('format = 1\n[model]\ndoor = "api"\n')

    with pytest.raises(LimitReached, match="paid by your key") as refused:
        open_model(Store.at(store))
    assert "memgit trust" in (refused.value.hint or "")

    trust(Store.at(store))
    assert open_model(Store.at(store)).name == "api"
    (store / "memgit.toml").write_text('format = 1\n[model]\ndoor = "api"\nname = "dearest"\n')
    with pytest.raises(LimitReached, match="has changed since"):
        open_model(Store.at(store))
