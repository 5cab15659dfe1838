"""The words of a page in each of its languages, from the tables that lie beside this module.

The one rule: every language has every word. A number of one may have a form of its own, whose key
ends with `_one`.
"""

import locale
import os
import tomllib
from collections.abc import Mapping

from memgit.pages.files import shipped

LANGUAGES = ("en", "ja")


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        tables = tomllib.loads(shipped(f"words.{language}.toml"))
        self._words: Mapping[str, str] = {
            f"{name}.{key}": word for name, table in tables.items() for key, word in table.items()
        }

    def __call__(self, key: str, n: float | str | None = None, **given: object) -> str:
        """The words for a key, with what is put into them; numbers get their separators."""
        if n == 1 and f"{key}_one" in self._words:
            key = f"{key}_one"
        told = {name: number(value) if isinstance(value, int | float) else value
                for name, value in (given | ({} if n is None else {"n": n})).items()}  # fmt: skip
        return self._words[key].format(**told)

    def has(self, key: str) -> bool:
        """Whether there is such a word: what memories and passes bring may have none."""
        return key in self._words

    def keys(self) -> set[str]:
        """Every key."""
        return set(self._words)


def number(value: float) -> str:
    """A number as people read it: thousands apart, and no more digits than it has to say."""
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"


def usual_language() -> str:
    """The language of this person's locale where we have it, else English."""
    told = next(
        (value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))),
        locale.getlocale()[0] or "",
    )
    return told[:2].lower() if told[:2].lower() in LANGUAGES else LANGUAGES[0]
