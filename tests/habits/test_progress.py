"""Work that may take over a second shows that it goes on: on a terminal, and nowhere else."""

import sys
from pathlib import Path

import pytest

from memgit.output import progress, waiting, watched
from tests.conftest import Run
from tests.habits.terminal import Terminal

MEMGIT = [sys.executable, "-m", "memgit"]


def notes(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"note-{number}.md").write_text(f"Note {number} says {number * 7} things.\n")
    return folder


def test_an_import_tells_its_stages(store: Path, tmp_path: Path) -> None:
    words = [*MEMGIT, "import", str(notes(tmp_path / "notes", 30))]
    with Terminal(words, store, TERM="xterm") as at:
        for stage in ("reading", "placing", "committing", "indexing"):
            at.wait(stage)
        assert at.end() == 0
        assert "30/30" in at.shown


def test_what_takes_long_shows_it(sample: Path) -> None:
    for verb, stage in (("index", "indexing"), ("check", "checking"), ("curate", "comparing")):
        with Terminal([*MEMGIT, verb], sample, TERM="xterm") as at:
            at.wait(stage)
            at.end()


def test_a_terminal_that_cannot_redraw_is_spared(sample: Path) -> None:
    with Terminal([*MEMGIT, "check"], sample, TERM="dumb") as at:
        assert at.end() == 0
        assert at.raw.startswith(b"36 memories")


def test_nothing_is_shown_where_nobody_watches(
    sample: Path, memgit: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    done = memgit("--store", sample, "check", env={"FORCE_COLOR": "1"})
    assert done.stderr == "36 memories, nothing to mend\n"
    with progress("a") as told, waiting("b"):
        told(1, 2)
    assert list(watched(iter("xy"), "c")) == ["x", "y"]
    assert capsys.readouterr() == ("", "")
