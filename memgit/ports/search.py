"""Whoosh, the index of record. Only this module and `search_model` import it.

The one rule: an index is opened only from our own `.git/memgit/`, because Whoosh's files hold
pickles and loading a stranger's would run his code.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from whoosh import fields, index, query

from memgit.ports.search_model import FieldWeighting, Located, Rarity, TermAnalyzer, Weigh, merged

Record = Mapping[str, Any]
"""What is shown of a memory; plain JSON values."""

PHRASES = ("name", "description", "body")
"""Fields that keep the places of words, so that "quoted words" can be asked for."""

_FIELD = re.compile(r"(?<![\w\"])(\w+):(?=\"\S|[^\s\"()]*[*?])")
"""A field before a phrase or a pattern. Whoosh takes an unknown one for the start of what stands
behind it, which is right for a word and finds nothing here."""


class BrokenIndex(Exception):
    """The index cannot be opened: missing, half written, or of another version."""


LONGEST = 5_000
"""Characters of a query: the parser looks from each of them to the end of its word, so that a word
of 100,000 would take it minutes."""


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
        # A damaged pickle can raise anything. https://github.com/whoosh-community/whoosh/issues/473
        except Exception as fault:
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
        writer.commit(mergetype=merged)

    @contextmanager
    def segments(self) -> "Iterator[list[IndexSegment]]":
        """The immutable parts that the index now consists of, open while the body runs."""
        with self._index.reader() as reader:
            leaves = (leaf for leaf, _ in reader.leaf_readers())
            yield [IndexSegment(leaf) for leaf in leaves if leaf.doc_count_all()]

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
        if len(text) > LONGEST:
            raise QueryFault(f"{len(text)} characters are too many, {LONGEST} at most")
        from whoosh import qparser  # a write needs none

        schema = self._index.schema
        schema.remove("record")  # it cannot be asked for, so `record:` is a word like others
        parser = qparser.MultifieldParser(list(self.fields), schema, group=qparser.OrGroup)
        try:
            asked = _FIELD.sub(lambda found: found[0] if found[1] in schema else "", _exact(text))
            parsed = query.Every() if text.strip() == "*" else parser.parse(asked)
            with self._index.reader() as reader:
                parsed = parsed.accept(_only_known_phrases).accept(_holding(reader, self.fields))
            parsed = parsed.accept(_without).normalize()
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


def _exact(text: str) -> str:
    """A path or key as Whoosh can hold it: names on a disk need not be Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


def _only_known_phrases(node: Any) -> Any:
    """A phrase is looked for where places are kept, and nowhere else."""
    if isinstance(node, query.Phrase) and node.fieldname not in PHRASES:
        return query.NullQuery
    return node


def _holding(reader: Any, fields: Sequence[str]) -> Callable[[Any], Any]:
    """A word of one character, of a script that is indexed in pairs, is every term that holds it.

    `熊` alone stands in no term where `熊当番` is what was written.
    """

    def widened(node: Any) -> Any:
        if not (isinstance(node, query.Term) and node.fieldname in fields):
            return node
        word = node.text.decode() if isinstance(node.text, bytes) else node.text
        if len(word) != 1 or unicodedata.category(word) != "Lo":
            return node
        sought = word.encode()
        terms = [raw.decode() for raw in reader.lexicon(node.fieldname) if sought in raw]
        return query.Or([query.Term(node.fieldname, term) for term in terms])

    return widened


def _without(node: Any) -> Any:
    """`a NOT b` asks for those with a and without b, also where words are joined by OR."""
    if isinstance(node, query.Or):
        barred = [part for part in node.subqueries if isinstance(part, query.Not)]
        wanted = [part for part in node.subqueries if not isinstance(part, query.Not)]
        if barred and wanted:
            return query.And([query.Or(wanted), *barred])
    return node
