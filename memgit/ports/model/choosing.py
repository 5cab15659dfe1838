"""Which model answers: the one place that knows all doors.

The one rule: no door stands in for another. Where the one that was chosen does not open, nothing is
asked, so that work for a plan never becomes work that is paid by the token.
"""

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgit.ports.model.door import Model

DOORS = ("claude", "api", "replay")
"""How a model is reached: the person's Claude Code, the API by key, answers written down before."""

PAID = "api"
"""The door that the person's key pays for, by the token."""

PROGRAM = "MEMGIT_CLAUDE"
"""Names the Claude Code program, where it is not the one on PATH."""


def choose(door: str, model: str, answers: Path) -> "Model":
    """The model behind a door; `answers` is the file of the door `replay`.

    Raises LimitReached, with a hint, where there is none.
    """
    if door == PAID:
        from memgit.ports.model.api import Api

        return Api(model)
    if door == "replay":
        from memgit.ports.model.replay import Replay

        return Replay(answers)
    from memgit.ports.model.claude_cli import ClaudeCli

    return ClaudeCli(_program(), model)


def _program() -> Path:
    named = os.environ.get(PROGRAM) or shutil.which("claude")
    if named and Path(named).is_file():
        return Path(named)
    from memgit.ports.model.door import LimitReached

    raise LimitReached(
        f"no model: {named or 'claude'} is not there",
        'install Claude Code, or set door = "api" under [model] in memgit.toml',
    )
