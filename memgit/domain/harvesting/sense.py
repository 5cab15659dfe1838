"""Whether a candidate means what its quoted words mean: not the opposite, and not without their if.

The one rule: a quote may be cut so that every letter of it was said and its sense was not. So it is
read with its whole sentence, and with the line above that a list hangs on.
"""

import re
from collections.abc import Iterator, Sequence

from memgit.domain.borders.statements import words
from memgit.domain.gates.patterns import Pattern
from memgit.domain.harvesting.candidate import TOOL, USER, Candidate
from memgit.domain.harvesting.heard import Found, Heard
from memgit.domain.harvesting.values import values
from memgit.domain.harvesting.wording import is_negative, sentences, takes_back

NEAR = 0.5
"""Share of the words of a clause that another must have to speak of the same."""

LOOSE = 3
"""Words beside a number with which a sentence says no more than that number."""

ABOVE = 12
"""Lines above an item of a list in which the line is sought that it hangs on."""

_PARTS = re.compile(r"[,;，、；]|\bbut\b|——|—")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\d+[.)])\s")
_REPLY = re.compile(r"(?i)\A\W*(?:no|nope|nah|いいえ|いや)[,.!:、。]\s*")
_CONDITION = Pattern(
    r"(?i)\b(?:if|unless|except|as long as|provided|only (?:if|when|for|in|on|during|after|before)"
    r"|until)\b|場合|限り|のみ|以外|(?:なら|たら|れば)[、,]"
)
_ASIDE = Pattern(
    r"(?i)\bif (?:possible|necessary|needed|in doubt|you can|you (?:like|want))\b|必要なら"
)


def turned(candidate: Candidate, found: Sequence[Found]) -> str:
    """What a candidate says that the sentences it quotes deny; "" where there is nothing."""
    said = [part for one in found for part in _parts(_with_lead(one))]
    for claim in (candidate.description, *sentences(candidate.text)):
        for part in _parts(claim):
            near = _nearest(part, said)
            if near and all(is_negative(one) != is_negative(part) for one in near):
                return f"it says “{_short(part)}” where the quoted words say “{_short(near[0])}”"
    return ""


def unconditional(candidate: Candidate, found: Sequence[Found]) -> str:
    """The condition that a person said with it and the candidate leaves out; "" for none."""
    if _CONDITION.search(candidate.whole):
        return ""
    spoken = [sentence for one in found if one.role != TOOL
              for sentence in sentences(_with_lead(one))]  # fmt: skip
    near = _nearest(candidate.description or candidate.text, spoken)
    if near and all(_CONDITION.search(_ASIDE.sub("", one)) for one in near):
        return f"it was said under a condition: “{_short(near[0])}”"
    return ""


def corrected(found: Sequence[Found], heard: Heard) -> str:
    """The person's next words, where they put another value in place of the quoted one without
    saying of what: `no, 7432`; "" for none.
    """
    last = max(found, key=lambda one: one.number)
    had = _numbers(last.around)
    turns = [said for said in heard.later(last.number) if said.role == USER]
    for said in turns:
        if not had or said.number != turns[0].number:
            break
        back = takes_back(said.sentence) or takes_back(said.before)
        new = _numbers(said.sentence)
        if back and new and not new & had and len(words(said.sentence) - new) <= LOOSE:
            return f"turn {said.number} may put another value in its place: “{said.sentence[:80]}”"
    return ""


def _with_lead(found: Found) -> str:
    """The sentences that hold a quote; of an item in a list, with the line that it hangs on."""
    if found.role == TOOL:
        return found.around
    lines = found.passage.splitlines()
    start = " ".join(found.words.split())[:40]
    place = next((at for at, line in enumerate(lines) if start in " ".join(line.split())), 0)
    for line in reversed(lines[max(0, place - ABOVE) : place]):
        if line.rstrip().endswith((":", "：")):
            return "\n".join(f"{line.strip()} {one}" for one in sentences(found.around))
        if line.strip() and not _ITEM.match(line):
            break
    return found.around


def _parts(text: str) -> Iterator[str]:
    """The clauses of a text; one that says too little alone goes with the next."""
    for sentence in sentences(text.replace("’", "'")):
        held = ""
        for part in _PARTS.split(_REPLY.sub("", sentence)):
            held = f"{held} {part}".strip()
            if len(words(held)) > 1:
                yield held
                held = ""
        if held:
            yield held


def _nearest(part: str, said: Sequence[str]) -> list[str]:
    """Those that share most of its words, where that is enough to speak of the same."""
    mine = words(part)
    shared = [len(mine & words(one)) for one in said]
    most = max(shared, default=0)
    if not most or most < NEAR * len(mine):
        return []
    return [one for one, count in zip(said, shared, strict=True) if count == most]


def _numbers(text: str) -> set[str]:
    return {value for value in values(text) if value[:1].isdigit()}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
