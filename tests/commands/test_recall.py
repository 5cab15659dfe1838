"""`memgit recall --prompt`: the last answer where no newer one can be, and silence."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memgit.cli import main

Run = Callable[..., CompletedProcess[str]]

QUESTION = "psql says connection refused when I connect to staging, which port was it again?"


@pytest.fixture
def full(sample: Path, memgit: Run, git: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store whose last commit no index tells of, on a disk that takes nothing more."""
    assert memgit("index", cwd=sample).returncode == 0
    (sample / "new.md").write_text("One more.\n")
    git(sample, "add", "new.md")
    git(sample, "commit", "--quiet", "--no-verify", "--message=one more")

    def refuse(*ignored: object) -> None:
        raise OSError(28, "No space left on device", "a/file")

    monkeypatch.setattr("memgit.domain.indexing.recall_table.write_segment", refuse)
    return sample


def ended(store: Path, *arguments: str) -> int:
    with pytest.raises(SystemExit) as done:
        main(["--store", str(store), *arguments])
    return int(done.value.code or 0)


@pytest.mark.parametrize("option", [(), ("--explain",)])
def test_a_full_disk_leaves_the_last_answer(
    full: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, ...]
) -> None:
    assert ended(full, "recall", *option, "--prompt", QUESTION) == 0
    out, err = capsys.readouterr()
    assert "staging-database" in out
    assert "a/file: No space left on device" in err
    assert "until then only recall answers from the last one" in err


def test_a_full_disk_without_a_last_answer_is_a_fault(
    full: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(full / ".git" / "memgit")
    assert ended(full, "recall", "--prompt", QUESTION) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "until then nothing is recalled" in err


def test_nothing_that_fits_is_told_to_a_person(memgit: Run, sample: Path) -> None:
    prompt = "please port this to rust and make a nice demo of it today"
    silent = memgit("recall", "--prompt", prompt, cwd=sample)
    assert (silent.returncode, silent.stdout) == (0, "")
    assert silent.stderr == "nothing fits; --explain tells why\n"
    machine = memgit("recall", "--json", "--prompt", prompt, cwd=sample)
    assert (json.loads(machine.stdout), machine.stderr) == ({"hits": []}, "")
    found = memgit("recall", "--prompt", QUESTION, cwd=sample)
    assert "staging-database" in found.stdout
    assert found.stderr == ""
