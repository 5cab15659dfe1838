"""How Whoosh is told to cut texts into terms, to weigh them, and to merge its segments.

The one rule: nothing here depends on the store; what does is handed in as a function.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from whoosh import analysis, reading, scoring

Located = Callable[[str], Iterable[tuple[int, int, tuple[str, ...]]]]
"""Words of a text: (start, end, terms)."""

Weigh = Callable[[str, float, float], float]
"""(field, times, length of the field) → weight before rarity."""

Rarity = Callable[[str, int, int], float]
"""(term, memories, memories with the term) → factor."""

SMALL = 8
"""Memories: segments up to this size are merged by every write."""

FEW = 3
"""Segments of one size class that may stand; one more, and they are merged into one."""


class TermAnalyzer(analysis.Analyzer):  # type: ignore[misc]
    """Hands our own words to Whoosh: the terms of one word share its position.

    Of a phrase in a query (the one case where Whoosh asks for characters there) only the whole
    forms, since one term must follow the other.
    """

    def __init__(self, locate: Located) -> None:
        self.locate = locate

    def __call__(
        self, value: str, positions: bool = False, chars: bool = False, start_pos: int = 0,
        start_char: int = 0, mode: str = "", **options: Any,
    ) -> Iterator[Any]:  # fmt: skip
        """Whoosh's own protocol: one token object, yielded again and again."""
        token = analysis.Token(positions, chars, mode=mode, **options)
        token.boost = 1.0
        if options.get("tokenize") is False:  # a word with `*` or `?`, or the end of a range
            token.text = _pattern(value)
            yield token
            return
        for place, (start, end, terms) in enumerate(self.locate(value)):
            for term in terms[:1] if chars and mode == "query" else terms:
                token.text = term
                token.pos = start_pos + place
                token.startchar, token.endchar = start_char + start, start_char + end
                yield token


def _pattern(text: str) -> str:
    """A part of a word as the index has whole forms: joined, but for numbers with a dot."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    joiners = "" if normal.translate(_DIGITS).isdigit() else "-_."
    return normal.translate(str.maketrans("", "", joiners))


_DIGITS = str.maketrans("", "", ".*?")


class FieldWeighting(scoring.WeightingModel):  # type: ignore[misc]
    """BM25F with our weights, and a rarity that counts memories rather than fields."""

    def __init__(self, weighted: Sequence[str], weigh: Weigh, rarity: Rarity) -> None:
        self.weighted = tuple(weighted)
        self.weigh = weigh
        self.rarity = rarity
        self._known: dict[bytes | str, float] = {}

    def idf(self, searcher: Any, fieldname: str, text: bytes | str) -> float:
        """The rarity of a term among all memories, whichever fields it stands in."""
        if text not in self._known:
            reader = searcher.get_parent().reader()
            having: set[int] = set()
            for field in self.weighted:
                if (field, text) in reader:
                    having.update(reader.postings(field, text).all_ids())
            term = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
            self._known[text] = self.rarity(term, reader.doc_count(), len(having))
        return self._known[text]

    def scorer(self, searcher: Any, fieldname: str, text: bytes | str, qf: int = 1) -> Any:
        """Whoosh asks for one of these for each field and term of a query."""
        if fieldname not in self.weighted:
            return scoring.WeightScorer.for_(searcher, fieldname, text)
        return _Scorer(searcher, fieldname, self.idf(searcher, fieldname, text), self.weigh)


class _Scorer(scoring.BaseScorer):  # type: ignore[misc]
    def __init__(self, searcher: Any, field: str, rarity: float, weigh: Weigh) -> None:
        self._searcher = searcher
        self._field = field
        self._rarity = rarity
        self._weigh = weigh

    def supports_block_quality(self) -> bool:
        return False

    def max_quality(self) -> float:
        """An upper bound: the term repeated without end."""
        return self._rarity * self._weigh(self._field, 1e12, 1.0)

    def score(self, matcher: Any) -> float:
        length = self._searcher.doc_field_length(matcher.id(), self._field, 1)
        return self._rarity * self._weigh(self._field, matcher.weight(), length)


def merged(writer: Any, segments: Sequence[Any]) -> list[Any]:
    """Which segments a write folds into its new one; the rest stays as it is.

    Small ones always; a larger class (each eight times the last) once it has more than a few; and
    any that is half deleted. So a prompt reads a handful of segments, and a commit rewrites little.
    """
    classes: dict[int, list[Any]] = {}
    for segment in segments:
        size = max(1, segment.doc_count())
        half_gone = segment.doc_count() * 2 < segment.doc_count_all()
        level = 0 if half_gone or size <= SMALL else (size // SMALL).bit_length() // 3 + 1
        classes.setdefault(level, []).append(segment)
    standing = []
    for level, members in classes.items():
        if level and len(members) <= FEW:
            standing.extend(members)
            continue
        for segment in members:
            reader = reading.SegmentReader(writer.storage, writer.schema, segment)
            writer.add_reader(reader)
            reader.close()
    return standing
