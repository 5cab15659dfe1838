"""What language a text is in, as far as its script tells.

The one rule: no dictionary and no guess. A text in Latin letters is `latin`, whatever it says.
"""

from memgit.prompt.terms import words


def language(text: str) -> str:
    """The language that the script of a text tells: `ja`, `zh`, `ko`, else `latin` or `other`."""
    if any("\u3041" <= c <= "\u30ff" for c in text):
        return "ja"
    if any("\uac00" <= c <= "\ud7a3" for c in text):
        return "ko"
    if any("\u4e00" <= c <= "\u9fff" for c in text):
        return "zh"
    letters = [c for c in text if c.isalpha()]
    return "latin" if all(c < "\u0250" for c in letters) and next(words(text), None) else "other"
