"""How the queue stands: what waits, what failed and why, and what may be deleted before its turn.

The one rule: it only looks. Whoever asks how things stand changes nothing of them.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memgit.domain.queue.jobs import Job, Pause, Queue
from memgit.domain.queue.progress import Progress, Records
from memgit.domain.queue.working import missed
from memgit.domain.store import Store
from memgit.ports.claude_code import cleanup_days

DUE, WAITS, FAILED, GIVEN_UP, LOST = "due", "waits", "failed", "given up", "lost"
"""`waits` for its session to end; `lost` when its transcript was deleted before it was read."""

TOLD = timedelta(days=30)
"""For how long a loss is told."""

ALARM = timedelta(days=7)
"""How long before the host deletes a transcript it is time to say so."""


@dataclass(frozen=True)
class Standing:
    """How one session stands. `due` is when it is tried next, `ends` when the host may delete it.

    `unread` is how many bytes of its transcript are new; both times are None where there is none.
    """

    session: str
    path: str
    state: str
    unread: int = 0
    due: datetime | None = None
    ends: datetime | None = None
    attempts: int = 0
    because: str = ""

    def is_alarming(self, now: datetime) -> bool:
        """Whether its transcript may be deleted before long."""
        return self.unread > 0 and self.ends is not None and self.ends - now <= ALARM


@dataclass(frozen=True)
class Overview:
    """Every session that is not done with, and the pause of the worker, if there is one."""

    sessions: Sequence[Standing]
    pause: Pause | None

    def count(self, *states: str) -> int:
        """How many sessions stand so."""
        return sum(one.state in states for one in self.sessions)


def overview(store: Store, now: datetime) -> Overview:
    """How the queue of a store stands now."""
    queue, records = Queue(store), Records(store)
    kept = timedelta(days=cleanup_days())
    jobs = [*queue.jobs(), *missed(queue, records, now)]
    rows = [_of_job(job, records.of(job), kept, now) for job in jobs]
    waiting = {job.session for job in jobs}
    for progress in records.every():
        if progress.session not in waiting and (row := _of_progress(progress, kept, now)):
            rows.append(row)
    pause = queue.pause()
    return Overview(rows, pause if pause and pause.until > now else None)


def _of_job(job: Job, progress: Progress, kept: timedelta, now: datetime) -> Standing:
    size, ends = _transcript(job.path, kept)
    state = FAILED if progress.because else DUE if job.due <= now.timestamp() else WAITS
    due = datetime.fromtimestamp(job.due, UTC)
    unread = max(0, size - progress.offset)
    return Standing(
        job.session, job.path, state, unread, due, ends, progress.attempts, progress.because
    )


def _of_progress(progress: Progress, kept: timedelta, now: datetime) -> Standing | None:
    """A session that no longer waits, where there is something to tell of it."""
    size, ends = _transcript(progress.path, kept)
    if progress.is_given_up:
        state = GIVEN_UP
    elif progress.lost and now.timestamp() - progress.at < TOLD.total_seconds():
        state = LOST
    else:
        return None
    return Standing(
        progress.session, progress.path, state, max(0, size - progress.offset), None, ends,
        progress.attempts, progress.because,
    )  # fmt: skip


def _transcript(path: str, kept: timedelta) -> tuple[int, datetime | None]:
    """The size of a transcript, and when the host may delete it."""
    with suppress(OSError):
        told = Path(path).stat()
        return told.st_size, datetime.fromtimestamp(told.st_mtime, UTC) + kept
    return 0, None
