"""Transcripts: what a person typed is found in every shape that the agent writes, and only that."""

import json
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.transcripts.reader import Cursor, is_passed_over, records, sessions
from memgit.domain.transcripts.turns import LONGEST_RESULT, read_on, turns
from memgit.domain.transcripts.words import given, remark, spoken, typed


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def agent(*texts: str, **more: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": text} for text in texts]
    return {"type": "assistant", "message": {"role": "assistant", "content": blocks}, **more}


def write(path: Path, *rows: Any) -> Path:
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


RESULT = [{"type": "tool_result", "tool_use_id": "t", "content": "secret of a tool"}]
IMAGE = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}


@pytest.mark.parametrize(
    ("row", "prompt"),
    [
        (user("which port?"), "which port?"),
        (user([{"type": "text", "text": "金曜でも大丈夫？"}]), "金曜でも大丈夫？"),
        (user([IMAGE, {"type": "text", "text": "what is this"}]), "what is this"),
        (user("hello", origin={"kind": "human"}, promptSource="typed"), "hello"),
        (user("waited", origin={"kind": "human"}, promptSource="queued"), "waited"),
        (user("waited", promptSource="queued"), "waited"),
        (user("new", origin={"kind": "human"}, promptSource="voice"), "new"),
        (user("a<system-reminder>b</system-reminder> c"), "a c"),
        (user("kept <system-reminder>never closed"), "kept"),
        (
            user([{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"},
                  {"type": "text", "text": "typed"}]),
            "typed",
        ),
        (user("<div> is not closed"), "<div> is not closed"),
        (user(RESULT), ""),
        (user([*RESULT, {"type": "text", "text": "beside a result"}]), ""),
        (user("x", isMeta=True), ""),
        (user("x", isSidechain=True), ""),
        (user("x", isCompactSummary=True), ""),
        (user("x", teamName="builders"), ""),
        (user("x", origin={"kind": "system"}), ""),
        (user("x", promptSource="sdk"), ""),
        (user("x", promptSource="sdk", origin={"kind": "human"}), ""),
        (user("x", promptSource="schedule_wakeup"), ""),
        (user("x", promptSource="queued", origin={"kind": "task-notification"}), ""),
        (user("x", entrypoint="sdk-cli"), ""),
        (user("<command-message>a</command-message>\n<command-name>/a</command-name>"), ""),
        (user("<local-command-stdout>x</local-command-stdout>"), ""),
        (user("<bash-input>ls</bash-input>"), ""),
        (user("<task-notification>done</task-notification>"), ""),
        (user("[Request interrupted by user for tool use]"), ""),
        (user("Caveat: The messages below were generated"), ""),
        (user("This session is being continued from a previous conversation that"), ""),
        (user("  "), ""),
        (user(None), ""),
        (user([1, "two", {"type": "text", "text": 3}]), ""),
        ({"type": "user", "message": "no object"}, ""),
        ({"type": "user"}, ""),
        (agent("said"), ""),
        ({"type": "something-new", "message": {"content": "x"}}, ""),
    ],
)  # fmt: skip
def test_only_what_a_person_typed(row: dict[str, Any], prompt: str) -> None:
    assert typed(row) == prompt


def test_only_what_the_agent_said() -> None:
    assert spoken(agent("one", " two ")) == "one\ntwo"
    assert spoken(agent("x", isSidechain=True)) == ""
    assert spoken(agent("x", isApiErrorMessage=True)) == ""
    thought = {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "h"}]}}
    assert spoken(thought) == ""
    assert spoken(user("x")) == ""


