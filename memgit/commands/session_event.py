"""`memgit session-event`: what our plugin's hooks start when a session starts, stops or ends."""

import sys

import click

from memgit.commands._help import examples
from memgit.prompt import jobs


@click.command(epilog=examples("memgit session-event < EVENT.json"))
@click.pass_obj
def session_event(store: str | None) -> None:
    """Note that a session has something to harvest; the event is the host's JSON on stdin.

    It prints nothing and its exit code is 0, whatever happens.
    """
    jobs.main(["--python", sys.executable, *(["--store", store] if store else [])])
