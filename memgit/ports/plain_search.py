"""Whoosh as it comes: one text field, its default analyzer, its own ranking; in memory only.

The one rule: nothing of ours is in it. It is what recall is compared with.
"""

from collections.abc import Mapping

from whoosh import fields, query
from whoosh.filedb.filestore import RamStorage


class PlainSearch:
    """An index in memory of texts by path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        schema = fields.Schema(path=fields.STORED(), text=fields.TEXT())
        self._analyzer = schema["text"].analyzer
        self._index = RamStorage().create_index(schema)
        with self._index.writer() as writer:
            for path, text in texts.items():
                writer.add_document(path=path, text=text)

    def ask(self, prompt: str, limit: int) -> list[tuple[str, float]]:
        """(path, score) of the best texts for any of the prompt's words."""
        plain = prompt.encode("utf-8", "replace").decode()  # half characters are no words
        words = dict.fromkeys(token.text for token in self._analyzer(plain, mode="query"))
        with self._index.searcher() as searcher:
            asked = query.Or([query.Term("text", word) for word in words])
            return [(hit["path"], float(hit.score)) for hit in searcher.search(asked, limit=limit)]
