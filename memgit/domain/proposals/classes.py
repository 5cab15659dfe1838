"""What kind of memory one is: a standing rule, a state, an event, a plan, a reference, a map, a
list of open questions.

The one rule: what a person wrote into the memory counts first (its class, its type), its form next,
its words last; one that says how things went or might go never passes for how they stand.
"""

import re

from memgit.domain.gates.patterns import Pattern
from memgit.domain.memory import STANDING, Memory

RULE, STATE, EVENT, PLAN, REFERENCE = "rule", "state", "event", "plan", "reference"
MAP, LIST = "pointer map", "list of open questions"

COLLECTIONS = (MAP, LIST)
"""Memories of many subjects, which none of those subjects can replace."""

SHARE = 0.6
"""Share of a memory's lines that must be pointers, or questions, for it to be a map or a list."""

FEW = 3
"""Lines below which a memory is not taken for a collection by its form alone."""

_MAP = Pattern(
    r"(?i)\b(?:pointer[- ]?map|where (?:things|everything) (?:is|are)|map of|index of|overview of"
    r"|table of contents|signpost|who to ask|links? to)\b|目次|一覧表?|索引|地図"
    r"|どこに(?:何|ある)|案内"
)
_LIST = Pattern(
    r"(?i)\b(?:open[- ](?:questions?|issues?|points?)|questions? (?:still )?open|unresolved"
    r"|undecided"
    r"|to[- ]be[- ]decided|still to decide|parking lot|to-?do list)\b"
    r"|未解決|未決|検討事項|保留(?:中|事項)|懸案|課題一覧|宿題"
)
_POINTER = Pattern(
    r"\[\[[^\]]+\]\]|\]\([^)]+\)|https?://\S+|`?[\w.-]+(?:/[\w.-]+)+/?`?|→|->|#\w[\w-]+"
)
_QUESTION = Pattern(
    r"[?？]\s*(?:\(.*\)|（.*）|\[\[.*\]\])?\s*\Z|\A\s*(?:[-*+]\s+)?\[ \]|か(?:。|？)?\s*\Z"
)
_MARK = re.compile(r"\s*(?:[-*+>]|\d+[.)])\s+|\s*\|")

_PLANNED = Pattern(
    r"(?i)\b(?:plan(?:s|ned|ning)? to|going to|will (?:be )?\w+|considering|propos(?:al|es?|ed)"
    r"|might|maybe|perhaps|could|would like|thinking (?:of|about)|experiment(?:al|ing)?|trial|tried"
    r"|trying|spike|prototype|proof of concept|poc|evaluat\w+|candidate|draft|idea|wish|someday"
    r"|not yet|on a branch|once .* is done)\b"
    r"|検討|予定|試し|試験的|試行|実験|提案|かもしれない|つもり|案\b|案（|案を|候補|構想|まだ(?!.{0,6}使)|いずれ|したい"
)
_PAST = Pattern(
    r"(?i)\b(?:deployed|rolled back|failed|broke|crashed|happened|ran(?! on\b)|went down|was down"
    r"|were down|took|finished|hit|had to|noticed|saw|caused|lost|recovered|restarted|was caused"
    r"|timed out|came back|paged|reproduced|measured|spent|held|reverted|hotfix(?:ed)?"
    r"|was (?:set|raised|lowered|moved|switched|used|put|run) (?:by hand|temporarily|for)"
    r"|incident|outage|post-?mortem|retro(?:spective)?)\b"
    r"|障害(?:で|が|の(?:とき|あいだ|間|ため|最中))|インシデント|発生した|起きた|落ちた|失敗した|止まった|かかった|だった|でした|実施した|行った|測った|復旧"
)
_STANDS = Pattern(
    r"(?i)\b(?:(?:is|are)(?:n't)?|gets?|(?:must|can|may|should)(?:n't)? (?:not )?be)"
    r"(?: (?:not|now|still|also|only|always|usually|never|\w+ly))* [*_`]*\Z"
)
"""What stands before a participle that tells how things are: `is deployed in`, `must be held by`.
"""
_BEFORE = 48
"""Characters before a participle in which that is looked for."""
_ONCE = Pattern(
    r"(?i)\b(?:yesterday|today|tonight|this (?:morning|afternoon|week)"
    r"|last (?:night|week|month|friday"
    r"|monday)|for (?:one|a|the) (?:day|night|week|weekend|release)|temporar(?:y|ily)|one-off"
    r"|by hand this time|just this once|during the (?:incident|outage|freeze|sale|migration))\b"
    r"|昨日|今日|今朝|昨夜|先週|先月|一時的|一度だけ|今回だけ|臨時|その日"
)
_DATED = Pattern(
    r"(?i)\b(?:on|at|since)?\s*\d{4}-\d\d-\d\d\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\d{1,2}\s*月\s*\d{1,2}\s*日"
)
_CHANGED = Pattern(
    r"(?i)\b(?:switched|moved|migrated|replaced|renamed|changed|raised|lowered|cut over|upgraded"
    r"|downgraded|now|no longer|since|from now on|as of|retired|dropped|superseded)\b"
    r"|移行|変更|切り替え|切替|置き換え|改め|廃止|今は|現在|以降|から(?:は)?、?|に統一|なった|引き上げ|引き下げ"
)
_ORDER = Pattern(
    r"(?i)\b(?:always|never|must(?: not)?|do not|don't|should(?: not)?|shall)\b"
    r"|\A(?:use|prefer|keep|write|run|avoid|ask|put|name|add|check|wait)\b"
    r"|必ず|常に|禁止|すること|してはいけない|してはならない|しない(?:こと)?(?:。|\Z)|してください|せよ"
)


