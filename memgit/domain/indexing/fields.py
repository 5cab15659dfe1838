"""The fields of a memory as the index sees them, and what a word in each of them weighs.

The one rule: a memory's weight for a term depends on that memory alone. Field lengths are held
against fixed reference lengths instead of the store's averages, so that adding one memory changes
no other memory's weight, and an index can grow by what was added.
"""

from collections.abc import Iterable, Mapping

from memgit.domain.memory import Memory
from memgit.ports.markdown import outline

K1 = 3.0
"""How slowly repeating a word stops helping. Ranking is flat between 3 and 6 on real stores."""

B = 0.75
"""How much a long field makes each of its words count less (the usual value)."""

REFERENCE_LENGTHS: Mapping[str, float] = {
    "name": 8.0,
    "title": 8.0,
    "description": 16.0,
    "headings": 24.0,
    "code": 40.0,
    "aliases": 8.0,
    "asked_as": 8.0,
    "topics": 6.0,
    "body": 300.0,
}
"""Terms in a field of usual length: rounded medians over memories that agents wrote."""


def texts(memory: Memory) -> dict[str, str]:
    """The text of each field. The body field holds the whole body, headings and code included."""
    found = outline(memory.body)
    return {
        "name": _called(memory),
        "title": "".join(found.headings[:1]),
        "description": memory.description,
        "headings": "\n".join(found.headings[1:]),
        "code": "\n".join(found.code),
        "aliases": "\n".join(_typed(alias) for alias in memory.words("aliases")),
        "asked_as": asked_text(memory.words("asked_as")) if leads(memory) else "",
        "topics": "\n".join(memory.words("topics") + memory.words("entities")),
        "body": memory.body,
    }


def _called(memory: Memory) -> str:
    """What the memory and its folders are called, once each; `__` is how exports write a `/`."""
    path = memory.path.rpartition(".")[0].replace("__", "/")
    folders, _, file = path.rpartition("/")
    name = memory.name.replace("__", "/")
    return path if name in (file, path) else f"{folders}/{file} {name}"


def asked_text(words: Iterable[str]) -> str:
    """The text of the field `asked_as`."""
    return "\n".join(map(_typed, words))


def leads(memory: Memory) -> bool:
    """Whether words that a pass found may lead to a memory: never to one that holds no more."""
    return not (memory.is_retired or memory.superseded_by or memory.reasons("refuted"))


def _typed(alias: str) -> str:
    """An alias, and where it is two words, these as one name: prompts are asked for both."""
    parts = alias.split()
    return f"{alias} {'-'.join(parts)}" if len(parts) == 2 else alias


def weigh(field: str, times: float, length: float, weight: float) -> float:
    """BM25F's weight of a term that stands `times` in a field of `length` terms, without rarity."""
    norm = 1.0 - B + B * length / REFERENCE_LENGTHS[field]
    return weight * times * (K1 + 1.0) / (times + K1 * norm)
