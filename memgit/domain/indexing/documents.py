"""What the index and the recall table hold of one memory.

The one rule: it depends on that memory alone, so that an index can grow by what was added.
"""

from dataclasses import replace

from memgit.domain.indexing import fields
from memgit.domain.memory import LARGEST, STANDING, Memory, decode, key_of, split
from memgit.ports.search import Document
from memgit.prompt.terms import tokens

SHOWN = 16_000
"""Characters of a body that the table keeps, so that recall can quote its telling lines."""


def document(memory: Memory, blob: str, recorded: str) -> Document:
    """The document of a memory that is committed as `blob`; `recorded` is an ISO date or time."""
    indexed = replace(memory, body=memory.body[:LARGEST])
    return Document(
        path=memory.path,
        key=key_of(memory.name),
        texts=fields.texts(indexed),
        keywords={
            "type": memory.type,
            "label": " ".join(label.split()[0].strip(":") for label in memory.labels),
        },
        record={
            "name": memory.name,
            "path": memory.path,
            "type": memory.type,
            "description": memory.description,
            "labels": list(memory.labels),
            "recorded": recorded,
            "standing": memory.type in STANDING,
            "superseded_by": memory.superseded_by or "",
            "retired": memory.is_retired,
            "derived_from": list(memory.words("derived_from")),
            "aliases": list(memory.words("aliases")),
            "blob": blob,
        },
    )


def terms(document: Document) -> set[str]:
    """Every term under which the index finds a document."""
    return {term for text in document.texts.values() for term in tokens(text)}


def lines(content: bytes) -> list[str]:
    """The lines of a file's body that could be quoted, up to a limit of characters."""
    found = []
    room = SHOWN
    for line in split(decode(content)[0])[1].splitlines():
        text = line.strip()
        if not any(map(str.isalnum, text)):
            continue
        found.append(text[:room])
        room -= len(text)
        if room <= 0:
            break
    return found
