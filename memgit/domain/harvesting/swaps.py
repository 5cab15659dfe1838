"""Two sentences that are the same but for a word: which one stands in the place of which.

The one rule: only sentences that agree in most of their words are compared; what is put in another
way altogether says nothing here.
"""

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher

from memgit.domain.borders.statements import words

LIKE = 0.6
"""Share of the words of both that must agree, in their order."""

_TOKEN = re.compile(
    r"[A-Za-z][A-Za-z0-9_'./-]*|\d[\d.,:/-]*|[\u3400-\u9fff々]|[ァ-ヴー]+|[\uac00-\ud7af]+"
)
_NUMBER = "#"

Swap = tuple[str, str]
"""(what the first one says, what the other one says in its place)"""


def swaps(one: str, other: str) -> list[Swap] | None:
    """Every place where one of two sentences has other words, numbers aside; None where they are
    not nearly the same.
    """
    return _swaps(_tokens(one, masked=True), _tokens(other, masked=True))


def differs_in_numbers(one: str, other: str) -> bool:
    """Whether two sentences say the same of other numbers, and nothing else."""
    mine, theirs = _tokens(one, masked=False), _tokens(other, masked=False)
    found = _swaps(mine, theirs)
    return bool(found) and all(a[0].isdigit() and b[0].isdigit() for a, b in found or ())


def _swaps(one: list[str], other: list[str]) -> list[Swap] | None:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if not one or not other or _agreeing(matcher) < LIKE * max(len(one), len(other)):
        return None
    return [
        (" ".join(one[i1:i2]), " ".join(other[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag == "replace"
    ]


def _agreeing(matcher: SequenceMatcher[str]) -> int:
    return sum(block.size for block in matcher.get_matching_blocks())


def _tokens(text: str, masked: bool) -> list[str]:
    return list(_read(unicodedata.normalize("NFKC", text), masked))


def _read(text: str, masked: bool) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".,:'-/")
        if token[:1].isdigit():
            yield _NUMBER if masked else token
        elif not token.isascii():
            yield token
        elif stems := words(token):
            yield " ".join(sorted(stems))
