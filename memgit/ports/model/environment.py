"""The environment in which a model's program runs: who pays is never left to chance.

The one rule: what would move the work from a person's plan to a paid key, or to another host, stays
out of it, unless the person allowed that; and it can tell that it is ours.
"""

from collections.abc import Mapping

ALLOWS_KEY = "MEMGIT_ALLOW_KEY"
"""Set to 1, the keys and hosts of the environment reach Claude Code as they are, and are paid."""

OURS = "MEMGIT_HARVEST"
"""Set in everything that a pass starts: hooks that see it do nothing."""

PAID = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_USE_VERTEX",
)
"""Each goes before a plan's login where it is set, or says who is asked."""

OF_A_SESSION = (
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PROJECT_DIR",
)
"""What Claude Code sets for the hooks of a session, which is not the one that we start."""

ADDED = {OURS: "1", "CLAUDE_CODE_MAX_RETRIES": "0", "DISABLE_AUTOUPDATER": "1"}
"""The queue asks again, not the program; and a call in the background installs nothing."""


def allows_key(environment: Mapping[str, str]) -> bool:
    """Whether the person allowed the keys of this environment."""
    return environment.get(ALLOWS_KEY, "").strip().lower() in ("1", "true", "yes", "on")


def withheld(environment: Mapping[str, str]) -> list[str]:
    """The names of what would be paid, or asked elsewhere, and is kept back."""
    if allows_key(environment):
        return []
    return [name for name in PAID if environment.get(name, "").strip()]
