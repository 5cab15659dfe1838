"""Markdown and its frontmatter, through python-frontmatter, PyYAML and mistune.

The one rule: what is read here comes back character for character when it is written again.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any


class BrokenFrontmatter(ValueError):
    """The YAML between the fences cannot be read; `line` counts from 1 within it."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Outline:
    """The parts of a body that tell its subject: headings, and what stands in code."""

    headings: tuple[str, ...]
    code: tuple[str, ...]


def load_frontmatter(text: str) -> dict[str, Any]:
    """The mapping between the fences. Dates stay the words they are. Raises BrokenFrontmatter."""
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    try:
        loaded = YAMLHandler().load(text, Loader=_loader())
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        raise BrokenFrontmatter(fault.problem or "not YAML", line) from None
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise BrokenFrontmatter(str(fault).splitlines()[0] or "not YAML", 1) from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise BrokenFrontmatter("not a mapping of keys to values", 1)
    return {str(key): value for key, value in loaded.items()}


def dump_frontmatter(mapping: dict[str, Any]) -> str:
    """YAML as Claude Code writes it: block lists, indented, no line folding, order kept."""
    from frontmatter.default_handlers import YAMLHandler

    text: str = YAMLHandler().export(
        mapping, Dumper=_dumper(), sort_keys=False, width=2**31, allow_unicode=True
    )
    return text + "\n"


def outline(body: str) -> Outline:
    """Headings and code of a markdown body, in reading order."""
    from mistune import BlockParser

    parser = BlockParser()
    state = parser.state_cls()
    state.process(body)
    parser.parse(state)
    headings: list[str] = []
    code: list[str] = []
    _walk(state.tokens, headings, code)
    return Outline(tuple(headings), tuple(code))


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


@cache
def _loader() -> Any:
    """The safe loader, which builds nothing but plain values, without its guess at dates.

    Only whole numbers as people write them are numbers: version 1.10 is not 1.1, 12:30 is not 750.
    """
    import re

    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    kind = _without_dates(type("TextDates", (base,), {}), base)
    integer = ("tag:yaml.org,2002:int", re.compile(r"0\Z|-?[1-9][0-9]*\Z"))
    kind.yaml_implicit_resolvers = {
        first: [
            integer if row[0] == integer[0] else row
            for row in rows
            if row[0] != "tag:yaml.org,2002:float"
        ]
        for first, rows in kind.yaml_implicit_resolvers.items()
    }
    return kind


@cache
def _dumper() -> Any:
    import yaml

    base = yaml.SafeDumper

    def increase_indent(self: Any, flow: bool = False, indentless: bool = False) -> Any:
        return base.increase_indent(self, flow, False)

    kind = type("Canonical", (base,), {"increase_indent": increase_indent,
                                       "ignore_aliases": lambda self, data: True})  # fmt: skip
    return _without_dates(kind, base)


def _without_dates(kind: Any, base: Any) -> Any:
    kind.yaml_implicit_resolvers = {
        first: [row for row in rows if row[0] != "tag:yaml.org,2002:timestamp"]
        for first, rows in base.yaml_implicit_resolvers.items()
    }
    return kind
