"""What --fix mends, and what it leaves as it is."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memgit.domain.gates.mending import mend

Run = Callable[..., CompletedProcess[str]]

HEAD = b"---\nname: a\n---\n"


@pytest.mark.parametrize(
    ("before", "after", "done"),
    [
        (HEAD + b"caf\xe9\n", HEAD + "café\n".encode(), ["cp1252 to UTF-8"]),
        (
            "日本語のメモ。かなも。\n".encode("cp932"),
            "日本語のメモ。かなも。\n".encode(),
            ["cp932 to UTF-8"],
        ),
        (HEAD + "a\u200bb\u202ec\n".encode(), HEAD + b"abc\n", ["2 hidden characters taken out"]),
        (
            b"---\nname: a\ndescription: Fix: use tabs\n---\nx\n",
            b'---\nname: "a"\ndescription: "Fix: use tabs"\n---\nx\n',
            ["values of the frontmatter put into quotes"],
        ),
        (
            b"---\ntype: user\n---\nx\n",
            b"---\nname: a\ntype: user\n---\nx\n",
            ["named by its file"],
        ),
        (
            b"---\nname:\ntype: user\n---\nx\n",
            b"---\nname: a\ntype: user\n---\nx\n",
            ["named by its file"],
        ),
        (
            b"---\r\ntype: user\r\n---\r\nx\r\n",
            b"---\r\nname: a\r\ntype: user\r\n---\r\nx\r\n",
            ["named by its file"],
        ),
    ],
)
def test_what_there_is_one_right_way_for(before: bytes, after: bytes, done: list[str]) -> None:
    assert mend("a.md", before) == (after, done)
    assert mend("a.md", after) == (after, [])


@pytest.mark.parametrize(
    "data",
    [
        HEAD + b"fine\n",
        b"plain text\n",
        b"",
        b"\xef\xbb\xbf" + HEAD + b"x\n",
        HEAD + "👨‍👩‍👧 と 葛\U000e0100城\n".encode(),
        b"---\nname: [a\n---\nx\n",
        HEAD + b"nul \0 byte\n",
    ],
)
def test_what_is_right_or_cannot_be_mended_stays_byte_for_byte(data: bytes) -> None:
    assert mend("a.md", data) == (data, [])


def test_the_command_writes_files_and_commits_nothing(memgit: Run, store: Path, git: Run) -> None:
    (store / "a.md").write_bytes(HEAD + "a\u200bb\n".encode())
    (store / "b.md").write_text("---\nname: a\n---\nb\n")
    before = git(store, "rev-parse", "HEAD").stdout
    done = memgit("check", "--fix", cwd=store)
    assert done.returncode == 1
    assert "a.md: 1 hidden characters taken out" in done.stderr
    assert "name a is also the name of b.md" in done.stdout
    assert (store / "a.md").read_bytes() == HEAD + b"ab\n"
    assert git(store, "rev-parse", "HEAD").stdout == before
    assert memgit("check", "--fix", "--staged", cwd=store).returncode == 2


def test_explain(memgit: Run, tmp_path: Path) -> None:
    done = memgit("check", "--explain", "brittle", cwd=tmp_path)
    assert done.returncode == 0
    assert "arXiv 2606.25449" in done.stdout
    assert "to mend" in done.stdout
    wrong = memgit("check", "--explain", "nothing", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "secret" in wrong.stderr
