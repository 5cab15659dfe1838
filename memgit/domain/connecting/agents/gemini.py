"""Gemini CLI: hooks in shell form among its settings, named, with times in milliseconds.

The one rule: a session that is compacted is only known as such where the person asked for it; what
Gemini says before it looks whether there is anything to compact is not heard.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from memgit.domain.connecting.agent import TIMEOUT, Agent, Event, Wired, ours_in, shell_line
from memgit.ports import gemini
from memgit.ports.agent_settings import Json

NAME = "memgit"
"""Our hooks' name, by which the person can switch them off in Gemini CLI."""

LATER = ("--profile", "later")
"""The profile is given with the first prompt: where a session start adds anything, Gemini CLI puts
it before what the person typed, and a session that is resumed has lost both."""


def _form(python: str, words: Sequence[str]) -> Json:
    return {
        "type": "command",
        "name": NAME,
        "command": shell_line(python, words),
        "timeout": 1000 * TIMEOUT,
    }


def _files(here: Path) -> list[Path]:
    return [gemini.settings_file(), here / ".gemini" / "settings.json"]


def _asleep(path: Path, settings: Json) -> Iterator[tuple[str, str]]:
    if any(ours_in(settings)) and not gemini.are_hooks_on(settings, NAME):
        yield f"{path}: hooksConfig keeps our hooks from running", "take that out of it"


def _unfit(path: str) -> str:
    return "Gemini CLI puts variables in the place of $NAME" if gemini.is_replaced(path) else ""


GEMINI = Agent(
    name="gemini",
    title="Gemini CLI",
    about="settings.json in .gemini of GEMINI_CLI_HOME or ~",
    file=gemini.settings_file,
    files=_files,
    read=gemini.SHAPE.read,
    form=_form,
    hooks=(
        Wired(Event.PROMPT, "BeforeAgent", "recall.py", words=("--event", "BeforeAgent", *LATER)),
        Wired(Event.START, "SessionStart", "session_start.py", words=LATER),
        Wired(Event.COMPACT, "PreCompress", "session_start.py", matcher="manual"),
    ),
    asleep=_asleep,
    note="Its sessions are not harvested.",
    unfit=_unfit,
)
