# ruff: noqa: E501
"""Recomputing what a text states beside its parts."""

import pytest

from memgit.domain.gates.certificate import certificate

TABLE = "| part | minutes |\n|---|---|\n| fetch | 12 |\n| restore | 26 |\n| replay | 6 |\n| total | {} |\n"

RIGHT = [
    TABLE.format(44),
    TABLE.format("**44**"),
    "| 夜 | 行 |\n|---|---|\n| 一 | 1,180,000 |\n| 二 | 1,455,000 |\n| 三 | 612,400 |\n| 合計 | 3,247,400 |\n",
    "| a | cost |\n|---|---|\n| x | $1.20 |\n| y | $2.35 |\n| Total | $3.55 |\n",
    "- fetch: 12 min\n- restore: 26 min\n- total: 38 min\n",
    "- fetch: 12\n- restore: 26\n\nTotal: 38\n",
    "12 + 26 + 6 = 44",
    "3 × 4 + 2 = 14",
    "100 - 37 = 63",
    "1,000 / 8 = 125",
    "10 / 3 = 3.33",
    "A total of 47 minutes (fetch 12, restore 26, replay 6, checks 3).",
    "合計47分（取得 12、復元 26、再生 6、確認 3）",
    "456 of 456 flagged (100 %)",
    "62 of 96 (65 %)",
    "12/96 = 12.5%",
    "150 → 120 ms (-20%)",
    "from 12 to 15 (+3)",
    "Three rules:\n\n- one\n- two\n- three\n",
    "Three rules:\n- one\n  - nested\n  - nested\n- two\n- three\n\nafter\n",
    "次の二つ：\n- 一\n- 二\n",
    "on Tuesday 2026-12-08 and 2026-12-12（土）",
    "2026-12-08 (Tue)",
    "3 days after 2026-05-01 is 2026-05-04",
    "2 weeks before 2026-05-15 was 2026-05-01.",
    "2026-12-30 + 3 days = 2027-01-02",
    "6 months after 2026-08-28 is 2027-02-28",
    "1 year from 2028-02-28 is 2029-02-28",
    "2026-05-01の3日後は2026-05-04",
    "The freeze is 2026-05-01 to 2026-05-04 (3 days).",
    "The freeze is 2026-05-01 to 2026-05-04 (4 days), both included.",
    "2026-05-01 to 2026-06-12 is 6 weeks.",
    "2026-05-01から2026-05-04まで（3日間）",
    "3 days between 2026-05-01 and 2026-05-04",
    "The latest of 1.9.2, 1.10.0 and 1.8.7 is 1.10.0.",
    "v2.10.0 is the newest release of v2.9.4, v2.10.0 and v2.1.0",
    "seen: 1.9.2, 1.10.0, 1.8.7 (latest: 1.10.0)",
    "the lowest of 1.5 and 1.10 is 1.10, as a number",
    "the oldest of 1.5 and 1.10 is 1.5, as a version",
    "the earliest of 2026-05-04, 2026-05-01 and 2026-06-01 is 2026-05-01",
    "1.9.2、1.10.0、1.8.7の中で最新は1.10.0",
]

