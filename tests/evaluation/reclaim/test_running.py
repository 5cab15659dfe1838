"""Trials run with the two rules: the shape that is published, stopping and resuming, errors."""

import errno
import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.errors import StoreError, UsageError
from memgit.evaluation.reclaim.adapters import ADAPTERS
from memgit.evaluation.reclaim.notes import POLICIES, session, written
from memgit.evaluation.reclaim.page import page
from memgit.evaluation.reclaim.problem import LEDGER
from memgit.evaluation.reclaim.readers import ABSTAINS, ANSWERS, Message, Reader, Rule
from memgit.evaluation.reclaim.rows import load
from memgit.evaluation.reclaim.run_report import cell, compare, document, sections
from memgit.evaluation.reclaim.running import Runner, run
from memgit.evaluation.reclaim.trial import CONDITIONS, Trial, plan
from memgit.passes.harvest import harvest
from memgit.ports.model.door import LimitReached, Model, NoAnswer

RULED = (
    "lossy",
    "lossy_padded",
    "source_first",
    "source_first_auto",
    "source_plus_conclusion",
    "blank",
)


def harvested(
    store: Store, turns: Sequence[Turn], model: Model, now: datetime
) -> Sequence[Proposal]:
    return harvest(store, turns, model, now).proposals


def runner(folder: Path, reader: Reader | None = None) -> Runner:
    return Runner(reader or Rule(), harvested, folder)


def outcomes(folder: Path, trials: Sequence[Trial], reader: Reader | None = None) -> list[str]:
    made = runner(folder, reader)
    return [made.row(trial)["outcome"] for trial in trials]


def wall(policy: str, count: int = 6) -> list[Trial]:
    families = ("arithmetic", "order", "assignment", "slot")
    return [Trial("wall", family, n, 0, policy) for family in families for n in range(count)]


def test_without_the_source_nothing_is_corrected_with_it_everything(tmp_path: Path) -> None:
    assert set(outcomes(tmp_path, wall("lossy"))) == {"inherited"}
    assert set(outcomes(tmp_path, wall("lossy_padded"))) == {"inherited"}
    assert set(outcomes(tmp_path, wall("blank"))) == {"abstained"}
    for policy in ("source_first", "source_first_auto", "source_plus_conclusion"):
        assert set(outcomes(tmp_path, wall(policy))) == {"true"}


def test_the_rule_that_abstains_never_passes_on_what_was_planted(tmp_path: Path) -> None:
    reader = Rule(abstains=True)
    assert set(outcomes(tmp_path, wall("lossy"), reader)) == {"abstained"}
    assert set(outcomes(tmp_path, wall("source_first"), reader)) == {"true"}
    bound = [Trial("fields", "arithmetic", n, 0, "lossy", arm="mandatory") for n in range(4)]
    assert set(outcomes(tmp_path, bound, reader)) == {"inherited"}, "the field must hold a value"


@pytest.mark.parametrize("budget", [300, 600])
def test_the_cliff_is_where_the_budget_ends(tmp_path: Path, budget: int) -> None:
    made = runner(tmp_path)
    for size in (2, 4, 8, 16, 32):
        row = made.row(Trial("size", LEDGER, 0, 0, "source_first", budget=budget, size=size))
        assert (row["outcome"] == "true") == (row["kept"] == size)
        assert (row["certificate"] == "recomputes") == (row["kept"] == size)
        assert len(row["note"]) <= budget
    assert row["outcome"] == "other"
    assert row["certificate"] == "partial"


def test_a_tag_lets_the_careful_rule_abstain(tmp_path: Path) -> None:
    told = [Trial("completeness", LEDGER, n, 0, "source_first", budget=300, size=16, tagged=tagged)
            for tagged in (False, True) for n in range(3)]  # fmt: skip
    assert outcomes(tmp_path, told, Rule(abstains=True)) == ["other"] * 3 + ["abstained"] * 3


def test_memgit_has_the_whole_source_of_thirty_two_things(tmp_path: Path) -> None:
    row = runner(tmp_path).row(Trial("size", LEDGER, 0, 0, "memgit", budget=300, size=32))
    assert row["outcome"] == "true"
    assert len(row["note"]) <= 300
    assert sum("memgit source" in reply for reply in row["replies"]) == 1
    without = Trial("size", LEDGER, 0, 0, "memgit_no_git", budget=300, size=32)
    assert outcomes(tmp_path, [without]) == ["other"]


def test_a_note_of_recall_is_cut_between_sentences(tmp_path: Path) -> None:
    trials = [Trial("wall", "order", n, 0, "memgit", budget=300) for n in (2, 3)]
    assert outcomes(tmp_path, trials) == ["true", "true"]


def test_a_chain_of_sessions(tmp_path: Path) -> None:
    def last(policy: str, hops: int, planted: bool = True) -> tuple[str, int]:
        budget = 300 if "memgit" in policy else 200
        row = runner(tmp_path).row(Trial("cascade", LEDGER, 0, 0, policy, budget=budget, size=hops,
                                         hops=hops, planted=planted))  # fmt: skip
        return row["outcome"], row["blast"]

    assert last("lossy", 8) == ("inherited", 8)
    assert last("lossy", 8, planted=False) == ("true", 0)
    assert last("source_first", 4) == ("true", 1)
    assert last("source_first", 8)[0] == "other"
    assert last("memgit", 4) == ("true", 1)


