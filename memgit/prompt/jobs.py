"""Jobs: that a session has something to harvest, noted by the hooks of the session itself.

The one rule: a hook only notes. One small file for each session, put in place whole; what the
session said stays in its transcript, and only the worker reads that.
"""

import time

from memgit.prompt import detached, hook, place
from memgit.prompt.session import opened
from memgit.prompt.table import load_json

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from typing import Any, NoReturn

OVER = ("SessionEnd", "PreCompact")
"""Events after which a session is harvested at once."""

EVENTS = (*OVER, "Stop", "SessionStart")
"""Events that are noted. After the others a session may go on, or be killed without a word."""

QUIET = 1800
"""Seconds for which a session must have been silent before it is taken for over."""

DEADLINE = 1.0
"""Seconds; the host gives all hooks of a session's end one and a half."""

FOLDER = "queue/jobs"
PAUSE = "queue/pause"
"""Holds the second until which no worker is started, and why."""

VERB = "harvest"

LOOKED_AT = 50
"""Jobs that one hook looks at."""

OURS = "sdk-cli"
"""The entrypoint of a session that a program started: no person speaks in it."""


def main(arguments: "list[str]") -> "NoReturn":
    """Deal with one hook event from stdin and end the process; nothing is ever printed.

    `--python PATH` names the interpreter that has all of memgit: without it there is no worker.
    """
    hook.run(arguments, answer, DEADLINE)


def answer(call: hook.Call) -> None:
    """Note the session, and start a worker where a job is due."""
    now = time.time()
    if note(call, now) and is_due(call.where, now):
        detached.start(call, VERB, "--due")


def note(call: hook.Call, now: float) -> bool:
    """Write the session's job; False for an event or a session that is none of ours to note."""
    from posix import getpid, rename, stat

    event = call.event
    kind, session, path = (
        _text(event.get(key)) for key in ("hook_event_name", "session_id", "transcript_path")
    )
    if kind not in EVENTS or not session or not path.startswith("/") or event.get("agent_id"):
        return False
    if event.get("source") == "compact":  # the compaction itself was noted, and is due
        return False
    if call.environment.get("CLAUDE_CODE_ENTRYPOINT") == OURS:
        return False
    try:
        size = stat(path).st_size
    except OSError:  # a session that has just begun has none yet
        size = 0
    due = now if kind in OVER else now + QUIET
    name = "".join(c if c.isalnum() and c.isascii() else "-" for c in session)[:80]
    aside = f"{call.where}/{FOLDER}/.{name}.{getpid()}"
    with opened(aside) as file:
        file.write(_written(session, path, kind, size, int(now), int(due)))
    rename(aside, f"{call.where}/{FOLDER}/{name}")
    return True


def is_due(where: str, now: float) -> bool:
    """Whether a worker would find something to do."""
    from posix import listdir

    until = _read(f"{where}/{PAUSE}").partition(" ")[0]
    if until.isdecimal() and now < int(until):
        return False
    try:
        names = [name for name in listdir(f"{where}/{FOLDER}") if not name.startswith(".")]
    except FileNotFoundError:  # no session was ever noted
        return False
    first = int(now) % len(names) if names else 0
    for name in (names[first:] + names[:first])[:LOOKED_AT]:
        try:
            due = load_json(_read(f"{where}/{FOLDER}/{name}"))["due"]
        except (ValueError, TypeError, KeyError):  # a worker took it, or has to tell
            continue
        if due <= now:
            return True
    return False


def _written(session: str, path: str, event: str, size: int, at: int, due: int) -> bytes:
    from _json import encode_basestring_ascii as quoted

    said = (
        f'{{"session": {quoted(session)}, "path": {quoted(path)}, "event": "{event}", '
        f'"size": {size}, "at": {at}, "due": {due}}}\n'
    )
    return said.encode("ascii")


def _text(value: "Any") -> str:
    return value if isinstance(value, str) else ""


def _read(path: str) -> str:
    try:
        return place.content(path).decode("utf-8", "replace")
    except OSError:
        return ""
