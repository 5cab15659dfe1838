"""Links between memories: `[[name]]` in a body, and names below some keys of the frontmatter.

The one rule: what stands in code is not a link, since `[[ -f x ]]` is also a test in a shell.
"""

import re
from collections.abc import Callable, Iterator
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
    for number, line in enumerate(_without_code(body), 1):
        for found in _LINK.finditer(line):
            yield Link(found[1].strip().removesuffix(".md"), number)


def relinked(body: str, means: Callable[[str], bool], name: str) -> str:
    """The body with each link whose target `means` tells of leading to `name` instead.

    The words shown in place of the name stay, and so does everything else.
    """
    lines = body.split("\n")
    for number, line in enumerate(_without_code(body)):
        for found in reversed(list(_LINK.finditer(line))):
            if means(found[1].strip().removesuffix(".md")):
                start, end = found.span(1)
                lines[number] = f"{lines[number][:start]}{name}{lines[number][end:]}"
    return "\n".join(lines)


def with_links(body: str, instead: Callable[[str, str], str | None]) -> str:
    """The body with each link as `instead` has it for its target and the words that it shows.

    None leaves a link as it is.
    """
    lines = body.split("\n")
    for number, line in enumerate(_without_code(body)):
        for found in reversed(list(_LINK.finditer(line))):
            target = found[1].strip().removesuffix(".md")
            shown = found[0][2:-2].partition("|")[2].strip() or found[1].strip()
            if (text := instead(target, shown)) is not None:
                start, end = found.span()
                lines[number] = f"{lines[number][:start]}{text}{lines[number][end:]}"
    return "\n".join(lines)


def _without_code(body: str) -> Iterator[str]:
    """The lines of a body, each as long as it was, with nothing where there is code."""
    fence = ""
    for line in body.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence):
                fence = ""
            yield ""
        elif opening:
            fence = opening[1]
            yield ""
        else:
            yield _CODE.sub(lambda code: " " * len(code[0]), line) if "[[" in line else ""


def references(memory: Memory, key: str) -> list[str]:
    """The names below a key, one or many, with or without brackets around them."""
    return list(_names(memory.metadata.get(key)))


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):  # YAML takes a bare [[name]] for lists in a list
        for item in value:
            yield from _names(item)
    elif value is not None and (name := str(value).strip("[] \t")):
        yield name
