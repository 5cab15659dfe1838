"""Readers that are rules: two that CI can run. They are no models, and say so by their names.

The one rule: a rule sees what a model would see, the prompts, and nothing else.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memgit.evaluation.reclaim import logic
from memgit.evaluation.reclaim.wording import MANDATORY, MAY_READ, SOURCE_VERB, UNKNOWN

Message = Mapping[str, str]
"""`role` (system, user, assistant) and `content`."""

ANSWERS, ABSTAINS = "rule: answers with what it has", "rule: abstains without the source"


class Reader(Protocol):
    """Whoever answers."""

    @property
    def name(self) -> str:
        """How tables call it."""

    @property
    def deterministic(self) -> bool:
        """Whether it is a rule, whose figures say nothing of any model."""

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        """The reply to a conversation. Raises ModelError where there is none."""


_ITEM = re.compile(r"(?<![\w,] )\bBought (\d+) ([a-z]+) at \$(\d+) each")
_WANTED = re.compile(r"Give the (?:corrected )?answer: (.+)\.")
_COUNT = re.compile(r"kept:? (\d+) of (\d+)")
_CONCLUSION = re.compile(r"was found to be (.+?)\.(?:\s|\Z)|came to (\$\d+)")
_GIVEN = re.compile(r"it is (\$?\d[\d:.]*\d|\$\d|[A-Z][a-z]+)(?=[.;,\s]|\Z)")
_CLOCK = re.compile(r"(?<!\d)([01]\d|2[0-3]):[0-5]\d(?!\d)")
_TIMED = re.compile(r"\btime\b|時刻|hours|arrive|leave", re.IGNORECASE)
_NAMED = re.compile(r'memory "([^"]+)"')
_MEMORY = re.compile(r"<memory>\n(.*)\n</memory>", re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """A reader that is a rule. It works the answer out from whatever facts the memory holds.

    One that `abstains` says `unknown` where the facts are not there, or a tag or the clues tell
    that not all of them are; the other gives what it has. Where a field must hold a value, both do.
    """

    abstains: bool = False
    deterministic: bool = True

    @property
    def name(self) -> str:
        """See `Reader`."""
        return ABSTAINS if self.abstains else ANSWERS

    def reply(self, messages: Sequence[Message], arm: str) -> str:
        """See `Reader`."""
        texts = [one["content"] for one in messages]
        note = "\n".join(found[1] for text in texts if (found := _MEMORY.search(text)))
        given = [one["content"] for one in messages if one["role"] == "user"]
        read = [text for text in given if "rests on (data, not instructions" in text]
        pushed = [text for text in given if not _MEMORY.search(text) and text not in read]
        asked = next((text for text in reversed(pushed) if _WANTED.search(text)), "")
        wanted = found[1] if (found := _WANTED.search(asked)) else ""
        if MAY_READ in texts[0] and not read and (name := _NAMED.search(note)):
            return f"{SOURCE_VERB} {name[1]}"
        value = self._value("\n".join([note, *read]), wanted, asked, is_bound=arm == MANDATORY)
        return _said(value, arm)

    def _value(self, known: str, wanted: str, asked: str, is_bound: bool) -> str:
        may_abstain = self.abstains and not is_bound
        value, is_whole = worked_out(known, wanted)
        if "running" in wanted:
            return self._run_on(known, asked, value, may_abstain)
        tag = [match for match in _COUNT.finditer(known) if match[1] != match[2]]
        if value and ((is_whole and not tag) or not may_abstain):
            return value
        if given := _GIVEN.search(asked):
            return "" if may_abstain else given[1]
        concluded = _CONCLUSION.search(known)
        if concluded and not may_abstain:
            return concluded[1] or concluded[2]
        return "0" if is_bound else ""

    def _run_on(self, known: str, asked: str, value: str, may_abstain: bool) -> str:
        """A total with what is bought now: of the parts, else of the total that the memory has."""
        now = sum(int(n) * int(price) for n, _, price in _ITEM.findall(asked))
        concluded = _CONCLUSION.search(known)
        base = value or ("" if may_abstain or not concluded else concluded[1] or concluded[2])
        return f"${float(base.lstrip('$')) + now:g}" if re.fullmatch(r"\$[\d.]+", base) else ""


def worked_out(known: str, wanted: str) -> tuple[str, bool]:
    """(what the facts of a text give, whether they give nothing else); "" where none does."""
    if "total" in wanted:
        items = {good: int(n) * int(price) for n, good, price in _ITEM.findall(known)}
        return (f"${sum(items.values())}", True) if items else ("", False)
    found = sorted(logic.answers([_without_planted(known)], wanted))
    if found:
        return found[0], len(found) == 1
    if _TIMED.search(wanted):
        said = [line for line in known.splitlines() if _is_said(line)]
        times = [match[0] for line in said for match in _CLOCK.finditer(line)]
        return (times[0], len(set(times)) == 1) if times else ("", False)
    return "", False


def _without_planted(text: str) -> str:
    """A text without the sentences that pass something on, or conclude."""
    return re.sub(r"A colleague [^\n]*|[^\n]*was found to be[^\n]*", "", text)


def _is_said(line: str) -> bool:
    return "A colleague" not in line and "was found to be" not in line and "modified" not in line


def _said(value: str, arm: str) -> str:
    if arm == MANDATORY:
        return f'{{"answer": "{value}"}}'
    return f"From what the memory holds.\nANSWER: {value}" if value else UNKNOWN
