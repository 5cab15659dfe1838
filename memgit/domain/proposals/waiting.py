"""Proposals that wait for a person: one file for each, among the derived data.

The one rule: a proposal is there whole or not at all, whatever is killed when; and one that was
decided never comes to wait again.
"""

import json
import math
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError

VERSION = 1

DEFERRED = timedelta(days=7)
"""How long a proposal that was put off is not asked about."""

SHORTEST = 3
"""Digits of an id that are enough to name a proposal, where no other begins with them."""


@dataclass(frozen=True)
class Held:
    """A proposal that waits; `until` is the ISO time to which it was put off, `branch` where it was
    proposed for a merge.
    """

    proposal: Proposal
    until: str = ""
    branch: str = ""

    def is_deferred(self, now: datetime) -> bool:
        """Whether it is not to be asked about yet."""
        return bool(self.until) and datetime.fromisoformat(self.until) > now


class Waiting:
    """The proposals of one store that wait."""

    def __init__(self, store: Store) -> None:
        self.folder = store.derived / "proposals"

    def all(self) -> list[Held]:
        """Every one: those put off last, else the oldest first. What is `damaged` is left out."""
        found = [held for held in self._files().values() if held]
        return sorted(found, key=lambda one: (one.until, one.proposal.made, one.proposal.id))

    def damaged(self) -> list[Path]:
        """The files that hold no proposal that can be read."""
        return [path for path, held in self._files().items() if held is None]

    def _files(self) -> dict[Path, Held | None]:
        found: dict[Path, Held | None] = {}
        for path in sorted(self.folder.glob("*.json")):
            found[path] = None
            with suppress(OSError, *_DAMAGED):
                found[path] = _read(path)
        return found

    def find(self, word: str) -> Held:
        """The one with this id, or whose id alone begins so. Raises UsageError."""
        every = self.all()
        found = [one for one in every if one.proposal.id == word]
        if not found and len(word) >= SHORTEST:
            found = [one for one in every if one.proposal.id.startswith(word)]
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(one.proposal.id for one in found)
            raise UsageError(f"{len(found)} proposals begin with {word}: {ids}", "say which")
        raise UsageError(f"no proposal {word} waits", "`memgit review` lists those that do")

    def has(self, id_: str) -> bool:
        """Whether the proposal waits."""
        return self._path(id_).is_file()

    def put(self, proposal: Proposal) -> None:
        """Let a proposal wait. What was said of an earlier form of it (put off, a branch) stays."""
        with suppress(OSError, *_DAMAGED):
            old = _read(self._path(proposal.id))
            self._write(Held(proposal, old.until, old.branch))
            return
        self._write(Held(proposal))

    def take(self, id_: str) -> None:
        """Let it wait no longer. That it does not wait is no fault."""
        with suppress(FileNotFoundError):
            self._path(id_).unlink()

    def defer(self, held: Held, now: datetime | None = None) -> Held:
        """Put it off for a week."""
        until = (now or datetime.now(UTC)) + DEFERRED
        put_off = Held(held.proposal, until.isoformat(timespec="seconds"), held.branch)
        self._write(put_off)
        return put_off

    def propose(self, held: Held, branch: str) -> None:
        """Remember on which branch it was proposed for a merge; "" for none any more."""
        self._write(Held(held.proposal, held.until, branch))

    def _path(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def _write(self, held: Held) -> None:
        told = {"version": VERSION, "proposal": held.proposal.as_json(), "until": held.until,
                "branch": held.branch}  # fmt: skip
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_json(self._path(held.proposal.id), told)
        except OSError as fault:
            raise StoreError(
                f"{fault.filename or self.folder}: {fault.strerror}", "make room or rights there"
            ) from None


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Put a value into a file, which then is the old one or the new one, also after a power cut."""
    number, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(number, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=True, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


_DAMAGED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)

_TEXTS = ("kind", "actor", "to", "path", "text", "seen", "because", "made")


def _read(path: Path) -> Held:
    if not path.is_file():  # a pipe would wait for ever
        raise ValueError("not a file")
    told = json.loads(path.read_bytes())
    if told["version"] != VERSION:
        raise ValueError("of another version")
    until = str(told["until"])
    if until and datetime.fromisoformat(until).tzinfo is None:
        raise ValueError("a time without a zone")
    _expect_types(told["proposal"])
    return Held(Proposal.of_json(told["proposal"]), until, str(told["branch"]))


def _expect_types(row: Mapping[str, Any]) -> None:
    """Raise ValueError or TypeError where a value has another type than passes give it."""
    items = [*row["evidence"], *row["judgements"]]
    texts = [row[key] for key in _TEXTS] + list(row["memories"])
    texts += [value for item in items for key, value in item.items() if key != "passed"]
    flags = [item["passed"] for item in row["judgements"]]
    if not isinstance(row["memories"], list) or not all(isinstance(one, str) for one in texts):
        raise ValueError("not a text")
    if not all(isinstance(one, bool) for one in flags) or not math.isfinite(row["confidence"]):
        raise ValueError("not a judgement, or not a number")
    if "\0" in row["path"] or not all(row["memories"]):
        raise ValueError("not a place or not a name")
    row["path"].encode()
