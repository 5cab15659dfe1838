"""`memgit queue`: the sessions that wait to be harvested, and why one still does."""

from datetime import UTC, datetime
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.queue.standing import DUE, FAILED, GIVEN_UP, LOST, WAITS, Standing, overview
from memgit.domain.store import Store
from memgit.output import Record, paging, say


@click.command(epilog=examples("memgit queue", "memgit queue --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one session a line.")
@click.pass_obj
def queue(store: str | None, as_json: bool) -> None:
    """List the sessions that wait to be harvested, and those that could not be.

    `waits` is a session that may go on, `due` one that is next. A `failed` one is tried again by
    itself; one that is `given up` when it goes on, or by `memgit harvest TRANSCRIPT`. Of a `lost`
    one the transcript was deleted before its turn.
    """
    now = datetime.now(UTC)
    found = overview(Store.find(store), now)
    columns = ("session", "state", "unread", ("next", _next), ("project", _project), "because")
    with paging(as_json) as shown:
        shown.rows((_row(one, now) for one in found.sessions), columns)
    if found.pause:
        until = f"{found.pause.until.astimezone():%Y-%m-%d %H:%M}"
        say(f"nothing is asked until {until}: {found.pause.because}")
    if not found.sessions:
        say("no session waits")
        return
    counts = ((state, found.count(state)) for state in (DUE, WAITS, FAILED, GIVEN_UP, LOST))
    say(", ".join(f"{number} {state}" for state, number in counts if number))
    if found.count(DUE, FAILED, GIVEN_UP):
        say("`memgit harvest` does now what waits; `memgit cost` tells what it took")


def _row(one: Standing, now: datetime) -> Record:
    return {
        "session": one.session,
        "state": one.state,
        "unread": one.unread,
        "due": one.due.isoformat() if one.due else None,
        "deleted_after": one.ends.isoformat() if one.ends else None,
        "alarm": one.is_alarming(now),
        "attempts": one.attempts,
        "because": one.because,
        "transcript": one.path,
    }


def _next(row: Record) -> str:
    """When it is tried next, by this machine's clock."""
    if not row["due"]:
        return "-"
    return f"{datetime.fromisoformat(row['due']).astimezone():%m-%d %H:%M}"


def _project(row: Record) -> str:
    return Path(row["transcript"]).parent.name
