"""What recall is compared with: SQLite's FTS5 and plain Whoosh, asked with the prompt as it is.

The one rule: they are left as they come (any word of the prompt, the best few, no floor), so that
what stands beside our figures is what anybody would have after ten lines.
"""

import re
import sqlite3
from collections.abc import Callable, Mapping
from typing import Protocol

from memgit.evaluation.corpus import encodable
from memgit.ports.plain_search import PlainSearch

FOUND = 3
"""Memories that a rival shows for each prompt."""


Words = Callable[[str], list[str]]
"""The words of a prompt, as one tokenizer wants them."""


class Rival(Protocol):
    """An engine over the texts of a store."""

    def ask(self, prompt: str, limit: int) -> list[tuple[str, float]]:
        """(path, score) of the best memories."""


class Fts5:
    """An FTS5 table in memory, ranked by its bm25."""

    def __init__(self, texts: Mapping[str, str], tokenizer: str, words: Words) -> None:
        self._words = words
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            f"CREATE VIRTUAL TABLE memories USING fts5(text, tokenize = '{tokenizer}')"
        )
        self._paths = list(texts)  # kept here: a path may be no text that a database takes
        self._database.executemany(
            "INSERT INTO memories (rowid, text) VALUES (?, ?)", enumerate(texts.values())
        )

    def ask(self, prompt: str, limit: int) -> list[tuple[str, float]]:
        """(path, score) of the best memories for any of the prompt's words."""
        words = dict.fromkeys(self._words(prompt))
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        found = self._database.execute(
            "SELECT rowid, -rank FROM memories WHERE memories MATCH ? ORDER BY rank LIMIT ?",
            (encodable(asked), limit),
        )
        return [(self._paths[number], float(score)) for number, score in found]


def plain_words(prompt: str) -> list[str]:
    """Runs of letters and digits."""
    return re.findall(r"\w+", prompt)


def triples(prompt: str) -> list[str]:
    """Plain words; runs beyond ASCII in threes, as nothing else would find a Chinese sentence."""
    found: list[str] = []
    for run in re.findall(r"[A-Za-z0-9_]+|[^\W\x00-\x7f]+", prompt):
        whole = run.isascii() or len(run) <= 3
        found += [run] if whole else [run[i : i + 3] for i in range(len(run) - 2)]
    return found


def rivals(texts: Mapping[str, str]) -> dict[str, Rival]:
    """Every rival by name, over the texts of the memories (name first) by path."""
    texts = {path: encodable(text) for path, text in texts.items()}
    return {
        "FTS5 unicode61": Fts5(texts, "unicode61", plain_words),
        "FTS5 trigram": Fts5(texts, "trigram", triples),
        "Whoosh, plain": PlainSearch(texts),
    }
