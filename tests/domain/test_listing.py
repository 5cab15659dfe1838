"""The listing: its lines, which of them there is room for, and the seal."""

import pytest

from memgit.domain.always_on.listing import (
    MORE,
    Row,
    chosen,
    line_of,
    path_of,
    sealed_lines,
    text,
)
from memgit.domain.importing.index_lines import Pointer, read_index
from memgit.domain.memory import Memory
from memgit.domain.settings import Cap
from memgit.prompt.profile import units

WIDE = Cap(200, 25_000)


def memory(path: str = "a.md", **keys: object) -> Memory:
    about = {"name": path.rpartition("/")[2].removesuffix(".md"), "body": "", **keys}
    metadata = about.pop("metadata", {})
    return Memory(path, metadata=metadata, **about)  # type: ignore[arg-type]


def row(name: str, day: str, **keys: object) -> Row:
    metadata = {"modified": day, **keys.pop("metadata", {})}  # type: ignore[dict-item]
    found = Row.of(memory(f"{name}.md", description="d" * 20, metadata=metadata, **keys), "")
    assert found
    return found


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({"description": "what it is"}, "- [A](a.md) — what it is"),
        ({"body": "# The **title**\n\n## More\n", "description": "x"}, "- [The title](a.md) — x"),
        ({"path": "ops/key-rotation.md"}, "- [Key rotation](ops/key-rotation.md)"),
        ({"path": "ops/当番表.md", "description": "交代"}, "- [当番表](ops/当番表.md) — 交代"),
        ({"path": "a b (1).md"}, "- [A b (1)](a%20b%20%281%29.md)"),
        ({"path": "全角\u3000空白.md"}, "- [全角 空白](全角%E3%80%80空白.md)"),
        ({"body": "First sentence. Second one.\n"}, "- [A](a.md) — First sentence."),
        ({"body": "# [x] y\n", "description": "a\nb\tc"}, "- [(x) y](a.md) — a b c"),
        ({"metadata": {"superseded_by": "b"}}, "- [A](a.md) (superseded by b)"),
        ({"description": "d", "metadata": {"unverified": True}}, "- [A](a.md) — d (unverified)"),
        (
            {"body": "# Worker leak\n\nRestart it nightly. More.\n", "path": "w.md"},
            "- [Worker leak](w.md) — Restart it nightly.",
        ),
        (
            {"body": "# Worker leak\n\nOld OTP.\n", "description": "worker leak."},
            "- [Worker leak](a.md) — Old OTP.",
        ),
        ({"body": "# 当番表\n\n当番表。\n"}, "- [当番表](a.md)"),
        ({"description": "<!-- d"}, "- [A](a.md) — <! -- d"),
    ],
)  # fmt: skip
def test_a_line(keys: dict[str, object], line: str) -> None:
    path = str(keys.pop("path", "a.md"))
    found = memory(path, **keys)
    assert line_of(found) == line
    (pointer,) = read_index(f"{line}\n", lambda target: True)
    assert isinstance(pointer, Pointer)
    assert pointer.target == path
    assert path_of(line) == path


@pytest.mark.parametrize("long", ["word " * 100, "長い説明" * 100, "😀" * 200])
def test_a_line_is_at_most_200_units(long: str) -> None:
    line = line_of(memory(description=long, body=f"# {long}\n"))
    assert units(line) <= 200
    assert line.endswith("…")


def test_a_retired_memory_has_no_row() -> None:
    assert Row.of(memory(metadata={"retired": "2026-01-01"}), "") is None


def test_newest_first_and_the_same_bytes_in_any_order() -> None:
    rows = [row("b", "2026-01-02"), row("a", "2026-01-02"), row("c", "2026-03-01")]
    shown = chosen(rows, WIDE)
    assert [one.name for one in shown] == ["c", "a", "b"]
    assert text(shown, False, WIDE) == text(chosen(rows[::-1], WIDE), False, WIDE)


def test_without_room_the_newest_and_the_rules_stay_and_what_is_superseded_goes_first() -> None:
    rules = [row(f"rule-{n}", f"2026-01-0{n}", type="feedback") for n in range(1, 4)]
    said = [row("said", "2026-01-01", metadata={"origin": "user"})]
    events = [row(f"event-{n}", f"2026-02-0{n}") for n in range(1, 10)]
    old = [row("old", "2026-03-01", metadata={"superseded_by": "x"}, type="feedback")]
    shown = [one.name for one in chosen([*rules, *said, *events, *old], Cap(8, 2000))]
    assert shown == ["event-9", "event-8", "event-7", "rule-3", "rule-2", "rule-1", "said"]


def test_what_was_used_stays_longer() -> None:
    rows = [row("new", "2026-02-01"), row("newer", "2026-02-02"), row("newest", "2026-02-03")]
    used = row("used", "2026-01-01", metadata={"used": "2026-02-04"})
    shown = chosen([*rows, used], Cap(3, 2000))
    assert [one.name for one in shown] == ["newest", "used"]


@pytest.mark.parametrize("cap", [Cap(40, 2000), Cap(5, 400), Cap(1, 300), Cap(0, 0), Cap(3, 10)])
@pytest.mark.parametrize("count", [0, 1, 3, 50])
def test_never_over_the_cap(cap: Cap, count: int) -> None:
    rows = [row(f"m{n}", f"2026-01-{n % 28 + 1:02}") for n in range(count)]
    shown = chosen(rows, cap)
    lines = sealed_lines(text(shown, len(shown) < count, cap).decode())
    assert lines is not None
    assert len(lines) <= cap.lines
    assert units("\n".join(lines)) <= cap.units
    if count == 50 and cap.lines > 1 and cap.units > 100:
        assert lines[-1] == MORE


def test_a_seal_tells_whether_somebody_wrote() -> None:
    data = text([row("a", "2026-01-01")], False, WIDE).decode()
    assert sealed_lines(data) == ["- [A](a.md) — dddddddddddddddddddd"]
    assert sealed_lines(data.replace("\n", "\r\n")) is not None
    for changed in (f"{data}- more\n", data.replace("[A]", "[B]"), data.partition("\n")[2], ""):
        assert sealed_lines(changed) is None
