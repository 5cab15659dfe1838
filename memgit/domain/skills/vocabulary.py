"""What programs and tools are for, kept as text beside this file.

The one rule: a list is data. It is read once, and nothing is a pattern in it.
"""

from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("programs.txt")


def words(section: str) -> frozenset[str]:
    """The words of one section."""
    return _sections()[section]


@lru_cache(maxsize=1)
def _sections() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    some: set[str] = set()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:2].isalpha():
            some = found.setdefault(line.strip("[]"), set())
        elif not line.startswith("# "):
            some.update(line.split())
    return {section: frozenset(those) for section, those in found.items()}
