"""Recomputing what a text states beside its parts: sums, counts, ratios, dates, spans, choices.

The one rule: only what stands there whole is recomputed. Where a part may be missing, or a number
may mean something else, there is no verdict.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.gates.patterns import Pattern
from memgit.domain.gates.priced import CLAIMED, PRICED, total
from memgit.domain.gates.reckoning import reckoned
from memgit.domain.gates.recomputing import NUMBER, SAYS_TOTAL, TOTAL, cut, rows, sum_of

RECOMPUTES, DIFFERS, MISSING, PARTIAL = "recomputes", "differs", "source missing", "partial"

_SAYS_MONEY = re.compile(r"[$€£¥]\s?\d")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_POINTED = re.compile(r"\d[.-]\d")
"""What every date and version holds."""


@dataclass(frozen=True)
class Verdict:
    """One value: the line (from 1) on which it stands, what it says, what its parts give.

    `computed` is None where nothing gives it: neither parts nor a source stand there, or just
    `kept` of its parts, as in `2 of 4`.
    """

    line: int
    kind: str
    stated: str
    computed: str | None = None
    kept: str = ""

    @property
    def verdict(self) -> str:
        """`recomputes`, `differs`, `source missing` or `partial`."""
        if self.computed is None:
            return PARTIAL if self.kept else MISSING
        return RECOMPUTES if self.stated == self.computed else DIFFERS


def certificate(body: str) -> list[Verdict]:
    """Every value of a markdown text that its own parts give, or would if all were there."""
    lines = _without_fences(body.split("\n"))
    found = [*_tables(lines), *_lists(lines), *_counts(lines), *_ledgers(lines)]
    for number, line in enumerate(lines, 1):
        found += [Verdict(number, *row) for row in rows(line)]
        found += [Verdict(number, "sum", stated, kept=share) for stated, share in cut(line)]
        if _POINTED.search(line):
            found += [Verdict(number, *row) for row in reckoned(line)]
    return sorted(found, key=lambda verdict: (verdict.line, verdict.kind))


def _ledgers(lines: Sequence[str]) -> Iterator[Verdict]:
    """A total that ends a run of lines, each with counts at prices (`7 nibs at $4 each`)."""
    for number, line in enumerate(lines):
        stated = CLAIMED.search(line) if _SAYS_MONEY.search(line) else None
        if not stated or PRICED.search(line):
            continue
        at = number
        parts: list[str] = []
        while at > 0 and (found := [one[0] for one in PRICED.finditer(lines[at - 1])]):
            parts += found
            at -= 1
        given = total(parts)
        if len(parts) >= 2 and given is not None:
            value = float(stated["number"].replace(",", ""))
            told = stated["number"] if abs(value - given) < 0.005 else f"{given:,.10g}"
            yield Verdict(number + 1, "sum", stated["number"], told)


def _without_fences(lines: Sequence[str]) -> list[str]:
    kept = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence or mark:
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
            kept.append("")
        else:
            kept.append(line)
    return kept


# Tables -------------------------------------------------------------------------------------

_CELL = Pattern(rf"[~≈$€£¥]?\s*(?P<number>{NUMBER})\s*(?P<unit>[^\d\s]{{0,12}})\Z")
_NOT_SUMMED = Pattern(
    r"(?i)\b(?:avg|average|mean|median|rates?|ratio|percent|percentile|p\d\d|max|min|per|dates?|"
    r"versions?|id|number|score)\b|[%#]|率|平均|単価|日付|最大|最小|割合|番号|年"
)


def _tables(lines: Sequence[str]) -> Iterator[Verdict]:
    """The total row of a table, column by column."""
    start = None
    for number, line in enumerate([*lines, ""]):
        if line.lstrip().startswith("|"):
            start = number if start is None else start
        elif start is not None:
            yield from _table(lines[start:number], start + 1)
            start = None


def _table(lines: Sequence[str], first: int) -> Iterator[Verdict]:
    rows = [[_bare(cell) for cell in line.strip().strip("|").split("|")] for line in lines]
    if len(rows) < 5 or not set("".join(rows[1])) <= set("-: "):
        return
    for number, row in enumerate(rows[2:], 2):
        if not re.fullmatch(rf"(?:{TOTAL})\s*:?", row[0]) or number < 4:
            continue
        # What stands above an earlier total was summed there.
        parts = [other for other in rows[2:number] if other[0] and len(other) == len(row)]
        if len(parts) != number - 2 or any(re.match(TOTAL, other[0]) for other in parts):
            continue
        for column in range(1, len(row)):
            heading = rows[0][column] if column < len(rows[0]) else "%"
            if not _NOT_SUMMED.search(heading):
                yield from _column(first + number, row[column], [part[column] for part in parts])


def _column(line: int, stated: str, cells: Sequence[str]) -> Iterator[Verdict]:
    told = _CELL.match(stated)
    parts = [_CELL.match(cell) for cell in cells if cell not in ("", "-", "—", "–", "n/a")]
    if not told or len(parts) < 2 or not all(parts):
        return
    units = {part["unit"] for part in (told, *parts) if part}
    if len(units) > 1 or "%" in units or any(_is_rough(cell) for cell in (stated, *cells)):
        return
    values = [part["number"] for part in parts if part]
    # `4.954` is a number of thousands where people write so.
    if not any(re.search(r"\.\d{3}\Z", value) for value in (told["number"], *values)):
        yield Verdict(line, *sum_of(told["number"], values))


def _is_rough(text: str) -> bool:
    return bool(re.match(r"\s*[~≈約<>]", text))


def _bare(cell: str) -> str:
    return re.sub(r"[*_`]", "", cell).strip()


# Lists --------------------------------------------------------------------------------------

_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+]|\d+[.)])\s+(?P<text>.*\S)")
_VALUED = Pattern(
    rf"(?P<label>[^\d:：]*?)\s*[:：]\s*(?P<number>{NUMBER})\s*(?P<unit>[^\d\s,.;(]{{0,12}})\s*\Z"
)
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_COUNTED = Pattern(
    r"(?:\A|(?<=[.!?。]\s)|(?<=\*\*))(?:(?:the|these|there are|all)\s+)?"
    rf"(?P<number>(?i:{'|'.join(word for word in _WORDS if word.isascii())})|[2-9]|1\d)\s+"
    r"(?!of\b|or\b|to\b|and\b|out\b|more\b|other\b|minutes|hours|days|weeks|months|years|seconds"
    r"|times|lines)"
    r"(?P<what>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3}s)\s*[:：]\**\s*\Z",
    re.IGNORECASE,
)
_COUNTED_JA = Pattern(
    r"(?:次|以下)の(?P<number>[二三四五六七八九十]|[2-9]|1\d)(?:つ|個|点|件|種類|項目)[^、。]{0,12}[:：。]?\s*\Z"
)


def _lists(lines: Sequence[str]) -> Iterator[Verdict]:
    """A total that is the last item of a list, or the line below it, of labelled numbers."""
    for number, line in enumerate(lines):
        if not SAYS_TOTAL.search(line):
            continue
        item = _ITEM.match(line)
        valued = _VALUED.match(_bare(item["text"] if item else line))
        if not valued or not re.fullmatch(TOTAL, valued["label"].strip()):
            continue
        parts = _items_above(lines, number, item["indent"] if item else "")
        matches = [_VALUED.match(_bare(part)) for part in parts]
        if len(parts) >= 2 and all(match and match["unit"] == valued["unit"] for match in matches):
            values = [match["number"] for match in matches if match]
            yield Verdict(number + 1, *sum_of(valued["number"], values))


def _items_above(lines: Sequence[str], number: int, indent: str) -> list[str]:
    found: list[str] = []
    at = number - 1
    while at >= 0 and not lines[at].strip() and not found and number - at < 3:
        at -= 1
    while at >= 0 and (item := _ITEM.match(lines[at])) and item["indent"] == indent:
        found.insert(0, item["text"])
        at -= 1
    return found


def _counts(lines: Sequence[str]) -> Iterator[Verdict]:
    """`Three rules:` above a list of as many items."""
    for number, line in enumerate(lines):
        if not line.rstrip("* ").endswith((":", "：", "。")) or _ITEM.match(line):
            continue
        text = _bare(re.sub(r"^#+\s*", "", line.strip()))
        told = _COUNTED.search(text) or _COUNTED_JA.search(text)
        if not told:
            continue
        items = _items_below(lines, number + 1)
        if items >= 2:
            stated = told["number"]
            count = _WORDS.get(stated.lower()) or int(stated)
            yield Verdict(number + 1, "count", stated, stated if count == items else str(items))


def _items_below(lines: Sequence[str], at: int) -> int:
    """Items of the list that starts here or after blank lines, those within others not counted."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    first = _ITEM.match(lines[at]) if at < len(lines) else None
    count = 0
    while first and at < len(lines):
        line = lines[at]
        item = _ITEM.match(line)
        if item and len(item["indent"]) <= len(first["indent"]):
            count += 1
        elif (
            line.strip() and not line.startswith((" ", "\t")) and not lines[at - 1].strip()
        ) or line.lstrip().startswith(("#", "|")):
            break
        at += 1
    return count
