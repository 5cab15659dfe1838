"""How long prompts take, as the real hook notes it: each once, never more than a bounded file."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.domain.health.recalls import LAST, SHOWN, SILENT, STEPS, latency
from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.domain.trial import hook_command
from memgit.prompt.hook import OLDER_TIMES, TIMES, TIMES_SIZE

PROMPT = "psql says connection refused when I connect to staging, which port was it?"


def ask(store: Store, session: str, prompt: str = PROMPT, event: str = "UserPromptSubmit") -> str:
    told = {"hook_event_name": event, "session_id": session, "prompt": prompt}
    done = subprocess.run(
        hook_command(store.root), input=json.dumps(told), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def opened(sample: Path) -> Store:
    store = Store.at(sample)
    Index(store).sync()
    return store


def test_each_prompt_of_a_session_is_noted_with_its_time_and_what_became_of_it(
    opened: Store,
) -> None:
    assert ask(opened, "one")
    assert ask(opened, "one", "ok, looks good") == ""
    found = latency(opened).recalls
    assert [one.outcome for one in found] == [SHOWN, SILENT]
    assert all(1 < one.milliseconds < 2000 for one in found)
    assert abs((datetime.now(UTC) - found[0].at).total_seconds()) < 60
    assert "psql" not in (opened.derived / TIMES).read_text("utf-8")


def test_a_trial_belongs_to_no_session_and_other_events_are_no_prompts(opened: Store) -> None:
    assert ask(opened, "")
    ask(opened, "one", "", "SessionStart")
    assert latency(opened).recalls == []


def test_a_fault_is_noted_as_one(opened: Store) -> None:
    (opened.derived / "table" / "head.json").write_text("{}")
    assert ask(opened, "one") == ""
    assert [one.outcome for one in latency(opened).recalls] == ["fault"]


def test_a_note_that_cannot_be_written_does_not_cost_the_answer(opened: Store) -> None:
    (opened.derived / TIMES).mkdir()
    assert ask(opened, "one")
    assert latency(opened).recalls == []


def test_the_last_thousand_are_read_from_two_files_of_bounded_size(opened: Store) -> None:
    line = "1790000000 009000 silent\n"
    (opened.derived / TIMES).write_text(line * (TIMES_SIZE // len(line)))
    ask(opened, "one")
    ask(opened, "two", "ok, looks good")
    assert (opened.derived / TIMES).read_text("utf-8").count("\n") <= 2
    assert (opened.derived / OLDER_TIMES).stat().st_size <= TIMES_SIZE + 64
    found = latency(opened)
    assert len(found.recalls) == LAST
    assert [one.outcome for one in found.recalls[-2:]] == [SHOWN, SILENT]
    assert sum(found.classes) == LAST
    assert found.classes[0] >= LAST - 2
    assert found.quantile(0.5) == 9.0


def test_what_is_no_note_is_passed_over(opened: Store) -> None:
    (opened.derived / TIMES).write_bytes(
        b"1790000000 009000 silent\nx y z\n1 2\n1790000000 1e3 silent\n"
        b"99999999999999999 9 silent\n1790000001 151000 late\n1790000002 8000 <b>\n\xff\xfe\n"
    )
    found = latency(opened)
    assert [one.outcome for one in found.recalls] == [SILENT, "late"]
    assert found.classes == [1, *[0] * (len(STEPS) - 1), 1]
