"""The gate on characters that nobody sees, and that make a text read otherwise than it is.

The one rule: what a script or an emoji needs is let through where it stands in one.
"""

import re
import unicodedata
from collections.abc import Iterator

from memgit.domain.gates.scope import Scope
from memgit.errors import Fault

_SUSPECT = re.compile(
    r"[\x01-\x08\x0b\x0e-\x1f\x7f\x80-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e01ef]"
)
_JOINER, _NON_JOINER = "\u200d", "\u200c"
_MARKS = "\u200e\u200f\u061c"
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_NAMES = {"\t": "TAB", "\x1b": "ESCAPE", "\x7f": "DELETE", "\x08": "BACKSPACE"}


def characters(scope: Scope) -> Iterator[Fault]:
    """Bidirectional controls, zero-width characters, tags and other characters that do not show."""
    for file in (*scope.files, *scope.beside):
        if file.data.isascii() and not _SUSPECT.search(file.text):
            continue
        for number, line in enumerate(file.lines, 1):
            if found := [line[at] for at in hidden(line, first=number == 1)]:
                more = f" and {len(found) - 1} more" if len(found) > 1 else ""
                yield Fault(file.path, number, "hidden", f"{_named(found[0])}{more}")


def hidden(line: str, first: bool = False) -> list[int]:
    """Where a line holds a character that does not show and has no work to do there.

    The first line of a file may start with a byte order mark.
    """
    if not _SUSPECT.search(line):
        return []
    flags = {at for flag in _FLAG.finditer(line) for at in range(*flag.span())}
    return [
        found.start()
        for found in _SUSPECT.finditer(line)
        if not (found.start() in flags
                or (first and found.start() == 0 and found[0] == "\ufeff")
                or _is_needed(line, found.start()))
    ]  # fmt: skip


def without_hidden(text: str) -> str:
    """The text without them."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for at in reversed(hidden(line, first=number == 0)):
            line = line[:at] + line[at + 1 :]
        lines[number] = line
    return "\n".join(lines)


def _is_needed(line: str, at: int) -> bool:
    """Whether the letters or symbols around a character need it."""
    here = line[at]
    before = line[at - 1] if at else " "
    after = line[at + 1] if at + 1 < len(line) else " "
    if here == _JOINER:
        joins = (_is_pictograph(before) or before in "\ufe0f\u200d") and _is_pictograph(after)
        return joins or _is_shaping(before)
    if here == _NON_JOINER:
        return _is_shaping(before)
    if here in _MARKS:
        return any(unicodedata.bidirectional(c) in ("R", "AL") for c in line)
    if "\ufe00" <= here <= "\ufe0f":
        return _is_pictograph(before) or (before in "0123456789#*" and after == "\u20e3")
    if "\U000e0100" <= here <= "\U000e01ef":  # the forms of a kanji that a name asks for
        return "CJK" in unicodedata.name(before, "")
    if "\u180b" <= here <= "\u180f":
        return "MONGOLIAN" in unicodedata.name(before, "")
    return False


def _is_pictograph(character: str) -> bool:
    return (unicodedata.category(character) in ("So", "Sk", "Sm", "Po") and character > "\x7f") or (
        "\u2190" <= character <= "\u2bff"
    )


def _is_shaping(character: str) -> bool:
    """Whether a letter or mark is of a script whose letters join: Indic, Arabic and their like."""
    code = ord(character)
    return (character.isalpha() and (0x0600 <= code <= 0x08FF or 0x0900 <= code <= 0x109F
        or 0x1780 <= code <= 0x18AF)) or (
        unicodedata.category(character)[0] == "M" and 0x0600 <= code <= 0x18AF
    )  # fmt: skip


def _named(character: str) -> str:
    name = unicodedata.name(character, "") or _NAMES.get(character, "a control character")
    return f"U+{ord(character):04X} {name}"
