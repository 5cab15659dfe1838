"""The work on the queue: each turn is harvested, whatever is killed, deleted, forked or refused."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.queue.jobs import Job, Queue
from memgit.domain.queue.owner import owned
from memgit.domain.queue.progress import MOST_ATTEMPTS, Records
from memgit.domain.queue.working import (
    FAILED,
    GONE,
    HARVESTED,
    NOTHING,
    REST,
    WAIT,
    Done,
    Learned,
    work,
)
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.errors import StoreError
from memgit.ports.model.door import LimitReached, NoAnswer
from memgit.prompt.jobs import QUIET

from .test_transcripts import agent, user

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
T = int(NOW.timestamp())


class Pupil:
    """Stands in for the harvest: notes which prompts it is given; raises what it is told to."""

    def __init__(self, *faults: Exception | None) -> None:
        self.prompts: list[str] = []
        self.faults = list(faults)

    def __call__(self, turns: Sequence[Turn]) -> Learned:
        if self.faults and (fault := self.faults.pop(0)):
            raise fault
        self.prompts += [turn.prompt or f"... {turn.answer}" for turn in turns]
        return Learned(proposals=len(turns))


class Bench:
    """A queue at a time that can be moved, and transcripts for it."""

    def __init__(self, store: Path, folder: Path) -> None:
        self.store = Store.at(store)
        self.queue = Queue(self.store)
        self.folder = folder
        self.now = NOW

    def transcript(self, session: str, *rows: dict[str, Any], quiet: float = 0) -> Path:
        """Add records to a session; `quiet` is for how many seconds it has been silent."""
        path = self.folder / f"{session}.jsonl"
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        then = self.now.timestamp() - quiet
        os.utime(path, (then, then))
        return path

    def note(self, session: str, event: str = "SessionEnd", due: int = 0, size: int = 1) -> None:
        """What a hook writes."""
        path = self.queue.folder / session
        path.parent.mkdir(parents=True, exist_ok=True)
        where = str(self.folder / f"{session}.jsonl")
        at = int(self.now.timestamp())
        job = {"session": session, "path": where, "event": event, "size": size, "at": at,
               "due": at + due}  # fmt: skip
        path.write_text(json.dumps(job))

    def work(self, pupil: Pupil, only_due: bool = True) -> list[Done]:
        return list(work(self.queue, pupil, lambda: self.now, only_due))

    def waiting(self) -> list[str]:
        return [job.session for job in self.queue.jobs()]


@pytest.fixture
def bench(store: Path, tmp_path: Path) -> Bench:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    return Bench(store, folder)


def said(number: int, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A prompt and its answer."""
    return user(f"prompt {number}", uuid=f"u{number}", **more), agent(f"answer {number}")


def what(done: list[Done]) -> list[str]:
    return [one.what for one in done]


def test_a_session_that_ended_is_harvested_once(bench: Bench) -> None:
    bench.transcript("s", *said(1), *said(2))
    bench.note("s")
    pupil = Pupil()
    assert what(bench.work(pupil)) == [HARVESTED]
    assert pupil.prompts == ["prompt 1", "prompt 2"]
    assert bench.waiting() == []
    bench.note("s")
    assert what(bench.work(pupil)) == [NOTHING]
    assert pupil.prompts == ["prompt 1", "prompt 2"]


def test_a_session_that_is_resumed_costs_its_new_part(bench: Bench) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")
    bench.work(pupil := Pupil())
    bench.transcript("s", agent("and more"), *said(2))
    bench.note("s")
    bench.work(pupil)
    assert pupil.prompts == ["prompt 1", "... and more", "prompt 2"]


def test_a_fork_is_harvested_without_what_it_copied(bench: Bench) -> None:
    bench.transcript("s", *said(1), *said(2))
    bench.transcript("fork", *said(1), *said(2), *said(3))
    bench.note("s")
    bench.note("fork")
    bench.work(pupil := Pupil())
    assert sorted(pupil.prompts) == ["prompt 1", "prompt 2", "prompt 3"]


def test_jobs_are_done_in_the_order_in_which_they_became_due(bench: Bench) -> None:
    for number, due in ((1, 0), (2, -50), (3, -10)):
        bench.transcript(f"s{number}", *said(number))
        bench.note(f"s{number}", due=due)
    bench.work(pupil := Pupil())
    assert pupil.prompts == ["prompt 2", "prompt 3", "prompt 1"]


def test_what_is_not_due_waits_unless_a_person_asks(bench: Bench) -> None:
    bench.transcript("s", *said(1), quiet=QUIET)
    bench.note("s", "Stop", due=QUIET)
    assert bench.work(pupil := Pupil()) == []
    assert what(bench.work(pupil, only_due=False)) == [HARVESTED]


# ---------------------------------------------------------------------------- sessions that are cut


@pytest.mark.parametrize("event", ["SessionStart", "Stop"])
def test_a_session_that_was_killed_is_harvested_when_it_was_silent(
    bench: Bench, event: str
) -> None:
    bench.transcript("s", *said(1), quiet=QUIET)
    with (bench.folder / "s.jsonl").open("ab") as file:
        file.write(b'{"type": "user", "message": {"content": "half a li')
    os.utime(bench.folder / "s.jsonl", (T - QUIET, T - QUIET))
    bench.note("s", event, due=0)
    bench.work(pupil := Pupil())
    assert pupil.prompts == ["prompt 1"]


