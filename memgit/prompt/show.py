"""What the agent is shown of a memory: what it is, how old, how it stands, its telling lines.

The one rule: a memory is shown as recorded data with its place, never as an order.
"""

from memgit.prompt.terms import words

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from typing import Any

LINE = 240
"""Characters of one quoted line."""

LINES = 2
"""Quoted lines of one memory."""

_ENDS = "-_./\\'"

_OUTSIDE = ' \t<>"`|「」『』【】（）、。，'
"""What ends an address in a line."""

_WITHOUT_JOINERS = str.maketrans("", "", _ENDS)


def entry(
    record: "dict[str, Any]", terms: "dict[str, float]", now: float, checked: str = ""
) -> str:
    """The text for one memory; `terms` are the matched ones with their weight, `checked` when its
    claims were last seen to hold.
    """
    facts = [record["type"]]
    if days := age(record["recorded"], now):
        facts.append(days)
    if checked:
        facts.append(checked)
    facts.extend(record["labels"])
    said = f'- memory "{record["name"]}" ({record["path"]}; {"; ".join(facts)})'
    head, about = (_cut(plain(text)) for text in (said, record["description"]))
    lines = [f"{head}: {about}" if about else head]
    quoted = telling(record["lines"], terms)
    if not about and all(map(_is_heading, quoted)):
        # Nothing so far tells what it says: its first lines do.
        more = [line for line in record["lines"] if not _is_heading(line)]
        quoted = quoted[: LINES - 1] if more else quoted
        quoted += [marked(line, terms) for line in more[: LINES - len(quoted)]]
    lines += [f"  | {line}" for line in quoted]
    return "\n".join(lines)


def _is_heading(line: str) -> bool:
    """Whether a line is a heading, or a comment in code: `# words`."""
    return line[:1] == "#" and line.lstrip("#")[:1] in ("", " ")


def telling(lines: "list[str]", terms: "dict[str, float]") -> "list[str]":
    """The one or two lines that hold most of the matched terms, matches between « and ».

    Of a memory that was called by its name, the first lines that are no headings.
    """
    if not terms:
        first = [line for line in lines if not _is_heading(line)] or lines
        return [marked(line, terms) for line in first[:LINES]]
    bare = [(term.translate(_WITHOUT_JOINERS), weight) for term, weight in terms.items()]
    most = [(-_at_most(line, bare), number) for number, line in enumerate(lines)]
    best: list[tuple[float, int]] = []
    for least, number in sorted(row for row in most if row[0]):
        if len(best) == LINES and least > best[-1][0]:
            break  # taking a line apart is what costs
        held = {term for _, _, found in words(lines[number]) for term in found if term in terms}
        if held:
            best.append((-sum([weight for term, weight in terms.items() if term in held]), number))
            best.sort()
            del best[LINES:]
    return [marked(lines[number], terms) for number in sorted(number for _, number in best)]


def _at_most(line: str, terms: "list[tuple[str, float]]") -> float:
    """What the terms that a line holds can weigh together, at most; `terms` are without joiners.

    A term of an ASCII line stands in it as it is, but for case and joiners.
    """
    if not line.isascii():
        return sum([weight for _, weight in terms])
    bare = line.lower().translate(_WITHOUT_JOINERS)
    return sum([weight for term, weight in terms if term in bare])


def marked(line: str, terms: "dict[str, float]") -> str:
    """A line with its matched words between « and », cut to the part that has them.

    Code in backticks and addresses are copied: the marks stand around all of it, never inside.
    """
    places = [(a, b) for a, b, found in words(line) if any(term in terms for term in found)]
    # A full stop belongs to the sentence.
    places = [(a, a + len(line[a:b].rstrip(_ENDS))) for a, b in _joined(places)]
    if places and ("`" in line or "://" in line):
        places = _around(places, _code(line) + _addresses(line))
    start = max(0, places[0][0] - LINE // 3) if places and len(line) > LINE else 0
    end = min(len(line), start + LINE)
    out = ["…"] if start else []
    at = start
    for a, b in places:
        if a < at or b > end:
            continue
        out += [line[at:a], "«", line[a:b], "»"]
        at = b
    out += [line[at:end], "…" if end < len(line) else ""]
    return plain("".join(out))


def _around(
    places: "list[tuple[int, int]]", wholes: "list[tuple[int, int]]"
) -> "list[tuple[int, int]]":
    """The places, each one that lies in a whole as large as that."""
    found = []
    for a, b in places:
        for start, end in wholes:
            if a < end and start < b:
                a, b = min(a, start), max(b, end)
        found.append((a, b))
    return _joined(sorted(found))


def _code(line: str) -> "list[tuple[int, int]]":
    """Where code stands between backticks, as many before as behind it; these included."""
    found = []
    at = 0
    while (start := line.find("`", at)) >= 0:
        at = _past(line, start)
        close = at
        while (close := line.find("`", close)) >= 0:
            end = _past(line, close)
            if end - close == at - start:
                found.append((start, end))
                at = end
                break
            close = end
    return found


def _past(line: str, at: int) -> int:
    """Where a run of backticks ends."""
    while line[at : at + 1] == "`":
        at += 1
    return at


def _addresses(line: str) -> "list[tuple[int, int]]":
    """Where addresses stand (`https://...`), without the signs of the sentence around them."""
    found = []
    end = 0
    while (middle := line.find("://", end)) >= 0:
        start, end = middle, middle + 3
        while start and line[start - 1].isascii() and line[start - 1].isalnum():
            start -= 1
        while end < len(line) and line[end] not in _OUTSIDE:
            end += 1
        address = line[start:end].rstrip(".,;:!?*_'")
        while address.endswith(")") and address.count(")") > address.count("("):
            address = address[:-1].rstrip(".,;:!?*_'")
        found.append((start, start + len(address)))
    return found


def _joined(places: "list[tuple[int, int]]") -> "list[tuple[int, int]]":
    """Places that touch or overlap become one: pairs of kanji, parts of a name."""
    found: list[tuple[int, int]] = []
    for a, b in places:
        if found and a <= found[-1][1]:
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        else:
            found.append((a, b))
    return found


def _cut(text: str) -> str:
    """A text of ours or of one line of a memory, at most two lines long."""
    return text if len(text) <= 2 * LINE else f"{text[: 2 * LINE]}…"


def plain(text: str) -> str:
    """One line without control, direction and zero-width characters."""
    if not text.isprintable():
        text = "".join([c if c.isprintable() else " " for c in text])
    return " ".join(text.split())


def age(recorded: str, now: float) -> str:
    """`recorded 2026-05-03, 211 days ago` from an ISO time; "" where there is none."""
    gone = days_since(recorded, now)
    if gone is None:
        return ""
    ago = "today" if gone <= 0 else "yesterday" if gone == 1 else f"{gone} days ago"
    return f"recorded {recorded[:10]}, {ago}"


def days_since(recorded: str, now: float) -> "int | None":
    """Days from the day of an ISO time to the day of `now` (seconds since the epoch, UTC)."""
    try:
        then = _days(int(recorded[:4]), int(recorded[5:7]), int(recorded[8:10]))
    except ValueError:
        return None
    return int(now // 86400) - then


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar (years counted from March)."""
    year -= month <= 2
    month = (month + 9) % 12
    leaps = year // 4 - year // 100 + year // 400
    return 365 * year + leaps + (153 * month + 2) // 5 + day - 1 - 719468