WRONG = [
    (TABLE.format(48), 6, "48", "44"),
    ("| 夜 | 行 |\n|---|---|\n| 一 | 1,180,000 |\n| 二 | 1,455,000 |\n| 三 | 612,400 |\n| 合計 | 3,247,401 |\n", 6, "3,247,401", "3,247,400"),
    ("- fetch: 12 min\n- restore: 26 min\n- total: 39 min\n", 3, "39", "38"),
    ("12 + 26 + 6 = 45", 1, "45", "44"),
    ("3 × 4 + 2 = 18", 1, "18", "14"),
    ("1,000 / 8 = 120", 1, "120", "125"),
    ("A total of 48 minutes (fetch 12, restore 26, replay 6, checks 3).", 1, "48", "47"),
    ("合計48分（取得 12、復元 26、再生 6、確認 3）", 1, "48", "47"),
    ("62 of 96 (70 %)", 1, "70", "65"),
    ("150 → 120 ms (-25%)", 1, "-25", "-20"),
    ("from 12 to 15 (+4)", 1, "4", "3"),
    ("Three rules:\n\n- one\n- two\n- three\n- four\n", 1, "Three", "4"),
    ("次の三つ：\n- 一\n- 二\n", 1, "三", "2"),
    ("on Monday 2026-12-08", 1, "Monday 2026-12-08", "Tuesday 2026-12-08"),
    ("2026-12-12（日）", 1, "日 2026-12-12", "土 2026-12-12"),
    ("3 days after 2026-05-01 is 2026-05-05", 1, "2026-05-05", "2026-05-04"),
    ("30 days before 2026-03-01 is 2026-02-01", 1, "2026-02-01", "2026-01-30"),
    ("2026-12-30 + 1 month = 2027-02-28", 1, "2027-02-28", "2027-01-30"),
    ("2026-05-01の3日後は2026-05-03", 1, "2026-05-03", "2026-05-04"),
    ("2026-05-01 to 2026-05-14 (12 days)", 1, "12", "13"),
    ("2026-05-01 to 2026-06-12 is 8 weeks", 1, "8", "6"),
    ("the latest of 1.9.2, 1.10.0 and 1.8.7 is 1.9.2", 1, "1.9.2", "1.10.0"),
    ("seen: 1.9.2, 1.10.0, 1.8.7 (latest 1.9.2)", 1, "1.9.2", "1.10.0"),
    ("the newest of 2026-05-04 and 2026-06-01 is 2026-05-04", 1, "2026-05-04", "2026-06-01"),
    ("1.9.2、1.10.0の中で最新は1.9.2", 1, "1.9.2", "1.10.0"),
]  # fmt: skip

SILENT = [
    "```\n12 + 26 = 40\n```\n",
    "version 1.2 - 1.3 = breaking",
    "range 3-5 = optional",
    "2026-10-06 = the first Tuesday",
    "total 47 (see the log)",
    "| metric | value |\n|---|---|\n| p95 | 12 |\n| p99 | 41 |\n| max | 80 |\n| total | 7 |\n".replace(
        "value", "rate"
    ),
    "| a | b |\n|---|---|\n| x | ~12 |\n| y | 3 |\n| total | 16 |\n",
    "| a | b |\n|---|---|\n| x | 12 ms |\n| y | 3 s |\n| total | 16 |\n",
    "Three of the five rules:\n- one\n- two\n",
    "Two hours:\n- wait\n- wait\n- wait\n",
    "Three things happened. Afterwards:\n- one\n- two\n",
    "5 of 3 (40 %)",
    "port 5432 → 6432",
    "about 12 + x = 40",
    "2026-13-45 (Mon)",
    "3 working days after 2026-05-01 is 2026-05-06",
    "about 3 days after 2026-05-01 the cache is empty until 2026-05-09",
    "1 month after 2026-01-31 is 2026-02-28",
    "2026-05-01 to 2026-05-04 (90 days of logs)",
    "2026-05-01 to 2026-05-04 (2 working days)",
    "the latest of 1.9.2 and 1.10.0-rc1 is 1.9.2",
    "latest of 1.9.2 and 2026-05-01 is 1.9.2",
    "the latest is 1.9.2, of 2024-01-01",
    "9999 years after 2026-05-01 is 2026-05-02",
    "",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_its_parts_give(text: str) -> None:
    verdicts = certificate(text)
    assert verdicts
    assert {one.verdict for one in verdicts} == {"recomputes"}


@pytest.mark.parametrize(("text", "line", "stated", "computed"), WRONG)
def test_what_its_parts_do_not_give(text: str, line: int, stated: str, computed: str) -> None:
    (one,) = (one for one in certificate(text) if one.verdict == "differs")
    assert (one.line, one.stated, one.computed) == (line, stated, computed)


@pytest.mark.parametrize("text", SILENT)
def test_no_verdict_where_a_part_may_be_missing_or_mean_something_else(text: str) -> None:
    assert [one for one in certificate(text) if one.verdict == "differs"] == []
