"""The work on the queue: one job after the other, from its session's new turns to what they taught.

The one rule: what can be lost is written down before it is risked. A job is taken away after what
it taught stands in the store, and an attempt is noted before it is made.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from memgit.domain.queue.jobs import Job, Queue
from memgit.domain.queue.progress import Progress, Records
from memgit.domain.transcripts.turns import Reading, Turn, read_on
from memgit.errors import MemgitError, StoreError
from memgit.ports.model.door import LimitReached
from memgit.prompt.jobs import QUIET

WAIT = timedelta(minutes=10)
"""After a first failure; each further one doubles it."""

LONGEST_WAIT = timedelta(hours=12)

REST = timedelta(hours=1)
"""After a limit was reached: nothing is asked for any session."""

IN_A_ROW = 3
"""Failures of different sessions, one after the other, after which nothing is asked for a while."""

A_DAY = 86_400

HARVESTED, NOTHING, GONE, FAILED = "harvested", "nothing new", "transcript gone", "failed"


@dataclass(frozen=True)
class Learned:
    """What the turns of a session led to: how many changes were suggested, and made at once."""

    proposals: int = 0
    applied: int = 0
    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0


Learn = Callable[[Sequence[Turn]], Learned]
"""Harvests turns and hands on what comes of it. Raises ModelError where nothing was changed."""


@dataclass(frozen=True)
class Done:
    """What became of one job; `because` says why where it failed.

    Where the next job would fare no better, nothing is to be asked for as long as `rest` says.
    """

    job: Job
    what: str
    turns: int = 0
    learned: Learned = Learned()
    because: str = ""
    rest: timedelta = timedelta(0)


def work(
    queue: Queue, learn: Learn, clock: Callable[[], datetime], only_due: bool = False
) -> Iterator[Done]:
    """Do the jobs that wait, the longest first, until none is left or asking on is of no use.

    With `only_due`, those whose time has come, unless there is a pause; a limit that is reached
    makes one.
    """
    records = Records(queue.store)
    now = clock()
    records.tidy(now)
    queue.tidy()
    if only_due and (pause := queue.pause()) and pause.until > now:
        return
    in_a_row = 0
    for job in [*queue.jobs(), *missed(queue, records, now)]:
        if only_due and job.due > now.timestamp():
            continue
        done = _Work(queue, records, job, clock()).do(learn)
        in_a_row = in_a_row + 1 if done.what == FAILED else 0
        if in_a_row == IN_A_ROW and not done.rest:
            done = replace(done, rest=WAIT)
        if done.what == HARVESTED:
            queue.go_on()
        yield done
        if done.rest:
            queue.rest(done.rest, done.because, clock())
            return


def missed(queue: Queue, records: Records, now: datetime) -> Iterator[Job]:
    """Sessions that went on after they were read and of which no hook has told."""
    waiting = {job.session for job in queue.jobs()}
    for progress in records.every():
        if progress.session in waiting or progress.lost or progress.is_given_up:
            continue
        try:
            told = Path(progress.path).stat()
        except OSError:
            continue
        silent = now.timestamp() - told.st_mtime
        if told.st_size > progress.size and silent >= QUIET:
            at = int(told.st_mtime)
            yield Job(progress.session, progress.path, "missed", told.st_size, at, at + QUIET)


class _Work:
    """One job at work. What it has to write down, it writes as it goes."""

    def __init__(self, queue: Queue, records: Records, job: Job, now: datetime) -> None:
        self.queue = queue
        self.records = records
        self.job = job
        self.now = now
        self.before = records.of(job)

    def do(self, learn: Learn) -> Done:
        """The job, to its end."""
        job = self.job
        try:
            size = job.transcript.stat().st_size
            reading = read_on(job.transcript, self.before.cursor, job.is_over(self.now))
        except FileNotFoundError:
            return self._gone()
        except OSError as fault:
            self._attempt()
            return self._failed(f"{job.path}: {fault.strerror}")
        fresh = self.records.new(reading.turns)
        learned = Learned()
        if fresh:
            self._attempt()
            try:
                learned = learn(fresh)
            except Exception as fault:
                return self._fallen(fault)
            self.records.harvested(fresh)
        self._read_up_to(reading, size, len(fresh), learned.proposals)
        return Done(job, HARVESTED if fresh else NOTHING, len(fresh), learned)

    def _attempt(self) -> None:
        """Note an attempt before it is made: one that kills the worker must not come at once."""
        attempts = self.before.attempts + 1
        because = f"the attempt of {self.now.astimezone():%Y-%m-%d %H:%M} has not ended"
        self.trying = replace(self.before, path=self.job.path, attempts=attempts, because=because)
        self.records.write(self.trying)
        self.job = self.queue.put_off(self.job, _wait(attempts), self.now)

    def _fallen(self, fault: Exception) -> Done:
        """An attempt that came to nothing."""
        if isinstance(fault, LimitReached | StoreError):  # it says nothing of this session
            self.records.write(replace(self.before, because=str(fault)))
            self.queue.put_off(self.job, timedelta(0), self.now)
            rest = REST if isinstance(fault, LimitReached) else WAIT
            return Done(self.job, FAILED, because=str(fault), rest=rest)
        ours = "" if isinstance(fault, MemgitError) else "a fault of memgit's own: "
        return self._failed(f"{ours}{fault}" if str(fault) else f"{ours}{type(fault).__name__}")

    def _failed(self, because: str) -> Done:
        """Note why; it is tried again later, or no more."""
        progress = replace(self.trying, because=because, at=int(self.now.timestamp()))
        self.records.write(progress)
        if progress.is_given_up:
            self.queue.done(self.job)
        return Done(self.job, FAILED, because=because)

    def _gone(self) -> Done:
        """A transcript that was there and is not is a loss, and told; one that never was is none.

        A session that has just begun has none yet.
        """
        job, now = self.job, self.now
        if job.event == "SessionStart" and now.timestamp() - job.at < A_DAY:
            self.queue.put_off(job, timedelta(seconds=QUIET), now)
            return Done(job, NOTHING)
        lost = job.size > self.before.size
        if lost:
            because = "the transcript was deleted before it was harvested"
            at = int(now.timestamp())
            self.records.write(replace(self.before, lost=True, because=because, at=at))
        self.queue.done(job)
        return Done(job, GONE if lost else NOTHING)

    def _read_up_to(self, reading: Reading, size: int, turns: int, proposals: int) -> None:
        job, before, cursor = self.job, self.before, reading.cursor
        at = int(self.now.timestamp())
        progress = Progress(
            job.session, job.path, cursor.offset, cursor.digest, size, at,
            before.turns + turns, before.proposals + proposals,
        )  # fmt: skip
        self.records.write(progress)
        if reading.open:
            self.queue.put_off(job, timedelta(seconds=QUIET), self.now)
        else:
            self.queue.done(job)


def _wait(attempts: int) -> timedelta:
    return min(WAIT * (1 << min(attempts - 1, 10)), LONGEST_WAIT)
