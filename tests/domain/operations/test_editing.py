"""Editing one line: that line, and no other byte."""

from datetime import UTC, datetime

import pytest

from memgit.domain.operations.editing import Edit, edit
from memgit.domain.store import Store
from memgit.errors import StoreError

ODD = b"---\nname: odd   # kept\nx:   [1,2]\n---\n\nfirst  \n- twin\n- twin\r\n\n\nlast without end"


@pytest.fixture
def odd(descent: Store) -> Store:
    (descent.root / "odd.md").write_bytes(ODD)
    return descent


def test_a_line_is_replaced_and_every_other_byte_stays(odd: Store) -> None:
    edit(odd, "odd", Edit("first  ", "second\nthird"))
    assert odd.content("odd.md") == ODD.replace(b"first  \n", b"second\nthird\n")


def test_a_line_is_removed(odd: Store) -> None:
    edit(odd, "odd", Edit("last without end"))
    assert odd.content("odd.md") == ODD.replace(b"last without end", b"")


def test_a_line_is_added_at_the_end(odd: Store) -> None:
    edit(odd, "odd", Edit(to="more"))
    assert odd.content("odd.md") == ODD + b"\nmore\n"


def test_a_line_between_the_fences(odd: Store) -> None:
    edit(odd, "odd", Edit("x:   [1,2]", "x: 3"))
    assert odd.read("odd.md").metadata["x"] == 3


@pytest.mark.parametrize(
    ("line", "to", "message", "hint"),
    [
        ("- twin", "x", "lines 7, 8 are all '- twin'", "memgit edit odd"),
        ("first", "x", "no line is exactly 'first'", "line 6 is 'first  '"),
        ("nowhere", "x", "no line is exactly", "memgit show"),
        ("---", "x", "no line is exactly", "line 1 is"),
        ("name: odd   # kept", "name: even", "would name odd even", "memgit rename odd even"),
        ("x:   [1,2]", "x: [1", "refused: odd.md:4: frontmatter", "mend the YAML"),
    ],
)
def test_what_is_refused_changes_nothing(
    odd: Store, line: str, to: str, message: str, hint: str
) -> None:
    with pytest.raises(StoreError) as told:
        edit(odd, "odd", Edit(line, to))
    assert message in str(told.value)
    assert hint in told.value.hint
    assert odd.content("odd.md") == ODD


def test_the_time_of_the_last_change_is_renewed_where_the_file_tells_one(descent: Store) -> None:
    text = "---\nname: timed\nmetadata:\n  modified: 2026-01-01T00:00:00.000Z\n---\nbody\n"
    (descent.root / "timed.md").write_text(text)
    edit(descent, "timed", Edit("body", "other"), now=datetime(2026, 3, 4, tzinfo=UTC))
    expected = text.replace("2026-01-01", "2026-03-04").replace("body", "other")
    assert descent.content("timed.md").decode() == expected


def test_what_another_wrote_while_the_editor_was_open_is_not_overwritten(odd: Store) -> None:
    read = odd.content("odd.md")
    (odd.root / "odd.md").write_bytes(ODD + b"\ntheirs")
    with pytest.raises(StoreError, match="changed by somebody else"):
        edit(odd, "odd", Edit(whole=b"mine", read=read))
    assert odd.content("odd.md") == ODD + b"\ntheirs"


@pytest.mark.parametrize("whole", [b"", b"no fences\n", ODD.replace(b"---\n\nfirst", b"first")])
def test_frontmatter_is_never_lost(odd: Store, whole: bytes) -> None:
    with pytest.raises(StoreError, match="would have no frontmatter any more"):
        edit(odd, "odd", Edit(whole=whole, read=ODD))
    assert odd.content("odd.md") == ODD


def test_nothing_changed_is_no_commit(odd: Store) -> None:
    assert edit(odd, "odd", Edit("first  ", "first  ")).commit is None
