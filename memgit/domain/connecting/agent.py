"""What an agent is to memgit: its settings file, its names for events, and how a hook is written.

The one rule: what differs between agents stands in an `Agent`, one small file each in `agents/`;
everything else knows the five events alone.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from memgit import __version__
from memgit.ports.agent_settings import Hook, Json, hooks_of

MARK = "--memgit"
"""The argument that makes a hook ours; a stamp follows. It is no key of its own, because an agent
may take unknown keys out whenever it writes its settings."""

TIMEOUT = 5
"""Seconds until the agent ends a hook. Our own deadline is far shorter; this is for a stuck
machine."""

FLAGS = ("-I", "-S")
"""A bare interpreter: nothing from the folder, the person's packages or the environment."""

GUARD = (
    "import sys;from posix import access;f=sys.argv[1];"
    "access(f,4)and exec(open(f).read(),{'__file__':f})"
)
"""Starts a launcher that is there. A Python that does not find its script ends with 2, which agents
take for a refusal: whoever removed memgit before its hooks could send no prompt any more."""

QUIET = " 2>/dev/null || true"
"""How a hook in shell form ends: also where its program is gone it is silent and ends with 0."""

Form = Callable[[str, Sequence[str]], Json]
"""How an agent wants a Python written, and behind it the launcher with its arguments."""

Asleep = Callable[[Path, Json], Iterator[tuple[str, str]]]
"""What keeps our hooks in a settings file from running, each with what to do about it."""


class Event(Enum):
    """What happens in a session, whatever an agent calls it."""

    PROMPT = "prompt"
    START = "session start"
    COMPACT = "compaction"
    TURN_END = "turn end"
    END = "session end"


@dataclass(frozen=True)
class Wired:
    """One hook of ours: its event, the agent's `name` for it, the launcher that answers.

    With a `matcher`, the agent runs it only where that fits. `words` go behind all others.
    """

    event: Event
    name: str
    launcher: str
    matcher: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Agent:
    """A program that can be connected to a store; `name` is what one types, `title` what it is.

    `about` and `note` are for its help: where its settings are, and what else one should know.
    `file` is the person's settings file, `files` also those of a project and of the machine, for a
    folder that one stands in. `read` raises UsageError for a text that the agent would not read.
    `hooks` are always wired. Where the format of its transcripts is known, `ends` are those that
    let sessions be harvested; `auto_memory` is its setting for where it keeps memories, if it has
    one. `stamp` follows our mark. `unfit` says why a path cannot stand in its settings, "" if it
    can; `asleep` what keeps our hooks from running.
    """

    name: str
    title: str
    about: str
    file: Callable[[], Path]
    files: Callable[[Path], list[Path]]
    read: Callable[[str, Path], Json]
    form: Form
    hooks: tuple[Wired, ...]
    asleep: Asleep
    note: str
    ends: tuple[Wired, ...] = ()
    auto_memory: str = ""
    stamp: str = __version__
    unfit: Callable[[str], str] = lambda path: ""

    @property
    def prompt(self) -> Wired:
        """The hook that answers prompts."""
        return next(hook for hook in self.hooks if hook.event is Event.PROMPT)


def exec_form(python: str, words: Sequence[str]) -> Json:
    """A hook as a program with arguments: no shell, no search of PATH."""
    arguments = [*FLAGS, "-c", GUARD, *words]
    return {"type": "command", "command": python, "args": arguments, "timeout": TIMEOUT}


def shell_line(python: str, words: Sequence[str]) -> str:
    """A hook as a line for a shell, which says nothing but what the hook says, and ends with 0."""
    return shlex.join((python, *FLAGS, *words)) + QUIET


def words_of(entry: Json) -> list[str]:
    """The program of a hook and its arguments, in either form; empty where they cannot be told."""
    command, arguments = entry.get("command"), entry.get("args")
    if isinstance(arguments, list):
        words = [command, *arguments]
        return words if all(isinstance(word, str) for word in words) else []
    try:
        return shlex.split(command.removesuffix(QUIET)) if isinstance(command, str) else []
    except ValueError:  # a quote that does not end
        return []


def is_ours(entry: Json) -> bool:
    """Whether a hook's entry is one of ours."""
    arguments = entry.get("args")
    return MARK in (arguments if isinstance(arguments, list) else words_of(entry))


def ours_in(settings: Json) -> Iterator[Hook]:
    """Our own entries among the hooks."""
    return (hook for hook in hooks_of(settings) if is_ours(hook.entry))
