"""Whether one memory says all that another one says: sentence by sentence, by their own words.

The one rule: in doubt it does not. What is left out, what holds only under a condition or only in
one place, and what answers another question, is not covered.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memgit.domain.borders.statements import Passage, statements, words
from memgit.domain.borders.units import MARKS
from memgit.domain.gates.patterns import Pattern
from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.aligning import replaced
from memgit.domain.proposals.classes import is_event
from memgit.domain.proposals.technologies import technologies
from memgit.domain.proposals.vocabulary import vocabulary

ENOUGH = 0.5
"""Share of the words of a sentence, values and technologies aside, from which on another one may
be on the same subject. What is missing must then be the value, which the other one has instead."""

LARGEST = 6_000
"""Characters of a text up to which it is compared; longer ones are never covered for sure."""

SHOWN = 60
"""Characters of a sentence that a reason repeats."""

_TOKEN = re.compile(r"\d+|[^\W\d_]+")
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
_CAUSE = Pattern(r"(?i)\b(?:because|since|so that|as the|after)\b|ので|ため")
_CLAUSE = Pattern(r"(?i)(?<=[;；])\s*|,\s+(?:and|but|while)\s+(?=\w+ \w+)")
_TOPIC = Pattern(r"[はも](?=[^、。])")
_COUNTERS = "人回個件台つ日本枚名度行秒分週月年桁字"
_COUNTED = Pattern(rf"[一二三四五六七八九十百千]+(?=[{_COUNTERS}])[{_COUNTERS}]?間?")
_CODE = Pattern(r"`[^`\n]+`")
_ALONE = Pattern(
    r"(?<![\u3400-\u9fff々])[\u3400-\u9fff](?=[はのをがにでもと、。]|[ァ-ヴA-Za-z]|\s|\Z)"
)
_IN_KANA = Pattern(r"(?:\A|(?<=[\s、。・「（(]))[\u3041-\u309f]{3,}(?=[\u3400-\u9fff])")
_LANGUAGE = Pattern(
    r"(?i)\b(?:english|japanese|german|french|spanish|korean|chinese|portuguese)\b"
    r"|[日英独仏韓]本?語|中国語"
)
_NUMBER = Pattern(rf"\d[\d.,:]*(?:\s?[{_COUNTERS}](?![\u3400-\u9fff])間?)?")
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
        return _subject(self.clause)

    @cached_property
    def codes(self) -> frozenset[str]:
        """What it has in code."""
        return frozenset(found[0] for found in _CODE.finditer(self.text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return frozenset(re.findall(r"\d+(?:[.:]\d+)*", self.text))

    @cached_property
    def clause(self) -> str:
        """Its main clause."""
        found = [end.start() for end in _REASON.finditer(self.text) if end.start() > 12]
        return self.text[: found[0]] if found else self.text

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Of what kinds its values are."""
        said = statements(Passage("", [self.clause]))
        kinds = {one.kind for one in said if one.kind not in ("rule", "date", "name", "choice")}
        kinds |= {"technology"} if technologies(self.text) else set()
        kinds |= {"language"} if _LANGUAGE.search(self.text) else set()
        return frozenset(kinds)

    @cached_property
    def marks(self) -> frozenset[str]:
        """The environments that it speaks of, itself or by what stands over it."""
        cause = next(_CAUSE.finditer(self.text), None)
        said = _CODE.sub(" ", self.text[: cause.start()] if cause else self.text)
        whole = f"{said} {self.around}"
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
    if max(len(old.body), len(new.body)) > LARGEST:
        return f"{old.name} and {new.name} are too long to be compared sentence by sentence"
    if not offered:
        return f"{new.name} says nothing that could stand for {old.name}"
    about = _subject(f"{old.name.replace('-', ' ')} {old.description} {old.body}")
    shared = _subject(f"{new.name.replace('-', ' ')} {new.description}")
    for one in (part for whole in sentences(old) for part in _parts(whole)):
        best = [other for other in offered if _share(one, other, shared) >= ENOUGH]
        if not best:
            return f"{new.name} does not say what becomes of “{one.shown}”"
        why = [_lacks(one, other, shared) or _differs(one, other, about) for other in best]
        if all(why):
            return why[0]
    return ""


