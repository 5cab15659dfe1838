"""`memgit demo`, run whole: it shows what the hook said, on a machine that knows nothing."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from memgit.domain.demonstration import QUESTIONS, Asked, Question
from memgit.domain.trial import Trial


@pytest.fixture
def rows(memgit, tmp_path):
    """What `memgit demo --json` printed, line by line."""
    done = memgit("demo", "--json", env={"TMPDIR": str(tmp_path)})
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_question_is_answered_as_it_should_be(rows):
    asked = rows[1:-1]
    leads = {row["prompt"]: (row["recalled"] or [""])[0] for row in asked}
    assert leads == {question.prompt: question.expected for question in QUESTIONS}
    assert rows[-1]["as_expected"] == rows[-1]["of"] == 6


def test_an_answer_is_what_the_agent_would_be_given(rows):
    for row in rows[1:-1]:
        assert row["fault"] is None
        assert bool(row["context"]) == bool(row["recalled"])
        assert all(f'"{name}"' in row["context"] for name in row["recalled"])
        assert 0 < row["bare_ms"] < 1000
        assert 0 < row["hook_ms"] < 1000


def test_nothing_stays_behind(rows, tmp_path):
    assert rows[0]["store"].startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def started(tmp_path):
    """A demonstration that is at work: its first line is there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memgit", "demo", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert process.stdout.readline().startswith(b'{"store"')
    assert list(tmp_path.iterdir())
    return process


def test_a_reader_who_leaves_ends_it_and_nothing_stays_behind(tmp_path):
    process = started(tmp_path)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_and_nothing_stays_behind(tmp_path, number):
    process = started(tmp_path)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_keep_leaves_a_store_that_answers(memgit, git, tmp_path):
    done = memgit("demo", "--keep", "--json", env={"TMPDIR": str(tmp_path)})
    kept = Path(json.loads(done.stdout.splitlines()[-1])["kept"])
    assert git(kept, "status", "--porcelain").stdout == ""
    assert memgit("--store", kept, "show", "当番表").returncode == 0


def test_the_page_fits_eighty_columns_in_a_pipe(memgit):
    done = memgit("demo")
    lines = done.stdout.splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert "\x1b" not in done.stdout
    assert not [line for line in lines if line != line.rstrip()]
    assert sum(line[:3] in {f"{n}. " for n in range(1, 7)} for line in lines) == 6
    assert "memgit init" in done.stdout
    assert done.returncode == ("NOT AS EXPECTED" in done.stdout)


def test_it_needs_no_home_and_no_git_identity(memgit, tmp_path, monkeypatch):
    for name in set(os.environ) - {"PATH", "PYTHONPATH"}:
        monkeypatch.delenv(name)
    done = memgit("demo", "--json", env={"GIT_CONFIG_NOSYSTEM": "1"})
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == len(QUESTIONS) + 2


def test_a_global_ignore_file_takes_nothing_away(memgit, sealed, rows):
    (sealed / "ignored").write_text("*.md\n")
    with (sealed / "gitconfig").open("a") as file:
        file.write(f"[core]\n\texcludesFile = {sealed}/ignored\n\tautocrlf = true\n")
    again = json.loads(memgit("demo", "--json").stdout.splitlines()[0])
    assert again["memories"] == rows[0]["memories"]


def test_without_git_it_says_what_to_install(memgit, tmp_path):
    done = memgit("demo", env={"PATH": str(tmp_path), "TMPDIR": str(tmp_path)})
    assert done.returncode == 3
    assert "git is not installed" in done.stderr
    assert "install git" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("expected", "memories", "fault", "good"),
    [
        ("a", ("a",), "", True),
        ("a", ("a", "b"), "", True),
        ("a", ("b", "a"), "", False),
        ("a", (), "", False),
        ("", (), "", True),
        ("", ("a",), "", False),
        ("", (), "exit code 1", False),
    ],
)
def test_only_the_leading_memory_or_true_silence_counts(expected, memories, fault, good):
    asked = Asked(Question("?", expected), Trial("", fault, 0.01, 0.005), memories)
    assert asked.as_expected is good


def test_five_questions_in_two_languages_and_one_for_silence():
    assert len(QUESTIONS) == 6
    assert sum(question.prompt.isascii() for question in QUESTIONS if question.expected) == 3
    assert [q.expected for q in QUESTIONS].count("") == 1
