"""What the hooks of a session note: one small file each, at once, in silence, whatever happens."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.queue.jobs import Queue
from memgit.domain.store import Store
from memgit.prompt.jobs import QUIET

from .conftest import Hook, Run, derived, log, read_only, start, without_rights, words
from .test_prompt_path import LIBRARY, outside, watched, written
from .test_session_start import Worker

ROOM = "memgit.prompt"


def event(
    name: str, transcript: Path | str, session: str = "s-1", **more: object
) -> dict[str, Any]:
    """An event of a session, as the agent tells it."""
    named = {"hook_event_name": name, "session_id": session, "transcript_path": str(transcript)}
    return {**named, **more}


def jobs(store: Path) -> dict[str, dict[str, Any]]:
    """The jobs that were noted, by session."""
    folder = derived(store) / "queue" / "jobs"
    rows = [json.loads(path.read_text()) for path in sorted(folder.glob("[!.]*"))]
    return {row["session"]: row for row in rows}


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether a hook ended well and printed nothing."""
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "日本" / "s-1.jsonl"
    path.parent.mkdir()
    path.write_text("{}\n" * 10)
    return path


@pytest.mark.parametrize(
    ("name", "wait"),
    [("SessionEnd", 0), ("PreCompact", 0), ("Stop", QUIET), ("SessionStart", QUIET)],
)
def test_a_session_is_noted_with_the_time_at_which_it_is_due(
    store: Path, hook: Hook, transcript: Path, name: str, wait: int
) -> None:
    before = int(time.time())
    assert silent(hook("session_event", store, event(name, transcript)))
    (job,) = jobs(store).values()
    assert job["due"] == job["at"] + wait
    assert before <= job["at"] <= time.time()
    assert (job["path"], job["event"], job["size"]) == (str(transcript), name, 30)
    assert log(store) == ""


def test_a_session_is_noted_once_however_often_its_hooks_run(
    store: Path, hook: Hook, transcript: Path
) -> None:
    for name in ("SessionStart", "Stop", "Stop", "PreCompact", "Stop", "SessionEnd", "SessionEnd"):
        assert silent(hook("session_event", store, event(name, transcript)))
    assert jobs(store)["s-1"]["event"] == "SessionEnd"
    hook("session_event", store, event("Stop", transcript, "s-2"))
    assert sorted(jobs(store)) == ["s-1", "s-2"]


def test_what_a_compaction_noted_is_not_put_off_by_the_start_that_follows_it(
    store: Path, hook: Hook, transcript: Path
) -> None:
    hook("session_event", store, event("PreCompact", transcript))
    hook("session_event", store, event("SessionStart", transcript, source="compact"))
    assert jobs(store)["s-1"]["event"] == "PreCompact"


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"no JSON",
        event("Stop", "/t.jsonl", ""),
        event("Stop", "relative.jsonl"),
        event("Stop", ""),
        event("SubagentStop", "/t.jsonl"),
        event("Stop", "/t.jsonl", agent_id="a-1"),
        {"hook_event_name": "Stop", "session_id": 3, "transcript_path": ["/t.jsonl"]},
        {"hook_event_name": "Stop", "session_id": "s-1", "transcript_path": None},
    ],
)
def test_what_is_no_session_is_not_noted(store: Path, hook: Hook, odd: object) -> None:
    assert silent(hook("session_event", store, odd, "--python", "/bin/false"))
    assert jobs(store) == {}


