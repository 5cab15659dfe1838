"""What a memory is about: its topics, and the entities that it names, found without a model.

The one rule: an entity is something particular (an identifier, a path, a host, a version, a proper
name, a compound of nouns); a technology is none, however often both name it.
"""

from collections.abc import Iterator

from memgit.domain.gates.patterns import Pattern
from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.technologies import is_technology, without_technologies
from memgit.domain.proposals.vocabulary import vocabulary
from memgit.prompt.background import Background

COMMON = 40
"""Of 10,000 ordinary texts, those that hold a word from which on it is no name by its capital."""

LARGEST = 20_000
"""Characters of a text in which names are looked for."""

_CODE = Pattern(r"`([^`\n]+)`")
_IDENTIFIER = Pattern(
    r"(?<![\w./-])(?:[A-Za-z_][\w]*_[\w]+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+)+|[A-Z]{2,}-\d+)(?![\w-])"
)
_PATH = Pattern(
    r"(?<![\w/.@-])~?/?(?:[\w.@-]+/)+[\w.@-]*|(?<![\w.])[\w-]+\.(?:py|ts|tsx|js|rb|go|rs|sh|sql"
    r"|md|json|ya?ml|toml|ini|cfg|conf|env|csv|lock|tf|kt|java)\b"
)
_HOST = Pattern(r"(?i)\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|internal|local|lan|jp|example|test"
                r"|app|cloud)\b")  # fmt: skip
_VERSION = Pattern(r"\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b")
_NAME = Pattern(r"(?<![\w'-])[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(?: (?=[A-Z])[A-Z][A-Za-z0-9]+)*")
_KATAKANA = Pattern(r"[ァ-ヴー]{3,}")
_KANJI = Pattern(r"[\u3400-\u9fff々]{2,}")
_WORD = Pattern(r"[A-Za-z][A-Za-z0-9']*")
_MARKS = " \t-*+>#|0123456789.)"
"""What may stand before the first word of a line."""

_EMPTY_WORDS = vocabulary("empty")
_GENERIC = vocabulary("generic")

_background = Background()


def topics(memory: Memory) -> frozenset[str]:
    """The topics that a memory gives itself, but for those that only name a technology."""
    return frozenset(key_of(word) for word in memory.words("topics") if not is_technology(word))


def entities(memory: Memory) -> frozenset[str]:
    """What particular things a memory names, in one form for each."""
    text = without_technologies(told(memory))
    found = {key_of(word) for word in memory.words("entities")}
    found.update(key_of(name) for name in _marked(text))
    found.update(key_of(name) for name in names(memory))
    found.update(_compounds(text))
    return frozenset(word for word in found if len(word) > 1 and not is_technology(word))


def names(memory: Memory) -> frozenset[str]:
    """The proper names among them: products, people, services with a name of their own."""
    text = without_technologies(told(memory))
    found = {key_of(word) for word in memory.words("entities") if not is_technology(word)}
    for match in _NAME.finditer(text):
        first = match[0].split()[0]
        starts = _starts(text, match.start())
        if starts and " " not in match[0] and not _is_rare(first):
            continue
        kept = " ".join(w for w in match[0].split() if w.casefold() not in _EMPTY_WORDS)
        if kept and not is_technology(kept) and (" " in kept or _is_rare(kept)):
            found.add(key_of(kept))
    for match in _KATAKANA.finditer(text):
        if match[0] not in _GENERIC and not is_technology(match[0]) and _is_rare(match[0]):
            found.add(match[0])
    return frozenset(found)


def told(memory: Memory) -> str:
    """What a memory says, its name in words first, as far as it is looked at."""
    parts = (memory.name.replace("-", " "), memory.description, memory.body[:LARGEST])
    return "\n".join(part for part in parts if part)


def plain(text: str) -> str:
    """A text as entities are looked for in it."""
    return key_of(text)


def _marked(text: str) -> Iterator[str]:
    """What is written like a name of a program's: in code, with joined words, as a path."""
    for match in _CODE.finditer(text):
        word = match[1].strip()
        if not is_technology(f"`{word}`") and not word.replace(".", "").isdigit():
            yield word
    for pattern in (_IDENTIFIER, _PATH, _HOST, _VERSION):
        for match in pattern.finditer(text):
            yield match[0].strip("./") if pattern is _PATH else match[0]


def _compounds(text: str) -> Iterator[str]:
    """Nouns that stand together, which say of what kind of thing there is talk."""
    for line in text.split("\n"):
        before = ""
        end = -1
        for match in _WORD.finditer(line):
            word = match[0].casefold()
            content = len(word) > 2 and word not in _EMPTY_WORDS and not is_technology(match[0])
            if content and before and line[end : match.start()] == " ":
                yield f"{_singular(before)} {_singular(word)}"
            before, end = (word if content else ""), match.end()
    for match in _KANJI.finditer(text):
        if match[0] not in _GENERIC:
            yield match[0]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _starts(text: str, at: int) -> bool:
    """Whether the word at this place begins a line or a sentence."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return not before.strip(_MARKS) or before.rstrip()[-1:] in ".!?:;"


def _is_rare(word: str) -> bool:
    return _background.ordinary(word.casefold()) < COMMON
