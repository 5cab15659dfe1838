"""Whether one memory says all that another one says: sentence by sentence, by their own words.

The one rule: in doubt it does not. What is left out, what holds only under a condition or only in
one place, and what answers another question, is not covered.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from memgit.domain.borders.statements import Passage, statements, words
from memgit.domain.borders.units import MARKS
from memgit.domain.gates.patterns import Pattern
from memgit.domain.memory import Memory
from memgit.domain.proposals.classes import is_event
from memgit.domain.proposals.technologies import technologies
from memgit.domain.proposals.vocabulary import vocabulary

ENOUGH = 0.6
"""Share of the words of a sentence, values and technologies aside, that must come back."""

SHOWN = 60
"""Characters of a sentence that a reason repeats."""

_ITEM = re.compile(r"\s*(?:[-*+>]|\d+[.)])\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*(])|(?<=[。！？])")
_CONDITION = Pattern(
    r"(?i)\b(?:only|except|unless|if|when|whenever|while|as long as|apart from|other than"
    r"|just for|in case)\b"
    r"|だけ|のみ|以外|限り|場合|ときは|時は|に限|を除|なら"
)
_REASON = Pattern(
    r"(?i)\s*(?:[,;—–]|\s-\s|\bbecause\b|\bsince\b|\bso that\b|\bas the\b|\bafter\b|\bwhich\b"
    r"|\binstead of\b|\brather than\b|\bnot\b|\bno longer\b)"
    r"|ため|ので|から、|、"
)
_NUMBER = Pattern(r"\d[\d.,:]*")
_NEUTRAL = words(" ".join(vocabulary("neutral")))


@dataclass(frozen=True)
class Sentence:
    """One thing that a memory says; `around` are the words of its headings and of its name."""

    text: str
    around: str = ""

    @cached_property
    def subject(self) -> frozenset[str]:
        """Its words, without values and technologies."""
        return _subject(self.text)

    @cached_property
    def main(self) -> frozenset[str]:
        """The same of its main clause, without reasons and what it says not to hold."""
        found = [end.start() for end in _REASON.finditer(self.text) if end.start() > 12]
        return _subject(self.text[: found[0]]) if found else self.subject

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Of what kinds its values are."""
        said = statements(Passage("", [self.text]))
        kinds = {one.kind for one in said if one.kind not in ("rule", "date", "name", "choice")}
        return frozenset(kinds | ({"technology"} if technologies(self.text) else set()))

    @cached_property
    def marks(self) -> frozenset[str]:
        """The environments that it speaks of, itself or by what stands over it."""
        whole = f"{self.text} {self.around}"
        low = set(re.findall(r"[a-z]+", whole.lower()))
        return frozenset(
            mark for word, mark in MARKS.items()
            if mark != "test" and (word in low or (not word.isascii() and word in whole))
        )  # fmt: skip

    @property
    def shown(self) -> str:
        """Its beginning, for a person."""
        text = " ".join(self.text.split())
        return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()}…"


def sentences(memory: Memory) -> list[Sentence]:
    """What a memory says, piece by piece; its description where it has no text."""
    found: list[Sentence] = []
    title = memory.name.replace("-", " ")
    heading = ""
    fence = ""
    for line in memory.body.splitlines():
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        bare = line.strip()
        if bare.startswith("#") and not fence:
            heading = bare.lstrip("# ")
            continue
        bare = bare.strip("|* ") if bare.startswith("|") else _ITEM.sub("", line, count=1).strip()
        if not any(map(str.isalnum, bare)):
            continue
        parts = [bare] if fence else _SENTENCE.split(bare)
        found += [Sentence(part, f"{title} {heading}") for part in parts if _says(part)]
    if not found and memory.description:
        found = [Sentence(memory.description, title)]
    return found


def uncovered(old: Memory, new: Memory) -> str:
    """Why `new` does not say all that `old` says, in one sentence; "" where it does."""
    offered = sentences(new)
    if not offered:
        return f"{new.name} says nothing that could stand for {old.name}"
    about = _subject(f"{old.name.replace('-', ' ')} {old.description} {old.body}")
    shared = _subject(f"{new.name.replace('-', ' ')} {new.description}")
    for one in sentences(old):
        best = [other for other in offered if _share(one, other, shared) >= ENOUGH]
        if not best:
            return f"{new.name} does not say what becomes of “{one.shown}”"
        why = [_differs(one, other, about) for other in best]
        if all(why):
            return why[0]
    return ""


def same_values(old: Memory, new: Memory) -> bool:
    """Whether two texts that are alike hold the same numbers and the same technologies."""
    return _values(old) == _values(new)


def _values(memory: Memory) -> tuple[frozenset[str], frozenset[str]]:
    text = memory.body
    return frozenset(found[0].strip(".,:") for found in _NUMBER.finditer(text)), technologies(text)


def _share(one: Sentence, other: Sentence, about: frozenset[str]) -> float:
    wanted = one.subject
    if not wanted:
        return 1.0 if one.kinds & other.kinds else 0.0
    return len(wanted & (other.subject | about)) / len(wanted)


def _differs(one: Sentence, other: Sentence, about: frozenset[str]) -> str:
    """Why a sentence on the same subject does not stand for another; "" where it does."""
    if one.kinds - other.kinds:
        kind = min(one.kinds - other.kinds)
        return f"“{other.shown}” gives no {kind} in place of the one in “{one.shown}”"
    if one.marks != other.marks:
        told = [", ".join(sorted(marks)) or "everywhere" for marks in (one.marks, other.marks)]
        return f"one holds for {told[0]}, the other for {told[1]}: “{other.shown}”"
    if _CONDITION.search(other.text) and not _CONDITION.search(one.text):
        return f"“{other.shown}” holds under a condition"
    if _CONDITION.search(one.text) and not _CONDITION.search(other.text):
        return f"“{one.shown}” holds under a condition that “{other.shown}” does not speak of"
    if is_event(other.text) and not is_event(one.text):
        return f"“{other.shown}” tells what happened once"
    extra = other.main - about - _NEUTRAL
    if len(extra) > _ALLOWED:
        return f"“{other.shown}” is about something narrower ({', '.join(sorted(extra)[:3])})"
    return ""


_ALLOWED = 0
"""Words of a main clause that the other memory does not have at all and that may still be there."""


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


def _subject(text: str) -> frozenset[str]:
    named = technologies(text)
    lowered = text
    for name in sorted(named, key=len, reverse=True):
        lowered = re.sub(rf"(?i)(?<!\w)`?{re.escape(name)}`?(?!\w)", " ", lowered)
    return words(_NUMBER.sub(" ", lowered))
