"""`memgit harvest` and `memgit queue`: the whole line from a transcript to commits."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.queue.jobs import Queue
from memgit.domain.queue.standing import overview
from memgit.domain.store import Store
from memgit.prompt.jobs import QUIET
from tests.conftest import ROOT, Run
from tests.domain.test_transcripts import agent, user, write

RULE = "From now on, never squash merge in this repository: we need the bisect history."


def answer(**more: Any) -> dict[str, Any]:
    """A model's answer with one memory in it."""
    memory = {
        "type": "feedback", "name": "never-squash-merge",
        "description": "Never squash merge in this repository",
        "text": "Never squash merge in this repository: we need the bisect history.",
        "quotes": [{"turn": 1, "by": "user", "words": RULE}], "mentions": 1, "state": "holds",
        "known": "", "relation": "new", "confidence": 0.95, "topics": ["git"],
    }  # fmt: skip
    return {"memories": [{**memory, **more}]}


@pytest.fixture
def replay(store: Path, git: Run) -> Callable[..., Path]:
    """`replay(*lines)`: the store asks a model whose answers these are."""

    def lay(*lines: dict[str, Any]) -> Path:
        (store / "memgit.toml").write_text('format = 1\n[model]\ndoor = "replay"\n')
        rows = (json.dumps({"task": "harvest", **line}) + "\n" for line in lines)
        (store / "answers.jsonl").write_text("".join(rows))
        git(store, "add", "--all")
        git(store, "commit", "--quiet", "--message=settings")
        return store

    return lay


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    folder = tmp_path / "projects" / "-home-me-shop"
    folder.mkdir(parents=True)
    return write(
        folder / "s-1.jsonl",
        user(RULE, uuid="u1", sessionId="s-1", timestamp="2026-11-30T10:00:00Z"),
        agent("Understood."),
    )