@pytest.mark.slow
def test_a_chain_of_eight_sessions_stays_correctable(tmp_path: Path) -> None:
    for planted, blast in ((True, 1), (False, 0)):
        row = runner(tmp_path).row(Trial("cascade", LEDGER, 1, 0, "memgit", budget=300, size=8,
                                         hops=8, planted=planted))  # fmt: skip
        assert (row["outcome"], row["blast"]) == ("true", blast)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    trials = plan(["wall", "corrections"], ["arithmetic", "order"], RULED, 2, 1)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert run(runner(tmp_path), trials, whole) == len(trials)
    run(runner(tmp_path), trials[:7], parts)
    parts.write_bytes(parts.read_bytes()[:-25])
    assert len(load(parts)) == 6
    assert run(runner(tmp_path), trials, parts) == len(trials) - 6
    assert parts.read_bytes() == whole.read_bytes()
    assert run(runner(tmp_path), trials, parts) == 0


def test_every_prompt_and_reply_is_in_the_row(tmp_path: Path) -> None:
    row = runner(tmp_path).row(
        Trial("corrections", "arithmetic", 0, 0, "lossy", correction="escalating")
    )
    assert [one["role"] for one in row["prompts"]] == [
        "system",
        *["user"] * 2,
        *["assistant", "user"] * 3,
    ]
    assert len(row["replies"]) == 4
    assert json.loads(json.dumps(row)) == row


class Failing:
    """A reader that is not there the first time."""

    name = "server: somebody"
    deterministic = False

    def __init__(self, fault: Exception) -> None:
        self.fault: Exception | None = fault

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        if self.fault:
            fault, self.fault = self.fault, None
            raise fault
        return "ANSWER: 1"


def test_an_error_of_a_model_is_an_error_and_is_tried_again(tmp_path: Path) -> None:
    trials = [Trial("wall", "arithmetic", n, 0, "blank") for n in range(2)]
    reader, path = Failing(NoAnswer("timed out")), tmp_path / "rows.jsonl"
    run(runner(tmp_path, reader), trials, path)
    rows = list(load(path).values())
    assert [row["outcome"] for row in rows] == ["error", "other"]
    assert rows[0]["error"] == "timed out"
    figures = cell(rows)
    assert (figures["n"], figures["errors"], figures["abstained"]["value"]) == (1, 1, 0.0)
    assert run(runner(tmp_path, reader), trials, path) == 1
    assert [row["outcome"] for row in load(path).values()] == ["other", "other"]


def test_a_limit_stops_the_run_and_what_there_is_stands(tmp_path: Path) -> None:
    trials = [Trial("wall", "arithmetic", n, 0, "blank") for n in range(2)]
    path = tmp_path / "rows.jsonl"
    with pytest.raises(LimitReached):
        run(runner(tmp_path, Failing(LimitReached("no more today"))), trials, path)
    assert load(path) == {}


def test_a_file_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"hello": 1}\n')
    with pytest.raises(UsageError, match="no row of a run"):
        run(runner(tmp_path), [], path)
    assert path.read_text() == '{"hello": 1}\n'


def test_reports_name_the_rules_and_call_them_no_model(tmp_path: Path) -> None:
    rows = [runner(tmp_path, Rule(abstains)).row(trial)
            for abstains in (False, True) for trial in wall("lossy", 2)]  # fmt: skip
    made = document(rows)
    assert [one["reader"] for one in made["readers"]] == [ANSWERS, ABSTAINS]
    assert all("no model" in section.title for section in sections(made))
    shown = page(made)
    assert "no model" in shown
    assert "<script" not in shown
    compared = compare(rows[:8], rows[8:])
    assert compared[0]["n"] == 8
    assert compared[0]["gained"] == 0


def test_padding_is_as_long_and_says_no_more(tmp_path: Path) -> None:
    made = runner(tmp_path).problem(Trial("wall", "arithmetic", 0, 0, "lossy"))
    padded, source = (
        written(policy, made, 0.1, 0, False) for policy in ("lossy_padded", "source_first")
    )
    assert len(padded.text) >= len(source.text)
    assert padded.kept == 0
    assert made.premise in session(made)[2][1]


def test_every_policy_is_somewhere_in_the_plan() -> None:
    found = {trial.policy for trial in plan(list(CONDITIONS), (), (), 1, 1)}
    assert found == {*POLICIES, *ADAPTERS}


def test_one_run_at_a_time_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    holder = (
        "import sys, pathlib; from memgit.ports.lock import hold\n"
        "with hold(pathlib.Path(sys.argv[1]), 'it'): print(flush=True); input()"
    )
    words = [sys.executable, "-c", holder, f"{path}.lock"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(StoreError, match=r"another process holds .*run\.jsonl "):
            run(runner(tmp_path), wall("lossy", 1), path)
        assert not path.exists()
        other.communicate(b"\n")
    assert run(runner(tmp_path), wall("lossy", 1), path) == 4


def test_a_disk_that_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(runner: Runner, trial: Trial) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Runner, "row", full)
    with pytest.raises(StoreError, match=r"run\.jsonl: No space left on device"):
        run(runner(tmp_path), wall("lossy", 1), tmp_path / "run.jsonl")
