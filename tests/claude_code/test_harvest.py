"""A harvest by the real Claude Code CLI: alone with the question, and nothing changes but by it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.passes.made import memory

from .cli import Claude, exec_hooks
from .replies import error, hang, structured, text

RULE = "Never push to main directly, always open a pull request."


def session(claude: Claude, *prompts: str) -> Path:
    folder = claude.config / "projects" / "-home-me-app"
    folder.mkdir(parents=True)
    path = folder / "5e551017-0000-4000-8000-000000000001.jsonl"
    rows: list[dict[str, Any]] = []
    for number, prompt in enumerate(prompts):
        common = {"sessionId": path.stem, "cwd": "/home/me/app", "uuid": f"u{number}",
                  "timestamp": f"2026-11-01T09:0{number}:00.000Z"}  # fmt: skip
        rows.append({"type": "user", "message": {"role": "user", "content": prompt}, **common})
        said = [{"type": "text", "text": "Understood."}]
        rows.append({"type": "assistant", "message": {"role": "assistant", "content": said},
                     **common, "uuid": f"a{number}"})  # fmt: skip
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def run(
    claude: Claude, store: Path, *arguments: str | Path, **more: str
) -> subprocess.CompletedProcess[str]:
    home = {name: value for name, value in os.environ.items() if name.startswith("GIT_")}
    env = {**home, **claude.env, "MEMGIT_ALLOW_KEY": "1", "CLAUDECODE": "1",
           "PYTHONPATH": os.environ["PYTHONPATH"], **more}  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "memgit", "--store", str(store), *map(str, arguments)],
        env=env, cwd=claude.project, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def head(store: Path) -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=store, capture_output=True, text=True, check=True
    ).stdout


CLAIM = memory(RULE, (1, "user", "Never push to main directly"), type_="feedback",
               name="no-direct-push")  # fmt: skip


def test_it_reaches_the_model_alone_and_its_answer_becomes_a_proposal(
    claude: Claude, store: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "a hook ran"
    touch = [sys.executable, "-c", f"open({str(mark)!r}, 'w')"]
    events = {"SessionStart": touch, "UserPromptSubmit": touch, "Stop": touch, "SessionEnd": touch}
    claude.write_settings({
        **exec_hooks(**events), "autoMemoryDirectory": str(tmp_path / "memory"),
    })  # fmt: skip
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("- the moon is in the memory\n")
    (claude.config / "CLAUDE.md").write_text("The sun is in the instructions.\n")
    (claude.project / "CLAUDE.md").write_text("The stars are in the project.\n")
    path = session(claude, RULE)
    claude.api.script(structured({"memories": [CLAIM]}))
    done = run(claude, store, "harvest", path, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["applied"] == 1
    assert [one["memories"] for one in told["details"]["applied"]] == [["no-direct-push"]]
    assert told["tokens"] > 0
    assert "Never push to main directly" in (store / "no-direct-push.md").read_text("utf-8")

    (request,) = claude.api.requests
    assert set(request.tools) <= {"StructuredOutput", "DeferredToolPlaceholder"}
    assert RULE in request.text
    assert "You read the record of a finished session" in request.system
    read = request.text + request.system
    assert not [word for word in ("moon", "sun is", "stars") if word in read]
    assert request.count_contexts() == 0
    assert not mark.exists()
    assert claude.transcripts() == [path]

    (row,) = [json.loads(line) for line in run(claude, store, "cost", "--json").stdout.splitlines()]
    assert (row["pass"], row["door"], row["calls"], row["failed"]) == ("harvest", "claude", 1, 0)
    assert row["in"] + row["out"] == told["tokens"]


def test_a_key_of_the_environment_is_not_used_unseen(claude: Claude, store: Path) -> None:
    path = session(claude, RULE)
    claude.env["HTTPS_PROXY"] = claude.api.url
    done = run(claude, store, "harvest", path, MEMGIT_ALLOW_KEY="")
    assert done.returncode == 4
    assert claude.api.requests == []
    assert "kept from it" in done.stderr


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (error(429), "429"),
        (error(401), "claude: "),
        (error(500), "500"),
        (error(429, "You've hit your session limit"), "limit"),
        (text("I would rather tell a story."), "no object"),
        (structured({"memories": "none"}), "claude"),
    ],
)
def test_where_it_fails_nothing_changes_and_the_reason_is_told(
    claude: Claude, store: Path, reply: Any, said: str
) -> None:
    path = session(claude, RULE)
    claude.api.default = reply
    before = head(store)
    done = run(claude, store, "harvest", path)
    assert done.returncode == 4, done.stdout
    assert said in done.stderr
    assert head(store) == before
    assert not list(store.glob("*.md"))


def test_a_model_that_never_answers_is_ended(
    claude: Claude, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memgit.ports.model.claude_cli import ClaudeCli
    from memgit.ports.model.door import NoAnswer, Request

    claude.api.default = hang()
    for name, value in claude.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MEMGIT_ALLOW_KEY", "1")
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    with pytest.raises(NoAnswer, match="did not end within 3 s"):
        ClaudeCli(claude.cli, "haiku").ask(Request("t", "i", "d", schema, seconds=3))