def test_turns_hold_the_answer_up_to_the_next_prompt(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s-1.jsonl",
        {"type": "file-history-snapshot"},
        user("first", uuid="u1", sessionId="s-1", timestamp="2026-01-01T00:00:00Z", cwd="/p"),
        agent("let me look"),
        user(RESULT),
        agent("it is 15432"),
        user("second", uuid="u2", sessionId="s-1"),
    )
    first, second = turns(path)
    assert (first.prompt, first.answer) == ("first", "let me look\nit is 15432")
    assert (first.session, first.id, first.folder) == ("s-1", "u1", "/p")
    assert (second.prompt, second.answer) == ("second", "")
    assert first.end == second.start
    data = path.read_bytes()
    assert data[first.start : first.end].count(b"\n") == 4
    assert second.end == len(data)


def test_reading_on_from_an_end_goes_on_without_a_gap(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", user("first"), agent("a"))
    (first,) = turns(path)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(user("second")) + "\n" + json.dumps(agent("b")) + "\n")
    (second,) = turns(path, first.end)
    assert (second.prompt, second.answer, second.start) == ("second", "b", first.end)


def test_what_is_broken_is_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", user("one"), "{not json", "[1]", '"text"', "", user("two"))
    with path.open("ab") as file:
        file.write(b'\xff\xfe\n{"type": "user", "message": {"content": "half a li')
    assert [turn.prompt for turn in turns(path)] == ["one", "two"]
    deep = write(tmp_path / "deep.jsonl", "[" * 100_000, user("after"))
    assert [turn.prompt for turn in turns(deep)] == ["after"]


def test_a_line_beyond_all_measure_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memgit.domain.transcripts.reader.LONGEST_LINE", 200)
    path = write(tmp_path / "s.jsonl", user("x" * 1000), user("after"))
    (record,) = records(path)
    assert typed(record.data) == "after"
    assert path.read_bytes()[record.start : record.end].startswith(b'{"type"')


def test_sessions_are_found_and_subagents_are_not(tmp_path: Path) -> None:
    for name in ("a/s-1.jsonl", "a/agent-1.jsonl", "a/s-1/subagents/x.jsonl", "b/s-2.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / name, user("x"))
    assert [path.name for path in sessions(tmp_path)] == ["s-1.jsonl", "s-2.jsonl"]
    assert sessions(tmp_path / "none") == []


# ---------------------------------------------------------------------------- the steps of a turn


def call(name: str, number: int, **given_to: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": f"t{number}", "name": name, "input": given_to}
    return {"type": "assistant", "uuid": f"a{number}", "message": {"content": [block]}}


def result(number: int, text: Any, **more: Any) -> dict[str, Any]:
    return user([{"type": "tool_result", "tool_use_id": f"t{number}", "content": text, **more}])


TURNED_DOWN = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). "
)


def test_a_turn_tells_what_was_said_and_done_in_order(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        user("fix it", uuid="u1", gitBranch="main"),
        agent("first I look", uuid="a0"),
        call("Bash", 1, command="pytest", timeout=3),
        result(1, [{"type": "text", "text": "1 failed"}, IMAGE], is_error=True),
        call("Edit", 2, file_path="/p/a.py", edits=[{"new": "x" * 9000}]),
        call("Read", 3, file_path="/p/b.py"),
        result(3, "of b"),
        result(2, "y" * 9000),
        result(9, "of no call"),
        agent("done"),
    )
    (turn,) = turns(path)
    assert [(s.tool, s.text) for s in turn.steps] == [
        ("", "first I look"), ("Bash", ""), ("Edit", ""), ("Read", ""), ("", "done"),
    ]  # fmt: skip
    _, bash, edit, read, _ = turn.steps
    assert (dict(bash.input), bash.result, bash.failed) == (
        {"command": "pytest", "timeout": 3}, "1 failed", True,
    )  # fmt: skip
    assert (read.id, read.result, read.failed) == ("a3", "of b", False)
    assert edit.result.startswith("yyy")
    assert "[... 5000 characters ...]" in edit.result
    assert len(edit.result) < LONGEST_RESULT + 50
    assert len(edit.input["edits"][0]["new"]) < 2100
    assert turn.branch == "main"
    assert turn.uuids == ("u1", "a0", "a1", "a2", "a3")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (result(1, f"{TURNED_DOWN}To tell you, the user said:\nuse uv", is_error=True), "use uv"),
        (result(1, TURNED_DOWN + "STOP what you are doing", is_error=True), ""),
        (result(1, TURNED_DOWN + "the user said:\nuse uv"), ""),
        (result(1, "To tell you how to proceed, the user said:\nuse uv", is_error=True), ""),
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "also b"}},
         "also b"),
        ({"type": "attachment", "attachment": {"type": "queued_command",
          "prompt": [{"type": "text", "text": "also b"}]}}, "also b"),
        ({"type": "attachment", "attachment": {"type": "queued_command",
          "prompt": "<task-notification>done</task-notification>"}}, ""),
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "x",
          "commandMode": "task-notification"}}, ""),
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "x",
          "origin": {"kind": "human"}}}, "x"),
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "x",
          "origin": {"kind": "task-notification"}}}, ""),
        ({"type": "attachment", "attachment": {"type": "other", "prompt": "x"}}, ""),
        ({"type": "attachment", "attachment": None}, ""),
        (user("a prompt is no remark"), ""),
    ],
)  # fmt: skip
def test_what_a_person_says_while_the_agent_works(row: dict[str, Any], words: str) -> None:
    assert remark(row) == words


