"""How often each memory was shown to an agent, from the ledger that the prompt hook writes.

The one rule: it is only counts of what was shown. A line that cannot be read counts for nothing,
and a ledger that is not there means that nothing was shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from memgit.domain.store import Store
from memgit.prompt.ledger import FILE, OLDER
from memgit.prompt.place import content


class Use(NamedTuple):
    """One memory shown once: when, in which session (a checksum), its content and its path then.

    There are tens of thousands, so each costs little: `seconds` are since the epoch.
    """

    seconds: int
    session: str
    blob: str
    path: str

    @property
    def at(self) -> datetime:
        """When it was shown."""
        return datetime.fromtimestamp(self.seconds, UTC)


_END = 253_402_300_800
"""The first second of the year 10000, which no date can tell."""


@dataclass(frozen=True)
class Usage:
    """How often a memory was shown, in how many sessions, and when last."""

    times: int
    sessions: int
    last: datetime


def uses(store: Store) -> Iterator[Use]:
    """Everything that was shown, oldest first, as far back as the ledger goes."""
    for name in (OLDER, FILE):
        try:
            text = content(str(store.derived / name)).decode("utf-8", "replace")
        except OSError:
            continue
        for line in text.split("\n"):
            if use := _use(line):
                yield use


def by_path(store: Store) -> dict[str, Usage]:
    """Usage of each memory that was shown, by the path that it had when it was."""
    found: dict[str, list[Use]] = {}
    for use in uses(store):
        found.setdefault(use.path, []).append(use)
    return {
        path: Usage(len(rows), len({use.session for use in rows}), max(use.at for use in rows))
        for path, rows in found.items()
    }


def _use(line: str) -> Use | None:
    words = line.split(" ", 3)
    try:
        seconds = int(words[0])
    except ValueError:
        return None
    told = len(words) == 4 and words[2] and words[3] and 0 <= seconds < _END
    return Use(seconds, *words[1:]) if told else None
