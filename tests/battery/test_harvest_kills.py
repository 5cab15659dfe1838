"""`kill -9` of the worker at any moment: a session is harvested, and its memory is there once."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from memgit.domain.queue.jobs import Queue
from memgit.domain.store import Store
from tests.commands.test_harvest import RULE, answer
from tests.conftest import Run
from tests.domain.test_transcripts import agent, user, write

ROUNDS = 24


def start(store: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "memgit", "--store", str(store), "harvest", "--due"]
    return subprocess.Popen(command, start_new_session=True)


@pytest.mark.slow
def test_a_worker_that_is_killed_at_any_moment_loses_nothing_and_doubles_nothing(
    store: Path, tmp_path: Path, git: Run
) -> None:
    (store / "memgit.toml").write_text('format = 1\n[model]\ndoor = "replay"\n')
    (store / "answers.jsonl").write_text(json.dumps({"task": "harvest", "value": answer()}))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=settings")
    transcript = write(tmp_path / "s-1.jsonl", user(RULE, uuid="u1", sessionId="s-1"), agent("ok"))
    Queue(Store.at(store)).add(transcript, datetime.now(UTC))
    began = time.monotonic()
    whole = shutil.copytree(store, tmp_path / "whole")
    assert start(whole).wait(60) == 0
    longest = time.monotonic() - began
    chance, killed = Random(7), 0
    for number in range(ROUNDS):
        copy = shutil.copytree(store, tmp_path / f"round-{number}")
        with start(copy) as worker:
            try:
                worker.wait(chance.uniform(0.3, longest))
            except subprocess.TimeoutExpired:
                os.killpg(worker.pid, signal.SIGKILL)
                killed += 1
        for path in Queue(Store.at(copy)).folder.glob("[!.]*"):  # as if the wait were over
            path.write_text(json.dumps({**json.loads(path.read_text()), "due": 1}))
        assert start(copy).wait(60) == 0
        assert Queue(Store.at(copy)).jobs() == []
        assert [path.name for path in copy.glob("never*")] == ["never-squash-merge.md"]
        assert git(copy, "status", "--porcelain").stdout == ""
        added = git(copy, "log", "--format=%H", "--diff-filter=A", "--", "never-squash-merge.md")
        assert len(added.stdout.split()) == 1
        shutil.rmtree(copy)
    assert killed > ROUNDS // 3
