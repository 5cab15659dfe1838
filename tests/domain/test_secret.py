"""What of a text goes with a secret, and what stays."""

import pytest

from memgit.domain.memory import parse
from memgit.domain.operations.secret import MARK, Secret
from memgit.errors import UsageError

KEY = "sk-live-Ab12Cd34"
SECRET = Secret(KEY)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\ntwo sk-live-Ab12Cd34 x\nthree\n", f"one\n{MARK}\nthree\n"),
        ("a sk-live-Ab12Cd34", MARK),
        ("crlf\r\nx sk-live-Ab12Cd34\r\nend\r\n", f"crlf\r\n{MARK}\r\nend\r\n"),
        ("ｓｋ-live-Ab12Cd34 in wide letters\n", f"{MARK}\n"),
        ("sk-live-ab12cd34 is another\n", "sk-live-ab12cd34 is another\n"),
        ("日本語 sk-live-Ab12Cd34 です\n次\n", f"{MARK}\n次\n"),
    ],
)
def test_the_line_goes_and_the_others_stay(before: str, after: str) -> None:
    assert SECRET.taken_out(before.encode()).decode() == after
    assert SECRET.is_in(before) == (before != after)


@pytest.mark.parametrize(
    "line",
    [
        "description: the key is sk-live-Ab12Cd34 here",
        "description: sk-live-Ab12Cd34",
        'description: "sk-live-Ab12Cd34"',
        "metadata:\n  topics:\n    - sk-live-Ab12Cd34\n    - other",
        "description: ｓｋ-live-Ab12Cd34",
        "sk-live-Ab12Cd34: x",
        "metadata:\n  claims:\n    - args: {key: sk-live-Ab12Cd34}",
    ],
)
def test_frontmatter_can_still_be_read(line: str) -> None:
    data = f"---\nname: a\n{line}\n---\nbody\n".encode()
    out = SECRET.taken_out(data)
    memory, faults = parse("a.md", out)
    assert faults == []
    assert (memory.name, memory.body) == ("a", "body\n")
    assert not SECRET.is_in_bytes(out)


def test_other_encodings_and_no_text_at_all() -> None:
    for encoding in ("cp932", "utf-16", "utf-8-sig"):
        data = f"これはただの文です\n{KEY}\n終わり\n".encode(encoding)
        out = SECRET.taken_out(data)
        assert out.decode(encoding) == f"これはただの文です\n{MARK}\n終わり\n"
    assert SECRET.taken_out(b"\0\x01" + KEY.encode() + b"\xff") == b"\0\x01[purged]\xff"


def test_a_secret_of_many_lines() -> None:
    secret = Secret("BEGIN KEY\nabcdef\nEND KEY")
    text = "x\nhere: BEGIN KEY\nabcdef\nEND KEY.\ny\n"
    assert secret.taken_out(text.encode()).decode() == f"x\n{MARK}\ny\n"
    dos = text.replace("\n", "\r\n").encode()
    assert secret.taken_out(dos).decode() == f"x\r\n{MARK}\r\ny\r\n"


def test_what_is_too_short_to_look_for() -> None:
    with pytest.raises(UsageError, match="at least 4 characters"):
        Secret("ab ")
