"""What of a prompt is the person's own: not what they pasted, quoted or passed on.

The one rule: in doubt a line is not theirs. A rule needs a line that is.
"""

import re

from memgit.domain.gates.patterns import Pattern
from memgit.prompt.query import typed_lines

MANY_LINES = 14
"""Lines from which on a text without a list of its own is taken for a document, but for the first
and the last."""

LONGEST = 600
"""Characters of a line that somebody types; a longer one is pasted or dictated, and not taken."""

_HEAD = re.compile(r"#{1,6}\s|(?:From|To|Subject|Date|件名|差出人|宛先)\s*[:：]|---+\s*\Z")
"""How a document or a mail begins."""

_BRINGS = Pattern(
    r"(?i)\b(?:says?|said|wrote|writes|reads|read|readme|docs?|document(?:ation)?|guide|wiki"
    r"|article|blog|post|ticket|issue|slack|e?-?mails?|message|pasted?|policy|spec|notes?|log"
    r"|output|transcript|summary|review|comment|page|file|contents?|below|following"
    r"|from (?:the|our|a|an|their|this|his|her))\b[^:：]*[:：]\s*\Z"
    r"|(?:以下|下記|次の|によると|より|から|貼|転載|引用|メール|チケット|資料|記事|ドキュメント|手順書|議事録|ログ|書いて|書かれ"
    r"|言って)[^:：。]*[:：。]?\s*\Z"
)
"""A line that brings in what somebody else wrote, from here to the end."""

_QUOTED = Pattern(
    r"\"[^\"\n]{16,}\"|“[^”\n]{16,}”|「[^」\n]{10,}」|『[^』\n]{10,}』|(?<!\w)'[^'\n]{24,}'(?!\w)"
)


def own_words(prompt: str) -> str:
    """The lines of a prompt that the person wrote as their own, without longer quotations."""
    lines: list[str] = []
    for line in typed_lines(prompt):
        if _HEAD.match(line):
            break
        if line.startswith((">", "|")) or len(line) > LONGEST:
            continue
        lines.append(_QUOTED.sub(" … ", line))
        if _BRINGS.search(line):
            break
    if len(lines) >= MANY_LINES:
        lines = [lines[0], lines[-1]]
    return "\n".join(lines)
