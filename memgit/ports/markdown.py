"""Markdown, through mistune.

The one rule: no text can make it fail or take long; what cannot be parsed has no parts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LARGEST = 200_000
"""Characters of a body that are looked at; a document larger than this is no list of headings."""

_MARKS = re.compile(r"[`#~=\t\r\f\v]| {4}|^[^\w\n-]*+-[^\w\n]*+$", re.MULTILINE)
"""What there is in every text with a heading or with code, and in others. Nothing is gone back to:
a line of dashes that ends in a word may be as long as a body."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True)
class Outline:
    """The parts of a body that tell its subject: headings, and what stands in code."""

    headings: tuple[str, ...]
    code: tuple[str, ...]


def outline(body: str) -> Outline:
    """Headings and code of a markdown body, in reading order, as far as `LARGEST` characters go."""
    if not _MARKS.search(body):
        return Outline((), ())
    from mistune import BlockParser

    parser = BlockParser()
    state = parser.state_cls()
    headings: list[str] = []
    code: list[str] = []
    try:
        state.process(body[:LARGEST])
        parser.parse(state)
        _walk(state.tokens, headings, code)
    except Exception:  # one odd text must not keep all others out of the index
        return Outline((), ())
    return Outline(tuple(headings), tuple(code))


def fences(lines: Sequence[str]) -> list[int]:
    """For each line the number of the code fence around it, which is that of its opening line,
    counted from 1; 0 outside of fences, and behind one that is never closed.
    """
    found = [0] * len(lines)
    fence, start = "", 0
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        if not mark or (fence and not mark[1].startswith(fence)):
            continue
        if fence:
            found[start - 1 : number] = [start] * (number - start + 1)
        fence, start = ("", 0) if fence else (mark[1], number)
    return found


def _walk(tokens: list[dict[str, Any]], headings: list[str], code: list[str]) -> None:
    for token in tokens:
        if token["type"] == "heading":
            headings.append(token.get("text", ""))
        elif token["type"] == "block_code":
            code.append(token.get("raw", ""))
        elif "children" in token:
            _walk(token["children"], headings, code)
        if token["type"] != "block_code":
            code.extend(_inline_code(token.get("text", "")))


def _inline_code(text: str) -> list[str]:
    """What stands between single backticks: odd pieces of a split, the last one only if closed."""
    pieces = text.split("`")
    return [piece for piece in pieces[1 : len(pieces) - 1 + len(pieces) % 2 : 2] if piece.strip()]