def test_a_session_that_goes_on_keeps_its_last_turn_for_later(bench: Bench) -> None:
    bench.transcript("s", *said(1), *said(2), quiet=10)
    bench.note("s", "PreCompact")
    bench.work(pupil := Pupil())
    assert pupil.prompts == ["prompt 1"]
    assert bench.waiting() == ["s"]  # nobody may ever tell of it again
    bench.now += timedelta(seconds=QUIET)
    bench.work(pupil)
    assert pupil.prompts == ["prompt 1", "prompt 2"]
    assert bench.waiting() == []


def test_a_session_of_which_no_hook_told_is_found_by_its_size(bench: Bench) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")
    bench.work(pupil := Pupil())
    bench.transcript("s", *said(2))
    bench.now += timedelta(seconds=QUIET - 1)
    assert bench.work(pupil) == []
    bench.now += timedelta(seconds=1)
    assert what(bench.work(pupil)) == [HARVESTED]
    assert pupil.prompts == ["prompt 1", "prompt 2"]
    assert bench.work(pupil) == []


def test_a_transcript_that_was_replaced_is_read_anew_and_known_turns_are_left(
    bench: Bench,
) -> None:
    path = bench.transcript("s", *said(1), *said(2))
    bench.note("s")
    bench.work(pupil := Pupil())
    path.unlink()
    bench.transcript("s", *said(2), *said(3), agent("much longer than it was before" * 20))
    bench.note("s")
    bench.work(pupil)
    assert pupil.prompts == ["prompt 1", "prompt 2", "prompt 3"]


def test_a_transcript_that_was_deleted_meanwhile_is_told_and_no_longer_waits(bench: Bench) -> None:
    bench.note("s", size=5000)
    assert what(bench.work(Pupil())) == [GONE]
    assert bench.waiting() == []
    (progress,) = Records(bench.store).every()
    assert progress.lost
    assert "deleted before it was harvested" in progress.because


def test_a_session_without_a_transcript_is_no_loss(bench: Bench) -> None:
    bench.note("none", "SessionEnd", size=0)
    bench.note("begun", "SessionStart", size=0)
    assert what(bench.work(Pupil())) == [NOTHING, NOTHING]
    assert bench.waiting() == ["begun"]
    bench.now += timedelta(days=2)
    bench.work(Pupil())
    assert bench.waiting() == []
    assert list(Records(bench.store).every()) == []


def test_sessions_of_programs_teach_nothing_and_cost_nothing(bench: Bench) -> None:
    ours = {"entrypoint": "sdk-cli"}
    bench.transcript("s", user("You harvest memories.", **ours), agent("{}", **ours))
    bench.note("s")
    assert what(bench.work(Pupil(AssertionError("asked")))) == [NOTHING]


# ---------------------------------------------------------------------------- failures


def test_a_failed_answer_leaves_the_job_with_its_reason_and_waits_longer_each_time(
    bench: Bench,
) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")
    pupil = Pupil(NoAnswer("no object"), NoAnswer("429"), None)
    (done,) = bench.work(pupil)
    assert (done.what, done.because) == (FAILED, "no object")
    (job,) = bench.queue.jobs()
    assert job.due == T + WAIT.total_seconds()
    assert Records(bench.store).of(job).because == "no object"
    assert bench.work(pupil) == []
    bench.now += WAIT
    bench.work(pupil)
    (job,) = bench.queue.jobs()
    assert job.due == T + 3 * WAIT.total_seconds()
    bench.now += 2 * WAIT
    assert what(bench.work(pupil)) == [HARVESTED]
    assert Records(bench.store).of(job).because == ""


def test_a_limit_stops_the_work_for_all_and_counts_against_none(bench: Bench) -> None:
    for number in (1, 2):
        bench.transcript(f"s{number}", *said(number))
        bench.note(f"s{number}")
    pupil = Pupil(LimitReached("the plan is used up"))
    (done,) = bench.work(pupil)
    assert (done.what, done.because) == (FAILED, "the plan is used up")
    assert [Records(bench.store).of(job).attempts for job in bench.queue.jobs()] == [0, 0]
    assert bench.work(pupil) == []
    pause = bench.queue.pause()
    assert pause
    assert (pause.until - NOW, pause.because) == (REST, "the plan is used up")
    bench.now += REST
    assert what(bench.work(pupil)) == [HARVESTED, HARVESTED]
    assert bench.queue.pause() is None


def test_a_person_need_not_wait_for_the_end_of_a_pause(bench: Bench) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")
    bench.work(pupil := Pupil(LimitReached("used up")))
    assert what(bench.work(pupil, only_due=False)) == [HARVESTED]


