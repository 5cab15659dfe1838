"""Names of technologies: what many projects use, so that sharing one says nothing of a subject.

The one rule: a name stands here only if memories about quite different things would mention it.
"""

from memgit.domain.gates.patterns import Pattern
from memgit.domain.proposals.vocabulary import vocabulary

NAMES = vocabulary("technologies")

CAPITAL = vocabulary("capital")
"""Names that are words as well: technologies where they are written with a capital or as code."""

PHRASES = frozenset(word.replace("_", " ") for word in vocabulary("phrases"))
"""Names of two or three words."""

_WORD = Pattern(r"`?[A-Za-z][A-Za-z0-9+#]*(?:[.-][A-Za-z0-9]+)*`?|[ァ-ヶー]{2,}")
_PHRASE = Pattern(rf"(?i)\b(?:{'|'.join(sorted(PHRASES))})\b")

KATAKANA = vocabulary("katakana")


def technologies(text: str) -> frozenset[str]:
    """The technologies that a text names, in small letters."""
    found = {phrase[0].lower() for phrase in _PHRASE.finditer(text)}
    found.update(_bare(word[0]) for word in _WORD.finditer(text) if is_technology(word[0]))
    return frozenset(found)


def is_technology(word: str) -> bool:
    """Whether a word or a short phrase is the name of one, with or without its version."""
    plain = word.strip("`'\".,:;()")
    low = plain.casefold()
    if low in PHRASES or plain in KATAKANA or _bare(word) in NAMES:
        return True
    return low in CAPITAL and (plain != low or word.startswith("`"))


def _bare(word: str) -> str:
    """A name in small letters, without the version that stands behind it."""
    low = word.strip("`'\".,:;()").casefold()
    without = low.rstrip("0123456789.").rstrip("-_ ")
    return low if low in NAMES or len(without) < 2 else without


def without_technologies(text: str) -> str:
    """The text with the technologies of several words taken out."""
    return _PHRASE.sub(" ", text)
