"""Whoosh, the index of record. The only module that imports it.

The one rule: an index is opened only from our own `.git/memgit/`, because Whoosh's files hold
pickles and loading a stranger's would run his code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from whoosh import analysis, fields, index, qparser, query, reading, scoring

Located = Callable[[str], Iterable[tuple[int, int, tuple[str, ...]]]]
"""Words of a text: (start, end, terms)."""

Weigh = Callable[[str, float, float], float]
"""(field, times, length of the field) → weight before rarity."""

Rarity = Callable[[str, int, int], float]
"""(term, memories, memories with the term) → factor."""

Record = Mapping[str, Any]
"""What is shown of a memory; plain JSON values."""

PHRASES = ("name", "description", "body")
"""Fields that keep the places of words, so that "quoted words" can be asked for."""

SMALL = 64
"""Memories: segments up to this size are merged by every write."""

FEW = 4
"""Segments of one size class that may stand; one more, and they are merged into one."""


class BrokenIndex(Exception):
    """The index cannot be opened: missing, half written, or of another version."""


class QueryFault(Exception):
    """The person's query does not parse."""


@dataclass(frozen=True)
class Document:
    """What the index holds of one memory: text by field, exact keywords, and what is shown."""

    path: str
    key: str
    texts: Mapping[str, str]
    keywords: Mapping[str, str]
    record: Record


@dataclass(frozen=True)
class Found:
    """One hit of a query: its record, its score, and the terms that matched."""

    record: Record
    score: float
    terms: frozenset[str]


class SearchIndex:
    """One index folder. `fields` are the weighted text fields, in a fixed order."""

    def __init__(self, folder: Path, fields: Sequence[str], locate: Located) -> None:
        self.folder = folder
        self.fields = tuple(fields)
        self._locate = locate

    def create(self) -> None:
        """Make an empty index in the folder, which must exist and be empty."""
        index.create_in(str(self.folder), self._schema())

    @cached_property
    def _index(self) -> Any:
        try:
            opened = index.open_dir(str(self.folder))
            opened.reader().close()
        except Exception as fault:  # a damaged pickle can raise anything
            raise BrokenIndex(f"{self.folder}: {fault}") from fault
        if set(opened.schema.names()) != set(self._schema().names()):
            raise BrokenIndex(f"{self.folder}: other fields")
        return opened

    def _schema(self) -> Any:
        analyzer = TermAnalyzer(self._locate)
        return fields.Schema(
            path=fields.ID(unique=True),
            key=fields.ID(),
            type=fields.KEYWORD(lowercase=True),
            label=fields.KEYWORD(lowercase=True),
            record=fields.STORED(),
            **{
                name: fields.TEXT(analyzer=analyzer, phrase=name in PHRASES) for name in self.fields
            },
        )

    def write(self, gone: Iterable[str], documents: Iterable[Document]) -> None:
        """Take away the memories at `gone` and add `documents`, replacing those at their paths.

        All of it or, when something fails, none of it.
        """
        # A segment in one compound file is copied into memory whole each time it is opened, which
        # makes every commit cost what the store holds.
        writer = self._index.writer(limitmb=256, compound=False)
        try:
            for path in gone:
                writer.delete_by_term("path", _exact(path))
            for document in documents:
                writer.update_document(
                    path=_exact(document.path),
                    key=_exact(document.key),
                    record=dict(document.record),
                    **{name: text for name, text in document.keywords.items() if text},
                    **{name: text for name, text in document.texts.items() if text},
                )
        except BaseException:
            writer.cancel()
            raise
        writer.commit(mergetype=_merge)

    def segments(self) -> "list[IndexSegment]":
        """The immutable parts that the index now consists of."""
        return [
            IndexSegment(leaf)
            for leaf, _ in self._index.reader().leaf_readers()
            if leaf.doc_count_all()
        ]

    def records(self) -> Iterator[Record]:
        """The record of every memory, in no particular order."""
        with self._index.reader() as reader:
            for _, stored in reader.iter_docs():
                yield stored["record"]

    def by(self, field: str, value: str) -> list[Record]:
        """Records whose exact field (`path` or `key`) has this value."""
        with self._index.searcher() as searcher:
            return [stored["record"] for stored in searcher.documents(**{field: _exact(value)})]

    def search(self, text: str, limit: int, weigh: Weigh, rarity: Rarity) -> list[Found]:
        """The best memories for a query in Whoosh's query language.

        Raises QueryFault when the query does not parse.
        """
        parser = qparser.MultifieldParser(
            list(self.fields), self._index.schema, group=qparser.OrGroup
        )
        try:
            parsed = parser.parse(text).accept(_only_known_phrases).normalize()
        except Exception as fault:  # the parser raises its own and builtin errors alike
            raise QueryFault(str(fault) or "the query does not parse") from fault
        return self._run(parsed, limit, weigh, rarity)

    def rank(self, terms: Iterable[str], limit: int, weigh: Weigh, rarity: Rarity) -> list[Found]:
        """The best memories for plain terms, in every weighted field."""
        plain = [query.Term(field, term) for term in terms for field in self.fields]
        return self._run(query.Or(plain), limit, weigh, rarity)

    def _run(self, parsed: Any, limit: int, weigh: Weigh, rarity: Rarity) -> list[Found]:
        model = FieldWeighting(self.fields, weigh, rarity)
        with self._index.searcher(weighting=model) as searcher:
            results = searcher.search(parsed, limit=limit, terms=True)
            return [
                Found(
                    hit["record"],
                    float(hit.score or 0.0),
                    frozenset(
                        term.decode("utf-8", "replace")
                        for field, term in hit.matched_terms()
                        if field in self.fields
                    ),
                )
                for hit in results
            ]


