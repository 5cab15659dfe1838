"""Whether a line says itself that a thing is not there: gone, not yet, never, or an example.

The one rule: a memory is taken at its word. What it calls absent needs no warning to be absent.
"""

import re
from functools import lru_cache

_NEAR = 70
"""Characters before and after a thing in which it is denied."""

_WENT = (
    r"(?:deleted|removed|retired|dropped|renamed|moved|replaced|deprecated|superseded|archived"
    r"|migrated|folded|merged into|consolidated)"
)
_GONE_BEFORE = re.compile(
    r"(?i)\b(?:no|not|never|without|absent|missing|delet(?:e[sd]?|ing|ion of)"
    r"|remov(?:e[sd]?|ing|al of)|retir(?:e[sd]|ing)|dropp(?:ed|ing)|formerly|previously|used to"
    r"|replac(?:e[sd]|ing)|renam(?:e[sd]|ing)|moved|migrated|was called|deprecat(?:e[sd]|ing)"
    r"|instead of|rather than|there (?:is|was|were|are) no|an? old|the old|obsolete|legacy|gone)\b"
    r"[^.;|]{0,40}$"
    r"|(?:旧|かつての|以前の|削除した|廃止した)[^。、]{0,20}$"
)
_GONE_AFTER = re.compile(
    r"(?i)^[^.;|]{0,60}\b(?:"
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could)(?:n't|n’t| not| no longer)"
    r"|no longer|never existed|absent|missing|no such file|(?:was|were) listed"
    rf"|(?:was|were|is|are|been|got|being) (?:since )?{_WENT}|since (?:then )?{_WENT}"
    r"|deleted|removed|retired|previously|formerly|used to|mirror exists|is gone|are gone)\b"
    r"|^[^。]{0,30}(?:は|が|を|も)?(?:削除|廃止|存在しな|なくな|無くな|消え|移動し|移し|改名)"
)
_NOT_YET = re.compile(
    r"(?i)\b(?:creat(?:e|ing)|add(?:ing)?|propos(?:e|ed|al)|plann(?:ed|ing)|to-?do"
    r"|should (?:be|have|add)|would (?:be|have)|could (?:be|have)|will (?:be|have|add|create)"
    r"|future|rename to|new file|e\.g\.|for example|for instance|such as|example|imagine|suppose"
    r"|hypothetical)\b[^.;|]{0,40}$"
    r"|(?:例えば|たとえば|今後|予定の|仮に)[^。、]{0,20}$"
)
_NAME = re.compile(r"`[^`]+`|\[[^\]]*\]\([^)]*\)|\w+(?:[-_/.:]+\w+)+")


def is_denied(line: str, start: int, end: int) -> bool:
    """Whether the line says of what stands between `start` and `end` that it is gone."""
    line = _without_names(line)
    before, after = line[max(0, start - _NEAR) : start], line[end : end + _NEAR]
    return bool(_GONE_BEFORE.search(before) or _GONE_AFTER.search(after.lstrip("`*_)\"'")))


def is_wished(line: str, start: int) -> bool:
    """Whether what starts here is only to come, or an example."""
    return bool(_NOT_YET.search(_without_names(line)[max(0, start - _NEAR) : start]))


@lru_cache(maxsize=8)
def _without_names(line: str) -> str:
    """The line, as long as it was, without what is a name in it: a word there says nothing."""
    return _NAME.sub(lambda found: "·" * len(found[0]), line)
