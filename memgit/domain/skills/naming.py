"""What a procedure is called before a person gives it a name.

The one rule: a name fits a skill's folder: small letters, digits and hyphens, at most 64 of them.
"""

from collections.abc import Sequence

LONGEST = 64

_SMALL = frozenset(("a", "an", "the", "of", "for", "to", "and", "run", "-m"))


def name_of_steps(steps: Sequence[str]) -> str:
    """A name of the last words of each step, behind the program that the first one calls."""
    words: list[str] = []
    for step in steps:
        told = [word for word in step.split() if word not in _SMALL]
        words += told if not words else told[1:] or told
    kept: list[str] = []
    for word in words:
        part = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in word).split())
        if part and part.lower() not in kept:
            kept.append(part.lower())
    name = "-".join(kept)
    while len(name) > LONGEST and "-" in name:
        name = name.rpartition("-")[0]
    return name[:LONGEST] or "procedure"
