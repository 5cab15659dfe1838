"""The lines of a MEMORY.md: pointers where a link resolves, passages where none does."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memgit.domain.importing.index_lines import Passage, Pointer, plain, read_index

FILES = {"deploy.md", "rules", "sub/日本.md", "two words.md"}


def read(text: str) -> list[Pointer | Passage]:
    return read_index(text, FILES.__contains__)


def hooks(text: str) -> list[tuple[str, str, str]]:
    return [(r.target, r.title, r.hook) for r in read(text) if isinstance(r, Pointer)]


def passages(text: str) -> list[str]:
    return [row.text for row in read(text) if isinstance(row, Passage)]


def test_a_line_with_a_link_that_resolves_points() -> None:
    text = (
        "- [Deploy](deploy.md) — how we *release*\n"
        "* [[rules]]: what counts\n"
        "- **[日本](./sub/日本.md)** - 定刻\n"
        '1. [Two](two%20words.md "title")\n'
        "- [Two](<two words.md>) – again\n"
        "- `deploy.md` | bare code\n"
        "deploy.md: bare\n"
    )
    assert hooks(text) == [
        ("deploy.md", "Deploy", "how we release"),
        ("rules", "", "what counts"),
        ("sub/日本.md", "日本", "定刻"),
        ("two words.md", "Two", ""),
        ("two words.md", "Two", "again"),
        ("deploy.md", "", "bare code"),
        ("deploy.md", "", "bare"),
    ]
    assert passages(text) == []


def test_a_link_within_a_sentence_does_not_lead() -> None:
    (row,) = read("- The port is 5433, see [Deploy](deploy.md)\n")
    assert isinstance(row, Pointer)
    assert not row.leads
    assert row.hook == "The port is 5433, see Deploy"


def test_a_line_without_a_link_that_resolves_is_a_passage_of_its_own() -> None:
    text = "- [Gone](gone.md) — port 5433\n- Use tabs\n- [Site](https://example.com/a.md)\n"
    assert passages(text) == text.splitlines(keepends=True)
    assert [row.target for row in read(text)] == ["gone.md", "", "https://example.com/a.md"]


def test_nested_lines_stay_with_their_line() -> None:
    text = "- Use tabs\n  - but not in YAML\n    nor here\n\n  and this too\n- Next\n"
    assert passages(text) == [text.removesuffix("- Next\n"), "- Next\n"]
    assert hooks("- [Deploy](deploy.md) — hook\n  goes on\n  - and on\n") == [
        ("deploy.md", "Deploy", "hook goes on and on")
    ]


def test_a_nested_line_that_points_is_taken_out() -> None:
    text = "- Releases\n  - [Deploy](deploy.md) — how\n"
    assert passages(text) == ["- Releases\n"]
    assert hooks(text) == [("deploy.md", "Deploy", "how")]


def test_what_a_colon_announces_stays_with_it() -> None:
    text = (
        "Before a release:\n- run it\n\n- look\n\nRun:\n\n```sh\nmake\n\n# all\n```\n\nThen rest.\n"
    )
    assert passages(text) == [
        "Before a release:\n- run it\n\n- look\n",
        "Run:\n\n```sh\nmake\n\n# all\n```\n",
        "Then rest.\n",
    ]


def test_headings_come_along_but_for_those_that_say_nothing() -> None:
    text = "# Memory Index\n## Build\n### Fast\n- a\n## Feedback\n- b\n\nOps\n---\n- [[rules]] x\n"
    assert [row.headings for row in read(text)] == [("Build", "Fast"), (), ("Ops",)]


def test_a_heading_with_nothing_below_is_what_it_says() -> None:
    text = "# Notes\n## Never on Friday\n## Build\n### Fast\n- a\n## Last\n"
    assert passages(text) == ["## Never on Friday\n", "- a\n", "## Last\n"]


def test_tables_point_too_and_column_titles_are_no_knowledge() -> None:
    text = "| File | What |\n|---|:-:|\n| [Deploy](deploy.md) | how |\n| port | 5433 |\n"
    assert hooks(text) == [("deploy.md", "Deploy", "how")]
    assert passages(text) == ["| port | 5433 |\n"]


def test_comments_are_left_and_what_follows_them_is_not() -> None:
    assert passages("<!-- a\nb\n--> tail\n<!-- c -->\n- d\n") == [" tail\n", "- d\n"]


def test_line_ends_stay() -> None:
    assert passages("- a\r\n  b\r\n\r\n  c\r\n") == ["- a\r\n  b\r\n\r\n  c\r\n"]


def test_plain_keeps_what_only_looks_like_emphasis() -> None:
    assert plain("- use **/x.py, *.md and `__init__`, 2 * 3 * 4") == (
        "use **/x.py, *.md and __init__, 2 * 3 * 4"
    )
    assert plain("> **Why:** [x](y.md) *is* ~~not~~") == "Why: x is not"


LINES = st.lists(
    st.sampled_from(
        ["- [Deploy](deploy.md) — w%d", "- [Gone](gone.md) w%d", "  - w%d", "w%d", "w%d:", "",
         "## w%d", "- w%d", "    w%d", "```", "| w%d | w%d |", "[[rules]] w%d", "---"]
    ),
    max_size=25,
)  # fmt: skip


@given(LINES)
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(line.replace("%d", str(number)) for number, line in enumerate(lines))
    told = " ".join(f"{row.text} {' '.join(row.headings)}" for row in read(text))
    assert set(re.findall(r"w\d+", text)) == set(re.findall(r"w\d+", told))