def test_prompts_that_waited_are_remarks_where_they_were_handed_over(tmp_path: Path) -> None:
    def waiting(operation: str, **more: str) -> dict[str, Any]:
        return {"type": "queue-operation", "operation": operation, **more}

    path = write(
        tmp_path / "s.jsonl",
        user("first"),
        waiting("enqueue", content="and add a test"),
        waiting("enqueue", content="<task-notification>x</task-notification>"),
        waiting("remove"),
        waiting("remove"),
        {"type": "attachment",
         "attachment": {"type": "queued_command", "prompt": "and add a test"}},
        waiting("enqueue", content="/model"),
        waiting("remove"),
        waiting("enqueue", content="taken back"),
        waiting("remove", reason="popped_for_edit"),
        waiting("enqueue", content="second"),
        waiting("dequeue"),
        user("second"),
    )  # fmt: skip
    first, second = turns(path)
    assert first.remarks == ("and add a test",)
    assert first.typed == ("first", "and add a test")
    assert second.typed == ("second",)


def test_what_hooks_gave_stands_apart(tmp_path: Path) -> None:
    context = {"type": "hook_additional_context", "content": ["a memory", " "]}
    plain = {"type": "hook_success", "content": "of another", "stdout": "x"}
    path = write(
        tmp_path / "s.jsonl",
        user("q <user-prompt-submit-hook>injected</user-prompt-submit-hook>"),
        {"type": "attachment", "attachment": context},
        {"type": "attachment", "attachment": plain},
        {"type": "attachment", "attachment": {"type": "skill_listing", "content": "skills"}},
        agent("a"),
    )
    (turn,) = turns(path)
    assert turn.prompt == "q"
    assert turn.contexts == ("a memory", "of another")
    assert "memory" not in turn.answer
    assert given({"type": "attachment", "attachment": "x"}) == []


def test_a_compaction_is_a_mark_and_its_summary_nobodys_words(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        user("one"),
        agent("a"),
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
        user("This session is being continued", isCompactSummary=True),
        agent("b"),
        user("two"),
    )
    one, two = turns(path)
    assert (one.compacted, one.answer) == (True, "a\nb")
    assert (two.compacted, two.prompt) == (False, "two")


def test_side_chains_are_left_out(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        user("one", uuid="u1"),
        user("task of a subagent", isSidechain=True, uuid="x"),
        {**call("Bash", 1, command="rm"), "isSidechain": True},
        agent("a", uuid="a1"),
    )
    (turn,) = turns(path)
    assert [step.text for step in turn.steps] == ["a"]
    assert turn.uuids == ("u1", "a1")


