"""Long output on a terminal goes through the person's pager, and nothing else does."""

import shutil
import sys
from pathlib import Path

import pytest

from memgit.ports import pager
from tests.conftest import Run
from tests.habits.terminal import Terminal

LIST = [sys.executable, "-m", "memgit", "list"]
SHORT = [sys.executable, "-m", "memgit", "list", "--type", "user"]


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pager that keeps what it is given in a file, with what it was told about `less`."""
    kept = tmp_path / "paged"
    script = tmp_path / "recording-pager"
    script.write_text(f'#!/bin/sh\n{{ echo "$LESSSECURE $LESS"; cat; }} > {kept}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PAGER", str(script))
    monkeypatch.setenv("TERM", "xterm")
    for name in ("MEMGIT_PAGER", "LESS"):
        monkeypatch.delenv(name, raising=False)
    return kept


def run(words: list[str], store: Path, **more: str) -> str:
    """What a command shows on a terminal."""
    with Terminal(words, store, **more) as at:
        assert at.end() == 0, at.shown
        return at.shown


def test_what_is_longer_than_the_terminal_is_paged(sample: Path, recording: Path) -> None:
    shown = run(LIST, sample)
    told, *rows = recording.read_text().splitlines()
    assert told == "1 FRX"
    assert len(rows) == 37
    assert "open-questions" not in shown
    assert "open-questions" in recording.read_text()


def test_what_fits_and_what_programs_read_is_not(sample: Path, recording: Path) -> None:
    for words in (SHORT, [*LIST, "--json"], [*LIST[:-1], "log"]):
        assert run(words, sample).strip()
        assert not recording.exists(), words


def test_nobody_is_paged_who_does_not_want_it(sample: Path, recording: Path) -> None:
    for more in (
        {"TERM": "dumb"},
        {"PAGER": ""},
        {"PAGER": "cat"},
        {"MEMGIT_PAGER": ""},
        {"PAGER": "no-such-pager -x"},
    ):
        assert "open-questions" in run(LIST, sample, **more), more
        assert not recording.exists(), more


def test_a_pipe_is_not_paged(sample: Path, recording: Path, memgit: Run) -> None:
    assert len(memgit("--store", sample, "list").stdout.splitlines()) == 37
    assert not recording.exists()


def test_its_own_pager_comes_first_and_no_shell_reads_it(
    sample: Path, recording: Path, tmp_path: Path
) -> None:
    mine = f"{recording.parent}/recording-pager ; touch {tmp_path}/hit"
    run(LIST, sample, MEMGIT_PAGER=mine, PAGER="cat")
    assert recording.exists()
    assert not (tmp_path / "hit").exists()


def test_a_memory_cannot_command_the_pager(
    sample: Path, memgit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the real `less`: it starts no program, and the text is only shown."""
    if not shutil.which("less"):
        pytest.skip("less is not installed")
    text = "\n".join(["!touch hit", "\x1b]0;mine\x07", *map(str, range(60))])
    added = memgit("--store", sample, "add", "--name", "hostile", "--body", "-", stdin=text)
    assert added.returncode == 0, added.stderr
    for name in ("PAGER", "MEMGIT_PAGER", "LESS"):
        monkeypatch.delenv(name, raising=False)
    with Terminal([*LIST[:-1], "show", "hostile"], sample, TERM="xterm") as at:
        at.wait("!touch hit")
        at.wait(":")
        at.press("!")  # where it may, less asks for a command now
        at.wait("Command not available")
        at.press("\r")
        at.wait(":")
        at.press("\x03")  # stops what less does, and neither of us
        at.press_until(" ", "40")
        at.press("q")
        assert at.end() == 0
        assert "\\x1b]0;mine\\x07" in at.shown


def test_leaving_early_is_fine(sample: Path, recording: Path, tmp_path: Path) -> None:
    script = tmp_path / "leaves"
    script.write_text("#!/bin/sh\nread -r line; echo LEFT\n")
    script.chmod(0o755)
    shown = run(LIST, sample, PAGER=str(script))
    assert "LEFT" in shown
    assert "Traceback" not in shown


def test_rows_are_counted_as_the_terminal_folds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pager.os, "get_terminal_size", lambda number: (10, 4))
    said: list[str] = []
    with pager.opened(["no-such-pager"], said.append) as show:
        show("one\n\n" + "x" * 10 + "\n")
        assert said == []
        show("当番当番当番\n")
    assert said == ["one\n\n" + "x" * 10 + "\n" + "当番当番当番\n"]


def test_a_forced_colour_does_not_make_a_pipe_a_terminal(
    sample: Path, memgit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR")
    plain = memgit("--store", sample, "list").stdout.splitlines()
    assert not any("\x1b" in line for line in plain)
    coloured = memgit("--store", sample, "list", env={"FORCE_COLOR": "1"}).stdout.splitlines()
    assert "\x1b" in coloured[0]
    assert coloured[1:] == plain[1:]
    assert len(coloured[0]) < 1000


def test_colours_come_on_a_terminal_alone_where_they_are_wanted(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR")
    usual = {"TERM": "xterm", "PAGER": ""}
    for more, colours in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        with Terminal([*LIST[:-1], "budget"], sample, **{**usual, **more}) as at:
            at.end()
            assert (b"\x1b[3" in at.raw) is colours, more
