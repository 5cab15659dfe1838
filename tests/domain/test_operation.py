"""An operation's message, written and read back."""

import pytest

from memgit.domain.operation import Operation, Provenance


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
