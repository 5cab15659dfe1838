"""Statements of a text: what a clause says of which subject, as far as form alone tells.

The one rule: a clause that looks back, compares, or says what does not hold, states nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.borders.units import MARKS, UNITS, unit_of
from memgit.domain.gates.patterns import Pattern


@dataclass(frozen=True)
class Statement:
    """`value` of one `kind` (port, version, seconds, never or always ...), on line `line`.

    `subject` are the words of its clause without the value, `context` those around it: headings,
    the memory's name. `marks` are environments, `names` the proper names that it speaks of.
    """

    path: str
    line: int
    kind: str
    value: str
    shown: str
    subject: frozenset[str]
    context: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Passage:
    """Lines of one file to read, the first of which is `first`; `about` says what they are of."""

    path: str
    lines: Sequence[str]
    first: int = 1
    about: str = ""


def statements(passage: Passage) -> Iterator[Statement]:
    """Every statement of a passage, by line."""
    headings: dict[int, str] = {}
    fence = ""
    for number, line in enumerate(passage.lines, passage.first):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        if heading := _HEADING.match(line):
            level = len(heading[1])
            headings = {old: text for old, text in headings.items() if old < level}
            headings[level] = heading[2]
            continue
        if line.lstrip().startswith("|") or not line.strip() or _FIELD.match(line):
            continue
        above = " ".join((passage.about, *headings.values()))
        for clause in [line] if fence else _clauses(line):
            found = _settings(clause) if fence else _said(clause)
            for kind, value, shown, rest in found:
                yield _statement(passage.path, number, (kind, value, shown), rest, (line, above))


def words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, alike in singular and plural."""
    found = set()
    for word in _WORD.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)):
        if word.isascii():
            low = word.lower()
            if len(low) > 1 and low not in _EMPTY and not low.isdigit():
                found.add(_stem(low))
        elif re.match(r"[\u3400-\u9fff]", word):
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif len(word) > 1:
            found.add(word.rstrip("ー"))
    return frozenset(found - _EMPTY)


Said = tuple[str, str, str, str]
"""(kind, value, the value as it stands there, the clause without it)"""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_FIELD = Pattern(
    r"(?i)\s*(?:[-*+>]\s+)?[*_]*(?:[\w-]+ )?(?:date|source|created|updated|modified|evidence"
    r"|session"
    r"|status|importance|priority|severity|author|tags?|type|related|see|出典|日付|作成|更新|状態)s?[*_]*"
    r"\s*[:：]"
)
"""A line that says something of the text itself."""

