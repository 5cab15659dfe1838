"""Pull requests that a line names, and which state it claims of each: merged, open, closed.

The one rule: a state belongs to the number that it is said of. A line on which both stand, but in
different clauses, with a "not", or about something else (a conflict, an alert), claims nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.claims.extraction.reading import Line

MERGED, OPEN, CLOSED = "merged", "open", "closed"

_PULL = re.compile(
    r"(?<![\w/#&])(?:(?P<repository>[A-Za-z0-9][\w.-]*/[\w.-]+)#"
    r"|(?P<word>(?:PRs?|MRs?|[Pp]ull[ -][Rr]equests?|[Mm]erge [Rr]equests?|プルリク(?:エスト)?)"
    r"\s*[#!]?|[#!]))(?P<number>\d{1,7})(?![\w.]*\d|\w)"
)
_LIST = re.compile(r"(?:\s*(?:,|、|and|&|と|および)\s*)+(?P<mark>[#!])(?P<number>\d{1,7})\b")
_IS = r"(?:\s*\([^()]{0,40}\))?\s*(?:,?\s*(?:which|that)\s+)?"
_HAVE = (
    r"(?:(?:was|were|is|are|has|have|had|got|gets|been|being|already|finally|now|just|then"
    r"|since|both|all|later|recently|still|manually|auto-?|squash-?|cleanly|successfully)\s*-?\s*){0,4}"
)
_AFTER = (
    (
        MERGED,
        re.compile(rf"^{_IS}{_HAVE}(?:merged|landed|shipped)\b(?! (?:conflict|queue|commit|base))"),
    ),
    (CLOSED, re.compile(rf"^{_IS}{_HAVE}(?:built and )?closed\b")),
    (OPEN, re.compile(rf"^{_IS}{_HAVE}(?:re)?open(?:ed)?\b(?! (?:question|issue|a|the|up))")),
    (MERGED, re.compile(r"^\s*[\[(（]\s*(?:squash-)?(?:merged|landed|マージ)", re.IGNORECASE)),
    (OPEN, re.compile(r"^\s*[\[(（]\s*(?:still )?open\b", re.IGNORECASE)),
    (CLOSED, re.compile(r"^\s*[\[(（]\s*closed\b", re.IGNORECASE)),
    (MERGED, re.compile(r"^\s*(?:は|が|を)?[^。、]{0,12}マージ(?:した|され|済)")),
    (CLOSED, re.compile(r"^\s*(?:は|が|を)?[^。、]{0,12}クローズ(?:した|され|済)")),
    (OPEN, re.compile(r"^\s*(?:は|が)?\s*(?:まだ)?オープン(?:中|のまま)?")),
)
_BEFORE = (
    (MERGED, re.compile(r"(?i)\b(?:landed|merged|shipped|fixed|resolved|released)\s+"
                        r"(?:it\s+)?(?:in|by|via|as|with|through|under)\s+(?:the\s+)?$")),
    (MERGED, re.compile(r"(?i)\bmerged\s+(?:the\s+)?$")),
    (CLOSED, re.compile(r"(?i)\bclosed\s+(?:the\s+)?$")),
    (OPEN, re.compile(r"(?i)\b(?:still open|open)[: ]+$")),
)  # fmt: skip
_DENIED = re.compile(
    r"(?i)(?:\b(?:not|never|un|isn't|wasn't|hasn't|couldn't|can't|cannot|before|until|once|when|if"
    r"|unless|whether|should|would|could|may|might|must|to be|will be|or recently-?)\s*-?\s*"
    r"|n't\s+|n’t\s+)(?:\w+\s+){0,2}$"
)
_IF = re.compile(r"(?i)\b(?:when|once|if|until|unless|before|whether)\s+(?:the\s+|this\s+)?$")
_MERGED_NOT = re.compile(r"(?i)^\s*(?:-?\s*un-?merged|without (?:being )?merg|not merged)")
_CELL = re.compile(r"(?i)^\W*(merged|landed|open|closed|draft)\W*(?:\d{4}-\d\d-\d\d)?\W*$")

_TELLING = ("#", "!", "PR", "MR", "equest", "プルリク")


@dataclass(frozen=True)
class Pull:
    """A pull request on a line, and the states claimed of it; none for a bare mention."""

    text: str
    number: int
    start: int
    states: Sequence[str]
    repository: str = ""


def pulls(line: Line) -> Iterator[Pull]:
    """The pull requests of a line. A bare `#12` is one only where the line claims a state of it."""
    text = line.text
    if line.is_fenced or not any(word in text for word in _TELLING):
        return
    for found, end in _mentions(text):
        after, before = _clause_after(text[end:]), _clause_before(text[: found.start()])
        states = _states(before, after) or _of_row(text, found.start())
        yield Pull(found[0], int(found["number"]), found.start(), states,
                   found.groupdict().get("repository") or "")  # fmt: skip


def _mentions(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Each mention, and where the list ends in which it stands: what follows is said of all."""
    for found in _PULL.finditer(text):
        end = found.end()
        rest: list[re.Match[str]] = []
        while more := _LIST.match(text, end):
            rest.append(more)
            end = more.end()
        yield found, end


def _states(before: str, after: str) -> tuple[str, ...]:
    """What is claimed by the words on both sides of a number."""
    if _IF.search(before):
        return ()
    for state, form in _AFTER:
        if form.search(after) and (state == CLOSED or not _denied_after(after, state)):
            return (state,)
    for state, form in _BEFORE:
        said = form.search(before)
        if not said or _DENIED.search(before[: said.start()]):
            continue
        if state == CLOSED or not _MERGED_NOT.search(after):
            return (state,)
    return ()


def _denied_after(after: str, state: str) -> bool:
    """Whether a `not` stands before the state, which the patterns would have let through."""
    head = after.split(state[:5], 1)[0]
    return bool(re.search(r"(?i)\b(?:not|never|un)\b|n't", head))


def _of_row(text: str, at: int) -> tuple[str, ...]:
    """The state in a cell of its own of the same row of a table."""
    if text.count("|") < 3:
        return ()
    for cell in text.split("|"):
        if said := _CELL.match(cell):
            word = said[1].lower()
            return (MERGED if word == "landed" else OPEN if word == "draft" else word,)
    return ()


def _clause_after(text: str) -> str:
    return re.split(r"[.;。；|](?:\s|$)|\s[—–-]\s", text, maxsplit=1)[0][:120]


def _clause_before(text: str) -> str:
    return re.split(r"[.;。；|]\s|\s[—–-]\s", text)[-1][-120:]
