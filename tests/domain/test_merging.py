"""Three versions made one: by lines where these tell, by keys where lines collide."""

import pytest

from memgit.domain.memory import parse
from memgit.domain.sharing.merging import Conflict, merged
from memgit.ports.git import Repository

HEAD = "---\nname: a\nmetadata:\n  type: project\n"


@pytest.fixture
def repository(store: object) -> Repository:
    return Repository(store)  # type: ignore[arg-type]


def file(keys: str = "", body: str = "one\ntwo\nthree\nfour\nfive\n") -> bytes:
    return f"{HEAD}{keys}---\n{body}".encode()


def test_the_three_plain_cases(repository: Repository) -> None:
    a, b = file(), file("  x: 1\n")
    assert merged(repository, "a.md", a, a, b) == b
    assert merged(repository, "a.md", b, a, a) == b
    assert merged(repository, "a.md", b, a, b) == b


@pytest.mark.parametrize(
    ("ours", "base", "theirs", "expected"),
    [
        ("  x: 1\n  y: 1\n", "  x: 1\n", "", "  y: 1\n"),
        ("  y: 1\n  x: 1\n", "  x: 1\n", "  x: 2\n", "  y: 1\n  x: 2\n"),
        ("  l:\n    - a\n    - b\n", "  l:\n    - a\n", "", "  l:\n    - b\n"),
        (
            "  l:\n    - a\n    - b\n",
            "  l:\n    - a\n",
            "  l:\n    - c\n",
            "  l:\n    - b\n    - c\n",
        ),
        ("  unverified:\n    - p\n    - q\n", "  unverified: p\n", "", "  unverified: q\n"),
        ("  unverified: q\n", "", "  unverified: p\n", "  unverified:\n    - q\n    - p\n"),
        ("  modified: 3\n", "  modified: 1\n", "  modified: 2\n", "  modified: 3\n"),
        ("", "  x: 1\n", "  x: 1\n  y: 1\n", "  y: 1\n"),
    ],
)
def test_keys(repository: Repository, ours: str, base: str, theirs: str, expected: str) -> None:
    found = merged(repository, "a.md", file(ours), file(base), file(theirs))
    assert parse("a.md", found)[0] == parse("a.md", file(expected))[0]


def test_body_and_keys_at_once(repository: Repository) -> None:
    ours = file("  x: 1\n  y: 1\n", "one\ntwo\nthree\nfour\nFIVE\n")
    theirs = file("", "ONE\ntwo\nthree\nfour\nfive\n")
    found = merged(repository, "a.md", ours, file("  x: 1\n"), theirs)
    assert found == file("  y: 1\n", "ONE\ntwo\nthree\nfour\nFIVE\n")


@pytest.mark.parametrize(
    ("ours", "base", "theirs", "what"),
    [
        (file("  x: 1\n"), file("  x: 2\n"), file("  x: 3\n"), "`x`"),
        (file(body="x\n"), file(body="y\n"), file(body="z\n"), "the same lines of its text"),
        (
            b"---\nname: [\n---\nx\n",
            b"---\nname: [\n---\ny\n",
            b"---\nname: [\n---\nz\n",
            "the same lines",
        ),
        (b"\0a", b"\0b", b"\0c", "the same lines of its text"),
    ],
)
def test_conflicts(
    repository: Repository, ours: bytes, base: bytes, theirs: bytes, what: str
) -> None:
    with pytest.raises(Conflict) as told:
        merged(repository, "a.md", ours, base, theirs)
    assert told.value.what == what


def test_a_file_without_end_of_line_and_one_of_another_system(repository: Repository) -> None:
    ours = b"one\r\ntwo\r\nthree\r\nfour\r\nLAST"
    base = b"one\r\ntwo\r\nthree\r\nfour\r\nlast"
    theirs = b"ONE\r\ntwo\r\nthree\r\nfour\r\nlast"
    assert merged(repository, "a.md", ours, base, theirs) == ours.replace(b"one", b"ONE")
