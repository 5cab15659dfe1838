"""How a sentence is meant: asked, supposed, passed on, of today only, or taking something back.

The one rule: this is told by form alone, in English and Japanese, and errs to the side of not
taking a sentence for a statement.
"""

import re
from collections.abc import Iterator

from memgit.domain.gates.patterns import Pattern

_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")

_ASKED = Pattern(r"[?？]\s*[)\"'」）]*\s*\Z|(?:です|ます|でしょう|だろう)か。?\s*\Z|かな。?\s*\Z")
_SUPPOSED = Pattern(
    r"(?i)\b(?:what if|if (?:we|i|you|it|they|this|that)|suppose|imagine|hypothetical(?:ly)?"
    r"|let's say|say we|(?:could|should|might) (?:we|i)|(?:we|i|you|it) (?:could|might)|maybe"
    r"|perhaps|consider(?:ing)?|thinking (?:of|about)|would be|for (?:example|instance)|e\.g\."
    r"|propos(?:e|ed|al|ing)|how about|one option|an option|we plan|planning to|plan to"
    r"|not (?:yet )?(?:tried|tested|decided|verified)|untested|in theory)\b"
    r"|もし|仮に|例えば|たとえば|かもしれ|してはどう|検討|提案|たらどう|だろうか|予定|つもり|まだ試して"
    r"|未検証|理論上"
)
_PASSED_ON = Pattern(
    r"(?i)\b(?:i heard|we heard|someone|somebody|some people|apparently|supposedly|rumou?rs?"
    r"|i guess|i think|i believe|i assume|not sure|probably|presumably|likely|reportedly"
    r"|according to|if i (?:remember|recall)|iirc|afaik|it seems|seems (?:to|like)"
    r"|(?:\w+ )?(?:blog|article|post|forum|thread|vendor|wiki|readme|docs?|documentation|page"
    r"|ticket|slide|video|tutorial|answer|stack ?overflow|chatgpt|copilot|gemini|colleague"
    r"|intern|contractor|friend|he|she|they|people)(?: \w+)? (?:says?|said|claims?|claimed"
    r"|recommends?|suggests?|mentions?|mentioned|writes?|wrote|thinks?|told)"
    r"|[A-Z][a-z]+ (?:says|said|claims|claimed|thinks|thought|told|mentioned))\b"
    r"|らしい|だそう|と聞[いき]|によると|によれば|っぽい|たぶん|多分|おそらく|確か(?!め|認|に|な)|気がする"
    r"|と思う|とのこと|と(?:言|書)(?:って|いて)|みたい(?:だ|です|。)|ようだ"
)
_OF_TODAY = Pattern(
    r"(?i)(?<!as of )(?<!from )\b(?:today|tonight|tomorrow|yesterday)\b"
    r"|\b(?:for now|right now|at the moment|temporar(?:y|ily)|for the time being"
    r"|(?:just )?(?:this once|this time|for this (?:one|run|session|branch|pr|commit|task))"
    r"|just for (?:this|now)|in progress|wip|pending|still (?:running|failing|building|broken)"
    r"|(?:is|are) (?:running|down|failing|ready|blocked) (?:now|again|at the moment)"
    r"|until (?:i|we|he|she|they)|while (?:i am|i'm|we are|we're))\b"
    r"|(?<!今日から)(?:今日(?!から|以降)|明日|昨日)|とりあえず|一旦|いったん|今回(?:だけ|限り|は)|今だけ|進行中|作業中"
    r"|暫定|しばらく|ひとまず|対応待ち|保留中"
)
_TAKES_BACK = Pattern(
    r"(?i)(?:\A|[.!?,]\s*)(?:no|nope)\b[,. ]|\b(?:that(?:'s| is| was)|it(?:'s| is| was)|i(?:'m| am"
    r"| was)|you(?:'re| are| were)) (?:wrong|not (?:true|right|correct)|incorrect|mistaken|false"
    r"|outdated|old|stale)|\b(?:actually|correction|scratch that|never ?mind|forget (?:it|that"
    r"|what)|turns? out|no longer|any ?more|instead of|rather than|is wrong|was wrong|is not"
    r"|isn't|was not|wasn't|didn't help|did not help|not the (?:cause|reason|problem)|red herring"
    r"|changed (?:my mind|it|to)|switched|moved|renamed|revert(?:ed)?|i (?:mis\w+|was wrong))\b"
    r"|違(?:う|い|った)|間違|訂正|やっぱり|ではな[くい]|じゃな[くい]|撤回|取り消|古い|変(?:更|わ)|廃止|移(?:行|した|り)"
    r"|もう(?:使|や)|誤り|関係な"
)
_NEGATIVE = Pattern(
    r"(?i)\b(?:not|never|no|nor|cannot|(?:do|does|did|is|are|was|were|has|have|had|ca|wo|would|could"
    r"|should|must|need)n['’]t|avoid|stop|refrain|forbidden|prohibited|banned|disallowed)\b"
    r"|ない|ません|なかった|ずに|せず|禁止|やめ[るてた]|避け|不可|(?:ダメ|だめ|駄目)|[るうくすつぬむぐぶ]な(?=[。！\s]|\Z)"
)
_EMPHATIC = Pattern(
    r"(?i)\b(?:do not|don['’]t|never) forget\b|\bnot only\b|\bwhy not\b"
    r"|\bno (?:problem|worries|longer than|more than|later than|less than)\b"
    r"|忘れ(?:ない|ず)|な(?:ければ|きゃ|くては)|ないと(?:いけ|だめ|なら|困)"
    r"|(?:ならない|なりません|いけない|いけません)(?=[。、\s]|\Z)|しか(?:ない|ありません)"
    r"|(?:少|危|すく|あぶ)ない|かもしれ(?:ない|ません)"
)
"""What has the form of a no and is none: `do not forget`, 〜しなければならない."""


def sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text that are not blank."""
    return filter(None, (part.strip() for part in _ENDS.split(text)))


def is_asked(sentence: str) -> bool:
    """Whether it is a question."""
    return bool(_ASKED.search(sentence))


def is_supposed(sentence: str) -> bool:
    """Whether it supposes, plans or proposes something."""
    return bool(_SUPPOSED.search(sentence))


def is_passed_on(sentence: str) -> bool:
    """Whether the speaker does not vouch for it: a guess, or what somebody else says."""
    return bool(_PASSED_ON.search(sentence))


def is_of_today(sentence: str) -> bool:
    """Whether it speaks of that day or that task alone."""
    return bool(_OF_TODAY.search(sentence))


def takes_back(sentence: str) -> bool:
    """Whether it says that something is otherwise than was said or thought before."""
    return bool(_TAKES_BACK.search(sentence))


def is_negative(sentence: str) -> bool:
    """Whether it says that something is not so."""
    return bool(_NEGATIVE.search(_EMPHATIC.sub(" ", sentence)))
