"""Answers written down before, given again: for tests and demonstrations, and at no cost.

The one rule: it says that it replays, wherever a model's name is shown; and what it gives is
checked like any model's.

A line is `{"task": ..., "data": SHA-256 of the request's data, "value": {...}}`. Without `data` it
answers any question of its task, each line once, in order, the last one again and again. Instead of
a `value` it may have an `error`, which is what the model said instead; `usage` may tell tokens.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memgit.ports.model.door import Answer, LimitReached, NoAnswer, Request, Usage
from memgit.ports.model.fitting import fitted


def digest(data: str) -> str:
    """The key of a request's data."""
    return hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()


@dataclass
class Replay:
    """The answers of a file."""

    file: Path
    name: str = "replay"
    _lines: list[dict[str, Any]] = field(default_factory=list)
    _given: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            if self.file.exists() and not self.file.is_file():  # a pipe would wait for ever
                raise LimitReached(f"{self.file}: not a file", "see [model] answers")
            text = self.file.read_text(encoding="utf-8")
            self._lines = [json.loads(line) for line in text.split("\n") if line.strip()]
        except OSError as fault:
            raise LimitReached(f"{self.file}: {fault.strerror}", "see [model] answers") from None
        except (ValueError, RecursionError) as fault:
            raise LimitReached(f"{self.file}: {fault}", "one JSON object on each line") from None
        if not all(isinstance(line, dict) for line in self._lines):
            raise LimitReached(f"{self.file}: not an object on each line")

    def ask(self, request: Request) -> Answer:
        """See `Model`: the line with this data, else the next one of the task."""
        line = self._line(request.task, digest(request.data))
        try:
            usage = Usage.of(line["usage"]) if "usage" in line else Usage(model=self.name)
        except ValueError as fault:
            raise NoAnswer(f"{self.file}: usage: {fault}", "nothing was changed") from None
        if "value" not in line:
            said = str(line.get("error") or "no answer is written down")
            raise NoAnswer(f"replay: {said}", "nothing was changed", usage)
        return Answer(fitted(line["value"], request.schema, usage), usage)

    def _line(self, task: str, key: str) -> dict[str, Any]:
        mine = [line for line in self._lines if line.get("task", task) == task]
        for line in mine:
            if line.get("data") == key:
                return line
        open_ones = [line for line in mine if "data" not in line]
        given = self._given.get(task, 0)
        self._given[task] = given + 1
        return open_ones[min(given, len(open_ones) - 1)] if open_ones else {}
