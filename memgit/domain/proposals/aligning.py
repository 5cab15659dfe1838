"""Two sentences laid side by side: what one says in the place of what the other says.

The one rule: what stands where the other sentence has something else is a value only at its end,
or behind its topic; what is put in, or differs earlier, makes it a sentence on another thing.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from memgit.domain.borders.statements import words

_TOKEN = re.compile(
    r"`[^`\n]+`|[A-Za-z][A-Za-z0-9_'./-]*|\d[\d.,:]*|[\u3400-\u9fff々]+|[ァ-ヴー]+|[\u3041-\u309f]+"
)
_DIGITS = re.compile(r"\d[\d.,:]*")
_SKIPPED = frozenset({"the", "a", "an", "now", "also", "its", "our", "to"})
_COPULAS = frozenset({"is", "are", "was", "were", "be", "has", "have"})
_NARROWING = frozenset({"of", "for", "in", "on", "at", "during", "within", "under", "per", "の"})
_TOPICS = ("は", "には", "では", "も")

_INSTEAD = re.compile(r"(?:(?<=は)|(?<=、))[^は、。]*?(?:では|じゃ)なくて?、?")
"""What a sentence says not to hold, before it says what does."""

AFTER = 2
"""Words that both sentences may have behind a value, where no topic tells it from the subject."""


def replaced(old: str, new: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of either sentence that are its value: of the last place where they differ."""
    one, other = _tokens(old), _tokens(_INSTEAD.sub("", new))
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    places = _places(one, other, blocks)
    gone = [token for i1, i2, _, _ in places for token in one[i1:i2]]
    come = [token for _, _, j1, j2 in places for token in other[j1:j2]]
    return _value_words(gone), _value_words(come)


def _value_words(tokens: Sequence[str]) -> frozenset[str]:
    """What is compared of them, with and without their digits (`cp932` is `cp` where the words of a
    sentence are told from its numbers); one kanji may be a name of its own (`星ペイ`).
    """
    text = " ".join(tokens)
    return (
        words(text)
        | words(_DIGITS.sub(" ", text))
        | {one for one in tokens if len(one) == 1 and "\u3400" <= one <= "\u9fff"}
    )


Block = tuple[str, int, int, int, int]
Place = tuple[int, int, int, int]


def _places(one: Sequence[str], other: Sequence[str], blocks: Sequence[Block]) -> list[Place]:
    topic = next((n for n, token in enumerate(other) if token in _TOPICS), None)
    found: list[Place] = []
    before = False
    after = 0
    for tag, i1, i2, j1, j2 in blocks:
        same = sum(map(_is_content, other[j1:j2])) if tag == "equal" else 0
        if same and topic is None:
            after += same
            before = True
        before = before or (topic is not None and j2 > topic)
        if tag != "replace" or not before:
            continue
        if topic is not None and j1 < topic:
            continue
        if after and topic is None and found:
            found = []  # what differed earlier was the subject
        after = 0
        if not _narrows(one[i1:i2], other[j1:j2]) and _COPULAS.isdisjoint(other[j1:]):
            found.append((i1, i2, j1, j2))
    return found if topic is not None or after <= AFTER else []


def _narrows(one: Sequence[str], other: Sequence[str]) -> bool:
    return bool(_NARROWING & set(other[1:]) - set(one))


def _is_content(token: str) -> bool:
    return len(token) > 1 and not "\u3041" <= token[0] <= "\u309f" and token not in _NARROWING and (
        bool(words(token)) or token.startswith("`"))  # fmt: skip


def _tokens(text: str) -> list[str]:
    found = (match[0].casefold().rstrip(".,:'") for match in _TOKEN.finditer(text))
    return [token for token in found if token and token not in _SKIPPED]
