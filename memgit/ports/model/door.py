"""What every model answers to: one request, one object that fits its schema, and what it cost.

The one rule: an answer is what the schema says or it is none. A model that fails, or says something
else, raises ModelError, and whoever asked changes nothing.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from memgit.errors import ModelError


@dataclass(frozen=True)
class Request:
    """One question to a model.

    `task` is the pass that asks and `about` what it asks about (a memory, a session), both for the
    ledger. `instructions` are ours and stay the same from
    call to call, so that they can be cached; `data` is what a person, a tool or a file said, and is
    never an instruction. `schema` is a JSON schema whose objects take no further properties.
    `longest` bounds the answer, in tokens; `seconds` the whole call.
    """

    task: str
    instructions: str
    data: str
    schema: Mapping[str, Any]
    about: str = ""
    model: str = ""
    longest: int = 4096
    seconds: float = 120.0


MOST = 10**12
"""Tokens, or dollars, beyond which a count is none."""


@dataclass(frozen=True)
class Usage:
    """What a call took: tokens in, out, and read from a cache; dollars where they are known.

    `dollars` is 0.0 where a subscription pays, `model` the one that really answered.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    dollars: float = 0.0
    model: str = ""

    @property
    def tokens(self) -> int:
        """All of them, those from a cache included."""
        return self.input + self.output + self.cached

    @classmethod
    def of(cls, told: object) -> "Usage":
        """Usage that was written down. Raises ValueError for what is none: it is added up later."""
        if not isinstance(told, Mapping) or not told.keys() <= vars(NOTHING).keys():
            raise ValueError("not a usage")
        for name, value in told.items():
            fits = isinstance(value, type(vars(NOTHING)[name])) or (
                name == "dollars" and isinstance(value, int)
            )
            if not fits or isinstance(value, bool):
                raise ValueError(f"{name} is {str(value)[:40]!r}")
            if name != "model" and not (math.isfinite(value) and 0 <= value <= MOST):
                raise ValueError(f"{name} is {str(value)[:40]}")
        return cls(**told)


NOTHING = Usage()


@dataclass(frozen=True)
class Answer:
    """An object that fits the request's schema, and what it cost."""

    value: Mapping[str, Any]
    usage: Usage


class NoAnswer(ModelError):
    """There is no answer that fits; `usage` is what was taken all the same."""

    def __init__(self, message: str, hint: str = "", usage: Usage = NOTHING) -> None:
        super().__init__(message, hint)
        self.usage = usage


class LimitReached(NoAnswer):
    """The plan, the key or the store's own cap gives no more for now: asking on is of no use."""


class Model(Protocol):
    """A model behind one of the doors."""

    @property
    def name(self) -> str:
        """How settings and the ledger call the door: `claude`, `api`, `replay`."""

    def ask(self, request: Request) -> Answer:
        """The answer. Raises NoAnswer, with a hint, where there is none that fits.

        It is a LimitReached where the next question would fare no better.
        """
