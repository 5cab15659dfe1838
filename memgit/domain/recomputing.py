"""Recomputing what one line states: equations, sums with their parts, ratios, changes, weekdays.

The one rule: a row tells what is stated and what its parts give, alike where they agree.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal, DivisionByZero, InvalidOperation

NUMBER = r"[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
TOTAL = r"(?i:grand total|total|sum|in all|altogether|合計|総計|総数|計)"
SAYS_TOTAL = re.compile(TOTAL)
_DIGIT = re.compile(r"[0-9]")

Row = tuple[str, str, str]
"""(kind, stated, computed)"""


def _row(kind: str, stated: str, value: Decimal, tolerance: Decimal = Decimal(0)) -> Row:
    """What is stated, beside what was computed; the same text where they agree."""
    told = _decimal(stated)
    agrees = told is not None and abs(told - value) <= tolerance
    return kind, stated, stated if agrees else f"{value.normalize():,f}"


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "").replace("−", "-"))
    except InvalidOperation:
        return None


def _step(stated: str) -> Decimal:
    """The unit of the last digit that a number states."""
    return Decimal(1).scaleb(-len(stated.partition(".")[2]))


def sum_of(stated: str, parts: Sequence[str]) -> Row:
    """A sum, as it is stated and as its parts give it; rounded parts may miss it by as much."""
    numbers = [number for part in parts if (number := _decimal(part)) is not None]
    rounded = any("." in part for part in (*parts, stated))
    tolerance = _step(stated) * len(parts) / 2 if rounded else Decimal(0)
    return _row("sum", stated, sum(numbers, Decimal(0)), tolerance)


_UNIT = r"(?:\s?(?:[A-Za-z%]+|[個件円名本回分秒時間日枚便席人]+))?"
_EQUATION = re.compile(
    rf"(?<![\w.,/^*+=(−-])(?P<left>{NUMBER}{_UNIT}(?:\s*[+×*÷]\s*{NUMBER}{_UNIT}"
    rf"|\s+[-−–/]\s+{NUMBER}{_UNIT})+)"
    rf"\s*=\s*(?P<right>{NUMBER})(?![\w,]*\d|\.\d|\s*[+×*÷/-]\s*\d)"
)
_ENUMERATION = re.compile(
    rf"(?:(?P<before>{NUMBER})\s*[^\d(（,、.;:]{{0,24}}?\b{TOTAL}"
    rf"|\b{TOTAL}(?:\s+of|\s+is|\s*[:：は])?\s*(?P<after>{NUMBER})"
    rf"|(?:合計|総計|計)(?P<ja>{NUMBER}))"
    r"[^\d(（:：,、.;]{0,24}[(（:：]\s*(?P<parts>[^()（）:：;]*?)\s*(?:[)）]|\Z|\.\s*\Z)"
)
_PART = re.compile(rf"[^\d]*?(?<![\w.-])(?P<number>{NUMBER})(?![\d.-]|\s*%)[^\d]*\Z")


def rows(line: str) -> Iterator[Row]:
    """Everything that a line states and gives the parts of."""
    if _DIGIT.search(line):
        for find in (_equations, _enumerations, _ratios, _changes, _weekdays):
            yield from find(line)


def _equations(line: str) -> Iterator[Row]:
    for match in _EQUATION.finditer(line.replace("`", " ")):
        value = _value(match["left"])
        if value is not None:
            rounded = "/" in match["left"] or "÷" in match["left"] or "." in match["left"]
            yield _row(
                "equation", match["right"], value, _step(match["right"]) if rounded else Decimal(0)
            )


def _value(left: str) -> Decimal | None:
    """What an expression gives, products before sums."""
    numbers = [_decimal(number.lstrip("-−")) for number in re.findall(NUMBER, left)]
    marks = re.findall(rf"(?:\s*([+×*÷])\s*|\s+([-−–/])\s+)(?={NUMBER})", left)
    signs = [a or b for a, b in marks]
    if len(signs) != len(numbers) - 1 or None in numbers:
        return None
    known = [number for number in numbers if number is not None]
    terms = [known[0]]
    try:
        for sign, number in zip(signs, known[1:], strict=True):
            if sign in "×*":
                terms[-1] *= number
            elif sign in "÷/":
                terms[-1] /= number
            else:
                terms.append(number if sign == "+" else -number)
    except (DivisionByZero, InvalidOperation):
        return None
    return sum(terms, Decimal(0))


def _enumerations(line: str) -> Iterator[Row]:
    """`total 47 (fetch 12, restore 26, replay 6, checks 3)`."""
    for match in _ENUMERATION.finditer(line) if SAYS_TOTAL.search(line) else ():
        stated = match["before"] or match["after"] or match["ja"]
        parts = re.split(r"[,、;]\s+|、|\s+and\s+|\s*\+\s*", match["parts"])
        numbers = [_PART.match(part) for part in parts]
        if len(parts) >= 2 and all(numbers):
            yield sum_of(stated, [number["number"] for number in numbers if number])


_RATIO = re.compile(
    r"(?<![\d.,/-])(?P<part>\d[\d,]*)\s*(?:of|/|out of"
    r"|中)\s*(?P<whole>\d[\d,]*)(?![\d/-])\s*[^\d()（）=,.;]{0,20}"
    r"(?:[(（]\s*[~≈=]?\s*|=\s*)(?P<percent>\d+(?:\.\d+)?)\s*%"
)
_CHANGE = re.compile(
    rf"(?:from\s+)?(?<![\w.,-])(?P<old>{NUMBER})(?P<unit>\s?[a-zA-Z秒分件回円]*)\s*(?:→|->|=>"
    rf"|to)\s*(?P<new>{NUMBER})"
    r"(?P<again>\s?[a-zA-Z秒分件回円]*)\s*[(（]\s*(?P<sign>[+−-])\s*(?P<by>\d[\d,]*"
    r"(?:\.\d+)?)\s*(?P<percent>%?)"
)


def _ratios(line: str) -> Iterator[Row]:
    for match in _RATIO.finditer(line):
        part, whole = _decimal(match["part"]), _decimal(match["whole"])
        if part is not None and whole and part <= whole:
            share, step = 100 * part / whole, _step(match["percent"])
            of_the_rest = _row("ratio", match["percent"], 100 - share, step)
            told = _row("ratio", match["percent"], _rounded(share, match["percent"]), step)
            yield of_the_rest if of_the_rest[1] == of_the_rest[2] else told


def _changes(line: str) -> Iterator[Row]:
    """`150 → 120 (-20 %)`, `12 to 15 (+3)`."""
    for match in _CHANGE.finditer(line):
        old, new = _decimal(match["old"]), _decimal(match["new"])
        if old is None or new is None or _differ(match["unit"], match["again"]):
            continue
        if match["percent"] and not old:
            continue
        by = 100 * (new - old) / old if match["percent"] else new - old
        stated = f"{'' if match['sign'] == '+' else '-'}{match['by']}"
        loose = _step(match["by"]) if match["percent"] or "." in match["by"] else Decimal(0)
        yield _row("difference", stated, _rounded(by, match["by"]), loose)


def _differ(unit: str, again: str) -> bool:
    """Whether two numbers are of different things; a unit may be said once for both."""
    return bool(unit.strip() and again.strip() and unit.strip() != again.strip())


def _rounded(value: Decimal, like: str) -> Decimal:
    return value.quantize(_step(like))


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KANJI = "月火水木金土日"
_DATED = re.compile(
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
        yield (
            "weekday",
            f"{stated} {match['date']}",
            (f"{stated} {match['date']}" if right else f"{name} {match['date']}"),
        )
