"""Recomputing what one line states: equations, sums with their parts, ratios, changes, weekdays.

The one rule: a row tells what is stated and what its parts give, alike where they agree.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from memgit.domain.gates.patterns import Pattern

NUMBER = r"[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
TOTAL = r"(?i:grand total|total|sum|in all|altogether|合計|総計|総数|計)"
SAYS_TOTAL = re.compile(TOTAL)
_DIGIT = re.compile(r"[0-9]")
_YEAR = re.compile(r"\d{4}-\d")
_NOISE = 1e-6
"""What adding and dividing may lose."""

Row = tuple[str, str, str]
"""(kind, stated, computed)"""


def _row(kind: str, stated: str, value: float, tolerance: float = 0) -> Row:
    """What is stated, beside what was computed; the same text where they agree."""
    agrees = abs(_number(stated) - value) <= tolerance + _NOISE
    return kind, stated, stated if agrees else f"{value:,.10g}"


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _step(stated: str) -> float:
    """The unit of the last digit that a number states."""
    return 10.0 ** -len(stated.partition(".")[2])


def sum_of(stated: str, parts: Sequence[str]) -> Row:
    """A sum, as it is stated and as its parts give it; rounded parts may miss it by as much."""
    rounded = any("." in part for part in (*parts, stated))
    tolerance = _step(stated) * len(parts) / 2 if rounded else 0
    return _row("sum", stated, sum(map(_number, parts)), tolerance)


_UNIT = r"(?:\s?(?:[A-Za-z%]+|[個件円名本回分秒時間日枚便席人]+))?"
_EQUATION = Pattern(
    rf"(?<![\w.,/^*+=(−-])(?P<left>{NUMBER}{_UNIT}(?:\s*[+×*÷]\s*{NUMBER}{_UNIT}"
    rf"|\s+[-−–/]\s+{NUMBER}{_UNIT})+)"
    rf"\s*=\s*(?P<right>{NUMBER})(?![\w,]*\d|\.\d|\s*[+×*÷/-]\s*\d)"
)
_ENUMERATION = Pattern(
    rf"(?:(?P<before>{NUMBER})\s*[^\d(（,、.;:]{{0,24}}?\b{TOTAL}"
    rf"|\b{TOTAL}(?:\s+of|\s+is|\s*[:：は])?\s*(?P<after>{NUMBER})"
    rf"|(?:合計|総計|計)(?P<ja>{NUMBER}))"
    r"[^\d(（:：,、.;]{0,24}[(（:：]\s*(?P<parts>[^()（）:：;]*?)\s*(?:[)）]|\Z|\.\s*\Z)"
)
_PART = Pattern(rf"[^\d]*?(?<![\w.-])(?P<number>{NUMBER})(?![\d.-]|\s*%)[^\d]*\Z")


_CUT = Pattern(
    r"(?i)\A\s*(?:and\s+)?(?:\+?(?P<more>\d{1,4})\s+(?:more|others?)|(?:ほか|他)(?P<ja>\d{1,4})\s*(?:件|個|つ|項目)"
    r"|\.\.\.|…|etc\.?|など)\s*\Z"
)


def cut(line: str) -> Iterator[tuple[str, str]]:
    """(what is stated, `k of n` of its parts that stand there) where the others were left out."""
    if not (_DIGIT.search(line) and SAYS_TOTAL.search(line)):
        return
    for match in _ENUMERATION.finditer(line):
        *parts, last = _parts_of(match)
        if (left := _CUT.match(last)) and len(parts) >= 2 and all(map(_PART.match, parts)):
            more = left["more"] or left["ja"]
            count = str(len(parts) + int(more)) if more else "more"
            yield _stated(match), f"{len(parts)} of {count}"


def rows(line: str) -> Iterator[Row]:
    """Everything that a line states and gives the parts of."""
    if not _DIGIT.search(line):
        return
    if "=" in line:
        yield from _equations(line)
    if SAYS_TOTAL.search(line):
        yield from _enumerations(line)
    if "%" in line:
        yield from _ratios(line)
    if "(" in line or "（" in line:
        yield from _changes(line)
    if _YEAR.search(line):
        yield from _weekdays(line)


def _equations(line: str) -> Iterator[Row]:
    for match in _EQUATION.finditer(line.replace("`", " ")):
        value = _value(match["left"])
        if value is not None:
            rounded = any(mark in match["left"] for mark in "/÷.")
            yield _row("equation", match["right"], value, _step(match["right"]) if rounded else 0)


def _value(left: str) -> float | None:
    """What an expression gives, products before sums; None where it gives nothing."""
    numbers = [_number(number.lstrip("-−")) for number in re.findall(NUMBER, left)]
    marks = re.findall(rf"(?:\s*([+×*÷])\s*|\s+([-−–/])\s+)(?={NUMBER})", left)
    signs = [a or b for a, b in marks]
    if len(signs) != len(numbers) - 1:
        return None
    terms = [numbers[0]]
    for sign, number in zip(signs, numbers[1:], strict=True):
        if sign in "×*":
            terms[-1] *= number
        elif sign not in "÷/":
            terms.append(number if sign == "+" else -number)
        elif number:
            terms[-1] /= number
        else:
            return None
    return sum(terms)


def _enumerations(line: str) -> Iterator[Row]:
    """`total 47 (fetch 12, restore 26, replay 6, checks 3)`."""
    for match in _ENUMERATION.finditer(line):
        parts = _parts_of(match)
        numbers = [_PART.match(part) for part in parts]
        if len(parts) >= 2 and all(numbers) and not _CUT.match(parts[-1]):
            yield sum_of(_stated(match), [number["number"] for number in numbers if number])


def _stated(match: re.Match[str]) -> str:
    return str(match["before"] or match["after"] or match["ja"])


def _parts_of(match: re.Match[str]) -> list[str]:
    return re.split(r",\s+and\s+|[,、;]\s+|、|\s+and\s+|\s*\+\s*", match["parts"])


_RATIO = Pattern(
    r"(?<![\d.,/-])(?P<part>\d[\d,]*)\s*(?:of|/|out of"
    r"|中)\s*(?P<whole>\d[\d,]*)(?![\d/-])\s*[^\d()（）=,.;]{0,20}"
    r"(?:[(（]\s*[~≈=]?\s*|=\s*)(?P<percent>\d+(?:\.\d+)?)\s*%"
)
_CHANGE = Pattern(
    rf"(?:from\s+)?(?<![\w.,-])(?P<old>{NUMBER})(?P<unit>\s?[a-zA-Z秒分件回円]*)\s*(?:→|->|=>"
    rf"|to)\s*(?P<new>{NUMBER})"
    r"(?P<again>\s?[a-zA-Z秒分件回円]*)\s*[(（]\s*(?P<sign>[+−-])\s*(?P<by>\d[\d,]*"
    r"(?:\.\d+)?)\s*(?P<percent>%?)"
)


def _ratios(line: str) -> Iterator[Row]:
    """`62 of 96 (65 %)`; the share of the rest is one as well."""
    for match in _RATIO.finditer(line):
        part, whole = _number(match["part"]), _number(match["whole"])
        if whole and part <= whole:
            share, step = 100 * part / whole, _step(match["percent"])
            of_the_rest = _row("ratio", match["percent"], 100 - share, step)
            told = _row("ratio", match["percent"], _rounded(share, match["percent"]), step)
            yield of_the_rest if of_the_rest[1] == of_the_rest[2] else told


def _changes(line: str) -> Iterator[Row]:
    """`150 → 120 (-20 %)`, `12 to 15 (+3)`."""
    for match in _CHANGE.finditer(line):
        old, new = _number(match["old"]), _number(match["new"])
        if _differ(match["unit"], match["again"]) or (match["percent"] and not old):
            continue
        # `0.48 → 0.90 (+42 points)` counts in hundredths.
        if not match["percent"] and "." in match["old"] and "." not in match["by"]:
            continue
        by = 100 * (new - old) / old if match["percent"] else new - old
        stated = f"{'' if match['sign'] == '+' else '-'}{match['by']}"
        loose = _step(match["by"]) if match["percent"] or "." in match["by"] else 0
        yield _row("difference", stated, _rounded(by, match["by"]), loose)


def _differ(unit: str, again: str) -> bool:
    """Whether two numbers are of different things; a unit may be said once for both."""
    return bool(unit.strip() and again.strip() and unit.strip() != again.strip())


def _rounded(value: float, like: str) -> float:
    return round(value, len(like.partition(".")[2]))


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KANJI = "月火水木金土日"
_DATED = Pattern(
    r"(?:\b(?P<before>(?i:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day),?\s+)?(?<![\d-])(?P<date>\d{4}-\d{2}-\d{2})(?![\d-])"
    r"(?:\s*[(（](?P<after>(?i:mon|tue|wed|thu|fri|sat|sun)[a-z]*|[月火水木金土日])曜?日?[)）])?"
)


def _weekdays(line: str) -> Iterator[Row]:
    """`Tuesday 2026-12-08`, `2026-12-12（土）`."""
    for match in _DATED.finditer(line):
        stated = match["before"] or match["after"]
        if not stated:
            continue
        try:
            day = date.fromisoformat(match["date"]).weekday()
        except ValueError:
            continue
        right = stated == _KANJI[day] or _DAYS[day].startswith(stated.lower()[:3])
        name = _KANJI[day] if stated in _KANJI else _DAYS[day].title()
        told = f"{stated} {match['date']}"
        yield "weekday", told, told if right else f"{name} {match['date']}"
