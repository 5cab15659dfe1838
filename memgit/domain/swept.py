"""How far a sweep is: which of its stages are done, so that one that was stopped can go on.

The one rule: a stage is noted when it is done, not before.
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memgit.domain.queue.jobs import put
from memgit.domain.store import Store

FILE = "sweep.json"

STALE = timedelta(hours=24)
"""After this a sweep that was stopped starts anew: the store is another one by now."""


@dataclass(frozen=True)
class Swept:
    """One sweep: when it began, which stages are done, and when all of them were (ISO times)."""

    begun: str
    done: tuple[str, ...] = ()
    ended: str = ""

    @classmethod
    def last(cls, store: Store) -> "Swept | None":
        """The last one of a store; None where there was none."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            row = json.loads(_file(store).read_text("utf-8"))
            datetime.fromisoformat(row["begun"])
            return cls(row["begun"], tuple(map(str, row["done"])), str(row["ended"]))
        return None

    @classmethod
    def begin(cls, store: Store, now: datetime) -> "Swept":
        """The one that was stopped, to go on with; else a new one."""
        last = cls.last(store)
        is_stopped = last and last.done and not last.ended
        if last and is_stopped and now - datetime.fromisoformat(last.begun) < STALE:
            return last
        return cls(now.astimezone(UTC).isoformat(timespec="seconds"))

    def with_done(self, store: Store, stage: str) -> "Swept":
        """Note a stage that is done."""
        return self._written(store, replace(self, done=(*self.done, stage)))

    def finished(self, store: Store, now: datetime) -> "Swept":
        """Note that all are."""
        ended = now.astimezone(UTC).isoformat(timespec="seconds")
        return self._written(store, replace(self, ended=ended))

    @staticmethod
    def _written(store: Store, swept: "Swept") -> "Swept":
        put(_file(store), json.dumps(asdict(swept)) + "\n")
        return swept


def _file(store: Store) -> Path:
    return store.derived / FILE
