"""Regular expressions that are compiled when they are first used.

The one rule: what a commit does not need costs it nothing; compiling all that the gates know takes
longer than looking at a memory.
"""

import re
from collections.abc import Iterator
from functools import cached_property


class Pattern:
    """A regular expression with the methods of one that is compiled."""

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.text = text
        self.flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.text, self.flags)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first place from `start` on."""
        return self._compiled.search(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """The place at the start."""
        return self._compiled.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every place."""
        return self._compiled.finditer(text)

    def findall(self, text: str) -> list[str]:
        """The text of every place."""
        return self._compiled.findall(text)

    def sub(self, to: str, text: str) -> str:
        """The text with each place replaced."""
        return self._compiled.sub(to, text)
