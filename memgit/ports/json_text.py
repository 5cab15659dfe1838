"""JSON as text, changed in place; comments may stand in it where its program takes them.

The one rule: a change inserts, replaces or cuts out one value; no other character moves. A file
that a person keeps in his own order and layout stays his, with every comment.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

BOM = "\ufeff"

Path = Sequence[str | int]
"""Keys and places that lead from the outermost value to one inside it."""

_STRING_OR_COMMENT = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_NO_LINE_END = re.compile(r"[^\r\n]")
_SPACE = re.compile(r"[ \t\n\r]*")
_decoder = json.JSONDecoder()


class InvalidJson(ValueError):
    """The text is not strict JSON: where (both from 1), and what stands there."""

    def __init__(self, text: str, place: int, message: str) -> None:
        super().__init__(message)
        self.line = text.count("\n", 0, place) + 1
        self.column = place - text.rfind("\n", 0, place)


def load(text: str) -> Any:
    """The value; an empty mapping for a text of nothing but space. Raises InvalidJson."""
    start = _start(text)
    if start == len(text):
        return {}
    try:
        return json.loads(text.removeprefix(BOM), parse_constant=_no_constant)
    except json.JSONDecodeError as fault:
        place = fault.pos + text.startswith(BOM)
        raise InvalidJson(text, place, _explained(text, place, fault.msg)) from None
    except _NotInJson as fault:
        raise InvalidJson(text, text.find(str(fault)), f"{fault} is not JSON") from None
    except RecursionError:
        raise InvalidJson(text, start, "nested too deep") from None
    except ValueError as fault:  # a number of thousands of digits
        raise InvalidJson(text, start, str(fault)) from None


def blanked(text: str) -> str:
    """The text with spaces in the place of each character of a comment; line ends stay."""
    return _STRING_OR_COMMENT.sub(
        lambda found: found[0] if found[0][0] == '"' else _NO_LINE_END.sub(" ", found[0]), text
    )


def comments(text: str) -> list[str]:
    """The comments, in their order."""
    return [found for found in _STRING_OR_COMMENT.findall(text) if found[0] != '"']


def expect_keys_once(text: str, path: Path) -> None:
    """Raise InvalidJson where a key stands twice in one of the mappings along `path`."""
    if _start(text) < len(text):
        _, _, part = _trace(text, path)
        if part is not None:
            _Box.at(text, part.value)


def put(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`: in place of what is there, else after its last neighbour.

    What is missing on the way there is made. `text` is one that `load` takes, comments aside, and
    what the path leads through are mappings and lists. Raises InvalidJson where a comment stands in
    what would be replaced.
    """
    plain = blanked(text)
    if _start(plain) == len(text):
        text, plain = text + "{}\n", plain + "{}\n"
    depth, box, part = _trace(plain, path)
    if part is None:
        start, end, new = _inserted(plain, box, path[depth], _nested(value, path[depth + 1 :]))
    else:
        start, end, new = part.value, part.end, _dumped(plain, value, _indent(plain, part.start))
    return _spliced(text, plain, start, end, new)


def drop(text: str, path: Path) -> str:
    """The text without the value at `path` and the comma that goes with it.

    Raises InvalidJson where a comment stands between them.
    """
    plain = blanked(text)
    _, box, part = _trace(plain, path)
    if part is None:
        return text
    place = box.parts.index(part)
    if len(box.parts) == 1:
        start, end = box.start + 1, box.end
    elif place == len(box.parts) - 1:
        start, end = box.parts[place - 1].end, part.end
    else:
        start, end = part.start, box.parts[place + 1].start
    return _spliced(text, plain, start, end, "")


def _spliced(text: str, plain: str, start: int, end: int, new: str) -> str:
    """The text with `new` between two places, unless that takes a comment away."""
    if text[start:end] != plain[start:end]:
        place = next(place for place in range(start, end) if text[place] != plain[place])
        raise InvalidJson(text, place, "a comment stands where our hooks come or go")
    return text[:start] + new + text[end:]


@dataclass(frozen=True)
class _Part:
    """A member or an item: where it starts, where its value starts, where it ends."""

    key: str | int
    start: int
    value: int
    end: int


