"""The verdicts that were reached: one line each among the derived data, as each is reached.

The one rule: what was asked is not asked again while its answer holds, also when a run was ended
half way; and a verdict holds only for the commit of the roots that it was reached on.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from memgit.domain.claims.verdict import Verdict
from memgit.domain.store import Store
from memgit.errors import StoreError

FILE = "verdicts.jsonl"

SPARE = 2000
"""Lines that are there in vain before the file is written anew."""


@dataclass(frozen=True)
class Standing:
    """A verdict that was reached: `checked` is an ISO time, `state` what the roots were then.

    `probe` is who reached it; "" in lines of before that was noted.
    """

    key: str
    verdict: str
    checked: str
    state: str
    why: str = ""
    moved_to: str = ""
    probe: str = ""

    def holds(self, probe: str, state: str, now: datetime) -> bool:
        """Whether it is to be taken for the answer: known, young enough, on the same roots."""
        from memgit.domain.claims.table import is_due  # its probes take time; who counts needs none

        if self.verdict == Verdict.UNKNOWN or self.state != state:
            return False
        try:
            return not is_due(probe, now - datetime.fromisoformat(self.checked))
        except (ValueError, TypeError):
            return False


class Journal:
    """The verdicts of one store."""

    def __init__(self, store: Store) -> None:
        self.path = store.derived / FILE
        self._known, self._lines = _load(self.path)

    def standing(self) -> Mapping[str, Standing]:
        """Key → the last verdict."""
        return self._known

    def note(self, one: Standing) -> None:
        """Write a verdict down."""
        self._known[one.key] = one
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "ab", 0) as file:
                file.write(_line(one))
            self._lines += 1
        except OSError as fault:
            raise StoreError(
                f"{self.path}: {fault.strerror}", "make room or rights there"
            ) from None

    def tidy(self) -> None:
        """Write the file anew where most of it is out of date."""
        if self._lines <= len(self._known) + SPARE:
            return
        aside = self.path.with_name(f"{FILE}.{os.getpid()}")
        with suppress(OSError):
            aside.write_bytes(b"".join(map(_line, self._known.values())))
            aside.replace(self.path)


def moment(now: datetime) -> str:
    """A time as verdicts tell it."""
    return now.astimezone(UTC).isoformat(timespec="seconds")


def _line(one: Standing) -> bytes:
    return (json.dumps(asdict(one)) + "\n").encode()


def _load(path: Path) -> tuple[dict[str, Standing], int]:
    """What the file tells, and how many lines it has; a line that is none is left out."""
    found: dict[str, Standing] = {}
    rows: list[str] = []
    with suppress(OSError):
        rows = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for row in rows:
        with suppress(ValueError, TypeError, RecursionError):
            one = Standing(**json.loads(row))
            if all(isinstance(value, str) for value in vars(one).values()):
                found[one.key] = one
    return found, len(rows)
