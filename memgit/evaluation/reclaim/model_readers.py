"""Readers that are models: behind the door that settings choose, or on a server of this machine.

The one rule: where a model does not answer there is an error, and never an abstention.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgit.evaluation.reclaim.readers import Message
from memgit.evaluation.reclaim.wording import MANDATORY
from memgit.ports.model.door import Model, Request
from memgit.ports.model.server import Server

TASK = "reclaim"

_TEXT = {"type": "string"}


@dataclass(frozen=True)
class DoorReader:
    """A model behind a door."""

    model: Model
    id: str = ""
    deterministic: bool = False

    @property
    def name(self) -> str:
        """See `Reader`: the door, and the model where one is named. A replay is called so."""
        return f"{self.model.name}: {self.id}" if self.id else f"door {self.model.name}"

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        """See `Reader`."""
        field = "answer" if arm == MANDATORY else "reply"
        answer = self.model.ask(_request(messages, field))
        value = answer.value[field]
        return f'{{"answer": "{value}"}}' if arm == MANDATORY else str(value)


@dataclass(frozen=True)
class ServerReader:
    """A model on a server of this machine."""

    server: Server
    deterministic: bool = False

    @property
    def name(self) -> str:
        """See `Reader`."""
        return f"server: {self.server.model}"

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        """See `Reader`."""
        return self.server.reply(messages)


def _request(messages: Sequence[Message], field: str) -> Request:
    system = "\n".join(one["content"] for one in messages if one["role"] == "system")
    told = f"{system}\nYour whole reply goes into the field `{field}`."
    said = "\n\n".join(f"{one['role']}: {one['content']}" for one in messages
                       if one["role"] != "system")  # fmt: skip
    return Request(TASK, told, said, _schema(field), longest=2_048)


def _schema(field: str) -> Mapping[str, Any]:
    return {"type": "object", "properties": {field: _TEXT}, "required": [field],
            "additionalProperties": False}  # fmt: skip
