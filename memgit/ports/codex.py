"""Where Codex keeps its hooks, how they are shaped, and what it lets run.

The one rule: what is said here of the agent was seen of the agent; the tests ask the real one.
"""

import os
import re
import tomllib
from pathlib import Path

from memgit.ports.agent_settings import Hook, Json, Shape

SHAPE = Shape({"hooks": dict}, "Codex ignores such a file: mend it; nothing was changed")


def home() -> Path:
    """CODEX_HOME, else `~/.codex`."""
    return Path(os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex"))


def hooks_file() -> Path:
    """The hooks of the person, which hold in every project."""
    return home() / "hooks.json"


def config() -> Json:
    """What `config.toml` says; nothing where it is missing or is none."""
    try:
        return tomllib.loads((home() / "config.toml").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def are_hooks_on(config: Json) -> bool:
    """Whether hooks run at all: `features.hooks` switches them off."""
    features = config.get("features")
    return not isinstance(features, dict) or features.get("hooks") is not False


def may_run(config: Json, path: Path, hook: Hook) -> bool:
    """Whether the person has told Codex to trust a hook of the file `path`, and left it on.

    A hook that changed since is not trusted any more, and that is not seen here: it is told by a
    digest that is Codex's own.
    """
    hooks = config.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    event = re.sub(r"(?<!^)(?=[A-Z])", "_", hook.event).lower()
    for folder in (path.parent, os.path.realpath(path.parent)):
        key = f"{os.path.join(folder, path.name)}:{event}:{hook.group}:{hook.number}"
        state = states.get(key) if isinstance(states, dict) else None
        if isinstance(state, dict) and state.get("trusted_hash"):
            return state.get("enabled") is not False
    return False
