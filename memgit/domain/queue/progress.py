"""How far each session was read, what it cost and why it failed; and which turns were harvested.

The one rule: only the worker writes here, after what it tells of has happened; so that whatever is
killed when, a turn is harvested at least once.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from memgit.domain.queue.jobs import Job, file_name, put
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import Cursor
from memgit.domain.transcripts.turns import Turn

FOLDER = "queue/read"
TURNS = "queue/turns"

KEPT = timedelta(days=90)
"""For how long it is kept how far a session was read whose transcript is gone."""

MOST_ATTEMPTS = 5
"""Attempts after which a session is given up, until it goes on or a person asks again."""


@dataclass(frozen=True)
class Progress:
    """How far one session was read.

    `size` is what its transcript had then, in bytes; `at` seconds since the epoch. `attempts` are
    those since the last success, `because` why the last one failed. `lost` tells that the
    transcript was deleted before it was read.
    """

    session: str
    path: str
    offset: int = 0
    digest: str = ""
    size: int = 0
    at: int = 0
    turns: int = 0
    proposals: int = 0
    attempts: int = 0
    because: str = ""
    lost: bool = False

    @property
    def cursor(self) -> Cursor:
        """Where to read on."""
        return Cursor(self.offset, self.digest)

    @property
    def is_given_up(self) -> bool:
        """Whether it failed so often that it is not tried again by itself."""
        return self.attempts >= MOST_ATTEMPTS


@dataclass
class Records:
    """The progress of every session of a store."""

    store: Store
    _turns: set[str] = field(default_factory=set)

    def of(self, job: Job) -> Progress:
        """The progress of a job's session; of a transcript that moved along with its folder too."""
        found = _read(self._path(job.session))
        return found or Progress(job.session, job.path)

    def every(self) -> Iterator[Progress]:
        """The progress of every session."""
        folder = self.store.derived / FOLDER
        for path in sorted(folder.glob("[!.]*")):
            if found := _read(path):
                yield found

    def write(self, progress: Progress) -> None:
        """Note the progress of a session."""
        put(self._path(progress.session), json.dumps(asdict(progress)) + "\n")

    def new(self, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        """The turns that were never harvested: those of a fork are once in two transcripts."""
        if not self._turns:
            with suppress(OSError):
                text = (self.store.derived / TURNS).read_text("utf-8", "replace")
                self._turns = set(text.split("\n"))
        return tuple(turn for turn in turns if turn.id not in self._turns)

    def harvested(self, turns: Iterable[Turn]) -> None:
        """Note that these were."""
        ids = [turn.id.replace("\n", " ") for turn in turns]
        path = self.store.derived / TURNS
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(f"{id_}\n" for id_ in ids))
        self._turns.update(ids)

    def tidy(self, now: datetime) -> None:
        """Forget sessions of old whose transcript is gone."""
        for progress in self.every():
            is_old = now.timestamp() - progress.at > KEPT.total_seconds()
            if is_old and not Path(progress.path).exists():
                self._path(progress.session).unlink(missing_ok=True)

    def _path(self, session: str) -> Path:
        return self.store.derived / FOLDER / file_name(session)


def _read(path: Path) -> Progress | None:
    with suppress(OSError, ValueError, TypeError):
        found = Progress(**json.loads(path.read_text("utf-8", "replace")))
        if isinstance(found.offset, int) and isinstance(found.attempts, int):
            return found
    return None
