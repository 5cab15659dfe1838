"""The doors to a model: only an object that fits is an answer, and nobody pays unseen."""

import json
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memgit.errors import ModelError
from memgit.ports.model.api import Api
from memgit.ports.model.choosing import choose
from memgit.ports.model.claude_cli import ClaudeCli, isolation
from memgit.ports.model.door import Answer, LimitReached, NoAnswer, Request
from memgit.ports.model.fitting import fitted
from memgit.ports.model.replay import Replay, digest
from tests.claude_code.messages_api import MessagesApi
from tests.claude_code.replies import error, hang, text

SCHEMA = {
    "type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}},
    "required": ["names"], "additionalProperties": False,
}  # fmt: skip
ASKED = Request("harvest", "List names.", "<data>一つ</data>", SCHEMA, seconds=10)

HELP = "--json-schema --output-format --system-prompt --tools --model --safe-mode"


def program(folder: Path, body: str, help_: str = HELP) -> Path:
    """A `claude` of one's own: it prints its help, else does what `body` says."""
    path = folder / "claude"
    path.write_text(
        f"#!{sys.executable}\nimport json, os, sys, time\n"
        f"if '--help' in sys.argv:\n    print({help_!r})\n    sys.exit(0)\n"
        "asked = sys.stdin.read()\n" + body,
        encoding="utf-8",
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def result(**told: Any) -> str:
    usage = {"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": 5}
    base = {"type": "result", "subtype": "success", "is_error": False, "result": "", "usage": usage,
            "structured_output": None, "modelUsage": {"claude-haiku-5-5": {}}}  # fmt: skip
    return f"print(json.dumps({ ({**base, **told})!r}))\n"


def test_an_object_that_fits_is_the_answer(tmp_path: Path) -> None:
    cli = program(tmp_path, result(structured_output={"names": ["一つ"]}, total_cost_usd=0.5))
    answer = ClaudeCli(cli, "haiku").ask(ASKED)
    assert answer.value == {"names": ["一つ"]}
    usage = answer.usage
    assert (usage.input, usage.output, usage.cached, usage.dollars) == (7, 3, 5, 0.0)
    assert usage.model == "claude-haiku-5-5"


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (result(), NoAnswer, "gave no object, only text"),
        (result(structured_output={"names": "x"}), NoAnswer, "does not fit: ['names']"),
        (result(structured_output={"names": [], "more": 1}), NoAnswer, "does not fit"),
        (result(structured_output=[1]), NoAnswer, "is no object"),
        (result(is_error=True, structured_output={"names": []}) + "sys.exit(1)",
         NoAnswer, "with 1"),
        (result(structured_output={"names": []}) + "sys.exit(1)", NoAnswer, "with 1"),
        (result(is_error=True, api_error_status=429, result="API Error: 429") + "sys.exit(1)",
         LimitReached, "API Error: 429"),
        (result(is_error=True, result="You've hit your session limit · resets 3pm")
         + "sys.exit(1)", LimitReached, "session limit"),
        (result(is_error=True, result="You're out of usage credits") + "sys.exit(1)",
         LimitReached, "usage credits"),
        (result(is_error=True, api_error_status=401, result="Invalid API key") + "sys.exit(1)",
         LimitReached, "Invalid API key"),
        ("print('{broken')", NoAnswer, "ended with 0"),
        ("print('[1]')", NoAnswer, "ended with 0"),
        ("sys.stderr.write('bad schema')\nsys.exit(1)", NoAnswer, "bad schema"),
        ("os.kill(os.getpid(), 9)", NoAnswer, "ended by signal 9"),
        ("print('x' * 2_000_000)", NoAnswer, "printed more than"),
    ],
)  # fmt: skip
def test_anything_else_is_none(tmp_path: Path, body: str, kind: type, said: str) -> None:
    with pytest.raises(NoAnswer) as fault:
        ClaudeCli(program(tmp_path, body), "haiku").ask(ASKED)
    assert type(fault.value) is kind
    assert said in str(fault.value)
    assert fault.value.hint