@pytest.mark.parametrize(
    ("name", "value"), [("MEMGIT_HARVEST", "1"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]
)
def test_a_session_of_a_program_is_not_noted(
    store: Path,
    hook: Hook,
    transcript: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert silent(hook("session_event", store, event("SessionEnd", transcript)))
    assert jobs(store) == {}


def test_an_odd_session_id_leads_nowhere_else(store: Path, hook: Hook, transcript: Path) -> None:
    hook("session_event", store, event("Stop", transcript, "../../a b/日本\n"))
    (job,) = jobs(store).values()
    assert job["session"] == "../../a b/日本\n"
    (path,) = (derived(store) / "queue" / "jobs").iterdir()
    assert path.name == "------a-b----"


def test_where_nothing_can_be_written_it_is_silent(store: Path, transcript: Path) -> None:
    data = json.dumps(event("SessionEnd", transcript)).encode()
    command = words("session_event", store, "--python", "/bin/false")
    with read_only(store):
        done = subprocess.run(command, input=data, capture_output=True, preexec_fn=without_rights)
    assert silent(done)


def test_a_store_that_is_gone_or_none_gets_no_folder(
    tmp_path: Path, hook: Hook, transcript: Path
) -> None:
    (tmp_path / "plain").mkdir()
    for store in (tmp_path / "gone", tmp_path / "plain"):
        assert silent(hook("session_event", store, event("Stop", transcript)))
    assert not (tmp_path / "gone").exists()
    assert list((tmp_path / "plain").iterdir()) == []


def test_a_stdin_that_is_never_closed_is_not_waited_for(store: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words("session_event", store), stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        assert process.stdin
        process.stdin.write(b'{"hook_event_name": "Stop"')
        process.stdin.flush()
        began = time.monotonic()
        assert process.wait(timeout=30) == 0
        assert time.monotonic() - began < 5


def test_a_linked_work_tree_has_a_queue_of_its_own(
    store: Path, hook: Hook, transcript: Path, tmp_path: Path, git: Run
) -> None:
    tree = tmp_path / "tree"
    git(store, "worktree", "add", "--quiet", "-b", "other", str(tree))
    assert silent(hook("session_event", tree, event("Stop", transcript)))
    assert jobs(store) == {}
    assert [job.session for job in Queue(Store.at(tree)).jobs()] == ["s-1"]


# ---------------------------------------------------------------------------- the worker


def test_a_worker_is_started_where_a_job_is_due(
    store: Path, hook: Hook, transcript: Path, tmp_path: Path
) -> None:
    worker = Worker(tmp_path)
    options = ("--python", worker.program)
    hook("session_event", store, event("Stop", transcript), *options)
    hook("session_event", store, event("SessionStart", transcript, "s-2"), *options)
    assert worker.started(patience=0.3) == []
    hook("session_event", store, event("SessionEnd", transcript), *options)
    (how,) = worker.started()
    assert how["session"] is True
    assert how["files"] in ([], ["/dev/null"] * 3)
    assert how["words"][-4:] == ["--store", str(store), "harvest", "--due"]  # type: ignore[index]


def test_a_stop_starts_the_worker_for_what_others_left(
    store: Path, hook: Hook, transcript: Path, tmp_path: Path
) -> None:
    worker = Worker(tmp_path)
    hook("session_event", store, event("Stop", transcript, "killed"))
    path = derived(store) / "queue" / "jobs" / "killed"
    path.write_text(path.read_text().replace(f'"due": {jobs(store)["killed"]["due"]}', '"due": 1'))
    hook("session_start", store, {**start("startup"), "transcript_path": str(transcript)},
         "--python", worker.program, "--harvest", "--save")  # fmt: skip
    verbs = sorted(how["words"][4] for how in worker.started(2))  # type: ignore[index]
    assert verbs == ["harvest", "save"]
    assert sorted(jobs(store)) == ["killed", "s-1"]


def test_a_start_without_the_option_notes_nothing(
    store: Path, hook: Hook, transcript: Path
) -> None:
    hook("session_start", store, {**start("startup"), "transcript_path": str(transcript)})
    assert jobs(store) == {}


@pytest.mark.parametrize(("until", "started"), [(-10, 1), (1000, 0)])
def test_a_pause_keeps_the_worker_back(
    store: Path, hook: Hook, transcript: Path, tmp_path: Path, until: int, started: int
) -> None:
    worker = Worker(tmp_path)
    hook("session_event", store, event("Stop", transcript))
    (derived(store) / "queue" / "pause").write_text(f"{int(time.time()) + until} limit reached\n")
    hook("session_event", store, event("SessionEnd", transcript), "--python", worker.program)
    assert len(worker.started(patience=1.5 if started else 0.3)) == started


def test_fifty_sessions_that_end_at_once_start_one_worker(
    store: Path, transcript: Path, tmp_path: Path
) -> None:
    worker = Worker(tmp_path, seconds=10)
    command = words("session_event", store, "--python", worker.program)
    pipe = subprocess.PIPE
    for _ in range(5):
        hooks = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) for _ in range(10)]
        for number, process in enumerate(hooks):
            data = json.dumps(event("SessionEnd", transcript, f"s-{os.getpid()}-{number}")).encode()
            assert process.communicate(data, timeout=30) == (b"", b"")
            assert process.returncode == 0
    assert len(worker.started(2, patience=1)) == 1
    assert len(jobs(store)) == 10


# ---------------------------------------------------------------------------- what it costs


def test_it_imports_little_and_starts_nothing_but_the_worker(
    store: Path, tmp_path: Path, transcript: Path
) -> None:
    options = ("--python", "/bin/false")
    seen = watched(tmp_path, "session_event", store, event("Stop", transcript), *options)
    own = {f"{ROOM}.{name}" for name in ("detached", "hook", "jobs", "place", "session", "table")}
    assert set(seen["modules"]) - own - LIBRARY == {"memgit", ROOM}
    assert outside(seen) == []
    assert all(path.startswith(f"{derived(store)}/queue/jobs/") for path in written(seen))
    seen = watched(tmp_path, "session_event", store, event("SessionEnd", transcript), *options)
    assert outside(seen) == ["os.posix_spawn"]


def test_it_does_not_read_the_transcript(store: Path, tmp_path: Path, transcript: Path) -> None:
    seen = watched(tmp_path, "session_event", store, event("SessionEnd", transcript))
    assert [path for what, path, _ in seen["heard"] if what == "open" and "s-1.jsonl" in path] == []


@pytest.mark.parametrize("name", ["Stop", "SessionEnd"])
def test_a_transcript_of_50_megabytes_takes_no_longer(
    store: Path, hook: Hook, tmp_path: Path, name: str
) -> None:
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        hook("session_event", store, event(name, large), "--python", "/bin/true")
        taken.append(time.perf_counter() - began)
    assert min(taken) < 0.1
