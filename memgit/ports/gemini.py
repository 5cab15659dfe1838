"""Where Gemini CLI keeps its settings, and how they are shaped.

The one rule: what is said here of the agent was seen of the agent; the tests ask the real one.
"""

import os
import re
from pathlib import Path

from memgit.ports.agent_settings import Json, Shape

SHAPE = Shape(
    {"hooks": dict, "hooksConfig": dict, "hooksConfig.enabled": bool, "hooksConfig.disabled": list},
    "Gemini CLI does not start with such a file: mend it; nothing was changed",
    takes_comments=True,
)

_REPLACED = re.compile(r"\$(?:\w|\{)")


def settings_file() -> Path:
    """The settings of the person, which hold in every project."""
    base = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    return Path(base) / ".gemini" / "settings.json"


def is_replaced(text: str) -> bool:
    """Whether the agent may put a variable's value in the place of a part of this text."""
    return _REPLACED.search(text) is not None


def are_hooks_on(settings: Json, name: str) -> bool:
    """Whether hooks of this name run: `hooksConfig` switches all or some of them off."""
    said = settings.get("hooksConfig", {})
    return said.get("enabled") is not False and name not in said.get("disabled", ())