def test_a_program_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    child = tmp_path / "child"
    body = (
        "import subprocess\n"
        f"p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(child)!r}, 'w').write(str(p.pid))\ntime.sleep(60)\n"
    )
    started = time.monotonic()
    with pytest.raises(NoAnswer, match="did not end within 2 s"):
        ClaudeCli(program(tmp_path, body), "haiku").ask(Request("t", "i", "d", SCHEMA, seconds=2))
    assert time.monotonic() - started < 10
    pid = int(child.read_text())
    for _ in range(50):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text():
            break
        time.sleep(0.1)
    else:
        pytest.fail("what it had started still runs")


SAYS_ENVIRONMENT = (
    "names = sorted(os.environ)\nhere = os.listdir('.')\n"
    "print(json.dumps({'is_error': False, 'structured_output': {'names': names + here}}))\n"
)


def test_keys_and_hosts_are_kept_from_it_unless_they_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = program(tmp_path, SAYS_ENVIRONMENT)
    paid = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL",
            "CLAUDE_CODE_USE_BEDROCK")  # fmt: skip
    for name in (*paid, "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "GIT_DIR"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "of the plan")
    seen = set(ClaudeCli(cli, "haiku").ask(ASKED).value["names"])
    assert not seen & {*paid, "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "GIT_DIR"}
    assert {"MEMGIT_HARVEST", "CLAUDE_CODE_MAX_RETRIES", "CLAUDE_CODE_OAUTH_TOKEN", "HOME"} <= seen
    monkeypatch.setenv("MEMGIT_ALLOW_KEY", "1")
    assert set(paid) <= set(ClaudeCli(cli, "haiku").ask(ASKED).value["names"])


def test_without_a_login_it_says_that_a_key_was_kept_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    body = result(is_error=True, result="Not logged in · Please run /login") + "sys.exit(1)"
    with pytest.raises(LimitReached) as fault:
        ClaudeCli(program(tmp_path, body), "haiku").ask(ASKED)
    assert "ANTHROPIC_API_KEY was kept from it: MEMGIT_ALLOW_KEY=1" in str(fault.value)


def test_the_options_are_those_that_the_program_has(tmp_path: Path) -> None:
    assert isolation(program(tmp_path, "")) == ["--safe-mode"]
    old = HELP.replace("--safe-mode", "--setting-sources --settings --disable-slash-commands")
    (tmp_path / "b").mkdir()
    found = isolation(program(tmp_path / "b", "", old))
    assert found[:2] == ["--setting-sources", ""]
    assert json.loads(found[3]) == {"disableAllHooks": True, "autoMemoryEnabled": False}
    for number, gone in enumerate(("--tools", "--safe-mode")):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(NoAnswer, match="cannot be"):
            isolation(program(folder, "", HELP.replace(gone, "")))


def test_no_door_stands_in_for_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    with pytest.raises(LimitReached, match="no model: claude is not there"):
        choose("claude", "haiku", tmp_path)
    cli = program(tmp_path, "")
    assert choose("claude", "haiku", tmp_path) == ClaudeCli(cli, "haiku")
    assert choose("api", "id", tmp_path) == Api("id")


# ------------------------------------------------------------------------------ the API


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesApi]:
    pytest.importorskip("anthropic")
    with MessagesApi() as served:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", served.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
        yield served


def test_the_api_is_asked_for_the_schema_with_cached_instructions(api: MessagesApi) -> None:
    api.script(text(json.dumps({"names": ["一つ"]})))
    answer = Api("claude-haiku-5-5").ask(ASKED)
    assert answer.value == {"names": ["一つ"]}
    assert answer.usage.input > 0
    body = api.last.body
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["system"][0]["text"] == ASKED.instructions
    assert api.last.text == ASKED.data
    assert "tools" not in body


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (error(429), LimitReached, "429"),
        (error(401), LimitReached, "401"),
        (error(500), NoAnswer, "500"),
        (error(529), NoAnswer, "529"),
        (text("{broken"), NoAnswer, "no JSON"),
        (text('{"names": 1}'), NoAnswer, "does not fit"),
        (text('{"names": []}', stop_reason="max_tokens"), NoAnswer, "max_tokens"),
        (text("", stop_reason="refusal"), NoAnswer, "refusal"),
    ],
)
def test_what_the_api_refuses_is_told(api: MessagesApi, reply: Any, kind: type, said: str) -> None:
    api.script(reply)
    with pytest.raises(NoAnswer) as fault:
        Api("claude-haiku-5-5").ask(ASKED)
    assert type(fault.value) is kind
    assert said in str(fault.value)
    assert len(api.requests) == 1


