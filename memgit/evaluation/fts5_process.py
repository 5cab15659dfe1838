"""A rival of the prompt hook: the least program that answers a prompt from an SQLite FTS5 table.

The one rule: it gets every trick that the hook uses (no `site`, no `json`, no clean-up at the end),
so that what is compared is the engine.
"""

import sqlite3
import sys
from _json import make_scanner
from posix import _exit

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would slow it down
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

FOUND = 3

ASK = "SELECT path, description FROM memories WHERE memories MATCH ? ORDER BY rank LIMIT ?"


class _Context:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}  # noqa: RUF012 - the scanner asks for it


def build(path: str, rows: "Iterable[tuple[str, str, str, str]]") -> None:
    """Make the database at `path` from (path, name, description, body) of every memory."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(
            "CREATE VIRTUAL TABLE memories USING fts5(path UNINDEXED, name, description, body)"
        )
        connection.executemany("INSERT INTO memories VALUES (?, ?, ?, ?)", rows)
        connection.execute("INSERT INTO memories(memories) VALUES ('optimize')")
    connection.close()


def main(path: str) -> "NoReturn":
    """Read the hook's JSON from stdin, print the best memories for its prompt, end the process."""
    scan = make_scanner(_Context())  # type: ignore[arg-type]
    prompt = scan(sys.stdin.buffer.read().decode(), 0)[0]["prompt"]
    words = "".join(c if c.isalnum() else " " for c in prompt).split()
    asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    rows = connection.execute(ASK, (asked, FOUND)).fetchall()
    sys.stdout.buffer.write("".join(f"{a}: {b}\n" for a, b in rows).encode())
    sys.stdout.flush()
    _exit(0)
