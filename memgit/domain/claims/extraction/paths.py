"""Paths in a memory's words, told from all else that has a slash or a dot in it.

The one rule: what looks like a path to everyone is a claim; what may be a path is one only where a
root knows such a file now or in its history.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memgit.domain.claims.extraction.denial import is_denied, is_wished
from memgit.domain.claims.extraction.reading import Line, Span, Where, spans, words

Knows = Callable[[str], bool]
"""Whether a root has, or had, what a path names."""

LONGEST = 300
"""Characters of a path that is taken for one."""

_SUFFIX = re.compile(r"(?:#[\w./-]*|::[\w\[\]:.,-]+|(?::L?\d+(?:[-:,–]L?\d+)*)+|@L?\d+)$")
_PREFIX = re.compile(r"(?i)(?:tests?|file|path|source|src|see|ref|doc)s?:(?=[\w.]+/)")
_FORBIDDEN = re.compile(r"[<>{}*?$%|^\"'`\\=!;,()\[\]…@&+]|\.\.\.|://|//|:|~(?!/)|\s")
_EXTENSION = re.compile(
    r"[^./][^/]*\.[A-Za-z][A-Za-z0-9]{0,9}$|(?:^|/)\.[A-Za-z][\w-]*\.[A-Za-z]\w{0,9}$"
)
_DOMAIN = re.compile(
    r"(?i)^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|co|app|me|us|uk|jp|de|fr|eu|info|gov|edu|cloud|sh"
    r"|internal|local|localhost|example|test)(?:/|$)"
)
_KNOWN = re.compile(
    r"(?i)\.(?:py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|vue|svelte|go|rs|rb|php|java|kt|kts|swift|c|h|cc"
    r"|cpp|hpp|cs|fs|scala|clj|ex|exs|erl|hs|lua|pl|r|jl|dart|sh|bash|zsh|fish|ps1|psm1|psd1|bat"
    r"|md|mdx|mdc|rst|txt|adoc|tex|json|jsonl|json5|yaml|yml|toml|ini|cfg|conf|env|properties|xml"
    r"|html?|css|scss|less|sql|graphql|proto|csv|tsv|lock|log|diff|patch|tf|hcl|nix|gradle|cmake"
    r"|mk|dockerfile|svg|png|jpe?g|gif|webp|pdf|zip|gz|tgz|whl|wasm|so|dll|exe)$"
)
_STAND_IN = re.compile(
    r"(?i:(?:^|/)(?:path|your|my|some|foo|bar|baz|example|examples|name|file|dir|folder|[a-z])"
    r"(?:[/.]|$))|(?:YYYY|MM-DD|HHMM|NNN?|X{2,4})(?![a-z])|(?:^|[/_-])(?:foo|bar|baz)(?:[._-]|$)"
)
"""What stands in a path for any other word: `path/to/file`, `YYYY-MM-DD.md`, `tests/x.py`."""
_WRAP_LEFT = "([{<*\"'“‘_"
_WRAP_RIGHT = ".,:;!?)]}>*\"'”’…。、"


@dataclass(frozen=True)
class Mention:
    """A path as it stands in a line, and what it names; `is_sure` where it can be nothing else."""

    text: str
    path: str
    start: int
    is_sure: bool


def paths(line: Line, knows: Knows) -> Iterator[Mention]:
    """The paths that a line claims to be there, each once."""
    if "/" not in line.text and "." not in line.text:
        return
    seen: set[str] = set()
    for span in spans(line):
        for one in _whole(span, knows) or words(span):
            found = mention(one, line)
            if found is None or found.path in seen:
                continue
            known = knows(found.path)
            if not (known or found.is_sure):
                continue
            if is_denied(line.text, found.start, found.start + len(found.text)):
                continue
            if not known and is_wished(line.text, found.start):
                continue
            seen.add(found.path)
            yield found


def _whole(span: Span, knows: Knows) -> list[Span]:
    """A piece of code that is one path with spaces in it."""
    text = span.text.strip()
    if span.where != Where.CODE or " " not in text or not re.search(r"[./]", text):
        return []
    clean = _SUFFIX.sub("", text)
    if re.search(r"\s[-&|<>]|[<>{}*?$|\"'`=;()]", clean) or not knows(clean):
        return []
    return [Span(text, span.start + span.text.index(text), span.where)]


def mention(word: Span, line: Line) -> Mention | None:
    """The path that a word names; None for a word that names none."""
    text = word.text
    if "/" not in text and "." not in text:
        return None
    start = word.start
    while (
        text and text[0] in _WRAP_LEFT and not (text[0] == "_" and "/" not in text and "." in text)
    ):
        text, start = text[1:], start + 1
    text = re.sub(r"(?:'s|’s)$", "", text.rstrip(_WRAP_RIGHT)).rstrip(_WRAP_RIGHT)
    if prefix := _PREFIX.match(text):
        text, start = text[prefix.end() :], start + prefix.end()
    path = _SUFFIX.sub("", text)
    is_link = word.where == Where.LINK
    if (
        not path
        or len(path) > 300
        or path.startswith("-")
        or not re.search(r"[A-Za-z0-9ぁ-んァ-ヶ一-龠]", path)
    ):
        return None
    if (" " not in path and _FORBIDDEN.search(path)) or _DOMAIN.match(path):
        return None
    kind = _kind(path)
    if kind is None:
        return None
    if is_link and not path.startswith(("/", "~", "./", "../")):
        path = f"./{path}"
    sure = (kind or (is_link and bool(_KNOWN.search(path)))) and word.where != Where.FENCE
    sure = sure and not path.startswith("/")
    return Mention(text, path, start, sure)


def _kind(path: str) -> bool | None:
    """True for what can only be a path, False for what may be one, None for what is none."""
    slash = "/" in path.rstrip("/")
    if _STAND_IN.search(path) or "/../" in path:
        return False
    if path.endswith("/"):  # folders are made by programs; one that never was in git says little
        return False
    if slash and _EXTENSION.search(path):
        # Neither a version (1.2/3.4) nor a ratio, nor abbreviations (e.g./i.e.).
        return bool(re.search(r"[A-Za-z]{2}", path)) and not re.search(r"/\d+(?:\.\d+)*$", path)
    if slash:
        return False if not re.fullmatch(r"[\d./-]+", path) else None
    if path.startswith(".") and path.count(".") == 1:
        return False if not _KNOWN.fullmatch(path) else None
    return False if _KNOWN.search(path) else None
