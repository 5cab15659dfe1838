"""What a probe's arguments may be: each has a kind, and each kind has a length and characters.

The one rule: everything is checked before anything runs, and what does not fit is refused with its
reason; nothing is mended, so that what was refused once cannot come back in another dress.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from memgit.domain.operation import one_line

Value = str | int
Arguments = Mapping[str, Value]

Check = Callable[[Value], str]
"""Says what is wrong with a value; "" for nothing."""

_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_STRUCTURE = frozenset("/\\.:~$%-@#*?<>|\"'`&;=")
_EXPANDED = frozenset('$*?<>|"`{}')
_BRANCH_NEVER = ("..", "@{", "//", "/.", ".lock/")


def refusal(takes: Mapping[str, str], given: Mapping[str, object]) -> str:
    """Why these arguments do not fit what a probe takes; "" where they do.

    A kind that ends in `?` may be left out.
    """
    for name in given:
        if name not in takes:
            return f"takes no {one_line(str(name))[:40]!r}"
    for name, kind in takes.items():
        value = given.get(name)
        if value is None:
            if not kind.endswith("?"):
                return f"needs `{name}`"
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            return f"{name}: is neither text nor a number"
        if fault := KINDS[kind.removesuffix("?")](value):
            return f"{name}: {fault}"
    return ""


def _text(longest: int, least: int = 1) -> Check:
    """One line of so many characters, each of which can be seen."""

    def check(value: Value) -> str:
        if not isinstance(value, str):
            return "is not text"
        if not least <= len(value) <= longest:
            return f"has {len(value)} characters, not {least} to {longest}"
        return hidden(value)

    return check


def hidden(text: str) -> str:
    """Names the first character that a reader cannot see or would take for another one."""
    for character in text:
        if unicodedata.category(character) in _HIDDEN or character == "\ufffd":
            return f"has the unseen character U+{ord(character):04X}"
        if character > "\x7f":
            plain = unicodedata.normalize("NFKC", character)
            if _STRUCTURE.intersection(plain) or character in "∕⁄⧸․‐‑‒–—―∶꞉ˉ":
                return f"has U+{ord(character):04X}, which looks like {plain!r}"
    for word in re.findall(r"\w+", text):
        if not word.isascii() and len(scripts := {_script(one) for one in word} - {""}) > 1:
            return f"mixes {' and '.join(sorted(scripts))} letters, which look alike"
    return ""


def _script(letter: str) -> str:
    """The script of a letter, of those whose letters look alike; "" for all others."""
    if not letter.isalpha():
        return ""
    name = unicodedata.name(letter, "").partition(" ")[0]
    return name if name in ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE") else ""


def _shaped(pattern: str, what: str, longest: int = 200) -> Check:
    """Text that is of one form from its first to its last character; ASCII alone."""
    form = re.compile(pattern, re.ASCII)
    plain = _text(longest)

    def check(value: Value) -> str:
        if not isinstance(value, str):
            return "is not text"
        if fault := plain(value):
            return fault
        if value.startswith("-"):
            return "starts with a dash"
        return "" if form.fullmatch(value) else f"is not {what}"

    return check


def _number(least: int, most: int) -> Check:
    def check(value: Value) -> str:
        if not isinstance(value, int) or isinstance(value, bool):
            return "is not a whole number"
        return "" if least <= value <= most else f"is {value}, not within {least} to {most}"

    return check


def _path(value: Value) -> str:
    if fault := _text(400)(value):
        return fault
    path = str(value)
    if path.startswith("-"):
        return "starts with a dash"
    if _EXPANDED.intersection(path):
        return "has a character that a shell or a template would expand"
    if "\\" in path:
        return "has a backslash"
    if "//" in path or "://" in path or (path.startswith("~") and not path.startswith("~/")):
        return "is not a path"
    if path != path.strip():
        return "begins or ends with a space"
    return "is too deep" if path.count("/") > 40 else ""


def _branch(value: Value) -> str:
    if fault := _shaped(r"[A-Za-z0-9_][\w./+#@-]*", "the name of a branch", 200)(value):
        return fault
    name = str(value)
    if any(word in name for word in _BRANCH_NEVER) or name.endswith(("/", ".", ".lock")):
        return "is not the name of a branch"
    return ""


def _url(value: Value) -> str:
    if fault := _text(2000)(value):
        return fault
    text = str(value)
    if not text.isascii() or any(c in ' "<>\\^`{|}' for c in text):
        return "has a character that is not written so in a URL"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return "is not a URL"
    if parts.scheme not in ("http", "https"):
        return f"is {parts.scheme or 'nothing'}, not http or https"
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        return "has a user's name or password in it"
    if not parts.hostname or port == 0:
        return "names no host"
    if not re.fullmatch(r"[A-Za-z0-9.-]{1,253}|[0-9a-fA-F:.]{2,45}", parts.hostname):
        return "names no host"
    return ""


def _symbol(value: Value) -> str:
    if fault := _text(100)(value):
        return fault
    parts = re.split(r"\.|::", str(value))
    return "" if all(map(str.isidentifier, parts)) else "is not the name of anything in code"


_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"

KINDS: Mapping[str, Check] = {
    "path": _path,
    "text": _text(200),  # looked for in a file, and given to no program: it may start with a dash
    "symbol": _symbol,
    "line": _number(1, 10_000_000),
    "number": _number(1, 100_000_000),
    "port": _number(1, 65_535),
    "branch": _branch,
    "commit": _shaped(r"[0-9a-f]{7,64}", "the id of a commit", 64),
    "repository": _shaped(rf"{_PART}(/{_PART}){{0,4}}", "OWNER/NAME or a project's name", 200),
    "visibility": _shaped("public|private|internal", "public, private or internal", 10),
    "url": _url,
    "secret": _shaped(r"[A-Za-z_]\w{0,99}", "the name of a secret", 100),
    "slug": _shaped(r"[a-z0-9][a-z0-9_-]{0,62}", "a name of small letters, digits and dashes", 63),
    "cloud": _shaped("gcp|aws", "gcp or aws", 3),
    "instance": _shaped(r"i-[0-9a-f]{8,17}|[a-z][a-z0-9-]{0,62}", "the name of an instance", 63),
    "place": _shaped(r"[a-z]{2,15}(-[a-z]{3,20}){1,2}-?\d{1,2}(-?[a-z])?", "a zone or region", 40),
    "program": _shaped(r"[A-Za-z0-9_][\w.+-]{0,63}", "the name of a program", 64),
    "task": _shaped(r"[A-Za-z0-9_][\w:./-]{0,99}", "the name of a task", 100),
    "package": _shaped(r"@?[A-Za-z0-9][\w.-]{0,99}(/[\w.-]{1,100}){0,5}", "a package's name", 200),
    "version": _shaped(r"v?\d{1,6}(\.\d{1,10}){0,4}([-+.]?[A-Za-z0-9][\w.+-]{0,30})?",
                       "a version", 60),
    "variable": _shaped(r"[A-Za-z_]\w{0,99}", "the name of a variable", 100),
    "job": _shaped(r"[A-Za-z0-9_][\w ./()-]{0,99}", "the name of a job", 100),
}  # fmt: skip
"""Kind of argument → what it may be."""

NUMBERS = ("line", "number", "port")
"""Kinds that are whole numbers; all others are text."""
