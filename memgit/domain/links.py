"""Links between memories: `[[name]]` in a body.

The one rule: what stands in code is not a link, since `[[ -f x ]]` is also a test in a shell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
