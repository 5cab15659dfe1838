"""What came of a prompt: the CLI's events, the requests to the model, the transcript's records.

The one rule: nothing is guessed. A context counts as sent only if it is in a request.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from .messages_api import MessagesApi, Request
from .replies import Json


def transcripts(config: Path) -> list[Path]:
    """All transcripts in a configuration folder, oldest first."""
    return sorted(config.glob("projects/*/*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def read_records(transcript: Path, start: int = 0) -> list[Json]:
    """The records of a transcript from a byte offset on."""
    with transcript.open("rb") as lines:
        lines.seek(start)
        return [json.loads(line) for line in lines if line.strip()]


@dataclass(frozen=True)
class HookRun:
    """What one hook did, as the CLI saw it."""

    event: str
    exit_code: int | None
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Turn:
    """One prompt and all that came of it."""

    prompt: str
    events: list[Json]  # the CLI's stream-json lines
    requests: list[Request]  # what this session asked the model
    records: list[Json]  # what this session added to its transcript

    @property
    def result(self) -> Json:
        """The closing `result` event: is_error, structured_output, usage, ..."""
        results = [event for event in self.events if event.get("type") == "result"]
        assert results, "the CLI gave no result"
        return results[-1]

    @property
    def answer(self) -> str:
        return str(self.result.get("result", ""))

    @property
    def session_id(self) -> str:
        return str(self.result["session_id"])

    @property
    def sent(self) -> Request:
        """The last request of the turn: all that the model has read by then."""
        assert self.requests, "the model was asked nothing in this turn"
        return self.requests[-1]

    @property
    def memory_dir(self) -> Path:
        """Where the CLI keeps its auto memory in this run."""
        paths = next(e["memory_paths"] for e in self.events if e.get("subtype") == "init")
        return Path(paths["auto"])

    def contexts(self, event: str = "UserPromptSubmit") -> list[str]:
        """What hooks of `event` gave in this turn and the model was sent, word for word.

        The transcript knows where a context ends, the request proves that it was sent. A run
        with --no-session-persistence has no transcript: see `sent.count_contexts` instead.
        """
        read = _plain("\n".join(request.text for request in self.requests))
        return [
            context
            for record in self.records
            for context in _contexts(record, event)
            if _plain(context) in read
        ]

    def hook_runs(self, event: str = "UserPromptSubmit") -> list[HookRun]:
        """The runs of hooks of `event` in this turn; the CLI reports none for PreCompact and
        SessionEnd."""
        return [
            HookRun(event, e.get("exit_code"), e.get("stdout", ""), e.get("stderr", ""))
            for e in self.events
            if e.get("subtype") == "hook_response" and e.get("hook_event") == event
        ]


@dataclass(frozen=True)
class Run(Turn):
    """A turn that had a process to itself."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float


class Watch:
    """Notes where requests and transcripts stand as a turn begins, to tell later what it added."""

    def __init__(self, api: MessagesApi, config: Path) -> None:
        self._api, self._config = api, config
        self._asked = len(api.requests)
        self._sizes = {path: path.stat().st_size for path in transcripts(config)}

    def added_by(self, events: list[Json]) -> tuple[list[Request], list[Json]]:
        """The requests and the transcript records of the sessions that these events name."""
        sessions = {event.get("session_id") for event in events}
        requests = [r for r in self._api.requests[self._asked :] if r.session_id in sessions]
        records = [
            record
            for path in transcripts(self._config)
            if path.stem in sessions
            for record in read_records(path, self._sizes.get(path, 0))
        ]
        return requests, records


def _contexts(record: Json, event: str) -> list[str]:
    attachment = record.get("attachment") or {}
    if attachment.get("hookEvent") != event:
        return []
    if attachment.get("type") == "hook_additional_context":
        return list(attachment["content"])
    if attachment.get("type") == "hook_success" and attachment.get("content"):
        return [attachment["content"]]  # plain stdout; empty if the hook printed JSON
    return []


def _plain(words: str) -> str:
    # The CLI writes &lt; in tags by which a hook could speak with the host's voice.
    return words.replace("&lt;", "<")
