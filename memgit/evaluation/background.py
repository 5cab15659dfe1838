"""The recipe of `memgit/prompt/background.segment`: how common a term is in the world outside.

In a store of twenty memories every word is rare. The background lends it three hundred imagined
memories of ordinary text, so that "file", "please" and "確認" are common from the first day.

The one rule: the file is made by this recipe alone, from sources whose licences allow it, and
making it twice from the same sources gives the same bytes. Run it with
`python -m memgit.evaluation.background`; it needs the `wordfreq` package (3.1.1).
"""

import ast
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import exp
from pathlib import Path

from memgit.domain.table_writer import write_counts
from memgit.prompt.background import FILE, SCALE
from memgit.prompt.terms import tokens

LENGTH = 200
"""Words of an imagined memory."""

LANGUAGES: Mapping[str, int] = {
    "en": 4000, "ja": 5000, "zh": 8000, "ko": 3000, "pt": 1500, "es": 1500, "fr": 1500, "de": 1500,
}  # fmt: skip
"""Words taken of each language's frequency list, the most frequent first."""

LEAST = 0.01
"""Share of imagined memories below which a term is not worth its bytes."""


def shares() -> dict[str, float]:
    """Term → share of ordinary texts that hold it, the largest that any source gives."""
    found: dict[str, float] = {}
    for language, count in LANGUAGES.items():
        for term, frequency in _frequencies(language, count).items():
            found[term] = max(found.get(term, 0.0), 1.0 - exp(-LENGTH * frequency))
    texts = [set(tokens(text)) for text in _documentation()]
    counts = Counter(term for text in texts for term in text)
    for term, count in counts.items():
        found[term] = max(found.get(term, 0.0), count / len(texts))
    return {term: share for term, share in sorted(found.items()) if share >= LEAST}


def _frequencies(language: str, count: int) -> dict[str, float]:
    """Term → frequency per word: each word of the list gives its own to all of its terms."""
    from wordfreq import get_frequency_dict  # type: ignore[import-not-found]

    found: dict[str, float] = {}
    for word, frequency in list(get_frequency_dict(language).items())[:count]:
        for term in dict.fromkeys(tokens(word)):
            found[term] = found.get(term, 0.0) + frequency
    return found


def _documentation() -> Iterator[str]:
    """Texts about programs: docstrings of the standard library, joined to the usual length."""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        yield from _joined(
            text
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and (text := ast.get_docstring(node))
        )


def _joined(texts: Iterable[str]) -> Iterator[str]:
    held: list[str] = []
    for text in texts:
        held += text.split()
        while len(held) >= LENGTH:
            yield " ".join(held[:LENGTH])
            held = held[LENGTH:]


def main() -> None:
    """Write the file and say what is in it."""
    counts = {term: round(share * SCALE) for term, share in shares().items()}
    write_counts(Path(FILE), counts)
    print(f"{len(counts)} terms, {Path(FILE).stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
