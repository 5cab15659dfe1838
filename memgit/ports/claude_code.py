"""Where Claude Code keeps its things, and how its settings are shaped.

The one rule: what is said here of the agent was seen of the agent; the tests ask the real one.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from memgit.errors import UsageError
from memgit.ports.json_text import InvalidJson, expect_keys_once, load

Json = dict[str, Any]

LONGEST_SLUG = 200
"""Characters after which a slug is cut and a hash is added."""

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


@dataclass(frozen=True)
class Hook:
    """One entry under `hooks`: its event, its place in the settings, and what it says."""

    event: str
    group: int
    number: int
    entry: Json


def hooks_of(settings: Json) -> Iterator[Hook]:
    """Every hook of a settings file; what has another shape is passed over, as the agent does."""
    events = settings.get("hooks")
    for event, groups in events.items() if isinstance(events, dict) else ():
        for place, group in enumerate(groups if isinstance(groups, list) else ()):
            entries = group.get("hooks") if isinstance(group, dict) else None
            for number, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, dict):
                    yield Hook(event, place, number, entry)


def settings_in(text: str, path: Path) -> Json:
    """The settings in a text. Raises UsageError that says where in `path` they are invalid."""
    try:
        settings = load(text)
        _check_shapes(settings, path)
        expect_keys_once(text, ["hooks"])
    except InvalidJson as fault:
        raise _refusal(f"{path}:{fault.line}:{fault.column}: {fault}") from None
    found: Json = settings
    return found


def _check_shapes(settings: Any, path: Path) -> None:
    if not isinstance(settings, dict):
        raise _refusal(f"{path}: {_kind(settings)} where an object {{...}} should be")
    for place, kind in _SHAPES.items():  # a section comes before what is in it
        _check(settings, place.split("."), kind, path)
    line = settings.get("statusLine", {"type": "", "command": ""})
    if missing := {"type", "command"} - line.keys():
        raise _refusal(f"{path}: statusLine has no {min(missing)}")
    for name, on in settings.get("enabledPlugins", {}).items():
        if on is None or isinstance(on, str):
            raise _refusal(f"{path}: enabledPlugins.{name} is {_kind(on)}, not true or false")
    for event, groups in settings.get("hooks", {}).items():
        if not isinstance(groups, list):
            raise _refusal(f"{path}: hooks.{event} is {_kind(groups)}, not a list")


_SHAPES: dict[str, type] = {
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

_WANTED = {dict: "an object", list: "a list", str: "a text", bool: "true or false",
           int: "a whole number"}  # fmt: skip


def _check(settings: Json, place: list[str], kind: type, path: Path) -> None:
    value: Any = settings
    for key in place:
        if key not in value:
            return
        value = value[key]
    if type(value) is not kind:  # what is true is no number
        raise _refusal(f"{path}: {'.'.join(place)} is {_kind(value)}, not {_WANTED[kind]}")


def _refusal(message: str) -> UsageError:
    return UsageError(
        message, "Claude Code ignores such a file, or part of it: mend it; nothing was changed"
    )


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")
