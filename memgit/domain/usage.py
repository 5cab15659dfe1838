"""How often each memory was shown to an agent, from the ledger that the prompt hook writes.

The one rule: it is only counts of what was shown. A line that cannot be read counts for nothing,
and a ledger that is not there means that nothing was shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from memgit.domain.store import Store
from memgit.prompt.ledger import FILE, OLDER
from memgit.prompt.place import content


@dataclass(frozen=True)
class Use:
    """One memory shown once: when, in which session (a checksum), its content and its path then."""

    at: datetime
    session: str
    blob: str
    path: str


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
    seconds, _, rest = line.partition(" ")
    session, _, rest = rest.partition(" ")
    blob, _, path = rest.partition(" ")
    try:
        at = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return Use(at, session, blob, path) if blob and path else None
