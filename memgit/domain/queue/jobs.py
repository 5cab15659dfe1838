"""Jobs that wait: the files that the hooks of a session put there, read and taken away again.

The one rule: a job is taken away only if it is still the one that was done. What a hook noted
meanwhile waits for its own turn.
"""

import json
import os
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memgit.domain.store import Store
from memgit.prompt.jobs import FOLDER, OVER, PAUSE, QUIET

LEFT_OVER = 3600
"""Seconds after which a file that a killed hook was writing is removed."""

BY_HAND = "asked"
"""The event of a job that a person made."""


@dataclass(frozen=True)
class Job:
    """One session that waits. `at` and `due` are seconds since the epoch, `size` is what the
    transcript had when it was noted, in bytes; `event` is the last that was noted.
    """

    session: str
    path: str
    event: str
    size: int
    at: int
    due: int

    @property
    def transcript(self) -> Path:
        """The session's transcript, which may be gone."""
        return Path(self.path)

    def is_over(self, now: datetime) -> bool:
        """Whether the agent is done with the last turn, as far as one can tell."""
        if self.event == "PreCompact":  # it may stand in the middle of a turn
            return self._silent(now)
        return self.event in (*OVER, BY_HAND) or self._silent(now)

    def _silent(self, now: datetime) -> bool:
        with suppress(OSError):
            return now.timestamp() - self.transcript.stat().st_mtime >= QUIET
        return True


@dataclass(frozen=True)
class Pause:
    """Until when the worker asks nothing, and why."""

    until: datetime
    because: str


class Queue:
    """The jobs of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.folder = store.derived / FOLDER

    def jobs(self) -> list[Job]:
        """Every job, the one that waits longest first; what is no job is passed over."""
        found = (_read(path) for path in self.folder.glob("[!.]*"))
        return sorted(filter(None, found), key=lambda job: (job.due, job.at, job.session))

    def add(self, transcript: Path, now: datetime) -> Job:
        """Let a person's own choice wait, due at once. Raises OSError where it cannot be read."""
        at = int(now.timestamp())
        path = str(transcript.resolve(strict=True))
        job = Job(transcript.stem, path, BY_HAND, transcript.stat().st_size, at, at)
        self._write(job)
        return job

    def done(self, job: Job) -> None:
        """Take a job away, unless a hook has noted its session anew."""
        path = self._path(job.session)
        aside = path.with_name(f".{path.name}.done")
        with suppress(FileNotFoundError):
            path.rename(aside)
            if _read(aside) != job:  # noted since it was taken up: back, unless again since then
                with suppress(FileExistsError):
                    os.link(aside, path)
            aside.unlink()

    def put_off(self, job: Job, by: timedelta, now: datetime) -> Job:
        """Let a job wait longer, unless a hook has noted its session anew. Returns what it is now.

        A hook that notes it in this very moment may be put off with it, never lost.
        """
        later = replace(job, due=int((now + by).timestamp()))
        if _read(self._path(job.session)) in (job, None):
            self._write(later)
        return later

    def pause(self) -> Pause | None:
        """The pause that was made last, over or not; None where there is none."""
        with suppress(OSError, ValueError, OverflowError):
            until, _, because = (self.store.derived / PAUSE).read_text("utf-8").partition(" ")
            return Pause(datetime.fromtimestamp(int(until), UTC), because.strip())
        return None

    def rest(self, by: timedelta, because: str, now: datetime) -> None:
        """Ask nothing for a while."""
        said = f"{int((now + by).timestamp())} {' '.join(because.split())[:500]}\n"
        put(self.store.derived / PAUSE, said)

    def go_on(self) -> None:
        """End a pause."""
        (self.store.derived / PAUSE).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Take away what is no job, and what a killed hook was writing."""
        for path in self.folder.glob("*"):
            with suppress(OSError):
                age = time.time() - path.stat().st_mtime
                if age > LEFT_OVER if path.name.startswith(".") else _read(path) is None:
                    path.unlink()

    def _write(self, job: Job) -> None:
        put(self._path(job.session), json.dumps(asdict(job)) + "\n")

    def _path(self, session: str) -> Path:
        return self.folder / file_name(session)


def file_name(session: str) -> str:
    """The name that the hooks give to a session's file."""
    return re.sub("[^A-Za-z0-9]", "-", session)[:80]


def _read(path: Path) -> Job | None:
    with suppress(OSError, ValueError, TypeError):
        job = Job(**json.loads(path.read_text("utf-8", "replace")))
        if all(map(isinstance, asdict(job).values(), (str, str, str, int, int, int))):
            return job
    return None


def put(path: Path, text: str) -> None:
    """Put a small file in place whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(text, "utf-8")
    aside.replace(path)
