"""Recomputing dates and versions that one line states beside what they follow from.

The one rule: a row tells what is stated and what follows, alike where they agree. Where people
count in two ways, either is right; months that end on different days are not counted at all.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from memgit.domain.gates.patterns import Pattern

Row = tuple[str, str, str]
"""(kind, stated, computed)"""

_DAY = r"\d{4}-\d{2}-\d{2}(?![\d-])"
_FREE = r"(?<![\w./-])"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?|日間?|週間?|[かヶ]月|年)"
_IS = r"\s*(?:,?\s*(?:is|was|falls on|fell on|that is|i\.e\.)|=|→|->|=>|は|＝)\s*"
_ON = r"(?:on\s+|the\s+)?"

_SHIFTS = (
    Pattern(
        rf"{_FREE}(?P<count>\d{{1,4}})\s*{_UNIT}\s+(?P<way>after|from|before)\s+(?P<start>{_DAY})"
        rf"{_IS}{_ON}(?P<end>{_DAY})", re.IGNORECASE,
    ),
    Pattern(
        rf"{_FREE}(?P<start>{_DAY})\s*(?P<way>[+−-]|plus|minus)\s*(?P<count>\d{{1,4}})\s*{_UNIT}"
        rf"{_IS}{_ON}(?P<end>{_DAY})", re.IGNORECASE,
    ),
    Pattern(
        rf"{_FREE}(?P<start>{_DAY})\s*(?:の|から)?\s*(?P<count>\d{{1,4}})\s*{_UNIT}(?P<way>後|前)"
        rf"\s*(?:は|=|＝|:|：)\s*(?P<end>{_DAY})"
    ),
)  # fmt: skip
"""`3 days after 2026-05-01 is 2026-05-04`, `2026-05-01 + 3 days = 2026-05-04`."""

_SPANS = (
    Pattern(
        rf"{_FREE}(?P<start>{_DAY})\s*(?:to|until|till|through|and|–|—|〜|～|→|->|\.\.|から)\s*"
        rf"(?P<end>{_DAY})(?:\s*まで)?\s*(?:[(（]|(?:is|was|=|takes|took|lasts|lasted|は)\s+|、)\s*"
        rf"(?P<count>\d{{1,4}})\s*(?P<unit>days?|weeks?|日間|週間)\s*(?:[)）]|[.,;。、]|\Z)",
        re.IGNORECASE,
    ),
    Pattern(
        rf"{_FREE}(?P<count>\d{{1,4}})\s*(?P<unit>days?|weeks?)\s+(?:between|from)\s+"
        rf"(?P<start>{_DAY})\s+(?:to|until|till|and)\s+(?P<end>{_DAY})", re.IGNORECASE,
    ),
)  # fmt: skip
"""`2026-05-01 to 2026-05-04 (3 days)`, `3 days between 2026-05-01 and 2026-05-04`."""

_ONE = r"(?:v?\d+(?:\.\d+){1,3}|\d{4}-\d{2}-\d{2})(?![A-Za-z0-9_.-]*[A-Za-z0-9_-])"
_LIST = rf"{_ONE}(?:(?:\s*[,、;]\s*|\s*,?\s+(?:and|or)\s+){_ONE})+"
_MOST = (
    r"(?P<most>latest|newest|highest|greatest|largest|lowest|smallest|oldest|earliest"
    r"|最新|最大|最古|最小)"
)
_NOUN = r"(?:\s+(?:version|release|tag|date|one))?"
_CHOSEN = (
    Pattern(
        rf"\b{_MOST}{_NOUN}\s+(?:of|among)\s+(?:versions?\s+|releases?\s+|tags?\s+)?"
        rf"{_FREE}(?P<list>{_LIST}){_IS}{_FREE}(?P<stated>{_ONE})", re.IGNORECASE,
    ),
    Pattern(
        rf"{_FREE}(?P<stated>{_ONE})\s+(?:is|was)\s+the\s+{_MOST}{_NOUN}\s+(?:of|among)\s+"
        rf"(?:versions?\s+|releases?\s+|tags?\s+)?{_FREE}(?P<list>{_LIST})", re.IGNORECASE,
    ),
    Pattern(
        rf"{_FREE}(?P<list>{_LIST})\s*[(（]\s*{_MOST}{_NOUN}\s*(?:is\s+|[:：=は]\s*|\s)\s*"
        rf"(?P<stated>{_ONE})\s*[)）]", re.IGNORECASE,
    ),
    Pattern(
        rf"{_FREE}(?P<list>{_LIST})\s*(?:の中で|のうち|の)、?\s*{_MOST}(?:版|のバージョン)?は\s*"
        rf"(?P<stated>{_ONE})"
    ),
)  # fmt: skip
"""`the latest of 1.9.2, 1.10.0 and 1.8.7 is 1.10.0`."""

_LEAST = ("lowest", "smallest", "oldest", "earliest", "最古", "最小")
_MAY_CHOOSE = re.compile(r"(?i)est\b|最[新大古小]")


def reckoned(line: str) -> Iterator[Row]:
    """The dates, spans and choices that a line, which holds a date or a version, gives."""
    for pattern in _SHIFTS:
        for match in pattern.finditer(line):
            yield from _shift(match)
    for pattern in _SPANS:
        for match in pattern.finditer(line):
            yield from _span(match)
    if _MAY_CHOOSE.search(line):
        for pattern in _CHOSEN:
            for match in pattern.finditer(line):
                yield from _choice(match)


def _shift(match: re.Match[str]) -> Iterator[Row]:
    start, end = _date(match["start"]), _date(match["end"])
    count = int(match["count"])
    count = -count if match["way"].lower() in ("before", "-", "−", "minus", "前") else count
    if start and end and (right := _moved(start, count, match["unit"].lower())):
        yield "date", end.isoformat(), right.isoformat()


def _moved(start: date, count: int, unit: str) -> date | None:
    try:
        if unit[0] in "d日":
            return start + timedelta(days=count)
        if unit[0] in "w週":
            return start + timedelta(weeks=count)
        months = start.year * 12 + start.month - 1 + count * (12 if unit[0] in "y年" else 1)
        year, month = months // 12, months % 12 + 1
        # The last days of a month have no counterpart in every other one.
        is_sure = start.day <= 28 or start.day < monthrange(year, month)[1]
        return start.replace(year=year, month=month) if is_sure else None
    except (ValueError, OverflowError):
        return None


def _span(match: re.Match[str]) -> Iterator[Row]:
    """With or without the day on which it begins; weeks may be told roughly."""
    start, end = _date(match["start"]), _date(match["end"])
    if not (start and end):
        return
    days = abs((end - start).days)
    stated = int(match["count"])
    if match["unit"].lower()[0] in "w週":
        right = abs(days / 7 - stated) < 1
        computed = f"{days / 7:.2g}"
    else:
        right = stated in (days, days + 1)
        computed = str(days)
    yield "span", str(stated), str(stated) if right else computed


def _choice(match: re.Match[str]) -> Iterator[Row]:
    items = re.findall(_ONE, match["list"])
    stated = match["stated"]
    dated = ["-" in item for item in (*items, stated)]
    if any(dated) != all(dated):
        return
    choose = min if match["most"].lower() in _LEAST else max
    keys = [_parts] if any(dated) or any(i.count(".") > 1 for i in items) else [_parts, _value]
    chosen = [choose(items, key=key) for key in keys]
    agrees = any(_parts(one) == _parts(stated) for one in chosen)
    yield "choice", stated, stated if agrees else chosen[0]


def _parts(item: str) -> tuple[int, ...]:
    """As versions and dates are compared; `1.10` comes after `1.9`."""
    found = [int(part) for part in re.split(r"[.-]", item.lstrip("vV"))]
    while len(found) > 1 and not found[-1]:
        found.pop()
    return tuple(found)


def _value(item: str) -> tuple[int, ...]:
    """As numbers are compared: `1.10` comes before `1.9`."""
    whole, _, rest = item.lstrip("vV").partition(".")
    return int(whole), int(rest.ljust(12, "0")[:12])


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
