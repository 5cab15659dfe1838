"""A text in one line: what it is about, in its own words.

The one rule: the words are the text's; only marks of markdown go.
"""

import re
from collections.abc import Iterator

from memgit.domain.importing.index_lines import plain
from memgit.domain.memory import slug

_LONGEST = 160
"""Characters of a line that is made from a text."""

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s+[^a-z]|$)|[。！？])", re.DOTALL)


def summary(body: str, name: str) -> str:
    """A line that tells what a text is about: its first heading if that says more than the name,
    else its first sentence; at most 160 characters, and an ellipsis.
    """
    for is_heading, text in _blocks(re.sub(r"(?s)<!--.*?-->", "", body[:20_000])):
        if is_heading and slug(text) not in ("", slug(name)):
            return _short(text)
        if not is_heading and any(map(str.isalnum, text)):
            sentence = _SENTENCE.match(text)
            return _short(sentence[0] if sentence else text)
    return ""


def _blocks(body: str) -> Iterator[tuple[bool, str]]:
    """(whether it is a heading, its words) for each heading, paragraph and list item."""
    lines: list[str] = []
    fence = ""
    for line in [*body.splitlines(), ""]:
        text = line.strip()
        mark = re.match(r"`{3,}|~{3,}", text)
        if fence:
            fence = "" if text.startswith(fence) else fence
            continue
        begins = re.match(r"[#|]|[-*+]\s|\d+[.)]\s", text)
        if lines and (mark or begins or not text):
            yield False, plain("\n".join(lines))
            lines = []
        if mark:
            fence = mark[0]
        elif text.startswith("#"):
            yield True, plain(text)
        elif text.strip("=-") and not text.startswith("|"):
            lines.append(line)


def _short(text: str) -> str:
    """A text of at most so many characters, cut between words where it has any."""
    if len(text) <= _LONGEST:
        return text
    cut = text[:_LONGEST]
    whole = cut.rpartition(" ")[0]
    return f"{whole if len(whole) > _LONGEST // 2 else cut}…"