def test_a_digest_knows_every_word_and_no_place(tmp_path: Path) -> None:
    rows = (user("one", uuid="u1"), agent("a"), call("Bash", 1, command="ls"), result(1, "b"))
    (turn,) = turns(write(tmp_path / "s.jsonl", *rows))
    fork = write(tmp_path / "fork.jsonl", {"type": "summary"}, *rows)
    assert next(turns(fork)).digest == turn.digest
    for changed in ((user("One"), *rows[1:]), (*rows[:1], agent("A"), *rows[2:]),
                    (*rows[:3], result(1, "B"))):  # fmt: skip
        assert next(turns(write(tmp_path / "o.jsonl", *changed))).digest != turn.digest


# ---------------------------------------------------------------------------- reading on


def test_a_session_is_read_on_from_where_it_was(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", user("one", uuid="u1"), agent("a"))
    first = read_on(path, Cursor())
    assert [turn.prompt for turn in first.turns] == ["one"]
    assert read_on(path, first.cursor).turns == ()
    with path.open("a") as file:
        file.write(json.dumps(agent("later", uuid="a9")) + "\n" + json.dumps(user("two")) + "\n")
    went_on, two = read_on(path, first.cursor).turns
    assert (went_on.prompt, went_on.answer, went_on.id) == ("", "later", "a9")
    assert two.prompt == "two"


def test_a_turn_that_is_not_over_waits(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", user("one"), agent("a"), user("two"), agent("half"))
    reading = read_on(path, Cursor(), is_over=False)
    assert ([turn.prompt for turn in reading.turns], reading.open) == (["one"], True)
    with path.open("a") as file:
        file.write(json.dumps(agent("whole")) + "\n")
    (two,) = read_on(path, reading.cursor).turns
    assert (two.prompt, two.answer) == ("two", "half\nwhole")
    alone = write(tmp_path / "alone.jsonl", user("one"))
    assert read_on(alone, Cursor(), is_over=False).turns == ()


def test_a_file_that_was_cut_or_replaced_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", user("one"), agent("a" * 9000), user("two"))
    cursor = read_on(path, Cursor()).cursor
    assert not read_on(path, cursor).anew
    data = path.read_bytes()
    for other in (data[:-100], data.replace(b"one", b"own"), b"", data.replace(b"two", b"too")):
        path.write_bytes(other)
        assert read_on(path, cursor).anew == bool(cursor.offset)
    with pytest.raises(FileNotFoundError):
        read_on(tmp_path / "none.jsonl", cursor)


@pytest.mark.parametrize("compact", [True, False])
def test_records_that_hold_no_words_are_not_parsed(compact: bool) -> None:
    def line(row: Any) -> bytes:
        return json.dumps(row, separators=(",", ":") if compact else None).encode()

    nested = {"type": "user", "message": {"content": "nested"}}
    for row in ({"uuid": "1", "type": "progress", "data": nested}, {"type": "api-request"},
                {"type": "attachment", "attachment": {"type": "prompt_snapshot"}},
                {"type": "system", "subtype": "turn_duration"}):  # fmt: skip
        assert is_passed_over(line(row)) is compact
    for row in (user('{"type":"progress"}'), agent('"type":"progress"'), {"type": "new"}, {},
                {"message": {"type": "message"}, "type": "assistant"},
                {"type": "system", "subtype": "compact_boundary"},
                {"type": "attachment",
                 "attachment": {"type": "hook_additional_context"}}):  # fmt: skip
        assert not is_passed_over(line(row))


def test_only_the_new_part_of_a_long_session_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "s.jsonl", *[user(f"prompt {n}") for n in range(1000)])
    cursor = read_on(path, Cursor()).cursor
    with path.open("a") as file:
        file.write(json.dumps(user("new")) + "\n")
    parsed: list[bytes] = []
    real = json.loads
    monkeypatch.setattr(json, "loads", lambda line: (parsed.append(line), real(line))[1])
    assert [turn.prompt for turn in read_on(path, cursor).turns] == ["new"]
    assert len(parsed) == 1
