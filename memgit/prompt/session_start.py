"""What happens as a session starts: it forgets what a compaction took, and the store catches up.

The one rule: it says the profile or nothing, and waits for nothing. Work of more than a moment goes
to one worker in a session of its own, and never to a second one while that runs.
"""

import time

from memgit.prompt import detached, hook, place, profile
from memgit.prompt.session import FOLDER, Session
from memgit.prompt.table import BrokenTable, Table

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from typing import NoReturn

FORGETTING = ("startup", "clear", "compact")
"""How a session starts when the agent's context is empty; `resume` and `fork` bring it along."""

COMPACTED = "PreCompress"
"""The event of an agent that starts no session anew after a compaction; ours is wired where it is
certain that one comes."""

KEPT = 30 * 86400
"""Seconds after which the note of what a session was shown is removed."""

LOOKED_AT = 200
"""Notes of old sessions that one start looks at."""


def main(arguments: "list[str]") -> "NoReturn":
    """Deal with one hook event from stdin and end the process.

    `--python PATH` names the interpreter that has all of memgit: without it there is no worker.
    With `--save`, the worker commits what the agent wrote into the store. With `--harvest`, the
    session is noted, and earlier ones that ended without a word are harvested.
    """
    hook.run(arguments, answer)


def answer(call: hook.Call) -> None:
    """Forget, give the profile, catch up, tidy."""
    session = Session(call.where, str(call.event.get("session_id") or ""))
    if call.event.get("hook_event_name") == COMPACTED:
        return session.forget()
    if call.event.get("hook_event_name") != "SessionStart":
        return None
    empty = call.event.get("source") in FORGETTING
    if empty:
        session.forget()
        if "profile" not in call.options:
            _give_profile(call, session)
    if "save" in call.options:
        detached.start(call, "save", "--actor", "agent")
    elif _is_behind(call):
        detached.start(call, "index", "--quiet")
    if "harvest" in call.options:
        from memgit.prompt import jobs

        jobs.answer(call)
    _tidy(f"{call.where}/{FOLDER}", time.time())


def _give_profile(call: hook.Call, session: Session) -> None:
    """Say the profile once, also where the hook is wired twice. Its file counts as it stands, for
    a person who has just changed it means it.
    """
    text = profile.for_agent(call)
    if text and session.claim(f"start {call.event.get('source')}", time.time_ns()):
        hook.speak(call.options.get("event", "SessionStart"), text)


def _is_behind(call: hook.Call) -> bool:
    """Whether the table cannot be read or is of another commit than the one checked out."""
    try:
        indexed = Table(f"{call.where}/table").head.get("commit")
    except BrokenTable:
        return True
    return bool(indexed != place.head_commit(call.root))


def _tidy(folder: str, now: float) -> None:
    """Remove notes of old sessions; which ones are looked at changes from start to start."""
    from posix import listdir, stat, unlink

    try:
        names = listdir(folder)
    except FileNotFoundError:
        return
    first = int(now) % len(names) if names else 0
    for name in (names[first:] + names[:first])[:LOOKED_AT]:
        path = f"{folder}/{name}"
        try:
            if now - stat(path).st_mtime > KEPT:
                unlink(path)
        except FileNotFoundError:  # another session that starts now was faster
            pass
