"""The rig itself: hooks, memory writes, sessions and failures of the real CLI are seen as they are.

What is proved here about the host, the other tests in this folder build on.
"""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from .cli import ABSENT, Claude, exec_hooks, find_cli
from .messages_api import MessagesApi, Request
from .replies import Reply, error, hang, structured, text, tool_use
from .terminal import Terminal
from .turns import read_records

CONTEXT = (
    "memory, recorded 2026-05-03: 本番デプロイ goes out <b>on Tuesdays</b>.\n\nNot before ten."
)


def hook(folder: Path, body: str) -> list[str | Path]:
    """A hook in Python, as `exec_hooks` wants it; `event` in its body is the event from stdin."""
    script = folder / "hook.py"
    head = "import json, sys\nevent = json.loads(sys.stdin.buffer.read())\n"
    script.write_text(head + body, encoding="utf-8")
    return [sys.executable, "-I", "-S", script]


def hook_that_says(folder: Path, context: str) -> list[str | Path]:
    """A hook that gives the context, whatever the event."""
    return hook(
        folder,
        "said = {'hookEventName': event['hook_event_name'], 'additionalContext': "
        f"{context!r}}}\nprint(json.dumps({{'hookSpecificOutput': said}}))\n",
    )


# ---------------------------------------------------------------------------- hooks


def test_what_a_prompt_hook_says_is_sent_to_the_model(claude: Claude, tmp_path: Path) -> None:
    claude.write_settings(exec_hooks(UserPromptSubmit=hook_that_says(tmp_path, CONTEXT)))
    turn = claude.run("デプロイはいつ?")
    assert turn.returncode == 0, turn.stderr
    assert turn.answer == "OK."
    assert turn.contexts() == [CONTEXT]
    assert turn.sent.count_contexts() == 1
    assert "デプロイはいつ?" in turn.sent.text
    assert CONTEXT in turn.sent.text


def test_without_hooks_the_model_is_sent_the_prompt_alone(
    claude: Claude, messages_api: MessagesApi
) -> None:
    turn = claude.run("How do we deploy?")
    assert turn.contexts() == []
    assert turn.hook_runs() == []
    assert "How do we deploy?" in turn.sent.text
    assert turn.sent.count_contexts() == turn.sent.count_contexts("SessionStart") == 0
    assert messages_api.requests == turn.requests
    assert messages_api.strays == []


@pytest.mark.parametrize(
    ("body", "exit_code"),
    [("sys.exit(0)", 0), ("raise RuntimeError('the store is on fire')", 1)],
    ids=["silent", "traceback"],
)
def test_a_prompt_goes_through_a_hook_that_has_nothing_to_say(
    claude: Claude, tmp_path: Path, body: str, exit_code: int
) -> None:
    settings = exec_hooks(UserPromptSubmit=hook(tmp_path, body))
    turn = claude.run("Hello", settings=claude.write_settings(settings, tmp_path / "extra.json"))
    assert [run.exit_code for run in turn.hook_runs()] == [exit_code]
    assert turn.contexts() == []
    assert turn.sent.count_contexts() == 0
    assert "on fire" not in turn.sent.text
    assert turn.answer == "OK."


def test_a_session_start_hook_runs_before_the_first_prompt(claude: Claude, tmp_path: Path) -> None:
    claude.write_settings(exec_hooks(SessionStart=hook_that_says(tmp_path, "profile lines")))
    turn = claude.run("Hello")
    assert [run.exit_code for run in turn.hook_runs("SessionStart")] == [0]
    assert turn.contexts("SessionStart") == ["profile lines"]
    assert turn.contexts() == []


