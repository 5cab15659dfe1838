"""Whether a text still holds what a conclusion follows from: all of the parts, some, or none.

The one rule: a part counts as kept only where all of its values stand together; and what is stated
counts as borne out only where the parts that are kept give it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memgit.domain.gates.certificate import DIFFERS, MISSING, PARTIAL, RECOMPUTES
from memgit.domain.gates.priced import total

ALIKE = 0.5
"""Share of the words that no other part has which must stand beside a part's values."""

_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff]")
_DIGITS = re.compile(r"\d+(?:[.:]\d+)*")
_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True)
class Held:
    """`kept` of `of` parts stand in a text; `computed` is what those parts give, None where they
    are nothing that can be added up; `stated` is what was concluded.
    """

    kept: int
    of: int
    stated: float | None = None
    computed: float | None = None

    @property
    def verdict(self) -> str:
        """`recomputes`, `differs`, `source missing` or `partial`."""
        if self.kept < self.of:
            return PARTIAL if self.kept else MISSING
        if self.stated is None or self.computed is None:
            return RECOMPUTES
        return RECOMPUTES if abs(self.stated - self.computed) < 0.005 else DIFFERS

    @property
    def flagged(self) -> bool:
        """Whether somebody should look before it is relied upon."""
        return self.verdict != RECOMPUTES


def held(text: str, parts: Sequence[str], stated: float | None = None) -> Held:
    """How much of its source a text holds. `parts` are the sentences of the source that count."""
    lines = [_plain(line) for line in _ENDS.split(text) if line.strip()]
    counts = Counter(word for part in parts for word in set(_WORD.findall(_plain(part))))
    common = {word for word, count in counts.items() if count > 1}
    kept = [part for part in parts if _stands(_plain(part), lines, common)]
    return Held(len(kept), len(parts), stated, total(kept))


def _stands(part: str, lines: Sequence[str], common: set[str]) -> bool:
    """Whether a line has the part, or all its values beside the words that no other part has."""
    values, words = set(_DIGITS.findall(part)), set(_WORD.findall(part))
    own = (words - common) or words
    for line in lines:
        if part in line:
            return True
        beside = len(own & set(_WORD.findall(line)))
        if values and values <= set(_DIGITS.findall(line)) and beside > ALIKE * (len(own) - 1):
            return True
    return False


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
