"""A transcript as records: which lines of the agent's JSONL are worth parsing, and from where on.

The one rule: the format is the agent's own and changes without notice, so that whatever is not
understood (a record, a field, half a line at the end) is passed over and never an error.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes of a line that is read; a longer one is passed over."""

PASSED_OVER = frozenset(
    (
        b"agent-name", b"api-request", b"api-request-blob", b"api-request-shape", b"atis-latch",
        b"cost-state", b"custom-title", b"file-history-snapshot", b"last-prompt", b"mode",
        b"permission-mode", b"pr-link", b"progress", b"summary", b"tools-used",
    )
)  # fmt: skip
"""Types of records that are not parsed: they hold no word of the conversation, or repeat it."""

ATTACHMENTS = (b'"hook_additional_context"', b'"hook_success"', b'"queued_command"')
"""What an attachment says of itself that is worth parsing; most hold the host's own text."""

_TYPE = b'"type":"'
_SAMPLE = 4096


@dataclass(frozen=True)
class Record:
    """One line that parsed to an object: its bytes from `start` up to `end`, and what it says."""

    start: int
    end: int
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Cursor:
    """How far a transcript was read: `offset` bytes, of which `digest` knows the first and last.

    A file that was cut or replaced since does not fit, and is read anew from its start.
    """

    offset: int = 0
    digest: str = ""

    @classmethod
    def at(cls, path: Path, offset: int) -> "Cursor":
        """The cursor at an offset of a file."""
        return cls(offset, _digest(path, offset) if offset else "")

    def fits(self, path: Path) -> bool:
        """Whether the file still begins with what was read."""
        return not self.offset or self.digest == _digest(path, self.offset)


def sessions(folder: Path) -> list[Path]:
    """The transcripts of people's sessions below `folder`, sorted; those of subagents left out."""
    return sorted(
        path
        for path in folder.rglob("*.jsonl")
        if not path.name.startswith("agent-") and "subagents" not in path.parts and path.is_file()
    )


def records(path: Path, start: int = 0) -> Iterator[Record]:
    """The records of a transcript from a byte offset on that may hold words of the conversation.

    A last line that is still being written is left: it ends in no line end, or does not parse.
    """
    with path.open("rb") as file:
        file.seek(start)
        end = start
        while line := file.readline(LONGEST_LINE):
            begin, end = end, end + len(line)
            if not line.endswith(b"\n"):
                end += _rest_of_line(file)
                if end - begin > len(line):
                    continue
            if is_passed_over(line):
                continue
            try:
                data = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(data, dict):
                yield Record(begin, end, data)


def is_passed_over(line: bytes) -> bool:
    """Whether a line needs no parsing: its first `"type"` tells, for within texts it is escaped."""
    place = line.find(_TYPE)
    if place < 0:
        return False
    place += len(_TYPE)
    kind = line[place : line.find(b'"', place, place + 64)]
    if kind in PASSED_OVER:
        return True
    if kind == b"attachment":
        return not any(mark in line for mark in ATTACHMENTS)
    return kind == b"system" and b'_boundary"' not in line


def _rest_of_line(file: Any) -> int:
    """Pass over what is left of a line; how many bytes that was."""
    passed = 0
    while more := file.readline(LONGEST_LINE):
        passed += len(more)
        if more.endswith(b"\n"):
            break
    return passed


def _digest(path: Path, offset: int) -> str:
    """A digest of the first and last of so many bytes; "" where the file is shorter."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < offset:
            return ""
        first = file.read(min(_SAMPLE, offset))
        file.seek(max(0, offset - _SAMPLE))
        last = file.read(min(_SAMPLE, offset))
    return hashlib.sha256(b"%d\0" % offset + first + last).hexdigest()
