"""A session as turns: what a person typed, and all that the agent said and did until the next time.

The one rule: every word keeps the place that it came from, so that a memory can point to it and a
session that was forked or resumed is not counted twice.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from memgit.domain.transcripts.reader import Cursor, Record, records
from memgit.domain.transcripts.words import (
    OURS,
    blocks,
    given,
    plain_words,
    remark,
    result_text,
    spoken,
    string,
    typed,
)

LONGEST_INPUT = 2_000
"""Characters that are kept of each text in what a tool was called with."""

LONGEST_RESULT = 4_000
"""Characters that are kept of what a tool answered: the start and the end of it."""


ABSORBED = "absorbed_mid_turn"
"""Why a prompt no longer waits: the agent was handed it within the turn."""


@dataclass(frozen=True)
class Step:
    """One thing that the agent said or did between two prompts.

    With a `tool`, it is a call: `input` is what the tool was called with, `result` what it
    answered, each long text in them cut; `failed` tells that it was an error or was turned down.
    Without, it is `text` that the agent said to the person. `id` is the record's own.
    """

    id: str
    text: str = ""
    tool: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    result: str = ""
    failed: bool = False
    time: str = ""


@dataclass(frozen=True)
class Turn:
    """What a person typed, and what the agent said and did until the person typed again.

    `start` and `end` are byte offsets of its records in the file: reading on from `end` continues
    without a gap. `id` is the prompt's own, which a fork of the session keeps; `uuids` are those of
    all its records. `remarks` were typed while the agent was at work. `contexts` are what hooks put
    before the agent: nobody's words here, and memories of ours among them. `compacted` tells that
    the agent lost its context within this turn. A turn without a prompt goes on with one that was
    read before.
    """

    session: str
    id: str
    time: str
    folder: str
    start: int
    end: int
    prompt: str
    answer: str
    steps: tuple[Step, ...] = ()
    remarks: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    compacted: bool = False
    branch: str = ""
    uuids: tuple[str, ...] = ()

    @property
    def typed(self) -> tuple[str, ...]:
        """All that the person typed in it, in order."""
        return tuple(filter(None, (self.prompt, *self.remarks)))

    @cached_property
    def digest(self) -> str:
        """The SHA-256, in hex, of what was typed, said, called and answered."""
        told = hashlib.sha256()
        for step in (self.typed, *((s.text, s.tool, s.input, s.result) for s in self.steps)):
            told.update(repr(step).encode("utf-8", "replace") + b"\n")
        return told.hexdigest()


@dataclass(frozen=True)
class Reading:
    """What is new in a transcript. `cursor` stands behind the last of the turns.

    `anew` tells that the file is not the one that was read before, so that all of it is here;
    `open` that a last turn was left, because the agent may still be at it.
    """

    turns: tuple[Turn, ...]
    cursor: Cursor
    anew: bool = False
    open: bool = False


def turns(path: Path, start: int = 0) -> Iterator[Turn]:
    """The turns of one session in the order of its file; what stands before a prompt is left."""
    return (turn for turn in stretches(path, start) if turn.prompt)


def read_on(path: Path, since: Cursor, is_over: bool = True) -> Reading:
    """What a transcript holds beyond `since`. Raises OSError where it cannot be read.

    Unless the session `is_over`, its last turn is left for the next time.
    """
    anew = not since.fits(path)
    start = 0 if anew else since.offset
    found = list(stretches(path, start))
    left = [] if is_over else found[-1:]
    found = found[: len(found) - len(left)]
    end = left[0].start if left else found[-1].end if found else start
    kept = (turn for turn in found if turn.typed or (start and turn.steps))
    return Reading(tuple(kept), Cursor.at(path, end), anew, bool(left))


def stretches(path: Path, start: int = 0) -> Iterator[Turn]:
    """The turns, the first without a prompt where something was said or done before one was typed:
    an agent that was started with a plan, or by a program.
    """
    made: _Making | None = None
    end = start
    for record in records(path, start):
        if record.data.get("isSidechain"):
            continue
        if prompt := typed(record.data):
            if made:
                yield made.turn(end)
            made = _Making(path, record, prompt)
        elif made is None and _is_of_conversation(record.data):
            made = _Making(path, record, "")
        if made:
            made.add(record.data)
        end = record.end
    if made:
        yield made.turn(end)


def _is_of_conversation(data: Mapping[str, Any]) -> bool:
    if data.get("isMeta") or data.get("isCompactSummary") or data.get("entrypoint") == OURS:
        return False
    return data.get("type") in ("user", "assistant")


class _Making:
    """A turn that is being read."""

    def __init__(self, path: Path, first: Record, prompt: str) -> None:
        data = first.data
        self._head = Turn(
            session=string(data, "sessionId") or path.stem,
            id=string(data, "uuid") or f"{path.stem}:{first.start}",
            time=string(data, "timestamp"),
            folder=string(data, "cwd"),
            branch=string(data, "gitBranch"),
            start=first.start,
            end=first.end,
            prompt=prompt,
            answer="",
        )
        self._steps: list[Step] = []
        self._calls: dict[str, int] = {}
        self._said: list[str] = []
        self._remarks: list[str] = []
        self._waiting: list[str] = []
        self._contexts: list[str] = []
        self._uuids: list[str] = []
        self._compacted = False

    def add(self, data: Mapping[str, Any]) -> None:
        """Take in one record."""
        if uuid := string(data, "uuid"):
            self._uuids.append(uuid)
        kind = data.get("type")
        if kind == "assistant":
            self._add_answer(data, uuid)
        elif kind == "user":
            for block in blocks(data):
                self._add_result(block)
        elif kind == "system":
            self._compacted |= data.get("subtype") == "compact_boundary"
        elif kind == "queue-operation":
            self._add_waiting(data)
        self._contexts += given(data)
        self._add_remark(remark(data))

    def turn(self, end: int) -> Turn:
        """The turn, whole."""
        return replace(
            self._head,
            end=end,
            answer="\n".join(self._said),
            steps=tuple(self._steps),
            remarks=tuple(self._remarks),
            contexts=tuple(self._contexts),
            compacted=self._compacted,
            uuids=tuple(self._uuids),
        )

    def _add_answer(self, data: Mapping[str, Any], uuid: str) -> None:
        when = string(data, "timestamp")
        if text := spoken(data):
            self._said.append(text)
            self._steps.append(Step(uuid, text=text, time=when))
        for block in blocks(data):
            if block.get("type") == "tool_use":
                self._calls[string(block, "id")] = len(self._steps)
                given_to = block.get("input")
                words = _cut(given_to) if isinstance(given_to, dict) else {}
                step = Step(uuid, tool=string(block, "name"), input=words, time=when)
                self._steps.append(step)

    def _add_result(self, block: Mapping[str, Any]) -> None:
        place = self._calls.pop(string(block, "tool_use_id"), None)
        if block.get("type") == "tool_result" and place is not None:
            result = _ends(result_text(block), LONGEST_RESULT)
            failed = bool(block.get("is_error"))
            self._steps[place] = replace(self._steps[place], result=result, failed=failed)

    def _add_waiting(self, data: Mapping[str, Any]) -> None:
        """A prompt that waits is handed over within the turn, becomes the next, or is taken back.

        Newer agents say which; older ones do not, and a `remove` is then taken for the first.
        """
        operation = data.get("operation")
        if operation == "enqueue":
            self._waiting.append(plain_words([string(data, "content")]))
        elif operation in ("remove", "dequeue") and self._waiting:
            words = self._waiting.pop(0)
            is_absorbed = data.get("reason", ABSORBED) == ABSORBED and operation == "remove"
            if is_absorbed and not words.startswith("/"):
                self._add_remark(words)

    def _add_remark(self, words: str) -> None:
        if words and words not in self._remarks:
            self._remarks.append(words)


def _cut(value: Any) -> Any:
    """A value of JSON whose long texts are cut."""
    if isinstance(value, str):
        return _ends(value, LONGEST_INPUT)
    if isinstance(value, list):
        return [_cut(item) for item in value[:100]]
    if isinstance(value, dict):
        return {key: _cut(item) for key, item in value.items()}
    return value


def _ends(text: str, longest: int) -> str:
    """The start and the end of a text that is too long."""
    if len(text) <= longest:
        return text
    head, tail = longest * 3 // 4, longest // 4
    return f"{text[:head]}\n[... {len(text) - head - tail} characters ...]\n{text[-tail:]}"
