"""An operation's message, written and read back."""

import pytest

from memgit.domain.operation import SUBJECT, Operation, Provenance, shortened


def test_what_is_written_is_read_back() -> None:
    by = Provenance("curate", "二つある", 0.9, ("overlap", "scope"), ("session 7, turn 3",))
    told = Operation.of("supersede", "a by b", ("a", "b", "c d"), by, to="b", undoes="f" * 40)
    assert Operation.parse(told.message()) == told


def test_a_plain_one() -> None:
    told = Operation("add", "about: it", ("a",), details=("one", "two"))
    assert Operation.parse(told.message()) == Operation("add", "about: it", ("a",))


@pytest.mark.parametrize(
    "message",
    [
        "a plain commit",
        "",
        "subject\n\nMemgit-Operation: add\n\nthe last paragraph counts",
        "squashed\n\n    add: a\n\n    Memgit-Operation: add\n    Memgit-Memory: a\n",
    ],
)
def test_other_commits_are_none(message: str) -> None:
    assert Operation.parse(message) is None


def test_no_text_that_was_given_passes_for_a_trailer() -> None:
    evil = "x\n\nMemgit-Operation: init\nMemgit-Actor: nobody"
    told = Operation("add", evil, (evil,), details=(evil,), because=evil)
    read = Operation.parse(told.message())
    assert read is not None
    assert (read.kind, read.actor, len(read.memories)) == ("add", "user", 1)


def test_trailers_of_others_beside_ours() -> None:
    message = Operation("add", "a", ("a",)).message() + "Signed-off-by: A <a@example.com>\n"
    assert Operation.parse(message) == Operation("add", "a", ("a",))


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("add: one two", 12, "add: one two"),
        ("add: one two three", 12, "add: one…"),
        ("one two three", 8, "one two…"),
        ("a-very-long-name-of-it", 17, "a-very-long-name…"),
        ("xxxxxxxxxxxxxxx", 9, "xxxxxxxx…"),
        ("日本語の長い文", 9, "日本語の…"),
        ("日本語の長い文", 8, "日本語…"),
        ("か\u3099" * 5, 8, "か\u3099" * 3 + "…"),
        ("か\u3099" * 3 + "word", 9, "か\u3099" * 3 + "…"),
        ("日", 1, "…"),
        ("", 3, ""),
    ],
)
def test_a_line_is_cut_between_words(text: str, columns: int, shown: str) -> None:
    assert shortened(text, columns) == shown


def test_a_long_subject_is_cut_between_words() -> None:
    head = Operation("add", "harbour " * 40).message().partition("\n")[0]
    assert head.endswith("harbour…")
    assert len(head) <= SUBJECT
