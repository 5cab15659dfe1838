"""Reading the answer out of a reply, and judging it: by rules alone, no model and no hedge words.

The one rule: only a value that stands right behind the last answer marker is an answer. A reply
without one abstains, whatever numbers it holds elsewhere.
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

Value = float | str

TRUE, INHERITED, OTHER, ABSTAINED, ERROR = "true", "inherited", "other", "abstained", "error"
OUTCOMES = (TRUE, INHERITED, OTHER, ABSTAINED, ERROR)
"""The right value; the one that was planted; any other value; none; no reply was to be had."""

NEAR = 0.5
"""A number counts as another that it misses by less."""

_MARKER = re.compile(
    r"(?i)(?<![a-z])(?:final\s+)?answer(?:\s+is)?\s*[*_`]*\s*[:=]|(?:答え|答|回答|解答|正解)\s*[*_`]*\s*(?:[:=]|は)"
)
_MARKUP = re.compile(r"\\(?:boxed|text|mathrm|mathbf)\s*\{|\\[(\[)\]]|[*_`{}\"'「」『』]")
_CURRENCY = r"(?:\\?\$|US\$|USD|EUR|JPY|[€£¥])"
_SIGN = r"[-−]"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_NUMBER = re.compile(
    rf"\s*(?:[=≈~]\s*)?(?:{_CURRENCY}\s*)?(?P<sign>{_SIGN})?\s*(?:{_CURRENCY}\s*)?"
    rf"(?P<digits>{_DIGITS})(?P<rest>.*)\Z"
)
_RANGE = re.compile(
    rf"\s*{_CURRENCY}?\s*(?:[-−–—~〜～/]|\.\.+|to\b|or\b|and\b|から|または|か)\s*{_CURRENCY}?\s*\d"
)
_SUM = re.compile(rf"[\d\s.,$+*×x/()−-]*=\s*(?P<last>{_CURRENCY}?\s*{_DIGITS})\s*\.?\s*\Z")
_ARTICLE = re.compile(r"(?i)\s*(?:the|a|an)\s+")


CLOCK = ("hh:mm",)
"""The options of a question for a time of day: any one, as `18:45`."""

_TIME = re.compile(
    r"(?i)(?:at|around)?\s*(?P<h>[01]?\d|2[0-4])[:.時](?P<m>[0-5]\d)分?\s*(?P<half>[ap]\.?m)?"
)


def answer(reply: str, options: Sequence[str] = ()) -> Value | None:
    """The answer of a reply: a number, or, where there are `options`, one of them as it is spelled
    there. None where the reply gives none: it abstains.
    """
    text = unicodedata.normalize("NFKC", reply)
    found = _field(text)
    if found is None:
        found = _behind_marker(text)
    if found is None:
        return None
    plain = " ".join(_MARKUP.sub(" ", found).split())
    if tuple(options) == CLOCK:
        return clock(plain)
    return _option(plain, options) if options else number(plain)


def clock(text: str) -> str | None:
    """The time of day that a text starts with, as `18:45`; None where it starts with none."""
    match = _TIME.match(unicodedata.normalize("NFKC", text).strip())
    if not match or _RANGE.match(text[match.end() :]):
        return None
    hour = int(match["h"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    return f"{hour:02}:{match['m']}"


def number(text: str) -> float | None:
    """The number that a text starts with; None where it starts with none, or with a range."""
    text = unicodedata.normalize("NFKC", text).strip()
    if summed := _SUM.match(text):
        text = summed["last"]
    match = _NUMBER.match(text)
    if not match or _RANGE.match(match["rest"]) or re.match(r"[\d,.:]*\d", match["rest"]):
        return None
    # `3-item`, `8 x 7` and `5 of 6` are no value by themselves.
    if re.match(r"\s*[+*×/]|\s*x\s*\$?\d|-[a-z]|\s+(?:of|out of)\b", match["rest"]):
        return None
    value = float(match["digits"].replace(",", ""))
    return -value if match["sign"] else value


def same(one: Value | None, other: Value | None) -> bool:
    """Whether two values are one: numbers by less than a half, words whatever their case."""
    if one is None or other is None:
        return False
    if isinstance(one, str) != isinstance(other, str):
        text, given = (one, other) if isinstance(one, str) else (other, one)
        read = number(str(text))
        return read is not None and abs(read - float(given)) < NEAR
    if isinstance(one, str):
        return _key(one) == _key(str(other))
    return abs(one - float(other)) < NEAR


@dataclass(frozen=True)
class Gold:
    """What is right, what was planted in its place, and the words that an answer may be."""

    true: Value
    planted: Value | None = None
    options: tuple[str, ...] = ()


def outcome(value: Value | None, gold: Gold) -> str:
    """`true`, `inherited`, `other` or `abstained`."""
    if value is None:
        return ABSTAINED
    if same(value, gold.true):
        return TRUE
    return INHERITED if same(value, gold.planted) else OTHER


def judge(reply: str, gold: Gold) -> tuple[Value | None, str]:
    """(the answer of a reply, what it is)."""
    value = answer(reply, gold.options)
    return value, outcome(value, gold)


def _field(text: str) -> str | None:
    """The field `answer` of a reply that is one JSON object; None for any other reply."""
    stripped = re.sub(r"\A```\w*\s*|\s*```\Z", "", text.strip())
    if not stripped.startswith("{"):
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or "answer" not in value:
        return None
    given = value["answer"]
    return "" if given is None or isinstance(given, bool) else str(given)


def _behind_marker(text: str) -> str | None:
    """What stands behind the last marker on its line; on the next one where that is empty."""
    markers = list(_MARKER.finditer(text))
    if not markers:
        return None
    rest = text[markers[-1].end() :].split("\n")
    if _MARKUP.sub("", rest[0]).strip():
        return rest[0]
    return next((line for line in rest[1:] if _MARKUP.sub("", line).strip()), "")


def _option(text: str, options: Sequence[str]) -> str | None:
    """The one option that a text starts with, or whose words it is."""
    text = _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text
    key = _key(text)
    found = [one for one in options if key.startswith(_key(one))]
    if not found:
        return None
    best = max(found, key=len)
    rest = key[len(_key(best)) :]
    if rest[:1].isascii() and rest[:1].isalnum():
        return None
    others = [one for one in options if one not in found and _stands(_key(one), rest)]
    return None if others else best


def _stands(word: str, text: str) -> bool:
    if word.isascii():
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
    return word in text


def _key(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip(" .。!").casefold()
