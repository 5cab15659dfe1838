"""Checks of what runs by itself: the harvest, what it could not do, and the daily sweep.

The one rule: a store whose sessions are not harvested, or which is not swept, hears nothing of it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from memgit.domain.examination.finding import Finding, Scene, bad, ok, several, some, typed, warn
from memgit.domain.queue.standing import DUE, FAILED, GIVEN_UP, LOST, WAITS, overview
from memgit.domain.store import Store
from memgit.domain.swept import Swept

LONG = timedelta(days=3)
"""After this, a store that was swept each day is not swept any more."""


def swept(scene: Scene, store: Store) -> Iterator[Finding]:
    """When the store was swept last, and whether that came to its end."""
    last = Swept.last(store)
    if last is None:
        return
    again = typed("sweep", store=store)
    if not last.ended:
        done = f"; done: {', '.join(last.done)}" if last.done else ""
        yield warn(f"the sweep of {last.begun[:10]} did not come to its end{done}", again)
    elif scene.now - datetime.fromisoformat(last.ended) > LONG:
        daily = typed("install", "sweep", store=store)
        yield warn(f"the last sweep was on {last.ended[:10]}", f"{again}; each day: {daily}")
    else:
        yield ok(f"swept on {last.ended[:10]}")


def waiting(scene: Scene, store: Store) -> Iterator[Finding]:
    """Sessions that wait, and whether they will have their turn in time."""
    found = overview(store, scene.now)
    harvest = typed("harvest", store=store)
    if found.pause:
        until = f"{found.pause.until.astimezone():%H:%M}"
        yield warn(f"no session is harvested until {until}: {found.pause.because}", harvest)
    alarming = [one for one in found.sessions if one.is_alarming(scene.now)]
    if alarming:
        first = min(one.ends for one in alarming if one.ends)
        yield bad(
            f"{several(len(alarming), 'session')} not harvested, whose transcript Claude Code "
            f"deletes before long, the first after {first:%Y-%m-%d}",
            f"{harvest}, or raise cleanupPeriodDays in Claude Code's settings",
        )
    if lost := [one.session for one in found.sessions if one.state == LOST]:
        yield warn(
            f"{several(len(lost), 'transcript')} deleted before it was harvested: {some(lost)}",
            "raise cleanupPeriodDays in Claude Code's settings, or run `memgit sweep` each day",
        )
    failed = [one for one in found.sessions if one.state in (FAILED, GIVEN_UP)]
    if failed:
        yield warn(
            f"{several(len(failed), 'session')} could not be harvested; the last reason: "
            f"{failed[-1].because}",
            f"{harvest}; all of them: {typed('queue', store=store)}",
        )
    elif number := found.count(DUE, WAITS):
        yield ok(f"{several(number, 'session')} to be harvested")
