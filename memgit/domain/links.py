"""Links between memories: `[[name]]` in a body, and names below some keys of the frontmatter.

The one rule: what stands in code is not a link, since `[[ -f x ]]` is also a test in a shell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memgit.domain.memory import Memory

REFERENCES = ("superseded_by", "derived_from")
"""Keys whose values are names of memories."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_LINK = re.compile(r"\[\[([^\s\[\]|#][^\[\]|#]*)(?:[|#][^\[\]]*)?\]\]")


@dataclass(frozen=True)
class Link:
    """A link to the memory `target`; `line` counts from 1 within the body."""

    target: str
    line: int


def links(body: str) -> Iterator[Link]:
    """Every link of a body, in reading order."""
    fence = ""
    for number, line in enumerate(body.split("\n"), 1):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence):
                fence = ""
        elif opening:
            fence = opening[1]
        elif "[[" in line:
            for found in _LINK.finditer(_CODE.sub("", line)):
                target = found[1].strip()
                yield Link(target.removesuffix(".md"), number)


def references(memory: Memory, key: str) -> list[str]:
    """The names below a key, one or many, with or without brackets around them."""
    return list(_names(memory.metadata.get(key)))


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):  # YAML takes a bare [[name]] for lists in a list
        for item in value:
            yield from _names(item)
    elif value is not None and (name := str(value).strip("[] \t")):
        yield name