def test_an_api_that_hangs_or_is_not_there_is_told(
    api: MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.script(hang())
    with pytest.raises(NoAnswer, match="APITimeoutError"):
        Api("m").ask(Request("t", "i", "d", SCHEMA, seconds=0.5))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    with pytest.raises(NoAnswer, match="APIConnectionError"):
        Api("m").ask(ASKED)


def test_without_a_key_nothing_is_asked(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(LimitReached, match="no API key"):
        Api("m").ask(ASKED)
    assert api.requests == []


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(LimitReached) as fault:
        Api("m").ask(ASKED)
    assert "memgit-tools[api]" in fault.value.hint


# ------------------------------------------------------------------------------ replay


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def test_replayed_answers_come_by_their_data_else_in_order(tmp_path: Path) -> None:
    model = Replay(lines(
        tmp_path / "a.jsonl",
        {"task": "harvest", "value": {"names": ["first"]}},
        {"task": "harvest", "data": digest("known"), "value": {"names": ["by data"]}},
        {"task": "harvest", "error": "overloaded"},
        {"task": "curate", "value": {"names": ["other"]}},
    ))  # fmt: skip

    def ask(data: str, task: str = "harvest") -> Answer:
        return model.ask(Request(task, "", data, SCHEMA))

    assert ask("new").value == {"names": ["first"]}
    assert ask("known").value == {"names": ["by data"]}
    assert ask("x", "curate").value == {"names": ["other"]}
    with pytest.raises(NoAnswer, match="replay: overloaded"):
        ask("newer")
    with pytest.raises(NoAnswer, match="no answer is written down"):
        ask("x", "enrich")


@pytest.mark.parametrize("text_", [None, "{broken", "[1]\n"])
def test_a_file_of_answers_that_is_none_is_told(tmp_path: Path, text_: str | None) -> None:
    path = tmp_path / "a.jsonl"
    if text_ is not None:
        path.write_text(text_)
    with pytest.raises(ModelError):
        Replay(path)


@pytest.mark.parametrize(
    "usage", [{"input": "x"}, {"evil": 1}, {"input": -1}, {"output": float("inf")}, {"input": 1e99},
              {"dollars": float("nan")}, {"input": True}, {"model": 3}, "7", None],
)  # fmt: skip
def test_a_usage_that_is_none_is_told(tmp_path: Path, usage: Any) -> None:
    path = lines(tmp_path / "a.jsonl", {"value": {"names": []}, "usage": usage})
    with pytest.raises(NoAnswer, match="usage: "):
        Replay(path).ask(ASKED)


def test_a_file_of_answers_is_a_file_and_not_too_deep(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("[" * 100_000)
    with pytest.raises(LimitReached):
        Replay(path)
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(LimitReached, match="not a file"):
        Replay(pipe)


COUNTED = {
    "type": "object",
    "properties": {"pair": {"type": "integer"}, "sure": {"type": "number"}},
}


def test_whole_numbers_of_an_answer_are_whole(tmp_path: Path) -> None:
    said = fitted({"pair": 1.0, "sure": 1}, COUNTED)
    assert (said, type(said["pair"])) == ({"pair": 1, "sure": 1}, int)
    assert fitted({"sure": 0.75}, COUNTED) == {"sure": 0.75}


@pytest.mark.parametrize("number", [10**400, -(10**16), float("inf"), float("nan")])
def test_a_number_beyond_all_bounds_fits_nowhere(number: float) -> None:
    with pytest.raises(NoAnswer, match="does not fit"):
        fitted({"sure": [{"deep": number}]}, {"type": "object"})


def test_the_environment_of_this_test_is_sealed() -> None:
    assert not [name for name in os.environ if name.startswith("ANTHROPIC_")]
