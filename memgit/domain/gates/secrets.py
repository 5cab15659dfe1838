"""The gate on secrets: values with the shape of a key, a token or a password.

The one rule: what is found is never repeated, neither in a message nor anywhere else; and words
about secrets are no secrets.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from memgit.domain.gates.characters import without_hidden
from memgit.domain.gates.scope import File, Scope
from memgit.domain.gates.secret_shapes import (
    ADDRESS,
    ASSIGNED,
    LONG,
    NO_PASSWORD,
    NOT_SECRET,
    PASSWORD,
    PRIVATE_KEY,
    SAYS_SECRET,
    SAYS_VENDOR,
    SHAPES,
    UUID,
    VENDOR,
)
from memgit.domain.memory import is_memory_path
from memgit.errors import Fault
from memgit.ports.detector import detected

PIECE, OVERLAP = 20_000, 1_000
"""Characters of a line that are looked at in one piece, and that two pieces share."""


TURNS = 0.3
"""Turns per character from which a value is none that somebody made of words and numbers."""


def secret(scope: Scope) -> Iterator[Fault]:
    """Values with the shape of a secret, in memories, in every other file of the commit, in what
    its links lead to, and in the names of them all.
    """
    for file in (*scope.files, *scope.beside, *scope.rest):
        yield from secrets_of(file)


def secrets_of(file: File) -> Iterator[Fault]:
    """The secrets of one file and its name, one fault for each line that holds any."""
    path = file.path
    for kind, value in found(file.path):
        path = path.replace(value, "***")
        yield Fault(path, 1, "secret", f"the file's name looks like a secret: {kind}")
    found_there = [row for text in _texts(file) for row in _of(text)]
    if is_memory_path(file.path) and file.frontmatter:
        found_there += _in_values(file)
    for line, said in dict.fromkeys(found_there):
        yield Fault(path, line, "secret", said)


def _texts(file: File) -> Iterator[str]:
    yield file.text
    if "\0" in file.text:  # UTF-16 and UTF-32 without their mark are letters with NUL between
        yield file.data.replace(b"\0", b"").decode("latin-1")
    if not file.text.isascii() and (shown := without_hidden(file.text)) != file.text:
        yield shown  # copied from a page, a token may have places to break at in it


def _in_values(file: File) -> Iterator[tuple[int, str]]:
    """Secrets that YAML puts together from an escaped or a folded value, and everybody is shown."""
    memory = file.memory
    values = {"name": memory.name, "description": memory.description, **memory.metadata}
    for key, value in values.items():
        for said in _strings(value):
            if said not in file.text and (kinds := [kind for kind, _ in found(said)]):
                yield file.line_of(key), f"looks like a secret: {kinds[0]}"


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _strings(key)
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)


def _of(text: str) -> Iterator[tuple[int, str]]:
    """(line, what is said of it) of the secrets in a text."""
    for number, line in enumerate(text.split("\n"), 1):
        pieces = (line[at : at + PIECE] for at in range(0, len(line), PIECE - OVERLAP))
        if kind := next((kind for piece in pieces for kind, _ in found(piece)), ""):
            yield number, f"looks like a secret: {kind}"
    if "PRIVATE KEY" in text:
        for block in PRIVATE_KEY.finditer(text):
            yield text.count("\n", 0, block.start()) + 1, "looks like a secret: private key"


def found(line: str) -> Iterator[tuple[str, str]]:
    """(kind, value) of everything in a line that looks like a secret."""
    if LONG.search(line):
        for shape in SHAPES:
            if any(mark in line for mark in shape.marks):
                for match in shape.pattern.finditer(line):
                    value = match[match.lastindex or 0]
                    if not is_placeholder(value):
                        yield shape.kind, value
        for kind, value in detected(line):
            if not is_placeholder(value):
                yield kind, value
        yield from _of_a_vendor(line)
    if "://" in line:
        for match in ADDRESS.finditer(line):
            if not is_placeholder(match["value"]):
                yield "password in an address", match["value"]
    if SAYS_SECRET.search(line):
        yield from _assigned(line)
        yield from _passwords(line)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: `${VAR}`, `{{ x }}`, `<token>`, `xxxx`."""
    bare = value.strip("\"'`.,;:")
    if _TEMPLATE.search(bare) or _SAMPLE.search(bare):
        return True
    tail = max(re.split(r"[_\-.:/]", bare), key=len)
    return len(set(tail.lower())) <= max(3, min(6, len(tail) // 8)) or tail.lower() in _SEQUENCES


_TEMPLATE = re.compile(
    r"\$\{|\{\{|\A[<\[{$%(*]|[>\]})*]\Z|\.\.\.|…|\A%\(|\A\$[A-Z_]+\Z|process\.env|os\.environ"
    r"|secrets\."
)
_SAMPLE = re.compile(
    r"(?i)example|sample|placeholder|dummy|your|change-?_?me|redacted|removed|masked|fake|insert|"
    r"replace|todo|(?<![a-z])test(?:ing|key|token)?(?![a-z])|x{4,}|\*{3,}|0{6,}|1234567|abcdef|"
    r"deadbeef|foobar|not-?a-?|\Ahunter2\Z|\As3cr3t\Z|passw(?:or)?d|(?<![a-z])pass(?![a-z])"
)
_SEQUENCES = {"abcdefghijklmnopqrstuvwxyz", "0123456789", "0123456789abcdef"}


def _assigned(line: str) -> Iterator[tuple[str, str]]:
    """Values that a line gives to something called a password, a token or a key."""
    at = 0
    while match := ASSIGNED.search(line, at):
        at = match.end("what")
        value = match["value"].rstrip(".:!?)`,;|")
        # `Bearer eyJ...` needs no sign between; but not every word behind `token` is one.
        told = line[at : match.start("value")].strip(" \"'`*")
        if len(value) < (8 if told else 16) or "(" in value or "..." in match["value"]:
            continue
        if not NOT_SECRET.search(match["what"]) and _is_random(value):
            yield f"a value called {(match['word'] or match['ja']).lower()}", value


def _passwords(line: str) -> Iterator[tuple[str, str]]:
    """Passwords as people make them up, of words and a number or a sign."""
    for match in PASSWORD.finditer(line):
        value = match["value"]
        letters = any(map(str.isalpha, value))
        marks = any(not c.isalnum() and c not in "-_./:" for c in value.rstrip("!?.,:;"))
        made_up = letters and (marks or any(map(str.isdigit, value)))
        if made_up and not NO_PASSWORD.match(value) and not is_placeholder(value):
            yield f"a value called {match['word'].lower()}", value


def _of_a_vendor(line: str) -> Iterator[tuple[str, str]]:
    """Long values given to something of a vendor whose keys have no shape of their own."""
    if not SAYS_VENDOR.search(line):
        return
    for match in VENDOR.finditer(line):
        value = match["value"].rstrip(".")
        heroku = match["what"].lower() == "heroku" and UUID.match(value)
        if heroku or _is_long_and_random(value):
            yield f"{match['what'].lower()} key", value


def _is_random(value: str) -> bool:
    """Whether a value looks like one that nobody made up of words."""
    if is_placeholder(value) or UUID.search(value) or "://" in value:
        return False
    kinds = sum(any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit))
    symbols = any(not c.isalnum() and c not in "-_./:" for c in value)
    if not any(map(str.isdigit, value)) or not value.isascii() or kinds + symbols < 2:
        return False
    if not symbols and _turns(value) < TURNS:
        return False
    return _entropy(value) >= (3.0 if len(value) >= 16 else 2.75)


def _turns(value: str) -> float:
    """How often, per character, a value goes from one kind of letters or digits to another."""
    kinds = [c.isdigit() + 2 * c.isupper() for c in value if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds)) / max(1, len(kinds))


def _is_long_and_random(value: str) -> bool:
    """Whether a value is as long as a key, and as mixed, whatever it is cut up by."""
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= 32 and mixed and not is_placeholder(value) and _entropy(value) >= 3.0


def _entropy(value: str) -> float:
    """Bits a character."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)
