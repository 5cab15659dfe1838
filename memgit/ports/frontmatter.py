"""The YAML between the fences of a memory, through python-frontmatter and PyYAML.

The one rule: what is read here comes back character for character when it is written again, in the
shape that Claude Code itself writes, so that neither program undoes the other's lines.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from memgit.ports.plain_frontmatter import NUMBER, NotPlain, Plain, plain_mapping

LARGEST = 256 * 1024
"""Characters of frontmatter that are read as such."""

MOST_VALUES = 10_000
"""Values in it, aliases written out."""

DEEPEST = 50
"""Lists and mappings within each other."""


class BrokenFrontmatter(ValueError):
    """The YAML between the fences cannot be read; `line` counts from 1 within it."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def load_frontmatter(text: str) -> dict[str, Any]:
    """The mapping between the fences: keys are text, dates stay the words they are.

    Raises BrokenFrontmatter, also for what could not be written back: a key that stands twice.
    """
    if len(text) > LARGEST:
        raise BrokenFrontmatter(f"longer than {LARGEST // 1024} KB")
    if text.count("\n") < MOST_VALUES // 2:  # a line of that shape has one value
        with suppress(NotPlain):
            return plain_mapping(text)
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    try:
        loaded = YAMLHandler().load(text, Loader=_loader())
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        raise BrokenFrontmatter(fault.problem or "not YAML", line) from None
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise BrokenFrontmatter(str(fault).split("\n")[0] or "not YAML") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise BrokenFrontmatter("not a mapping of keys to values")
    _refuse_bombs(loaded)
    return loaded


def with_quotes(text: str) -> str:
    """The same frontmatter with every bare value in quotes: `description: Fix: use X` is usual."""
    return "\n".join(_quoted_value(line) for line in text.split("\n"))


def dump_frontmatter(mapping: Mapping[str, Any]) -> str:
    """YAML as Claude Code writes it: block lists, no line folding, double quotes, order kept."""
    return "".join(f"{line}\n" for line in _mapping(mapping))


def _refuse_bombs(loaded: Any) -> None:
    """Aliases may make a few lines stand for any number of values, or for themselves."""
    waiting = [(loaded, 1)]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        value, depth = waiting.pop()
        inner = value.values() if isinstance(value, dict) else value
        if isinstance(value, dict | list):
            waiting.extend((item, depth + 1) for item in inner)
        if depth > DEEPEST:
            raise BrokenFrontmatter(f"more than {DEEPEST} levels deep")
    raise BrokenFrontmatter(f"more than {MOST_VALUES:,} values")


_BARE = re.compile(r"(\s*(?:- )?[\w.-]+:[ \t]+)([^\s\"'\[{|>&*!#].*?)(\s*)\Z")


def _quoted_value(line: str) -> str:
    found = _BARE.match(line)
    return f"{found[1]}{_double_quoted(found[2])}{found[3]}" if found else line


@cache
def _loader() -> Any:
    """The safe loader, building nothing but text, whole numbers, truths, lists and mappings."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def mapping(self: Any, node: Any, deep: bool = False) -> dict[str, Any]:
        self.flatten_mapping(node)
        found: dict[str, Any] = {}
        for key, value in node.value:
            told = key.value if isinstance(key, yaml.ScalarNode) else None
            if told is None or told in found:
                what = "a key that is not a word" if told is None else f"`{told}` stands twice"
                raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
            found[told] = self.construct_object(value, deep=True)
        return found

    def text(self: Any, node: Any) -> str:
        value = self.construct_scalar(node)
        return Plain(value) if not node.style and NUMBER.match(value) else str(value)

    known = ("null", "bool", "int", "seq", "map")
    kind: Any = type("Reader", (base,), {
        "construct_mapping": mapping,
        "yaml_implicit_resolvers": {},
        "yaml_constructors": {
            tag: build for tag, build in base.yaml_constructors.items()
            if tag is None or tag.rpartition(":")[2] in known
        },
    })  # fmt: skip
    kind.add_constructor("tag:yaml.org,2002:str", text)
    for tag, pattern, first in (
        ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("bool", "true|True|TRUE|false|False|FALSE", list("tTfF")),
        ("int", "0|-?[1-9][0-9]{0,17}", list("-0123456789")),
        ("merge", "<<", ["<"]),
    ):
        exact = re.compile(rf"(?:{pattern})\Z")
        kind.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", exact, first)
    return kind


def _mapping(mapping: Mapping[str, Any]) -> Iterator[str]:
    for key, value in mapping.items():
        if isinstance(value, Mapping | list | tuple) and value:
            yield f"{_scalar(str(key))}:"
            yield from (f"  {line}" for line in _lines(value))
        else:
            yield f"{_scalar(str(key))}: {_scalar(value)}"


def _lines(value: Any) -> Iterator[str]:
    """The lines of any value, as they stand at the left margin."""
    if isinstance(value, Mapping) and value:
        yield from _mapping(value)
    elif isinstance(value, list | tuple) and value:
        for item in value:
            for place, line in enumerate(_lines(item)):
                yield f"  {line}" if place else f"- {line}"
    else:
        yield _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, list | tuple):
        return "[]"
    if isinstance(value, int | float | Plain):
        return str(value)
    text = str(value)
    return _double_quoted(text) if _needs_quotes(text) else text


_WORDS = re.compile(r"(?:true|false|yes|no|on|off|null|n|y)\Z", re.IGNORECASE)

_SPECIAL = re.compile(
    r"\A[&*?|\-<>!%@:,\[\]{}#'\"` ]|[{}\[\],#`'\"]|:(?:\s|\Z)|(?:---|\.\.\.)(?:\s|\Z)| \Z|\A~?\Z"
    r"|[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)

_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


def _needs_quotes(text: str) -> bool:
    return bool(_SPECIAL.search(text) or _WORDS.match(text) or NUMBER.match(text))


def _double_quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if short := _ESCAPES.get(character):
        return f"\\{short}"
    code = ord(character)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return f"\\x{code:02x}"
    if 0xD800 <= code < 0xE000:  # half a character: YAML has no word for it
        return "\ufffd"
    return f"\\u{code:04x}" if character in "\ufeff\ufffe\uffff" else character
