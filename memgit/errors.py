"""Faults of ours or of the world, each with a hint and an exit code.

Faults in a person's text are never exceptions: they are `Fault` values with a place.
"""

from dataclasses import dataclass


class MemgitError(Exception):
    """What went wrong, in one line, and a `hint` that says how to mend it."""

    exit_code = 70

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(MemgitError):
    """The words of the call do not fit."""

    exit_code = 2


class StoreError(MemgitError):
    """The store, its repository or its disk cannot do what was asked."""

    exit_code = 3


class ModelError(MemgitError):
    """A model or its service did not answer as agreed."""

    exit_code = 4


class Notice(UserWarning):
    """What a person should know, though what was asked for can be done; told once, in one line."""


@dataclass(frozen=True, order=True)
class Fault:
    """A fault in a person's text: where it stands, what it is, how to mend it."""

    path: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code} {self.message}"
