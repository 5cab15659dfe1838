"""The Messages API as a model, through the `anthropic` package: a key pays for each token.

The one rule: this door opens only where the settings name it. It takes key and host from the
environment, where the package looks for them, and never from a file that travels with a store.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from memgit.ports.model.door import Answer, LimitReached, NoAnswer, Request, Usage
from memgit.ports.model.fitting import fitted

INSTALL = "pip install 'memgit-tools[api]'"
AGAIN = "nothing was changed; it is asked again later"
BETWEEN = 5.0
"""Seconds between two looks at a batch."""


@dataclass(frozen=True)
class Api:
    """One model behind the API. `model` is its id."""

    model: str
    name: str = "api"

    def ask(self, request: Request) -> Answer:
        """See `Model`. Tries once; the queue tries again."""
        with _faults_told():
            message = _client(request.seconds).messages.create(**self._words(request))
        return _answer(message, request)

    def ask_many(self, requests: Sequence[Request], patience: float) -> list[Answer | NoAnswer]:
        """The answers, in order, by way of a batch at half the price.

        Takes up to `patience` seconds; what is not answered by then is given up, and not paid.
        """
        with _faults_told():
            return self._in_a_batch(requests, patience)

    def _in_a_batch(self, requests: Sequence[Request], patience: float) -> list[Answer | NoAnswer]:
        from time import monotonic, sleep

        batches = _client(60.0).messages.batches
        rows = [{"custom_id": str(n), "params": self._words(r)} for n, r in enumerate(requests)]
        batch = batches.create(requests=rows)
        end = monotonic() + patience
        while batch.processing_status != "ended":
            if monotonic() >= end and batch.processing_status == "in_progress":
                batches.cancel(batch.id)
                end = float("inf")
            sleep(min(BETWEEN, max(0.05, end - monotonic())))
            batch = batches.retrieve(batch.id)
        done = {row.custom_id: row.result for row in batches.results(batch.id)}
        return [_result(done.get(str(n)), request) for n, request in enumerate(requests)]

    def _words(self, request: Request) -> dict[str, Any]:
        """A request as the API takes it: what stays the same from call to call is cached."""
        return {
            "model": request.model or self.model,
            "max_tokens": request.longest,
            "system": [{"type": "text", "text": request.instructions,
                        "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": request.data}],
            "output_config": {
                "format": {"type": "json_schema", "schema": dict(request.schema)}
            },
        }  # fmt: skip


def _client(seconds: float) -> Any:
    """A client that tries once: a queue that tries again must be able to count."""
    try:
        import anthropic
    except ImportError:
        raise LimitReached("the api door needs the package anthropic", INSTALL) from None
    return anthropic.Anthropic(timeout=seconds, max_retries=0)


@contextmanager
def _faults_told() -> Iterator[None]:
    """Everything that the package raises, as what it means for whoever asks."""
    try:
        yield
    except NoAnswer:
        raise
    except Exception as fault:  # its kinds are many, and the package may not be there to name them
        if not type(fault).__module__.startswith(("anthropic", "httpx")):
            if "api_key" in str(fault) or "authentication" in str(fault):
                raise LimitReached("no API key", "set ANTHROPIC_API_KEY") from None
            raise
        raise _told(fault) from None


def _told(fault: Exception) -> NoAnswer:
    status = getattr(fault, "status_code", None)
    said = " ".join(str(getattr(fault, "message", fault)).split())[:200]
    if status in (401, 403):
        return LimitReached(f"api: {status}: {said}", "see ANTHROPIC_API_KEY; nothing was changed")
    if status in (402, 429):
        return LimitReached(f"api: {status}: {said}", AGAIN)
    if status is not None:
        return NoAnswer(f"api: {status}: {said}", AGAIN)
    return NoAnswer(f"api: {type(fault).__name__}: {said}", AGAIN)


def _result(result: Any, request: Request) -> Answer | NoAnswer:
    """One result of a batch."""
    kind = getattr(result, "type", "missing")
    if kind != "succeeded":
        return NoAnswer(f"api: the batch's request is {kind}", AGAIN)
    try:
        return _answer(result.message, request)
    except NoAnswer as fault:
        return fault


def _answer(message: Any, request: Request) -> Answer:
    counts = message.usage
    usage = Usage(
        input=counts.input_tokens + (counts.cache_creation_input_tokens or 0),
        output=counts.output_tokens,
        cached=counts.cache_read_input_tokens or 0,
        model=message.model,
    )
    if message.stop_reason not in ("end_turn", "stop_sequence"):
        raise NoAnswer(f"api: the answer ended early: {message.stop_reason}", AGAIN, usage)
    text = "".join(block.text for block in message.content if block.type == "text")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise NoAnswer("api: the answer is no JSON", AGAIN, usage) from None
    return Answer(fitted(value, request.schema, usage), usage)
