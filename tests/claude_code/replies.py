"""What the scripted model may say, and how the Messages API writes it on the wire.

The one rule: shapes and order are the real API's, so that the CLI cannot tell the difference.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Message:
    """A turn of the model: its content blocks and why it stopped."""

    content: tuple[Json, ...]
    stop_reason: str


@dataclass(frozen=True)
class Failure:
    """An HTTP error in the API's own shape."""

    status: int
    message: str


@dataclass(frozen=True)
class Hang:
    """A connection that stays open without a word until the server closes."""


Reply = Message | Failure | Hang


def text(words: str, *, stop_reason: str = "end_turn") -> Message:
    """A plain answer; `stop_reason` may also be "max_tokens" or "refusal"."""
    return Message(({"type": "text", "text": words},), stop_reason)


def tool_use(tool: str, /, **arguments: Any) -> Message:
    """A call of a tool: the CLI runs it and asks again, with the result in the request."""
    return Message(({"type": "tool_use", "name": tool, "input": arguments},), "tool_use")


def structured(answer: Mapping[str, Any]) -> Message:
    """The answer to a run with `--json-schema`; the CLI takes it as a call of StructuredOutput."""
    return tool_use("StructuredOutput", **answer)


def error(status: int, message: str = "scripted failure") -> Failure:
    """An API error: 401, 429, 500, 529, ..."""
    return Failure(status, message)


def hang() -> Hang:
    """A model that never answers."""
    return Hang()


def as_message(reply: Message, body: Json, new_id: Callable[[str], str]) -> Json:
    """The reply to the request `body` as the API's message object."""
    content: list[Json] = [
        {"type": "tool_use", "id": new_id("toolu"), **block}
        if block["type"] == "tool_use"
        else dict(block)
        for block in reply.content
    ]
    return {
        "id": new_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": content,
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": len(json.dumps(body.get("messages"))) // 4,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": len(json.dumps(content)) // 4,
            "service_tier": "standard",
        },
    }


def as_error(failure: Failure) -> Json:
    """The failure as the API's error object."""
    kind = ERROR_TYPES.get(failure.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": failure.message}}


def as_events(message: Json) -> Iterator[Json]:
    """A message object as the events that the API streams."""
    usage = message["usage"]
    unfinished: Json = {"content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": {**message, **unfinished}}
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        empty, deltas = _pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": usage}
    yield {"type": "message_stop"}


def _pieces(block: Json) -> tuple[Json, list[Json]]:
    """A content block as the empty one that opens it and the deltas that fill it."""
    if block["type"] == "text":
        return {**block, "text": ""}, [
            {"type": "text_delta", "text": part} for part in _cut(block["text"])
        ]
    return {**block, "input": {}}, [
        {"type": "input_json_delta", "partial_json": part}
        for part in ("", *_cut(json.dumps(block["input"])))
    ]


def _cut(whole: str, size: int = 400) -> Iterator[str]:
    return (whole[start : start + size] for start in range(0, len(whole), size))
