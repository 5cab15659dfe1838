"""The usage ledger, by the real hook and by the reader: what was shown is counted, nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memgit.domain import usage
from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.domain.trial import hook_command
from memgit.prompt import ledger

PROMPT = "psql says connection refused when I connect to staging, 接続できない, which port was it?"
RECORD = {"blob": "b" * 40, "path": "notes/a b.md"}


def ask(store: Store, session: str, prompt: str = PROMPT) -> str:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": prompt}
    done = subprocess.run(
        hook_command(store.root), input=json.dumps(event), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def opened(sample: Path) -> Store:
    store = Store.at(sample)
    Index(store).sync()
    return store


def test_what_was_shown_is_counted_by_memory_and_session(opened: Store) -> None:
    for session in ("one", "two", "one"):
        ask(opened, session)
    counted = usage.by_path(opened)
    shown = counted["ops/staging-database.md"]
    assert (shown.times, shown.sessions) == (2, 2), "said once in a session, noted once"


def test_no_word_of_the_prompt_and_no_name_of_the_session_is_kept(opened: Store) -> None:
    assert ask(opened, "0a1b2c3d-session-name")
    text = (opened.derived / ledger.FILE).read_text("utf-8")
    assert "接続" not in text
    assert "psql" not in text
    assert "session-name" not in text
    assert text.count("\n") == sum(row.times for row in usage.by_path(opened).values())


def test_silence_and_trials_without_a_session_leave_nothing(opened: Store) -> None:
    assert ask(opened, "one", "ok, looks good") == ""
    assert ask(opened, "") != ""
    assert not (opened.derived / ledger.FILE).exists()


def test_a_ledger_that_cannot_be_written_does_not_cost_the_answer(opened: Store) -> None:
    (opened.derived / ledger.FILE).mkdir(parents=True)
    assert "staging-database" in ask(opened, "one")
    assert "IsADirectoryError" in (opened.derived / "recall.log").read_text("utf-8")


def test_it_stays_bounded_and_keeps_what_came_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    derived = tmp_path / "memgit" / "main"
    monkeypatch.setattr(ledger, "SIZE", 2000)
    for number in range(300):
        ledger.note(str(derived), "s", [RECORD], number)
    sizes = [(derived / name).stat().st_size for name in (ledger.OLDER, ledger.FILE)]
    assert max(sizes) < 2200
    assert sum(sizes) > 2000
    last = (derived / ledger.FILE).read_text("utf-8") or (derived / ledger.OLDER).read_text("utf-8")
    assert last.splitlines()[-1].startswith("299 ")


def test_two_hooks_that_turn_it_over_at_once_lose_nothing(tmp_path: Path) -> None:
    derived = tmp_path / "memgit" / "main"
    program = (
        "import sys; from memgit.prompt import ledger; ledger.SIZE = 6000\n"
        "for n in range(60): ledger.note(sys.argv[1], sys.argv[2],"
        " [{'blob': 'b' * 40, 'path': 'a.md'}], n)"
    )
    words = [sys.executable, "-c", program, str(derived)]
    running = [subprocess.Popen([*words, str(n)], env=os.environ) for n in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    lines = [
        line
        for name in (ledger.OLDER, ledger.FILE)
        if (derived / name).exists()
        for line in (derived / name).read_text("utf-8").splitlines()
    ]
    # One turn over at 6,000 bytes; what is left fits into the file that follows.
    assert len(lines) == 120


def test_lines_that_make_no_sense_count_for_nothing(opened: Store) -> None:
    opened.derived.mkdir(parents=True, exist_ok=True)
    (opened.derived / ledger.FILE).write_bytes(b"\xff\n\n12 aa bb\nx y z w\n7 aa bb c d.md\n")
    assert set(usage.by_path(opened)) == {"c d.md"}
