"""Claude Code: hooks in exec form, an auto memory that can live in a store, known transcripts.

The one rule: it is the agent whose events and answers the hooks speak; others are told apart here.
"""

from collections.abc import Iterator
from pathlib import Path

from memgit.domain.connecting.agent import Agent, Event, Wired, exec_form
from memgit.ports.agent_settings import Json
from memgit.ports.claude_code import settings_file, settings_in

PLUGIN = "memgit"
"""The name of our plugin."""

AUTO_MEMORY = "autoMemoryDirectory"
"""The agent's setting for where it keeps its own memories."""

SWITCHES = ("disableAllHooks", "allowManagedHooksOnly")
"""Settings that keep a person's hooks from running."""

MANAGED = (
    Path("/etc/claude-code/managed-settings.json"),
    Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
)
"""Where an administrator's settings lie; they go before all others."""


def plugins_in(settings: Json) -> list[str]:
    """The ids under which our plugin is switched on in the same file."""
    enabled = settings.get("enabledPlugins")
    rows = enabled.items() if isinstance(enabled, dict) else ()
    return [name for name, on in rows if on is True and name.partition("@")[0] == PLUGIN]


def _files(here: Path) -> list[Path]:
    project = here / ".claude"
    return [*MANAGED, settings_file(), project / "settings.json", project / "settings.local.json"]


def _asleep(path: Path, settings: Json) -> Iterator[tuple[str, str]]:
    for switch in SWITCHES:
        if settings.get(switch):
            yield f"{path} has {switch}: our hooks do not run", f"take {switch} out of it"


CLAUDE_CODE = Agent(
    name="claude-code",
    title="Claude Code",
    about="settings.json in CLAUDE_CONFIG_DIR or ~/.claude",
    file=settings_file,
    files=_files,
    read=settings_in,
    form=exec_form,
    hooks=(
        Wired(Event.PROMPT, "UserPromptSubmit", "recall.py"),
        Wired(Event.START, "SessionStart", "session_start.py"),
    ),
    asleep=_asleep,
    note="",
    ends=(
        Wired(Event.TURN_END, "Stop", "session_event.py"),
        Wired(Event.COMPACT, "PreCompact", "session_event.py"),
        Wired(Event.END, "SessionEnd", "session_event.py"),
    ),
    auto_memory=AUTO_MEMORY,
)
