"""The index of sessions: brought up to what lies on the disk, and asked.

The one rule: only what is new in a transcript is read. The last turn of each is read again when the
file has grown, because the agent may have been at it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memgit.domain.sessions.shelf import Shelf, Standing
from memgit.domain.skills.action import Action, actions
from memgit.domain.skills.deeds import Deed, deeds
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import LONGEST_LINE, Cursor, sessions
from memgit.domain.transcripts.turns import Step, Turn, stretches
from memgit.ports.fulltext import matching, storable
from memgit.prompt.terms import tokens

FILE = "sessions/index.db"
"""Where it lies among the derived data."""

LONGEST = 16_000
"""Characters of a turn's words that are indexed; an output is not among them, a complaint is."""

SHOWN = 20

WORTH_RANKING = 5_000
"""Turns up to which the best are looked for. What stands in more tells nothing of what was meant,
and takes long to weigh: then the last ones that were read are shown."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Synced:
    """What bringing it up to date took: transcripts read, turns put in, transcripts found gone."""

    transcripts: int
    read: int
    turns: int
    gone: int


@dataclass(frozen=True)
class Hit:
    """A turn that a query found."""

    session: str
    id: str
    time: str
    folder: str
    prompt: str
    path: str


@dataclass(frozen=True)
class Found:
    """The best turns, how many there are in all, and how many in each session, most first.

    `any` tells that no turn holds all the words, so that these hold some.
    """

    hits: Sequence[Hit]
    turns: int
    sessions: Sequence[tuple[str, int]]
    any: bool = False


class SessionIndex:
    """An open index. `file` is where it lies."""

    def __init__(self, file: Path) -> None:
        self.shelf = Shelf(file)

    @classmethod
    def of(cls, store: Store) -> "SessionIndex":
        """That of a store."""
        return cls(store.derived / FILE)

    def close(self) -> None:
        """Close it."""
        self.shelf.text.close()

    def sync(self, folder: Path, told: Told = lambda done, of: None) -> Synced:
        """Read what is new in the transcripts below a folder; those that are gone stay counted."""
        known = self.shelf.transcripts()
        paths = sessions(folder) if folder.is_dir() else []
        here = {storable(str(path)) for path in paths}
        missing = [one for path, one in known.items()
                   if path.startswith(_below(folder)) and path not in here]  # fmt: skip
        fresh = [one for one in missing if not one.is_gone]
        with self.shelf.text.change():
            for one in fresh:
                self.shelf.is_gone(one)
            if fresh:
                self.shelf.text.scrub("words")
        gone = {one.session: one for one in missing}
        read = turns = 0
        for place, path in enumerate(paths):
            told(place, len(paths))
            added = self._read(path, known.get(storable(str(path))), gone)
            read += added is not None
            turns += added or 0
        told(len(paths), len(paths))
        return Synced(len(paths), read, turns, len(fresh))

    def _read(self, path: Path, known: Standing | None, gone: dict[str, Standing]) -> int | None:
        """Read on in a transcript; how many turns were put in, None where nothing is new."""
        try:
            status = path.stat()
            if known and not known.is_gone and (known.size, known.modified) == (
                status.st_size, status.st_mtime_ns,
            ):  # fmt: skip
                return None
            fits = known is not None and not known.is_gone and known.cursor.fits(path)
            start = known.cursor.offset if known and fits else 0
            found = list(stretches(path, start))
            cursor = Cursor.at(path, found[-1].start) if found else Cursor(start)
        except OSError:
            return None
        session = found[0].session if found else (known.session if known else path.stem)
        with self.shelf.text.change():
            if moved := gone.pop(session, None):
                self.shelf.forget(moved)
            number = self.shelf.put(str(path), session, cursor, status.st_size, status.st_mtime_ns)
            self.shelf.drop_from(number, start)
            self.shelf.put_typed(number, commands_typed(path, start))
            return sum(self._add(number, turn) for turn in found)

    def _add(self, transcript: int, turn: Turn) -> int:
        """Put in a turn, or what it has beyond a copy that is there; how many turns that is."""
        known = self.shelf.known(turn)
        if known is not None:
            self.shelf.is_kin(transcript, turn)
        steps = [step for step in turn.steps if known is None or step.id not in known]
        done = [action for step in steps for action in actions(step)]
        if known is not None and not done:
            return 0
        words = words_of(turn if known is None else None, steps, done)
        self.shelf.add(transcript, turn, done, words)
        return 1

    def search(self, query: str, most: int = SHOWN) -> Found:
        """The turns in which all words of a query stand, else any of them."""
        terms = tokens(query)
        if not terms:
            return Found((), 0, ())
        for every in (True, False):
            match = matching(terms, every)
            per_session = self.shelf.count(match)
            if per_session:
                break
        turns = sum(times for _, times in per_session)
        rows = (self.shelf.best if turns <= WORTH_RANKING else self.shelf.last)(match, most)
        return Found(tuple(Hit(*row) for row in rows), turns, per_session, not every)

    def deeds(self, folder: Path) -> dict[str, Sequence[Deed]]:
        """What each session below a folder did, deleted ones too; a fork of one is the same one."""
        found: dict[str, list[Action]] = {}
        for session, action in self.shelf.actions(_below(folder)):
            found.setdefault(session, []).append(action)
        return {session: deeds(done) for session, done in found.items()}

    def invoked(self, name: str) -> list[tuple[str, str]]:
        """(session, time) of each time that a skill was called, oldest first."""
        return [(str(session), str(time)) for session, time in self.shelf.invoked(name)]

    def folders(self, sessions: Sequence[str]) -> list[str]:
        """Where these sessions ran, each folder once; where any did, for none."""
        return self.shelf.folders(sessions)

    def days(self, sessions: Sequence[str]) -> tuple[str, str]:
        """The first and the last day of these sessions; "" where nothing tells."""
        return self.shelf.days(sessions)

    def gone(self) -> frozenset[str]:
        """The sessions whose transcripts were deleted."""
        return frozenset(one.session for one in self.shelf.transcripts().values() if one.is_gone)


_COMMAND = re.compile(rb"<command-name>/([\w:.-]+)</command-name>")


def commands_typed(path: Path, start: int = 0) -> Iterator[tuple[str, str, str]]:
    """(record, name, time) of each command with a slash that a person typed from a place on."""
    with path.open("rb") as file:
        file.seek(start)
        for line in iter(partial(file.readline, LONGEST_LINE), b""):
            # What a tool answered is a user's record too: a file with such a line is no call.
            is_typed = b'"type":"user"' in line and b'"tool_use_id"' not in line
            if is_typed and (found := _COMMAND.search(line)):
                with suppress(ValueError, AttributeError):
                    told = json.loads(line)
                    record = str(told.get("uuid") or "")
                    yield record, found[1].decode("ascii", "replace"), str(told.get("timestamp"))


EVERYWHERE = Path("/")
"""The folder below which everything is."""


def _below(folder: Path) -> str:
    """How the path of everything below a folder starts."""
    return f"{storable(str(folder)).rstrip('/')}/"


def words_of(turn: Turn | None, steps: Iterable[Step], done: Iterable[Action]) -> str:
    """The terms under which a turn is found, with spaces between: what was typed, said and done."""
    parts: list[str] = []
    if turn:
        parts += [*turn.typed, turn.answer]
    for step in steps:
        parts.append(step.tool)
        parts += [value for key in ("file_path", "pattern", "query", "url")
                  if isinstance(value := step.input.get(key), str)]  # fmt: skip
    for action in done:
        parts += [action.text, action.why]
    return " ".join(tokens("\n".join(filter(None, parts))[:LONGEST]))
