"""Where Claude Code keeps its things, and how its settings are shaped.

The one rule: what is said here of the agent was seen of the agent; the tests ask the real one.
"""

import os
from functools import reduce
from pathlib import Path

from memgit.ports.agent_settings import Json, Shape, kind
from memgit.ports.json_text import load

LONGEST_SLUG = 200
"""Characters after which a slug is cut and a hash is added."""

# Told to nobody when it happens: https://github.com/anthropics/claude-code/issues/62476
CLEANUP_DAYS = 30
"""Days for which the agent keeps transcripts, where its settings say nothing else."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def config_dir() -> Path:
    """CLAUDE_CONFIG_DIR, else `~/.claude`."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"))


def settings_file() -> Path:
    """The settings of the person, which hold in every project."""
    return config_dir() / "settings.json"


def projects_dir() -> Path:
    """Where transcripts and memories of each project lie, by slug."""
    return config_dir() / "projects"


def cleanup_days() -> int:
    """Days after which the agent deletes a transcript: `cleanupPeriodDays` of the settings."""
    try:
        days = load(settings_file().read_text("utf-8")).get("cleanupPeriodDays")
    except (OSError, ValueError, AttributeError):
        days = None
    return days if isinstance(days, int) and not isinstance(days, bool) else CLEANUP_DAYS


def slug_of(path: str) -> str:
    """The name that a project's folder has under `projects`.

    Every UTF-16 unit that is no ASCII letter or digit becomes `-`, so different projects may share
    a slug. A long one is cut, and told apart by a hash of the path. `path` has no links in it.
    """
    data = path.encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]
    slug = "".join(chr(u) if u < 128 and chr(u).isalnum() else "-" for u in units)
    if len(slug) <= LONGEST_SLUG:
        return slug
    number = reduce(lambda number, unit: (number * 31 + unit) & 0xFFFFFFFF, units, 0)
    return f"{slug[:LONGEST_SLUG]}-{_base36(min(number, 2**32 - number))}"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def settings_in(text: str, path: Path) -> Json:
    """The settings in a text. Raises UsageError that says where in `path` they are invalid."""
    settings = SHAPE.read(text, path)
    line = settings.get("statusLine", {"type": "", "command": ""})
    if missing := {"type", "command"} - line.keys():
        raise SHAPE.refusal(f"{path}: statusLine has no {min(missing)}")
    for name, on in settings.get("enabledPlugins", {}).items():
        if on is None or isinstance(on, str):
            raise SHAPE.refusal(f"{path}: enabledPlugins.{name} is {kind(on)}, not true or false")
    return settings


_SECTIONS: dict[str, type] = {
    **dict.fromkeys(
        ("hooks", "env", "permissions", "enabledPlugins", "statusLine", "attribution", "sandbox"),
        dict,
    ),
    **dict.fromkeys(
        ("permissions.allow", "permissions.ask", "permissions.deny",
         "permissions.additionalDirectories", "availableModels", "companyAnnouncements",
         "claudeMdExcludes"),
        list,
    ),
    **dict.fromkeys(
        ("statusLine.type", "statusLine.command", "model", "language", "outputStyle", "agent",
         "apiKeyHelper", "autoMemoryDirectory", "plansDirectory", "otelHeadersHelper",
         "awsAuthRefresh", "awsCredentialExport", "permissions.defaultMode"),
        str,
    ),
    **dict.fromkeys(
        ("disableAllHooks", "autoMemoryEnabled", "alwaysThinkingEnabled", "verbose", "fastMode",
         "includeCoAuthoredBy", "respectGitignore", "spinnerTipsEnabled"),
        bool,
    ),
    "cleanupPeriodDays": int,
}  # fmt: skip
"""Sections for whose shape Claude Code ignores a whole file, its hooks included. Keys that it does
not know may hold anything; so may a few that it does (`theme`, `effortLevel`)."""

SHAPE = Shape(
    _SECTIONS,
    "Claude Code ignores such a file, or part of it: mend it; nothing was changed",
)
