"""Transcripts: what a person typed is found in every shape that the agent writes, and only that."""

import json
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.transcripts.reader import records, sessions
from memgit.domain.transcripts.turns import turns
from memgit.domain.transcripts.words import spoken, typed


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