class IndexSegment:
    """One immutable part of the index."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.id: str = str(reader.segment().segment_id())
        self.memories: int = reader.doc_count_all()

    @property
    def deleted(self) -> list[int]:
        """Numbers of the memories that a later write took away."""
        return sorted(self._reader.deleted_docs_set)

    def records(self) -> list[Record]:
        """The record of each memory by its number; an empty one where it is deleted."""
        found: list[Record] = [{} for _ in range(self.memories)]
        for number, stored in self._reader.iter_docs():
            found[number] = stored["record"]
        return found

    def deleted_records(self, numbers: Iterable[int]) -> list[Record]:
        """The records of memories that a later write took away."""
        return [self._reader.stored_fields(number)["record"] for number in numbers]

    def postings(self, field: str) -> Iterator[tuple[str, list[tuple[int, float, float]]]]:
        """For each term of a field: [(memory, times, length of the field in that memory)]."""
        reader = self._reader
        if field not in reader.indexed_field_names():
            return
        lengths = [reader.doc_field_length(n, field) for n in range(self.memories)]
        for raw in reader.lexicon(field):
            matcher = reader.postings(field, raw)
            rows = []
            while matcher.is_active():
                number = matcher.id()
                rows.append((number, matcher.weight(), lengths[number]))
                matcher.next()
            if rows:
                yield raw.decode("utf-8", "replace"), rows


class TermAnalyzer(analysis.Analyzer):  # type: ignore[misc]
    """Hands our own words to Whoosh: the terms of one word share its position."""

    def __init__(self, locate: Located) -> None:
        self.locate = locate

    def __call__(
        self, value: str, positions: bool = False, chars: bool = False, start_pos: int = 0,
        start_char: int = 0, mode: str = "", **options: Any,
    ) -> Iterator[Any]:  # fmt: skip
        """Whoosh's own protocol: one token object, yielded again and again."""
        token = analysis.Token(positions, chars, mode=mode, **options)
        token.boost = 1.0
        for place, (start, end, terms) in enumerate(self.locate(value)):
            for term in terms:
                token.text = term
                token.pos = start_pos + place
                token.startchar, token.endchar = start_char + start, start_char + end
                yield token


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


def _exact(text: str) -> str:
    """A path or key as Whoosh can hold it: names on a disk need not be Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


def _only_known_phrases(node: Any) -> Any:
    """A phrase is looked for where places are kept, and nowhere else."""
    if isinstance(node, query.Phrase) and node.fieldname not in PHRASES:
        return query.NullQuery
    return node


def _merge(writer: Any, segments: Sequence[Any]) -> list[Any]:
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