def class_of(memory: Memory) -> str:
    """One of the words above."""
    given = str(memory.metadata.get("class") or "").casefold().replace("_", "-")
    if "map" in given or given in ("index", "pointers"):
        return MAP
    if "open" in given or "question" in given:
        return LIST
    lines = [line for line in memory.body.splitlines() if _is_item(line)]
    about = f"{memory.name.replace('-', ' ')}\n{memory.description}\n{_headings(memory.body)}"
    if collection := _collection(lines, about):
        return collection
    if is_planned(memory):
        return PLAN
    if memory.type in STANDING:
        return RULE
    if memory.type == REFERENCE:
        return REFERENCE
    return _by_words(memory)


def is_planned(memory: Memory) -> bool:
    """Whether what it says first is a plan, a trial or a thought, and not how things are."""
    return bool(_PLANNED.search(_lead(memory)))


def is_event(text: str) -> bool:
    """Whether a text tells what happened once, and not a change that lasts."""
    if _ONCE.search(text):
        return True
    past = any(not _STANDS.search(text[max(0, match.start() - _BEFORE) : match.start()])
               for match in _PAST.finditer(text))  # fmt: skip
    return past and not _CHANGED.search(text)


def _by_words(memory: Memory) -> str:
    lead = _lead(memory)
    if is_event(lead):
        return EVENT
    return RULE if _ORDER.search(lead) and not _DATED.search(lead) else STATE


def _collection(lines: list[str], about: str) -> str:
    """Whether it is a map or a list of questions: by what it is called, or by most of its lines."""
    asked = sum(bool(_QUESTION.search(line.strip())) for line in lines)
    pointed = sum(bool(_POINTER.search(line)) for line in lines)
    if _LIST.search(about) and (asked or len(lines) >= 2):
        return LIST
    if _MAP.search(about) and pointed >= 2:
        return MAP
    if len(lines) >= FEW and asked >= SHARE * len(lines):
        return LIST
    items = [line for line in lines if _MARK.match(line)]
    if len(items) >= FEW and sum(map(_is_pointer, items)) >= SHARE * len(items):
        return MAP
    return ""


def _is_pointer(line: str) -> bool:
    """Whether a line is little more than what it points at."""
    if not _POINTER.search(line):
        return False
    rest = _POINTER.sub(" ", line)
    return len(rest.split()) <= 8 and len(rest) <= 48


def _is_item(line: str) -> bool:
    bare = line.strip()
    rule = set(bare) <= set("|-: ")
    return bool(bare) and not bare.startswith(("#", "```", "~~~")) and not rule


def _headings(body: str) -> str:
    return "\n".join(line for line in body.splitlines() if line.lstrip().startswith("#"))


def _lead(memory: Memory) -> str:
    """What a memory says first: its first sentence, else its description."""
    for line in memory.body.splitlines():
        bare = _MARK.sub("", line, count=1) if _MARK.match(line) else line.strip()
        if bare and not bare.startswith(("#", "```", "~~~", "**Why", "|")):
            return re.split(r"(?<=[.!?])\s|(?<=。)", bare)[0]
    return memory.description
