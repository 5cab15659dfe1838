"""SQLite with FTS5, the full-text engine of the index of sessions.

The one rule: what it holds is derived. A file that is broken, or of another shape, is put aside
and made anew, and never repaired.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from memgit.errors import StoreError

TOKENIZER = "ascii tokenchars './'"
"""Terms come tokenised, with spaces between them; within one, only these signs are no letters."""

MEND = "see that it can be written, then again"

Row = tuple[Any, ...]


def storable(text: str) -> str:
    """A text as it is kept: half characters, as of a path that is not UTF-8, are written out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _bound(values: Iterable[Any]) -> list[Any]:
    return [storable(value) if isinstance(value, str) else value for value in values]


class BrokenText(Exception):
    """The file cannot be read: damaged, or another program's."""


class FullText:
    """One database file, made with `schema` where it is missing or of another `version`."""

    def __init__(self, file: Path, schema: str, version: int) -> None:
        self.file = file
        try:
            self._open(schema, version)
        except sqlite3.OperationalError as fault:  # locked, no room, no right: no reason to forget
            raise StoreError(f"{file}: {fault}", MEND) from None
        except (sqlite3.DatabaseError, BrokenText):
            self.forget(file)
            self._open(schema, version)

    def _open(self, schema: str, version: int) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(self.file, timeout=30.0, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA secure_delete = ON")
            found = self._connection.execute("PRAGMA user_version").fetchone()[0]
            tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and found != version:
                raise BrokenText(f"{self.file}: of version {found}")
            if not tables:
                self._connection.executescript(
                    f"BEGIN IMMEDIATE; {schema}; PRAGMA user_version = {version}; COMMIT;"
                )
        except (sqlite3.DatabaseError, BrokenText):
            self._connection.close()
            raise

    @staticmethod
    def forget(file: Path) -> None:
        """Remove a database, with what the engine keeps beside it."""
        for ending in ("", "-wal", "-shm", "-journal"):
            file.with_name(file.name + ending).unlink(missing_ok=True)

    def close(self) -> None:
        """Close it."""
        self._connection.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """All changes of the body, or none of them; one process at a time."""
        with self._told():
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):  # a file that was put away has nothing to take back
                self._connection.execute("ROLLBACK")
            raise
        with self._told():
            self._connection.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise what the world did to the file as StoreError. One that is damaged is removed."""
        try:
            yield
        except sqlite3.OperationalError as fault:
            raise StoreError(f"{self.file}: {fault}", MEND) from None
        except sqlite3.DatabaseError as fault:
            if type(fault) is not sqlite3.DatabaseError:
                raise  # a statement of ours is wrong
            self.close()
            self.forget(self.file)
            raise StoreError(
                f"{self.file}: {fault}; it was removed", "do it again: it is made anew"
            ) from None

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows that a statement of ours yields; values never become a part of it."""
        with self._told(), closing(self._connection.execute(statement, _bound(values))) as cursor:
            return cursor.fetchall()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Carry out a statement; the number of the row that it added."""
        with self._told(), closing(self._connection.execute(statement, _bound(values))) as cursor:
            return cursor.lastrowid or 0

    def scrub(self, table: str) -> None:
        """Write a table of words anew, so that nothing of what was deleted is left in its file."""
        with self._told():
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608

    def run_each(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        """Carry out a statement once for each of the values."""
        with self._told(), closing(self._connection.executemany(statement, map(_bound, values))):
            pass


def matching(terms: Iterable[str], every: bool = True) -> str:
    """What FTS5 is asked for, so that a text holds every term, or any; no term is a command."""
    quoted = ['"{}"'.format(term.replace('"', '""')) for term in dict.fromkeys(terms)]
    return (" AND " if every else " OR ").join(quoted)
