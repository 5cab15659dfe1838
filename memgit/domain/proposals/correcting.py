"""Whether a memory takes back what another one says: by words of correction, and in time.

The one rule: to be younger is no correction. A rule falls only where the later one says so.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from memgit.domain.gates.patterns import Pattern
from memgit.domain.links import links
from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.proposal import Evidence
from memgit.domain.proposals.subjects import told
from memgit.domain.proposals.technologies import technologies

_TAKES_BACK = Pattern(
    r"(?i)\b(?:no longer|not any ?more|instead of|rather than|replaces?|replaced|supersedes?"
    r"|used to|was|were|previously|formerly|until now|changed? (?:from|my mind)|switch(?:ed)? from"
    r"|moved? (?:from|off|away)|stop(?:ped)? \w+ing|drop(?:ped|s)?|forget|scrap|correction"
    r"|corrected|from now on|overrides?|retire[sd]?|lifted|relaxed|gone|abandoned|old (?:rule|limit"
    r"|habit|way|convention)|any ?more)\b"
    r"|ではなく|じゃなく|(?:を|のは|は)やめ|は廃止|廃止し|廃止した|改め|訂正|撤回|以前の|これまでの|今後.{0,16}ない|から(?:は)?.{0,12}(?:に|へ)(?:変更|移行|切|する)"
    r"|に変更|に変えた|に切り替え|の代わり|置き換え|もう.{0,12}ない|旧(?:ルール|規則|来)|だった(?:が|のを)"
)


def corrects(old: Memory, new: Memory, evidence: Sequence[Evidence] = ()) -> bool:
    """Whether `new` says that it takes back `old`: it links to it, or speaks of a change, or the
    user is quoted on it.
    """
    if any(item.role == "user" and item.session for item in evidence):
        return True
    named = {key_of(link.target) for link in links(new.body)}
    return key_of(old.name) in named or bool(_TAKES_BACK.search(told(new)))


def unlike(old: Memory, new: Memory) -> str:
    """Why two memories may both hold, as far as what they name tells; "" where they compete."""
    one, other = technologies(told(old)), technologies(told(new))
    if one and not one & other and not _TAKES_BACK.search(told(new)) and len(one) > 1:
        return f"{old.name} names {', '.join(sorted(one)[:3])}, of which {new.name} says nothing"
    return ""


def moment(memory: Memory) -> datetime | None:
    """When a memory was last written, as it tells itself; a bare day is its first moment."""
    for text in (memory.recorded, memory.recorded[:10]):
        with suppress(ValueError):
            found = datetime.fromisoformat(text)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None