def test_a_hook_sees_the_isolated_environment(claude: Claude, tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    body = f"import os\nopen({str(told)!r}, 'w').write(json.dumps([event, dict(os.environ)]))"
    claude.write_settings(exec_hooks(UserPromptSubmit=hook(tmp_path, body)))
    claude.env["MEMGIT_REPO"] = "/from/the/rig"
    turn = claude.run("Hello", env={"EXTRA": "of this run"})
    event, environment = json.loads(told.read_text("utf-8"))
    assert event["prompt"] == "Hello"
    assert event["session_id"] == turn.session_id
    assert event["cwd"] == str(claude.project)
    assert environment["HOME"] == str(claude.home)
    assert environment["MEMGIT_REPO"] == "/from/the/rig"
    assert environment["EXTRA"] == "of this run"


# ---------------------------------------------------------------------------- sessions


def test_a_session_holds_many_prompts_and_a_compaction(claude: Claude, tmp_path: Path) -> None:
    body = "print(event.get('prompt') or event['source'], 'heard')"
    hooks = hook(tmp_path, body)
    claude.write_settings(exec_hooks(UserPromptSubmit=hooks, SessionStart=hooks))
    claude.api.script("one answered", "two answered")
    with claude.session() as session:
        one = session.say("one")
        compacted = session.say("/compact")
        two = session.say("two")
    assert (one.answer, two.answer) == ("one answered", "two answered")
    assert one.contexts() == ["one heard"]
    assert one.contexts("SessionStart") == ["startup heard"]
    assert [run.stdout for run in compacted.hook_runs("SessionStart")] == ["compact heard\n"]
    assert two.contexts() == ["two heard"]
    assert "What was said before." in two.sent.text
    assert "one heard" not in two.sent.text
    assert one.session_id == two.session_id


def test_a_later_process_resumes_a_session(claude: Claude, tmp_path: Path) -> None:
    claude.write_settings(exec_hooks(UserPromptSubmit=hook(tmp_path, "print(event['prompt'])")))
    first = claude.run("first words")
    second = claude.run("second words", resume=first.session_id)
    assert second.session_id == first.session_id
    assert second.contexts() == ["second words"]
    assert second.sent.count_contexts() == 2  # the first is replayed
    transcript = claude.transcript(first.session_id)
    assert transcript is not None
    assert claude.transcripts() == [transcript]
    prompts = [r["message"]["content"] for r in read_records(transcript) if r["type"] == "user"]
    assert prompts == ["first words", "second words"]


# ---------------------------------------------------------------------------- the model's side


def test_a_write_into_the_auto_memory_is_stamped(claude: Claude, tmp_path: Path) -> None:
    store = tmp_path / "store"
    claude.write_settings({"autoMemoryDirectory": str(store)})
    memory = "---\nname: Deploy Day\ndescription: when we deploy\ntype: project\n---\nOn Mondays.\n"
    claude.api.script(
        tool_use("Write", file_path=str(store / "deploy.md"), content=memory), "Remembered."
    )
    turn = claude.run("Remember that we deploy on Mondays.")
    assert turn.memory_dir == store
    assert turn.answer == "Remembered."
    assert len(turn.requests) == 2
    head, body = (store / "deploy.md").read_text("utf-8").removeprefix("---\n").split("---\n")
    assert body.strip() == "On Mondays."
    lines = head.splitlines()
    assert lines[:5] == [
        "name: deploy-day",
        "description: when we deploy",
        "metadata:",
        "  node_type: memory",
        "  type: project",
    ]
    assert f"  originSessionId: {turn.session_id}" in lines
    assert any(line.startswith("  modified: ") for line in lines)


def test_a_scripted_tool_call_depends_on_the_request_and_its_result_comes_back(
    claude: Claude,
) -> None:
    def run_what_was_asked(request: Request) -> Reply:
        assert "Bash" in request.tools
        return tool_use("Bash", command="echo $((6 * 7)) from the shell", description="count")

    claude.api.script(run_what_was_asked, text("Done."))
    turn = claude.run("Count.", "--allowedTools", "Bash")
    assert turn.answer == "Done."
    assert "42 from the shell" in turn.sent.text


def test_structured_output_reaches_the_result(claude: Claude) -> None:
    schema = {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": {"type": "string"}}},
        "required": ["memories"],
        "additionalProperties": False,
    }
    claude.api.script(structured({"memories": ["一つ", "two"]}))
    turn = claude.run("Harvest.", "--safe-mode", "--tools", "", "--json-schema", json.dumps(schema))
    assert turn.result["structured_output"] == {"memories": ["一つ", "two"]}
    assert "StructuredOutput" in turn.sent.tools
    assert "Bash" not in turn.sent.tools


@pytest.mark.parametrize("status", [401, 429, 500])
def test_an_api_error_reaches_the_result(claude: Claude, status: int) -> None:
    claude.api.default = error(status, "as scripted")
    turn = claude.run("Hello")
    assert turn.returncode == 1
    assert turn.result["is_error"] is True
    assert turn.result["api_error_status"] == status
    assert len(turn.requests) == 1


def test_a_model_that_hangs_ends_with_the_timeout(claude: Claude) -> None:
    claude.api.script(hang())
    with claude.session() as session, pytest.raises(subprocess.TimeoutExpired):
        session.say("Hello", timeout=2)
    assert "Hello" in claude.api.last.text


def test_a_prompt_typed_in_a_terminal_meets_the_same_hooks(claude: Claude, tmp_path: Path) -> None:
    claude.write_settings(exec_hooks(UserPromptSubmit=hook_that_says(tmp_path, CONTEXT)))
    with Terminal(claude) as terminal:
        terminal.type("デプロイ手順 please")
        terminal.wait_for(lambda: "OK." in terminal.screen)
        terminal.type("/exit")
        assert terminal.wait_for_exit() == 0
    assert CONTEXT in claude.api.last.text
    assert all(stray.startswith("CONNECT ") for stray in claude.api.strays)


# ---------------------------------------------------------------------------- no CLI, no model


def test_the_cli_named_in_the_environment_must_be_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEMGIT_TEST_CLAUDE", str(tmp_path / "no such"))
    with pytest.raises(FileNotFoundError, match="MEMGIT_TEST_CLAUDE: there is no file"):
        find_cli()


def test_without_the_cli_a_test_skips_and_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    monkeypatch.delenv("MEMGIT_TEST_CLAUDE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)
    with pytest.raises(pytest.skip.Exception, match=re.escape(ABSENT)):
        request.getfixturevalue("claude")


def test_a_client_that_does_not_stream_gets_the_whole_message(messages_api: MessagesApi) -> None:
    messages_api.script("Hi.", error(429))
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
    asked = urllib.request.Request(f"{messages_api.url}/v1/messages", json.dumps(body).encode())
    with urllib.request.urlopen(asked) as response:
        message = json.load(response)
    assert message["content"] == [{"type": "text", "text": "Hi."}]
    assert message["stop_reason"] == "end_turn"
    assert message["usage"]["output_tokens"] > 0
    with pytest.raises(urllib.error.HTTPError) as failure:
        urllib.request.urlopen(asked)
    assert failure.value.code == 429
    assert json.load(failure.value)["error"]["type"] == "rate_limit_error"
    assert messages_api.last.text == "Hello"


def test_a_call_of_another_host_is_refused_and_noted(messages_api: MessagesApi) -> None:
    proxy = urllib.request.ProxyHandler({"http": messages_api.url})
    opener = urllib.request.build_opener(proxy)
    with pytest.raises(urllib.error.HTTPError, match="403"):
        opener.open("http://example.com/telemetry")
    assert messages_api.strays == ["GET http://example.com/telemetry"]


def test_a_script_that_fails_fails_the_test() -> None:
    def broken(request: Request) -> str:
        raise ZeroDivisionError("in the script")

    api = MessagesApi()
    api.script(broken)
    api.__enter__()
    asked = urllib.request.Request(f"{api.url}/v1/messages", b'{"messages": []}')
    with pytest.raises(urllib.error.HTTPError, match="500"):
        urllib.request.urlopen(asked)
    with pytest.raises(ZeroDivisionError, match="in the script"):
        api.__exit__(None, None, None)