@dataclass(frozen=True)
class _Box:
    """A mapping or a list: where its brackets stand, and what is between them."""

    start: int
    parts: list[_Part]
    end: int

    @classmethod
    def at(cls, text: str, start: int) -> "_Box":
        """Read the box that opens at `start`. Raises InvalidJson when a key stands there twice."""
        parts: list[_Part] = []
        known: set[str | int] = set()
        here = _skip(text, start + 1)
        while text[here] not in "}]":
            first = here
            key: str | int = len(parts)
            if text[start] == "{":
                key, here = _decoder.raw_decode(text, here)
                if key in known:
                    raise InvalidJson(text, first, f'the key "{key}" stands here a second time')
                here = _skip(text, _skip(text, here) + 1)
            known.add(key)
            value = here
            here = _decoder.raw_decode(text, here)[1]
            parts.append(_Part(key, first, value, here))
            here = _skip(text, here)
            if text[here] == ",":
                here = _skip(text, here + 1)
        return cls(start, parts, here)

    def find(self, key: str | int) -> _Part | None:
        """The part with this key or place."""
        return next((part for part in self.parts if part.key == key), None)


def _trace(text: str, path: Path) -> "tuple[int, _Box, _Part | None]":
    """How far along `path` the text goes: the last depth, the box there, the part in it."""
    box = _Box.at(text, _start(text))
    for depth, key in enumerate(path):
        part = box.find(key)
        if part is None or depth == len(path) - 1:
            return depth, box, part
        box = _Box.at(text, part.value)
    raise ValueError("an empty path")


class _NotInJson(Exception):
    """NaN or an infinity."""


def _no_constant(name: str) -> None:
    raise _NotInJson(name)


def _explained(text: str, place: int, message: str) -> str:
    """The parser's words, or better ones for what people do most."""
    if text[place : place + 2] in ("//", "/*") or text[place : place + 1] == "#":
        return "a comment; JSON has none"
    before = text[:place].rstrip()
    if text[place : place + 1] in ("}", "]") and before.endswith(","):
        return "a comma before a closing bracket"
    if text[place : place + 1] == "'":
        return "a single quote; JSON wants double ones"
    return message[:1].lower() + message[1:]


def _start(text: str) -> int:
    return _skip(text, len(BOM) if text.startswith(BOM) else 0)


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _nested(value: Any, path: Path) -> Any:
    for key in reversed(path):
        value = [value] if isinstance(key, int) else {key: value}
    return value


def _inserted(text: str, box: _Box, key: str | int, value: Any) -> tuple[int, int, str]:
    """From where to where something new stands, and what."""
    outer = _indent(text, box.start)
    name = "" if isinstance(key, int) else json.dumps(key, ensure_ascii=False) + ": "
    if not box.parts:
        if _is_one_line(text):
            return box.start + 1, box.end, name + _dumped(text, value, outer)
        inner = outer + _unit(text)
        member = inner + name + _dumped(text, value, inner)
        return box.start + 1, box.end, member + outer
    last = box.parts[-1]
    space = text[box.start + 1 : box.parts[0].start]
    inner = _indent(text, last.start) if "\n" in space else outer
    gap = inner if "\n" in space else " "
    return last.end, last.end, "," + gap + name + _dumped(text, value, inner)


def _dumped(text: str, value: Any, indent: str) -> str:
    """The value as this text would have it; `indent` is the line break before its first line."""
    if _is_one_line(text):
        return json.dumps(value, ensure_ascii=False)
    unit = _unit(text).lstrip("\r\n")
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", indent)


def _indent(text: str, place: int) -> str:
    """A line break and the space that starts the line on which `place` is."""
    line = text.rfind("\n", 0, place) + 1
    space = re.compile(r"[ \t]*").match(text, line)
    return ("\r\n" if "\r\n" in text else "\n") + (space.group() if space else "")


def _unit(text: str) -> str:
    """What one level is indented by: as the first line that is indented, else two spaces."""
    found = re.search(r"\n([ \t]+)[\"\[{}\]]", text)
    return found.group(1) if found else "  "


def _is_one_line(text: str) -> bool:
    """Whether the text is kept on one line: no line break inside, and something to see it by."""
    inside = text.strip()
    return "\n" not in inside and inside.removeprefix(BOM) not in ("{}", "[]", "")
