"""A session as a model reads it: numbered turns, each line with who speaks, cut to a bounded size.

The one rule: all of it is data. It stands between two marks that no text in it can contain, secrets
are taken out, and what recall put into the session is left out.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.gates.secrets import found as secrets_in
from memgit.domain.transcripts.turns import Step, Turn

TURNS = 200
"""Turns of one window."""

OVERLAP = 20
"""Turns that a window repeats of the one before."""

LARGEST = 120_000
"""Characters of the turns of one window; about 40,000 tokens."""

PROMPT, ANSWER, CALL, RESULT = 2_400, 900, 240, 360
"""Characters that are shown of one text of each kind, where there is room."""

STEPS = 24
"""Steps of one turn that are shown: its first and last ones."""

LEAST = 0.02
"""How far the shares above are cut down for a long window, before turns are cut at the end."""


@dataclass(frozen=True)
class Window:
    """Some turns of a session; `first` is the number of the first one, from 1."""

    first: int
    turns: tuple[Turn, ...]

    @property
    def last(self) -> int:
        """The number of the last one."""
        return self.first + len(self.turns) - 1


def windows(turns: Sequence[Turn], size: int = TURNS, overlap: int = OVERLAP) -> list[Window]:
    """A session in windows that overlap; one where it is short enough."""
    found = []
    at = 0
    while at < len(turns):
        found.append(Window(at + 1, tuple(turns[at : at + size])))
        if at + size >= len(turns):
            break
        at += size - overlap
    return found


def shown(window: Window, largest: int = LARGEST) -> str:
    """The turns of a window as text, at most so many characters."""
    share = 1.0
    while True:
        text = "\n".join(_turns(window, share))
        if len(text) <= largest or share <= LEAST:
            break
        share = max(LEAST, share * min(0.8, largest / len(text)))
    return without_secrets(text[:largest])


def fenced(text: str) -> str:
    """A text between marks that it cannot hold: they are made from it."""
    mark = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return f"<data-{mark}>\n{text}\n</data-{mark}>"


def without_secrets(text: str) -> str:
    """A text with every value that looks like a secret taken out."""
    lines = []
    for line in text.split("\n"):
        values = sorted({value for _, value in secrets_in(line)}, key=len, reverse=True)
        for value in values:
            line = line.replace(value, "[secret]")
        lines.append(line)
    return "\n".join(lines)


def _turns(window: Window, share: float) -> Iterator[str]:
    for number, turn in enumerate(window.turns, window.first):
        yield f"[{number}] {turn.time[:16]}{' compacted' if turn.compacted else ''}"
        for text in turn.typed:
            yield _line("user", text, int(PROMPT * share))
        for step in _some(turn.steps, max(2, int(STEPS * share))):
            yield from _step(step, share)


def _step(step: Step, share: float) -> Iterator[str]:
    if step.text:
        yield _line("assistant", step.text, int(ANSWER * share))
    if step.tool:
        given = " ".join(value for value in step.input.values() if isinstance(value, str))
        how = "failed" if step.failed else "ok"
        yield _line(f"tool {step.tool}", given, int(CALL * share))
        if step.result.strip():
            yield _line(f"tool {how}", step.result, int(RESULT * share))


def _some(steps: Sequence[Step], most: int) -> Sequence[Step]:
    half = most // 2
    return steps if len(steps) <= most else (*steps[:half], *steps[len(steps) - half :])


def _line(who: str, text: str, most: int) -> str:
    """One text, its own lines kept apart from those that name a speaker."""
    flat = re.sub(r"\s*\n\s*", "\n    ", text.strip())
    if len(flat) > most:
        head = max(40, most * 2 // 3)
        flat = f"{flat[:head]} […] {flat[-max(20, most - head) :]}"
    return f"  {who}: {flat}"
