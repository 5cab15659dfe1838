"""What the agent on this machine calls its own commands and skills, kept for each build of it.

The one rule: a program is asked once; where it tells nothing, the list that comes along is what
counts, and that is said.
"""

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from memgit.domain.queue.jobs import put
from memgit.domain.store import Store
from memgit.ports.claude_commands import commands_of, program

KEPT = "skills/commands.json"
"""The list that was told last, and by which program, among the derived data."""


def built_in(store: Store, say: Callable[[str], None]) -> Collection[str]:
    """The names that the agent tells; none where there is none, or it tells none, which is said."""
    cli = program()
    if cli is None:
        say("no Claude Code is here: names are compared with the list that comes with memgit")
        return ()
    with suppress(OSError):
        build = _build(cli)
        if (kept := _kept(store, build)) is not None:
            return kept
        if (told := commands_of(cli)) is not None:
            put(store.derived / KEPT, json.dumps({"build": build, "names": told}) + "\n")
            return told
    say(
        f"{cli} does not tell its commands: names are compared with the list that comes with memgit"
    )
    return ()


def _build(cli: Path) -> str:
    """What another version of the program has otherwise, without starting it."""
    state = cli.stat()
    return f"{cli} {state.st_size} {state.st_mtime_ns}"


def _kept(store: Store, build: str) -> Collection[str] | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        told = json.loads((store.derived / KEPT).read_text("utf-8"))
        if told["build"] == build:
            return frozenset(map(str, told["names"]))
    return None
