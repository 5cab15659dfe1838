"""Codex: hooks in shell form, in a file of their own, which run once the person trusts them.

The one rule: that trust is the person's to give; nothing here writes it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from memgit.domain.connecting.agent import TIMEOUT, Agent, Event, Wired, ours_in, shell_line
from memgit.ports import codex
from memgit.ports.agent_settings import Json

MOST = ("--most", "3000")
"""UTF-16 units of text: of more than 10,000 bytes Codex shows but the ends, and in Japanese a unit
is three."""


def _form(python: str, words: Sequence[str]) -> Json:
    return {"type": "command", "command": shell_line(python, words), "timeout": TIMEOUT}


def _files(here: Path) -> list[Path]:
    return [codex.hooks_file(), here / ".codex" / "hooks.json"]


def _asleep(path: Path, settings: Json) -> Iterator[tuple[str, str]]:
    ours, config = list(ours_in(settings)), codex.config()
    if ours and not codex.are_hooks_on(config):
        where = codex.home() / "config.toml"
        yield f"{where} has features.hooks = false: our hooks do not run", "take it out of there"
    elif waiting := [hook.event for hook in ours if not codex.may_run(config, path, hook)]:
        yield (
            f"{path}: Codex does not run our hooks for {', '.join(waiting)} until you trust them",
            "review them: start `codex` and type /hooks",
        )


CODEX = Agent(
    name="codex",
    title="Codex",
    about="hooks.json in CODEX_HOME or ~/.codex",
    file=codex.hooks_file,
    files=_files,
    read=codex.SHAPE.read,
    form=_form,
    hooks=(
        Wired(Event.PROMPT, "UserPromptSubmit", "recall.py", words=MOST),
        Wired(Event.START, "SessionStart", "session_start.py", words=MOST),
    ),
    asleep=_asleep,
    note="Codex runs a hook once you trust it: type /hooks in it. Its sessions are not harvested.",
    stamp="codex",  # a version would change the command, and with it the trust be gone
)
