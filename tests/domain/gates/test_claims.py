"""What a memory asserts: with its source, as far as its parts bear it, and how much is left."""

import time

import pytest

from memgit.domain.gates.claims import verdicts
from memgit.domain.gates.scope import File
from tests.domain.gates.looking import lines, look_at, rows

BY_AN_AGENT = "name: a\nmetadata:\n  origin: agent"

BRITTLE = [
    "The import takes 41 minutes.",
    "Postgres listens on port 6432.",
    "The library is at version 5.2.1 everywhere.",
    "v2.14 broke the cache.",
    "The freeze begins on 2026-12-12.",
    "Error rate fell to 0.4 %.",
    "It holds 3,247,400 rows.",
    "Costs are $1,200 a month.",
    "The job starts at 04:30.",
    "取り込みに 41 分かかる。",
    "毎分 900 件まで耐える。",
    "移行は 2026年12月8日 に終わる。",
    "| job | seconds |\n|---|---|\n| unit | 240 |\n",
    "The pool stops at 41. More is refused.",
]

SOUND = [
    "The import takes 41 minutes, see `loadtests/2026-08-19/results.csv`.",
    "Postgres listens on port 6432 (config/pgbouncer.ini).",
    "The library is at 5.2.1, https://example.com/releases says.",
    'Ren said "the import takes 41 minutes".',
    "Ren は「41 分かかる」と言った。",
    "41 minutes, according to the log of the night job.",
    "Merged in PR 412; the table has 3,247,400 rows.",
    "| part | minutes |\n|---|---|\n| a | 12 |\n| b | 26 |\n| c | 6 |\n| total | 44 |\n",
    "12 + 26 + 6 = 44 minutes",
    "Use tabs. Ask before migrations.",
    "1. First do this\n2. Then do that\n",
    "# Notes of 2026-10-02\n\nUse tabs.\n",
    "**Date**: 2026-10-02\n",
    "We keep two of them.",
]


@pytest.mark.parametrize("text", BRITTLE)
def test_a_value_that_nothing_bears_out(text: str) -> None:
    assert lines(f"Intro.\n\n{text}\n", "brittle", BY_AN_AGENT) in ([3], [5])


@pytest.mark.parametrize("piece", ["./", "-", "[", "](", "“", "「", "a.", "a-", "1", " "])
def test_the_time_for_a_long_line_is_bounded(piece: str) -> None:
    file = File("a.md", f"---\n{BY_AN_AGENT}\n---\nx{piece * 20_000}!\n{piece * 20_000}\n".encode())
    started = time.process_time()
    verdicts(file)
    assert time.process_time() - started < 2


PARTS = [
    ("A total of 48 minutes (fetch 12, restore 26, and 2 more).", "48: 2 of 4 of its parts"),
    ("合計48分（取得 12、復元 26、ほか2件）", "48: 2 of 4 of its parts"),
    ("A total of 48 minutes (fetch 12, restore 26, ...).", "48: 2 of more of its parts"),
]


@pytest.mark.parametrize(("text", "said"), PARTS)
def test_a_value_of_whose_parts_some_are_left_out(text: str, said: str) -> None:
    head = f"---\n{BY_AN_AGENT}\n---\n"
    (finding,) = look_at({"a.md": f"{head}{text}\n"}, code="brittle")
    assert finding.fault.message == said
    assert look_at({"a.md": f"{head}{text} See `log.csv`.\n"}, code="brittle") == []
    kept = f"---\n{BY_AN_AGENT}\n  kept: 2 of 4\n---\n"
    assert look_at({"a.md": f"{kept}{text}\n"}, code="brittle") == []
    assert look_at({"a.md": f"{head}{text}\n"}, code="differs") == []


def test_each_value_has_its_verdict() -> None:
    body = (
        "3 days after 2026-05-01 is 2026-05-04.\n\nThe latest of 1.9 and 1.10 is 1.8.\n\n"
        "It takes 41 minutes.\n\nA total of 48 (fetch 12, restore 26, and 2 more).\n"
    )
    found = verdicts(File("a.md", body.encode()))
    assert [(one.line, one.verdict) for one in found] == [
        (1, "recomputes"), (3, "differs"), (5, "source missing"), (7, "partial"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", SOUND)
def test_a_value_beside_its_source_or_its_parts(text: str) -> None:
    assert lines(f"Intro.\n\n{text}\n", "brittle", BY_AN_AGENT) == []


@pytest.mark.parametrize("text", BRITTLE)
@pytest.mark.parametrize(
    "head",
    ["name: a", "name: a\nmetadata:\n  origin: user",
     "name: a\nmetadata:\n  origin: agent\n  sources:\n    - path: a.csv"],
)  # fmt: skip
def test_what_a_person_said_is_a_source_and_so_is_one_that_is_named(text: str, head: str) -> None:
    assert lines(text, "brittle", head) == []


def test_one_finding_a_memory_tells_how_many_there_are() -> None:
    text = f"---\n{BY_AN_AGENT}\n---\nIt takes 41 minutes.\nIt holds 300 rows.\n\nPort 6432.\n"
    assert rows(look_at({"a.md": text}, code="brittle")) == [
        ("a.md", 6, "brittle", "41 minutes, and 2 more: neither source nor parts")
    ]


def test_a_total_that_its_parts_do_not_give() -> None:
    text = "---\nname: a\n---\none\n\n12 + 26 = 40\n"
    assert rows(look_at({"a.md": text}, code="differs")) == [
        ("a.md", 6, "differs", "equation says 40, its parts give 38")
    ]


CUT = [
    "... (12 more lines)",
    "- a\n- b\n- (and 9 others)",
    "... and 556 more",
    "[truncated]",
    "output...truncated",
    "<snip>",
    "ほか 9 件",
    "以下省略",
    "（抜粋）",
    "議事録より抜粋",
]

WHOLE = [
    "Three more reasons follow.",
    "The field is truncated to 60 characters.",
    "他の 3 人は来なかった。",
    "It takes 12 more minutes.",
    "抜粋する関数",
]


@pytest.mark.parametrize("text", CUT)
def test_a_source_that_was_cut_without_a_word(text: str) -> None:
    assert lines(f"one\n{text}\n", "kept") == [1 + len(text.split("\n"))]
    assert lines(text, "kept", "name: a\nmetadata:\n  kept: 2 of 11") == []


@pytest.mark.parametrize("text", WHOLE)
def test_a_text_that_is_whole(text: str) -> None:
    assert lines(text, "kept") == []


@pytest.mark.parametrize("value", ["some", "3", "3/11", "most of 11"])
def test_kept_is_k_of_n(value: str) -> None:
    assert lines("x", "kept", f"name: a\nmetadata:\n  kept: {value}") == [-1]


def test_a_source_with_more_items_than_the_memory() -> None:
    head = "name: a\nmetadata:\n  sources:\n    - quote: fetch 12, restore 26, replay 6, checks 3"
    ((_, line, _, message),) = rows(
        look_at({"a.md": f"---\n{head}\n---\nfetch 12, restore 26\n"}, code="kept")
    )
    assert (line, message) == (4, "2 of 4 items of a source, and no `kept: 2 of 4`")
    assert lines("fetch 12, restore 26, replay 6, checks 3\n", "kept", head) == []
    assert lines("The restore works.\n", "kept", head) == []
