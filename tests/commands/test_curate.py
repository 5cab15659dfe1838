"""`memgit curate`, as a person runs it: what it tells, and what a model costs."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CompletedProcess

from memgit.passes.curate import Curation
from memgit.passes.curating.asking import request
from tests.domain.proposals.conftest import memory, write

Run = Callable[..., CompletedProcess[str]]


def files() -> dict[str, str]:
    return {
        "memgit.toml": "format = 1\n[model]\ndoor = 'replay'\n",
        "a.md": memory("a", "The quay gateway is started by systemd.", day="2026-01-02",
                       topics=["quay-gateway"]),
        "b.md": memory("b", "The quay gateway is started by supervisor.", day="2026-02-02",
                       topics=["quay-gateway"]),
        "c.md": memory("c", "会議室の鍵は受付にある。", origin="agent", derived_from=["gone"]),
    }  # fmt: skip


def test_it_tells_what_was_done_and_what_was_not_asked(memgit: Run, store: Path, git: Run) -> None:
    write(store, git, files())
    dry = memgit("curate", "--dry-run", cwd=store)
    assert "would apply: label c unverified, because derived from gone" in dry.stdout
    assert "nothing was changed; 1 pair near each other not asked about: --model" in dry.stdout
    done = memgit("curate", cwd=store)
    assert done.returncode == 0, done.stderr
    assert "applied in " in done.stdout
    assert memgit("undo", cwd=store).returncode == 0
    again = json.loads(memgit("curate", "--json", cwd=store).stdout)
    assert again["applied"] == []
    assert "undone" in again["settled_before"][0]["why"]


def test_a_model_is_asked_through_the_door_and_its_cost_is_told(
    memgit: Run, store: Path, git: Run
) -> None:
    opened = write(store, git, files())
    pairs = Curation(opened, datetime(2026, 3, 1, tzinfo=UTC)).pairs()
    row = {
        "pair": 1, "relation": "replaces", "stands": "second", "covers": False, "confidence": 0.9,
        "first_words": "started by systemd", "second_words": "started by supervisor",
        "because": "it was moved",
    }  # fmt: skip
    data = hashlib.sha256(request(pairs).data.encode()).hexdigest()
    answer = {"task": "curate", "data": data, "value": {"pairs": [row]},
              "usage": {"input": 900, "output": 80}}  # fmt: skip
    (store / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    done = memgit("curate", "--model", cwd=store)
    assert done.returncode == 0, done.stderr
    assert "asked replay about 1 pair in 1 call: 900 tokens in, 80 out" in done.stdout
    assert "covers: the model does not find all of a in b" in done.stdout
    cost = memgit("cost", "--json", cwd=store).stdout
    assert json.loads(cost.splitlines()[0])["pass"] == "curate"
    free = memgit("curate", "--model", cwd=store)
    assert "asked" not in free.stdout


def test_a_door_that_does_not_open_is_told_behind_what_rules_found(
    memgit: Run, store: Path, git: Run
) -> None:
    write(store, git, files())
    done = memgit("curate", "--model", cwd=store)
    assert done.returncode == 4
    assert "applied in " in done.stdout
    assert "answers.jsonl" in done.stderr