def rows(ended: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_a_transcript_becomes_a_memory_with_its_source(
    memgit: Run, replay: Callable[..., Path], transcript: Path
) -> None:
    store = replay({"value": answer(), "usage": {"input": 900, "output": 100}})
    done = memgit("--store", store, "harvest", transcript)
    assert done.returncode == 0, done.stderr
    assert "s-1: 1 turn, 1 proposal, 1 applied; 1 call, 1,000 tokens" in done.stdout
    text = (store / "never-squash-merge.md").read_text("utf-8")
    assert RULE in text
    assert "s-1" in text
    assert "never-squash-merge" in memgit("--store", store, "search", "squash").stdout
    assert memgit("--store", store, "harvest").stderr == "no session waits\n"
    again = memgit("--store", store, "harvest", transcript, "--json")
    (row,) = rows(again)
    assert (row["state"], row["calls"], row["tokens"]) == ("nothing new", 0, 0)


@pytest.mark.parametrize(
    ("line", "says"), [({"error": "429"}, "429"), ({"value": {"memories": 3}}, "memories")]
)
def test_without_an_answer_nothing_changes_and_the_reason_is_told(
    memgit: Run, replay: Callable[..., Path], transcript: Path, line: dict[str, Any], says: str
) -> None:
    store = replay(line)
    head = Store.at(store).repository.head()
    done = memgit("--store", store, "harvest", transcript)
    assert done.returncode == 4
    assert says in done.stderr
    assert "see `memgit queue`" in done.stderr
    assert Store.at(store).repository.head() == head
    shown = memgit("--store", store, "queue")
    assert "failed" in shown.stdout
    assert says in shown.stdout
    assert "`memgit harvest` does now what waits" in shown.stderr
    found = memgit("--store", store, "doctor").stdout
    assert "1 session could not be harvested" in found
    assert says in found


def test_a_model_that_is_not_there_is_a_pause_with_its_reason(
    memgit: Run, store: Path, transcript: Path, tmp_path: Path
) -> None:
    env = {"MEMGIT_CLAUDE": str(tmp_path / "absent")}
    done = memgit("--store", store, "harvest", transcript, env=env)
    assert done.returncode == 4
    said = memgit("--store", store, "queue").stderr
    assert "nothing is asked until" in said
    assert "absent is not there" in said
    (row,) = rows(memgit("--store", store, "queue", "--json"))
    assert (row["session"], row["state"], row["attempts"]) == ("s-1", "failed", 0)
    assert row["unread"] == transcript.stat().st_size


@pytest.mark.parametrize("name", ["no-such.jsonl", "notes.txt", "."])
def test_what_is_no_transcript_is_told(memgit: Run, store: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("")
    done = memgit("--store", store, "harvest", tmp_path / name)
    assert done.returncode == 2
    assert "not a transcript" in done.stderr


def test_an_empty_queue_says_so_and_asks_nothing(memgit: Run, store: Path) -> None:
    for options, said in (((), "no session waits\n"), (("--due",), "")):
        done = memgit("--store", store, "harvest", *options)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", said)
    shown = memgit("--store", store, "queue")
    assert (shown.stdout, shown.stderr) == ("", "no session waits\n")
    assert " queue " not in memgit("--store", store, "doctor").stdout


def hook(store: Path, name: str, transcript: Path, session: str = "s-1") -> subprocess.Popen[bytes]:
    """A hook as the installer writes it, started."""
    event = {"hook_event_name": name, "session_id": session, "transcript_path": str(transcript)}
    command = [os.path.realpath(sys.executable), "-I", "-S", str(ROOT / "hooks/session_event.py")]
    process = subprocess.Popen(
        [*command, "--store", str(store), "--python", sys.executable],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(json.dumps(event).encode())
    process.stdin.close()
    return process


def until(done: Callable[[], object], patience: float = 30) -> bool:
    end = time.monotonic() + patience
    while not done() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(done())


def test_two_sessions_that_end_at_once_are_both_harvested_by_one_worker(
    memgit: Run, replay: Callable[..., Path], transcript: Path
) -> None:
    store = replay({"value": {"memories": []}, "usage": {"input": 5}})
    other = write(transcript.with_name("s-2.jsonl"), user("prompt", uuid="v1", sessionId="s-2"))
    hooks = [hook(store, "SessionEnd", transcript), hook(store, "SessionEnd", other, "s-2")]
    assert [process.wait(30) for process in hooks] == [0, 0]
    assert until(lambda: not Queue(Store.at(store)).jobs())
    calls = rows(memgit("--store", store, "cost", "--by", "about", "--json"))
    assert sorted((row["about"], row["calls"]) for row in calls) == [("s-1", 1), ("s-2", 1)]


def test_a_killed_session_is_harvested_when_another_one_starts(
    replay: Callable[..., Path], transcript: Path
) -> None:
    store = replay({"value": answer()})
    assert hook(store, "SessionStart", transcript).wait(30) == 0
    then = time.time() - QUIET - 1
    os.utime(transcript, (then, then))
    job = Store.at(store).derived / "queue" / "jobs" / "s-1"
    row = json.loads(job.read_text())
    job.write_text(json.dumps({**row, "due": int(then)}))
    begun = transcript.with_name("s-2.jsonl")
    assert hook(store, "SessionStart", begun, "s-2").wait(30) == 0
    assert until((store / "never-squash-merge.md").exists)


def test_the_host_deletes_before_long_what_was_not_harvested(
    memgit: Run, store: Path, transcript: Path, sealed: Path
) -> None:
    then = time.time() - 20 * 86400
    os.utime(transcript, (then, then))
    Queue(Store.at(store)).add(transcript, _now())
    assert not overview(Store.at(store), _now()).sessions[0].is_alarming(_now())
    (sealed / ".claude").mkdir()
    (sealed / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 25}')
    assert overview(Store.at(store), _now()).sessions[0].is_alarming(_now())
    found = memgit("--store", store, "doctor")
    assert "whose transcript Claude Code deletes before long" in " ".join(found.stdout.split())


def _now() -> Any:
    from datetime import UTC, datetime

    return datetime.now(UTC)


def test_a_dry_run_shows_words_and_reasons_and_changes_nothing(
    memgit: Run, git: Run, replay: Callable[..., Path], transcript: Path
) -> None:
    store = replay({"value": answer()}, {"value": answer(quotes=[])})
    before = git(store, "rev-parse", "HEAD").stdout
    done = memgit("--store", store, "harvest", "--dry-run", transcript)
    assert done.returncode == 0, done.stderr
    assert "applied: add never-squash-merge" in done.stdout
    assert f"user: “{RULE}”" in done.stdout
    assert "nothing was changed" in done.stdout
    (row,) = rows(memgit("--store", store, "harvest", "--dry-run", "--json", transcript))
    assert row["applied"][0]["evidence"][0]["quote"] == RULE
    assert git(store, "rev-parse", "HEAD").stdout == before
    assert not Queue(Store.at(store)).jobs()


def test_every_session_below_a_folder_and_no_other_file(
    memgit: Run, replay: Callable[..., Path], transcript: Path, tmp_path: Path
) -> None:
    store = replay({"value": {"memories": []}})
    (transcript.parent / "notes.txt").write_text("x")
    done = memgit("--store", store, "harvest", "--transcripts", tmp_path / "projects", "--json")
    assert [row["session"] for row in rows(done)] == ["s-1"]
    assert memgit("--store", store, "harvest", "--transcripts", tmp_path / "none").returncode == 2
    assert memgit("--store", store, "harvest", "--dry-run").returncode == 2


def test_at_the_days_cap_it_stops_and_says_so_and_the_session_waits(
    memgit: Run, replay: Callable[..., Path], transcript: Path
) -> None:
    store = replay({"value": answer()})
    settings = (store / "memgit.toml").read_text() + "calls_per_day = 0\n"
    (store / "memgit.toml").write_text(settings)
    done = memgit("--store", store, "harvest", transcript)
    assert done.returncode == 4
    assert "the day's cap is reached: 0 of 0 calls are made" in done.stderr
    assert [job.session for job in Queue(Store.at(store)).jobs()] == ["s-1"]
    assert not (store / "never-squash-merge.md").exists()
    assert memgit("--store", store, "cost", "--json").stdout == ""
