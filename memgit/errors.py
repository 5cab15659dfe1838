"""Faults of ours or of the world, each with a hint and an exit code.

Faults in a person's text are never exceptions: they are `Fault` values with a place.
"""

from collections.abc import Iterable
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


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question that names what comes close to a word; "" where nothing does."""
    from difflib import get_close_matches

    by_key = {one.casefold(): one for one in known}
    key = word.casefold()
    close = [one for one in by_key if key in one][:3]
    close = close or get_close_matches(key, by_key, n=3, cutoff=0.7)
    return f"did you mean {' or '.join(by_key[one] for one in close)}?" if close else ""
