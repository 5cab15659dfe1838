"""The tables of the index of sessions: transcripts, their turns, what was done there, their words.

The one rule: a prompt and a call count once, whatever forks and copies of a session hold them; the
first transcript that was read has them, and those that share a prompt are one session. Of a
transcript that was deleted only the names of what was done stay, so that it still counts, and no
word of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memgit.domain.skills.action import Action
from memgit.domain.transcripts.reader import Cursor
from memgit.domain.transcripts.turns import Turn
from memgit.ports.fulltext import TOKENIZER, FullText, Row

VERSION = 2

SCHEMA = f"""
CREATE TABLE transcripts (
    number INTEGER PRIMARY KEY, path TEXT UNIQUE, session TEXT, start INTEGER, digest TEXT,
    size INTEGER, modified INTEGER, gone INTEGER DEFAULT 0, root TEXT
);
CREATE INDEX by_session ON transcripts (session);
CREATE TABLE turns (
    number INTEGER PRIMARY KEY, transcript INTEGER, id TEXT, time TEXT, folder TEXT,
    start INTEGER, prompt TEXT
);
CREATE INDEX by_transcript ON turns (transcript, start);
CREATE INDEX by_id ON turns (id);
CREATE TABLE actions (
    turn INTEGER, place INTEGER, name TEXT, kind TEXT, text TEXT, record TEXT, failed INTEGER,
    why TEXT
);
CREATE INDEX by_turn ON actions (turn);
CREATE INDEX by_name ON actions (name);
CREATE TABLE typed (record TEXT PRIMARY KEY, transcript INTEGER, name TEXT, time TEXT);
CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = "{TOKENIZER}")
"""

ROOM = 1 << 20
"""Turns of one transcript. A turn's number is its transcript's times this, plus its place; so that
whose a turn is needs no looking up."""

_SHOWN = (
    "SELECT session, id, time, folder, prompt, path FROM (SELECT rowid AS hit FROM words "
    "WHERE words MATCH ? ORDER BY {} LIMIT ?) JOIN turns ON turns.number = hit "
    "JOIN transcripts ON transcripts.number = transcript"
)

_OF_SESSIONS = "SELECT {} FROM turns JOIN transcripts ON transcripts.number = transcript WHERE {}"
_USUAL = "GROUP BY folder ORDER BY count(*) DESC, folder"

EXCERPT = 300
"""Characters of a prompt that are kept to be shown."""


@dataclass(frozen=True)
class Standing:
    """A transcript as it was read. `cursor` is where its last turn starts, which may still grow."""

    number: int
    path: str
    session: str
    cursor: Cursor
    size: int
    modified: int
    is_gone: bool


class Shelf:
    """The tables, open."""

    def __init__(self, file: Path) -> None:
        self.text = FullText(file, SCHEMA, VERSION)

    def transcripts(self) -> dict[str, Standing]:
        """Every transcript that was read, by path."""
        rows = self.text.rows(
            "SELECT number, path, session, start, digest, size, modified, gone FROM transcripts"
        )
        return {
            path: Standing(number, path, session, Cursor(start, digest), size, modified, bool(gone))
            for number, path, session, start, digest, size, modified, gone in rows
        }

    def put(self, path: str, session: str, cursor: Cursor, size: int, modified: int) -> int:
        """Note how far a transcript was read; its number."""
        self.text.run(
            "INSERT INTO transcripts (path, session, start, digest, size, modified, root) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?2) ON CONFLICT (path) DO UPDATE "
            "SET session = excluded.session, start = excluded.start, digest = excluded.digest, "
            "size = excluded.size, modified = excluded.modified, gone = 0",
            (path, session, cursor.offset, cursor.digest, size, modified),
        )
        rows = self.text.rows("SELECT number FROM transcripts WHERE path = ?", (path,))
        return int(rows[0][0])

    def is_kin(self, transcript: int, turn: Turn) -> None:
        """A transcript has a turn of another: it is a fork of its session, or goes on with it."""
        self.text.run(
            "UPDATE transcripts SET root = coalesce((SELECT other.root FROM turns "
            "JOIN transcripts AS other ON other.number = turns.transcript "
            "WHERE turns.id = ?1 AND other.number != ?2 ORDER BY turns.number LIMIT 1), root) "
            "WHERE number = ?2 AND root = session",
            (turn.id, transcript),
        )

    def drop_from(self, transcript: int, start: int) -> None:
        """Forget the turns of a transcript from a place on, which are about to be read again."""
        where = "(SELECT number FROM turns WHERE transcript = ? AND start >= ?)"
        for table, key in (("words", "rowid"), ("actions", "turn")):
            self.text.run(f"DELETE FROM {table} WHERE {key} IN {where}", (transcript, start))  # noqa: S608
        self.text.run("DELETE FROM turns WHERE transcript = ? AND start >= ?", (transcript, start))

    def is_gone(self, standing: Standing) -> None:
        """A transcript was deleted: its words go, what was done in it stays as names."""
        where = "(SELECT number FROM turns WHERE transcript = ?)"
        key = (standing.number,)
        self.text.run(f"DELETE FROM words WHERE rowid IN {where}", key)  # noqa: S608
        self.text.run(f"UPDATE actions SET text = '', why = '' WHERE turn IN {where}", key)  # noqa: S608
        self.text.run("UPDATE turns SET prompt = '' WHERE transcript = ?", key)
        self.text.run("UPDATE transcripts SET gone = 1 WHERE number = ?", key)

    def forget(self, standing: Standing) -> None:
        """Forget a transcript altogether: another file has all of it."""
        self.drop_from(standing.number, 0)
        self.text.run("DELETE FROM transcripts WHERE number = ?", (standing.number,))

    def known(self, turn: Turn) -> set[str] | None:
        """The records of a turn whose prompt another transcript has; None where none has it."""
        rows = self.text.rows("SELECT number FROM turns WHERE id = ?", (turn.id,))
        if not rows:
            return None
        marks = ", ".join("?" * len(rows))
        found = self.text.rows(
            f"SELECT record FROM actions WHERE turn IN ({marks})",  # noqa: S608 - marks alone
            [number for (number,) in rows],
        )
        return {record for (record,) in found}

    def add(self, transcript: int, turn: Turn, done: Iterable[Action], words: str) -> None:
        """Put in one turn."""
        last = self.text.rows(
            "SELECT max(number) FROM turns WHERE number >= ? AND number < ?",
            (transcript * ROOM, (transcript + 1) * ROOM),
        )[0][0]
        number = transcript * ROOM if last is None else last + 1
        excerpt = turn.prompt[:EXCERPT]
        self.text.run(
            "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, transcript, turn.id, turn.time, turn.folder, turn.start, excerpt),
        )
        self.text.run_each(
            "INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (number, place, one.name, one.kind, one.text, one.record, one.failed, one.why)
                for place, one in enumerate(done)
            ),
        )
        self.text.run("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, words))

    def count(self, match: str) -> list[tuple[str, int]]:
        """How many turns of each session match, most first."""
        rows = self.text.rows(
            "SELECT session, sum(times) AS all_times FROM (SELECT rowid / ? AS found, "
            "count(*) AS times FROM words WHERE words MATCH ? GROUP BY found) "
            "JOIN transcripts ON transcripts.number = found "
            "GROUP BY session ORDER BY all_times DESC, session",
            (ROOM, match),
        )
        return [(session, times) for session, times in rows]

    def best(self, match: str, most: int) -> list[Row]:
        """(session, id, time, folder, prompt, path) of the turns that match best."""
        return self.text.rows(_SHOWN.format("rank"), (match, most))

    def last(self, match: str, most: int) -> list[Row]:
        """The same of the turns that match and were read last."""
        return self.text.rows(_SHOWN.format("rowid DESC"), (match, most))

    def put_typed(self, transcript: int, typed: Iterable[tuple[str, str, str]]) -> None:
        """Note the commands with a slash that a person typed: (record, name, time) of each."""
        self.text.run_each(
            "INSERT OR IGNORE INTO typed VALUES (?, ?, ?, ?)",
            ((record, transcript, name, time) for record, name, time in typed),
        )

    def invoked(self, name: str) -> list[Row]:
        """(session, time) of each time that a skill was called, by a person or by a model."""
        return self.text.rows(
            "SELECT session, time FROM typed JOIN transcripts ON transcripts.number = transcript "
            "WHERE name = ? UNION ALL SELECT session, time FROM actions JOIN turns ON "
            "turns.number = turn JOIN transcripts ON transcripts.number = transcript "
            "WHERE name = ? ORDER BY time",
            (name, f"Skill({name})"),
        )

    def folders(self, sessions: Sequence[str]) -> list[str]:
        """The folders of these sessions, or of all; the usual ones first."""
        which, values = _among(sessions)
        rows = self.text.rows(f"{_OF_SESSIONS.format('folder', which)} {_USUAL}", values)
        return [folder for (folder,) in rows if folder]

    def days(self, sessions: Sequence[str]) -> tuple[str, str]:
        """The first and the last day on which these sessions did something."""
        which, values = _among(sessions)
        what = "min(nullif(time, '')), max(time)"
        first, last = self.text.rows(_OF_SESSIONS.format(what, which), values)[0]
        return (first or "")[:10], (last or "")[:10]

    def actions(self, below: str) -> Iterator[tuple[str, Action]]:
        """(session, what was done) of sessions with a transcript below a folder, in order; of one
        that lies elsewhere too, whichever was read first has it. What forks did is their root's.
        """
        rows = self.text.rows(
            "SELECT root, name, kind, text, record, failed, why "
            "FROM transcripts JOIN turns ON transcript = transcripts.number "
            "JOIN actions ON turn = turns.number WHERE session IN "
            "(SELECT session FROM transcripts WHERE substr(path, 1, ?) = ?) "
            "ORDER BY path, turns.start, turns.number, place",
            (len(below), below),
        )
        for session, name, kind, text, record, failed, why in rows:
            yield session, Action(name, kind, text, record, bool(failed), why)


def _among(sessions: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The condition that a session is one of these, and its values; none of them is any."""
    marks = ", ".join("?" * len(sessions))
    return (f"session IN ({marks})" if sessions else "1 = 1"), sessions
