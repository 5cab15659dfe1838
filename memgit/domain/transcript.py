"""Transcripts of Claude Code sessions: what a person typed, and what the agent said to it.

The one rule: the format is the agent's own and changes without notice, so that whatever is not
understood (a record, a field, half a line at the end) is passed over and never an error.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes of a line that is read; a longer one is passed over."""

WRAPPERS = (
    "<command-message>",
    "<command-name>",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<system-reminder>",
    "<ide_",
    "[Request interrupted by user",
    "Caveat:",
    "This session is being continued from a previous conversation",
    "Implement the following plan:\n\n#",
)
"""How text starts that the agent put where a person's text stands."""

NOT_TYPED = ("isMeta", "isSidechain", "isCompactSummary", "teamName", "planContent")
"""Flags of user records that no person typed."""


@dataclass(frozen=True)
class Record:
    """One line that parsed to an object: its bytes from `start` up to `end`, and what it says."""

    start: int
    end: int
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Turn:
    """What a person typed, and what the agent said until the person typed again.

    `start` and `end` are byte offsets of its records in the file: reading on from `end` continues
    without a gap. `id` is the prompt's own, so that a session that was forked can be told.
    """

    session: str
    id: str
    time: str
    folder: str
    start: int
    end: int
    prompt: str
    answer: str


def sessions(folder: Path) -> list[Path]:
    """The transcripts of people's sessions below `folder`, sorted; those of subagents left out."""
    return sorted(
        path
        for path in folder.rglob("*.jsonl")
        if not path.name.startswith("agent-") and "subagents" not in path.parts and path.is_file()
    )


def records(path: Path, start: int = 0) -> Iterator[Record]:
    """Every record of a transcript from a byte offset on; a last line still unfinished is left."""
    with path.open("rb") as file:
        file.seek(start)
        end = start
        while line := file.readline(LONGEST_LINE):
            begin, end = end, end + len(line)
            whole = line.endswith(b"\n")
            while not whole and (more := file.readline(LONGEST_LINE)):
                line = b""
                end += len(more)
                whole = more.endswith(b"\n")
            try:
                data = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(data, dict):
                yield Record(begin, end, data)


def turns(path: Path, start: int = 0) -> Iterator[Turn]:
    """The turns of one session in the order of its file."""
    prompt: Record | None = None
    said: list[str] = []
    end = start
    for record in records(path, start):
        if typed(record.data):
            if prompt:
                yield _turn(path, prompt, end, said)
            prompt, said = record, []
        elif text := spoken(record.data):
            said.append(text)
        end = record.end
    if prompt:
        yield _turn(path, prompt, end, said)


def typed(data: Mapping[str, Any]) -> str:
    """What a person typed with this record; "" where it is no person's prompt."""
    if data.get("type") != "user" or any(data.get(flag) for flag in NOT_TYPED):
        return ""
    origin = data.get("origin")
    if isinstance(origin, dict) and origin.get("kind") != "human":
        return ""
    if data.get("promptSource", "typed") != "typed" or data.get("entrypoint") == "sdk-cli":
        return ""
    blocks = _blocks(data)
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    kept = (_without_reminders(text) for text in _texts(blocks))
    return "\n".join(text for text in kept if text and not text.startswith(WRAPPERS))


def spoken(data: Mapping[str, Any]) -> str:
    """What the agent said to the person with this record; "" where it said nothing."""
    if data.get("type") != "assistant" or data.get("isSidechain"):
        return ""
    if data.get("isApiErrorMessage"):
        return ""
    return "\n".join(text for text in map(str.strip, _texts(_blocks(data))) if text)


def _turn(path: Path, prompt: Record, end: int, said: list[str]) -> Turn:
    data = prompt.data
    return Turn(
        session=_string(data, "sessionId") or path.stem,
        id=_string(data, "uuid") or f"{path.stem}:{prompt.start}",
        time=_string(data, "timestamp"),
        folder=_string(data, "cwd"),
        start=prompt.start,
        end=end,
        prompt=typed(data),
        answer="\n".join(said),
    )


def _blocks(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The content of a message as blocks; a plain string is one block of text."""
    message = data.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def _texts(blocks: list[Mapping[str, Any]]) -> list[str]:
    return [_string(block, "text") for block in blocks if block.get("type") == "text"]


def _without_reminders(text: str) -> str:
    """Older agents added their reminders to the person's own text."""
    while "<system-reminder>" in text:
        before, _, rest = text.partition("<system-reminder>")
        _, closed, after = rest.partition("</system-reminder>")
        text = before + after if closed else before
    return text.strip()


def _string(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""