def test_a_store_that_cannot_be_written_stops_the_work(bench: Bench) -> None:
    for number in (1, 2):
        bench.transcript(f"s{number}", *said(number))
        bench.note(f"s{number}")
    assert what(bench.work(Pupil(StoreError("a merge is unfinished")))) == [FAILED]
    assert bench.waiting() == ["s1", "s2"]
    assert [p.attempts for p in Records(bench.store).every()] == [0]


def test_three_failures_in_a_row_are_a_reason_to_rest(bench: Bench) -> None:
    for number in range(5):
        bench.transcript(f"s{number}", *said(number))
        bench.note(f"s{number}")
    pupil = Pupil(*(NoAnswer("timeout") for _ in range(5)))
    assert what(bench.work(pupil)) == [FAILED] * 3
    assert bench.queue.pause()


def test_a_fault_of_our_own_is_a_failed_attempt_and_bars_no_other(bench: Bench) -> None:
    for number in (1, 2):
        bench.transcript(f"s{number}", *said(number))
        bench.note(f"s{number}")
    first, second = bench.work(pupil := Pupil(KeyError("claims")))
    assert (first.what, second.what) == (FAILED, HARVESTED)
    assert "a fault of memgit's own" in first.because
    assert pupil.prompts == ["prompt 2"]


def test_a_session_that_fails_again_and_again_is_given_up_until_it_goes_on(bench: Bench) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")
    pupil = Pupil(*(NoAnswer("never an object") for _ in range(MOST_ATTEMPTS)))
    for _ in range(MOST_ATTEMPTS):
        assert what(bench.work(pupil, only_due=False)) == [FAILED]
    assert bench.waiting() == []
    (progress,) = Records(bench.store).every()
    assert progress.is_given_up
    bench.now += timedelta(days=1)
    assert bench.work(pupil) == []
    bench.transcript("s", *said(2))
    bench.note("s")
    assert what(bench.work(pupil)) == [HARVESTED]
    assert pupil.prompts == ["prompt 1", "prompt 2"]


class Killed(BaseException):
    """The worker is killed here: nothing of its own runs any more."""


def test_a_worker_that_is_killed_in_the_middle_loses_nothing_and_comes_not_at_once(
    bench: Bench,
) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")

    def die(turns: Sequence[Turn]) -> Learned:
        raise Killed

    with pytest.raises(Killed):
        list(work(bench.queue, die, lambda: bench.now, only_due=True))
    (job,) = bench.queue.jobs()
    assert job.due == T + WAIT.total_seconds()
    assert "has not ended" in Records(bench.store).of(job).because
    bench.now += WAIT
    assert what(bench.work(pupil := Pupil())) == [HARVESTED]
    assert pupil.prompts == ["prompt 1"]


def test_what_a_hook_notes_meanwhile_is_not_taken_away(bench: Bench) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")

    def meanwhile(turns: Sequence[Turn]) -> Learned:
        bench.transcript("s", *said(2))
        bench.note("s", "SessionEnd", size=77)
        return Learned()

    list(work(bench.queue, meanwhile, lambda: bench.now, only_due=True))
    (job,) = bench.queue.jobs()
    assert job.size == 77
    bench.work(pupil := Pupil())
    assert pupil.prompts == ["prompt 2"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null", '{"session": 3}', "\x00" * 100, "{"])
def test_a_file_that_is_no_job_harms_no_other(bench: Bench, text: str) -> None:
    bench.transcript("s", *said(1))
    bench.note("s")
    (bench.queue.folder / "odd").write_text(text)
    (bench.queue.folder / ".s.123").write_text(text)
    assert what(bench.work(Pupil())) == [HARVESTED]
    assert [path.name for path in bench.queue.folder.iterdir()] == [".s.123"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"session": "s", "path": "x", "offset": "y"}'])
def test_progress_that_cannot_be_read_is_none(bench: Bench, text: str) -> None:
    bench.transcript("s", *said(1))
    for path in ("queue/read/s", "queue/turns", "queue/pause"):
        (bench.store.derived / path).parent.mkdir(parents=True, exist_ok=True)
        (bench.store.derived / path).write_text(text)
    bench.note("s")
    bench.work(pupil := Pupil())
    assert pupil.prompts == ["prompt 1"]


# ---------------------------------------------------------------------------- one worker

OWN = """
import sys, time
from pathlib import Path
from memgit.domain.queue.owner import owned
from memgit.domain.store import Store

with owned(Store.at(Path(sys.argv[1]))) as mine:
    print(mine, flush=True)
    time.sleep(float(sys.argv[2]))
"""


def test_one_process_owns_the_queue_and_a_killed_one_frees_it(store: Path) -> None:
    command = [sys.executable, "-c", OWN, str(store), "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        assert first.stdout.readline() == "True\n"
        with owned(Store.at(store)) as mine:
            assert mine is False
        first.kill()
        first.wait()
    with owned(Store.at(store)) as mine:
        assert mine is True


def test_jobs_are_by_hand_too(bench: Bench) -> None:
    path = bench.transcript("s", *said(1), quiet=5)
    job = bench.queue.add(path, bench.now)
    assert isinstance(job, Job)
    assert what(bench.work(pupil := Pupil())) == [HARVESTED]
    assert pupil.prompts == ["prompt 1"]