def _parts(one: Sentence) -> list[Sentence]:
    """A sentence in pieces that each say something of a thing of their own."""
    text = one.text
    pieces = _split(_CLAUSE, text)
    if sum(1 for _ in _TOPIC.finditer(text)) > 1:
        pieces = [part for piece in pieces for part in piece.split("、")]
    return [Sentence(piece, one.around) for piece in pieces if _says(piece)]


def _split(pattern: Pattern, text: str) -> list[str]:
    found, start = [], 0
    for match in pattern.finditer(text):
        found.append(text[start : match.start()])
        start = match.end()
    return [*found, text[start:]]


def values_apart(old: Memory, new: Memory) -> tuple[frozenset[str], frozenset[str]]:
    """The words of either that only are the value of a sentence which both have."""
    gone: set[str] = set()
    come: set[str] = set()
    if max(len(old.body), len(new.body)) > LARGEST:
        return frozenset(), frozenset()
    offered = sentences(new)
    for one in sentences(old):
        for other in offered:
            if _share(one, other, frozenset()) >= ENOUGH:
                mine, theirs = replaced(one.text, other.clause)
                gone |= mine
                come |= theirs
    return frozenset(gone), frozenset(come)


def differ_by_value(old: Memory, new: Memory) -> bool:
    """Whether each sentence of either has one in the other that differs in numbers, technologies
    and what stands as code alone.
    """
    if max(len(old.body), len(new.body)) > LARGEST:
        return False
    one, other = ({_subject(_CODE.sub(" ", part.text)) for part in sentences(of)}
                  for of in (old, new))  # fmt: skip
    return one == other and frozenset() not in one


def is_within(old: Memory, new: Memory) -> bool:
    """Whether `new` has every word of `old` as often, and every number exactly as often: of two
    texts that are alike, what tells them apart then stands in `new` alone.
    """
    mine, theirs = (Counter(_TOKEN.findall(key_of(one.body))) for one in (old, new))
    return all(
        theirs[token] == count if token[0].isdigit() else theirs[token] >= count
        for token, count in mine.items()
    )


def _share(one: Sentence, other: Sentence, about: frozenset[str]) -> float:
    wanted = one.subject
    if not wanted:
        return 1.0 if one.kinds & other.kinds else 0.0
    return len(wanted & (other.subject | about)) / len(wanted)


def _lacks(one: Sentence, other: Sentence, about: frozenset[str]) -> str:
    """What of a sentence neither comes back nor is the value that the other has instead."""
    lost = one.subject - other.subject - about - _NEUTRAL
    if lost and (lost := lost - replaced(one.text, other.clause)[0]):
        return f"“{other.shown}” does not speak of {', '.join(sorted(lost)[:3])}"
    gone, come = one.numbers - other.numbers, other.numbers - one.numbers
    if len(gone) > len(come) > 0:
        return f"“{other.shown}” does not say what becomes of {', '.join(sorted(gone)[:3])}"
    return ""


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
    if one.codes - other.codes:  # then what it has in code instead is the value
        extra -= _subject(" ".join(other.codes - one.codes))
    if extra:
        extra -= replaced(one.text, other.clause)[1]
    if extra:
        return f"“{other.shown}” is about something narrower ({', '.join(sorted(extra)[:3])})"
    return ""


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


@lru_cache(maxsize=8192)  # guards look at the same two memories more than once
def _subject(text: str) -> frozenset[str]:
    named = technologies(text)
    lowered = text
    for name in sorted(named, key=len, reverse=True):
        lowered = re.sub(rf"(?i)(?<!\w)`?{re.escape(name)}`?(?!\w)", " ", lowered)
    for pattern in (_LANGUAGE, _COUNTED, _NUMBER):
        lowered = pattern.sub(" ", lowered)
    singles = {found[0] for found in _ALONE.finditer(lowered)}
    kana = {found[0] for found in _IN_KANA.finditer(lowered)}
    return words(lowered) | singles | kana
