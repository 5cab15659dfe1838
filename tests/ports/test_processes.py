"""Starting programs: each end is a value, and limits are kept."""

import os
import time

from memgit.ports import processes
from memgit.ports.processes import run


def shell(script: str, **options):
    return run(["/bin/sh", "-c", script], **options)


def test_output_error_output_and_status_come_back():
    ended = shell("cat; echo oops >&2; exit 3", stdin="日本".encode())
    assert (ended.out.decode(), ended.err, ended.status) == ("日本", b"oops\n", 3)
    assert ended.stopped == ""
    assert 0 < ended.seconds < 5


def test_words_reach_the_program_as_they_are():
    assert run(["/bin/echo", "$HOME; `id`", "a b"]).out == b"$HOME; `id` a b\n"


def test_a_program_that_does_not_end_is_ended_with_what_it_started(tmp_path):
    mark = tmp_path / "late"
    ended = shell(f"(sleep 1; touch {mark}) & sleep 30", longest=0.2)
    assert ended.stopped == "did not end within 0.2 s"
    assert ended.seconds < 5
    time.sleep(1.2)
    assert not mark.exists()


def test_a_program_that_closes_its_output_and_stays_is_ended():
    ended = shell("exec >&- 2>&-; sleep 30", longest=0.2)
    assert ended.stopped == "did not end within 0.2 s"


def test_a_program_that_prints_without_end_is_ended(monkeypatch):
    monkeypatch.setattr(processes, "LARGEST", 10_000)
    ended = shell("while :; do echo again; done")
    assert ended.stopped == "printed more than 10,000 bytes"
    assert len(ended.out) == 10_000


def test_what_cannot_be_started_says_so(tmp_path):
    assert run([str(tmp_path / "absent")]).stopped.startswith("cannot be started: No such file")
    assert run([str(tmp_path)]).stopped == "cannot be started: Permission denied"
    assert run(["a\0b"]).status is None


def test_git_variables_of_a_calling_hook_do_not_come_through(monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere/index")
    ended = shell('echo "$GIT_DIR$GIT_INDEX_FILE $MORE"', environment={"MORE": "more"})
    assert ended.out == b" more\n"
    assert os.environ["GIT_DIR"] == "/elsewhere"
