"""Word lists of the guards, kept as text beside this file.

The one rule: a list is data. It is read once, and nothing is a pattern in it.
"""

from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("vocabulary.txt")


def vocabulary(section: str) -> frozenset[str]:
    """The words of one section."""
    return _sections()[section]


@lru_cache(maxsize=1)
def _sections() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    words: set[str] = set()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = found.setdefault(line.strip("[] "), set())
        elif not line.startswith("# "):
            words.update(line.split())
    return {section: frozenset(some) for section, some in found.items()}