_CLAUSE = Pattern(
    r"(?<=[.;!?])\s+|[。；！？、]|,\s+|\s+[—–-]{1,2}\s+|\s*[()（）]\s*|\s+(?:and|but|while|so)\s+"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|[\u3400-\u9fff々]+|[\u30a0-\u30ff]+|[\uac00-\ud7af]+")
_LOOKS_BACK = Pattern(
    r"(?i)\b(?:was|were|formerly|previously|used to|no longer|old|older|earlier|instead of"
    r"|rather than|"
    r"not|isn't|aren't|until|before|deprecated|legacy|replaces?|replaced|except|unless|example"
    r"|e\.g|"
    r"maybe|might|could|would|about|around|roughly)\b|\bor\b"
    r"|旧|以前|だった|でした|ではな|じゃな|廃止|かつて|例えば|たとえば|例外|かもしれ|約\s*\d|およそ|まで"
)
_EMPTY = frozenset({
    "the", "an", "and", "or", "of", "to", "in", "on", "at", "by", "for", "with", "from", "as", "is",
    "are", "be", "been", "has", "have", "had", "its", "it", "this", "that", "these", "those", "we",
    "our", "you", "your", "they", "their", "there", "here", "when", "then", "than", "into", "onto",
    "over", "under", "all", "each", "every", "any", "some", "one", "two", "only", "also", "just",
    "very", "more", "most", "other", "same", "so", "if", "but", "do", "does", "can", "may", "must",
    "should", "will", "shall", "always", "never", "use", "uses", "used", "using", "run", "runs",
    "set", "sets", "twice", "once", "value", "number", "please",
    "ある", "する", "こと", "もの", "ため", "です", "ます", "いる", "なる",
})  # fmt: skip
_MEASURE = Pattern(rf"(?i)(?<![\w.,-])(\d[\d,]*(?:\.\d+)?)[\s-]?({UNITS})(?:e?s)?(?![a-z0-9])")
_PORT = Pattern(
    r"(?i)\bports?(?:\s+(?:is|to|number))?\s*[:=]?\s*(\d{2,5})\b"
    r"|ポート(?:番号)?\s*(?:は|:|：)?\s*(\d{2,5})"
    r"|\b(?:localhost|127\.0\.0\.1):(\d{2,5})\b"
)
_VERSION = Pattern(
    r"(?<![\w./-])([A-Za-z][\w+#-]*(?:\.js)?|[ァ-ヶー]{2,})"
    r"(?:\s*(?:version|ver\.?|バージョン|は|is|at|to|:))*\s*(?:>=|==|\^|~)?\s*v?"
    r"(\d+(?:\.\d+){1,3})(?![\w%]|\.\d|\s*(?:%|秒|分|ms\b|s\b|GB|MB|KB))"
)
_VERSION_WORD = Pattern(r"(?i)(?:version|バージョン)[^\d]{0,24}?v?(\d+(?:\.\d+)*)")
_DATE = Pattern(r"(?<![\d-])(\d{4}-\d{2}-\d{2})(?![\d-])")
_SETTING = Pattern(
    r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`?\s*(?:=|:|\bis\b|は)\s*[`\"']?([\w./:@-]+)"
    r"[`\"']*(?=\s*(?:\Z|[,.;)#（、。]|in\b|by\b|で))"
)
_IS = Pattern(
    r"(?i)\A\s*(?:[-*+]\s+)?[*_]{0,2}(?:the |our )?((?:[\w/.-]+ ){0,4}?[\w/.-]+?)[*_]{0,2}\s*"
    r"(?::|=|\b(?:is|are|lives? (?:in|at|under)|(?:is|are) (?:in|at|under|called"
    r"|named))\b)[*_]{0,2}\s+"
    r"(?:`([^`\s]+)`|([A-Za-z][A-Za-z0-9_./@-]*))\s*\.?\s*\Z"
)
_IS_JA = Pattern(
    r"\A\s*(?:[-*+]\s+)?([^はがを`]{2,24}?)(?:は|：|:)\s*(?:`([^`\s]+)`|([A-Za-z][\w./@-]*))"
    r"\s*(?:です|にある|に置く|である)?\s*\Z"
)
_CHOICE = Pattern(
    r"(?i)\b(?:use|prefer|choose)\s+`?([A-Za-z][\w.+-]*)`?(?:\s+only)?\s+(?:for|to|as|in"
    r"|when)\s+(.+)"
    r"|\A\s*(?:[-*+]\s+)?(\w+(?: \w+){0,2}?) with `?(\w+)`?\s*\.?\Z"
)
_CHOICE_JA = Pattern(
    r"\A\s*(?:[-*+]\s+)?([^はにを]{2,16})(?:は|には)\s*`?([A-Za-zァ-ヶー][\w.ー-]*)`?\s*を使う"
)
_NEVER = Pattern(
    r"(?i)\b(?:never|do not|don't|must not|mustn't|should not|may not)\b"
    r"|禁止|しない|てはいけない|ではならない|てはならない|不可|するな"
)
_ALWAYS = Pattern(r"(?i)\b(?:always|must)\b|必ず|常に|すること|してよい|してください|許可")
_CONDITION = Pattern(
    r"(?i)\b(?:unless|except|only|if|without|until|when)\b|だけ|のみ|以外|なければ|場合|とき"
)


def _said(clause: str) -> Iterator[Said]:
    """What a clause of prose says."""
    if rule := _rule(clause):
        yield rule
    if _LOOKS_BACK.search(clause):
        return
    yield from _settings(clause)
    yield from _measured(clause)
    yield from _named(clause)


def _rule(clause: str) -> Said | None:
    """A bare never or always; one with a condition is another rule in every case."""
    if _CONDITION.search(clause):
        return None
    for value, pattern in (("never", _NEVER), ("always", _ALWAYS)):
        if found := pattern.search(clause):
            return "rule", value, found[0], pattern.sub(" ", clause)
    return None


def _settings(clause: str) -> Iterator[Said]:
    for found in _SETTING.finditer(clause):
        value = found[2].rstrip(".")
        yield f"setting {found[1]}", value, f"{found[1]} {value}", found[1]


def _measured(clause: str) -> Iterator[Said]:
    """Ports, versions, dates, and numbers with a unit."""
    for found in _PORT.finditer(clause):
        value = found[1] or found[2] or found[3]
        yield "port", value, f"port {value}", _without(clause, found)
    taken = False
    for found in _VERSION.finditer(clause):
        if found[1].lower() not in (
            "port",
            "section",
            "version",
            "about",
            "step",
            "is",
            "at",
            "to",
        ):
            taken = True
            yield "version", found[2], f"{found[1]} {found[2]}", clause.replace(found[2], " ")
    if not taken and (one := _VERSION_WORD.search(clause)):
        yield "version", one[1], f"version {one[1]}", clause.replace(one[1], " ")
    for found in _DATE.finditer(clause):
        yield "date", found[1], found[1], _without(clause, found)
    for found in _MEASURE.finditer(clause):
        number, unit = float(found[1].replace(",", "")), found[2].lower()
        kind, factor = unit_of(unit)
        yield kind, f"{number * factor:.10g}", found[0].strip(), _without(clause, found)


def _named(clause: str) -> Iterator[Said]:
    """`The default branch is main`, `Use pnpm for packages`, `Indent with tabs`."""
    if found := _IS.match(clause) or _IS_JA.match(clause):
        value = (found[2] or found[3]).rstrip(".")
        if _is_a_name(value, bool(found[2])):
            yield "name", value.casefold().rstrip("/"), value, found[1]
    elif one := _CHOICE.search(clause):
        value, subject = (one[1], one[2]) if one[1] else (one[4], one[3])
        yield "choice", value.casefold(), value, subject
    elif two := _CHOICE_JA.search(clause):
        yield "choice", two[2].casefold(), two[2], two[1]


def _is_a_name(value: str, in_code: bool) -> bool:
    if value.lower() in ("none", "yes", "no", "optional", "true", "false", "n/a", "tbd"):
        return False
    plain = value.isalpha() and value.islower()
    return not value[0].isdigit() and value.lower() not in _EMPTY and (in_code or not plain
        or value in ("main", "master", "develop", "trunk"))  # fmt: skip


def _statement(
    path: str, line: int, said: tuple[str, str, str], rest: str, around: tuple[str, str]
) -> Statement:
    whole, above = around
    kind, value, shown = said
    subject = words(rest)
    about = words(f"{whole} {above}")
    low = {word.lower() for word in _WORD.findall(f"{whole} {above}")}
    marks = frozenset(
        mark
        for word, mark in MARKS.items()
        if word in low or (not word.isascii() and word in f"{whole}{above}")
    )
    return Statement(path, line, kind, value, shown, subject, about - subject, marks, _names(rest))


def _names(clause: str) -> frozenset[str]:
    """Words that are written like names: capitals within a sentence, or within a word."""
    bare = re.sub(r"\A\s*(?:[-*+>]|\d+[.)])?\s*[*_`]*", "", clause)
    first = re.match(r"[A-Z][a-z]+\b", bare)
    found = re.findall(r"\b[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*\b|\b[a-z]+[A-Z]\w*\b", bare)
    if first and found and found[0] == first[0]:
        found = found[1:]
    return frozenset(_stem(word.lower()) for word in found) - _EMPTY


def _without(clause: str, found: re.Match[str]) -> str:
    return f"{clause[: found.start()]} {clause[found.end() :]}"


def _clauses(line: str) -> Iterator[str]:
    text = re.sub(r"\]\([^)]*\)|[*_]{2}", "", re.sub(r"\A\s*(?:[-*+>]|\d+[.)])\s+", "", line))
    start = 0
    for found in _CLAUSE.finditer(text):
        yield text[start : found.start()]
        start = found.end()
    yield text[start:]


def _stem(word: str) -> str:
    for ending, to in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ing", ""),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return (word[: -len(ending)] + to).rstrip("e")
    return word.rstrip("e")
