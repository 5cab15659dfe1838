"""Characters that nobody sees."""

import pytest

from memgit.domain.gates.characters import without_hidden
from tests.domain.gates.looking import lines, look_at, rows

NEEDED = [
    "family 👨‍👩‍👧‍👦 and flag 🏳️‍🌈 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿 and ❤️ and 1️⃣",
    "क्‍ष and क्‌ष, ශ්‍රී, ക്‍",
    "می‌خواهم",
    "שלום\u200f (abc) عربي\u200e",
    "葛\U000e0100城市",
    "tab\tseparated, and naïve",
    "日本語の文章、全角　空白",
    "⚠️ warning and ✔︎",
]

HIDDEN = [
    ("an\u200bapple", "U+200B ZERO WIDTH SPACE"),
    ("path \u202egnp.exe", "U+202E RIGHT-TO-LEFT OVERRIDE"),
    ("a\u200db", "U+200D ZERO WIDTH JOINER"),
    ("mark\u200e only", "U+200E LEFT-TO-RIGHT MARK"),
    ("\u2066isolated\u2069", "U+2066 LEFT-TO-RIGHT ISOLATE and 1 more"),
    ("word\u2060joined", "U+2060 WORD JOINER"),
    ("bom in\ufeff the middle", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
    ("soft\u00adhyphen", "U+00AD SOFT HYPHEN"),
    ("tags\U000e0069\U000e0067", "U+E0069 TAG LATIN SMALL LETTER I and 1 more"),
    ("selected\ufe01", "U+FE01 VARIATION SELECTOR-2"),
    ("\x1b[31mred", "U+001B ESCAPE"),
    ("日本\u200b語", "U+200B ZERO WIDTH SPACE"),
]


@pytest.mark.parametrize("text", NEEDED)
def test_what_a_script_or_an_emoji_needs_is_let_through(text: str) -> None:
    assert lines(f"one\n{text}\n", "hidden") == []
    assert without_hidden(text) == text


@pytest.mark.parametrize(("text", "message"), HIDDEN)
def test_what_does_not_show_is_found_on_its_line(text: str, message: str) -> None:
    found = rows(look_at({"a.md": f"---\nname: a\n---\none\n{text}\n"}, code="hidden"))
    assert found == [("a.md", 5, "hidden", message)]
    assert lines(without_hidden(text), "hidden") == []


def test_between_the_fences_and_beside_the_memories() -> None:
    files = {"a.md": "---\nname: a\ndescription: b\u200bc\n---\n"}
    found = look_at(files, beside={"PROFILE.md": "\ufeffone\n\u202etwo\n"}, code="hidden")
    assert [row[:2] for row in rows(found)] == [("PROFILE.md", 2), ("a.md", 3)]


def test_taking_out_leaves_every_other_character() -> None:
    text = "\ufeffone\u200b two\r\n👨‍👩‍👧 three\u202e\n"
    assert without_hidden(text) == "\ufeffone two\r\n👨‍👩‍👧 three\n"
