"""Frontmatter of the shape that most memories have, read without YAML, whose loading costs more.

The one rule: it answers only what YAML would answer too. Words behind keys, below one key, and in
lists are all that it knows; whatever could mean more is YAML's to tell.
"""

import re
from typing import Any


class NotPlain(Exception):
    """Only YAML can tell."""


class Plain(str):
    """A number as a person wrote it, `007` or `1.10`, which no number would give back."""


NUMBER = re.compile(
    r"(?=.*[0-9])(?!(?:.*-){2})(?!(?:.*\+){2})(?!(?:.*\.){2})(?!(?:.*[eE]){2})[-+.0-9][-+.0-9eE]*\Z"
    r"|0[xX][0-9a-fA-F]+\Z|0[oO][0-7]+\Z|[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"
)
"""What some reader of YAML takes for a number."""

_LINE = re.compile(
    r"(?P<indent>(?:  ){0,2})(?:(?P<key>[A-Za-z_][A-Za-z0-9_]{0,63}):(?: (?=.)|\Z)|- )"
    r"(?:\"(?P<quoted>[^\"\\]*)\"|(?P<bare>[\w/].*))?"
)

_NO_WORDS = re.compile(
    r":(?:\s|\Z)|\s#|\s\Z|\A(?:null|true|false|0|[1-9][0-9]{0,17})\Z", re.IGNORECASE
)
"""What makes a value without quotes more than words, or less."""


def plain_mapping(text: str) -> dict[str, Any]:
    """The keys with their words, lists and mappings. Raises NotPlain."""
    found: dict[str, Any] = {}
    opened: list[Any] = [found]
    waiting: tuple[dict[str, Any], str] | None = None
    for line in text.removesuffix("\n").split("\n"):
        # What YAML refuses, or takes for the end of a line, is nothing that can be printed.
        parts = _LINE.fullmatch(line) if line.isprintable() else None
        if parts is None:
            raise NotPlain
        depth, key, value = len(parts["indent"]) // 2, parts["key"], _value(parts)
        if waiting:
            into, name = waiting
            into[name] = [] if key is None else {}
            opened.append(into[name])
        if depth > len(opened) - 1 or (waiting and depth != len(opened) - 1):
            raise NotPlain
        del opened[depth + 1 :]
        waiting = _put(opened[depth], key, value)
    if waiting:
        raise NotPlain
    return found


def _put(into: Any, key: str | None, value: str | None) -> tuple[dict[str, Any], str] | None:
    """Put a line's value where it belongs; (mapping, key) where that is still to come."""
    if key is None:
        if value is None or not isinstance(into, list):
            raise NotPlain
        into.append(value)
        return None
    if not isinstance(into, dict) or key in into:
        raise NotPlain
    into[key] = value
    return (into, key) if value is None else None


def _value(parts: re.Match[str]) -> str | None:
    """The words of a line; None where there are none."""
    bare: str | None = parts["bare"]
    if bare is None:
        return parts["quoted"]
    if _NO_WORDS.search(bare):
        raise NotPlain
    return Plain(bare) if NUMBER.match(bare) else bare
