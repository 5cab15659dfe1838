"""`memgit doctor`, run whole: on a store that is well, on one that is not, and on none."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from memgit.domain.examination import CHECKS


def rows(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder and what it holds, but for what git itself only caches."""
    return {
        str(path): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / ".git" / "index"
    }


@pytest.fixture
def well(memgit, sample):
    """The sample store with git hooks, index and an agent that is connected."""
    for arguments in (("init", sample), ("--store", sample, "install", "claude-code")):
        done = memgit(*arguments)
        assert done.returncode == 0, done.stderr
    return sample


def test_all_is_well(memgit, well):
    done = memgit("--store", well, "doctor", "--json")
    assert {row["state"] for row in rows(done)} == {"ok"}, done.stdout
    assert done.returncode == 0
    assert done.stderr == "all is well\n"
    subjects = [row["subject"] for row in rows(done)]
    quiet = {"projects", "remote", "queue", "sweep"}  # none of them is in use here
    assert set(subjects) >= {subject for subject, _ in CHECKS} - quiet


def test_it_changes_nothing(memgit, well, sealed):
    before = files(well), files(sealed)
    memgit("--store", well, "doctor")
    assert (files(well), files(sealed)) == before


def test_what_is_wrong_comes_with_what_to_do_and_exit_code_1(memgit, well):
    (well / "new.md").write_text("new\n")
    for path in (well / ".git/memgit/main/table").iterdir():
        path.unlink()
    (well / ".git/hooks/post-commit").unlink()
    done = memgit("--store", well, "doctor", "--json")
    assert done.returncode == 1
    faults = {row["subject"]: row for row in rows(done) if row["state"] != "ok"}
    assert faults["memories"]["state"] == "warn"
    assert faults["memories"]["do"] == f"memgit --store {well} save"
    assert faults["index"]["do"] == f"memgit --store {well} index --rebuild"
    assert faults["hooks"]["do"] == f"memgit init {well}"
    assert faults["recall"]["state"] == "bad"
    assert "bad" in done.stderr


def test_warnings_alone_give_exit_code_0(memgit, well, sealed):
    (sealed / ".claude" / "settings.json").unlink()
    done = memgit("--store", well, "doctor", "--json")
    faults = [row for row in rows(done) if row["state"] != "ok"]
    assert [row["subject"] for row in faults] == ["recall"]
    assert faults[0]["do"].endswith("install claude-code")
    assert done.returncode == 0
    assert done.stderr == "0 bad, 1 to know\n"


def test_what_it_says_to_do_mends_it(memgit, well, sealed, git):
    """Follow the advice, word for word, until nothing is left to do."""
    (sealed / ".claude" / "settings.json").unlink()
    (well / ".git/hooks/post-commit").unlink()
    (well / "new.md").write_text("new\n")
    git(well, "add", "new.md")
    git(well, "commit", "--quiet", "--message=new")
    assert memgit("--store", well, "doctor").returncode == 1
    for row in rows(memgit("--store", well, "doctor", "--json")):
        if row["state"] != "ok":
            words = row["do"].split()
            assert words[0] == "memgit"
            assert memgit(*words[1:]).returncode == 0
    done = memgit("--store", well, "doctor", "--json")
    assert {row["state"] for row in rows(done)} == {"ok"}


def test_without_a_store_it_still_looks_at_the_rest(memgit, tmp_path):
    done = memgit("doctor", "--json")
    found = {row["subject"]: row for row in rows(done)}
    assert done.returncode == 1
    assert found["store"]["says"] == "no store found"
    assert "memgit init" in found["store"]["do"]
    assert found["git"]["state"] == found["program"]["state"] == "ok"


def test_a_store_in_a_folder_with_a_space_and_other_letters(memgit, git, tmp_path):
    folder = tmp_path / "a b" / "日本"
    for arguments in (
        ("init", folder),
        ("--store", folder, "add", "--name", "tabs", "--body", "Indent Makefiles with tabs."),
        ("--store", folder, "install", "claude-code"),
    ):
        done = memgit(*arguments)
        assert done.returncode == 0, done.stderr
    done = memgit("--store", folder, "doctor", "--json")
    assert done.returncode == 0, done.stdout
    (folder / "new.md").write_text("new\n")
    done = memgit("--store", folder, "doctor", "--json")
    (do,) = [row["do"] for row in rows(done) if row["subject"] == "memories"]
    assert do == f"memgit --store '{folder}' save"


def test_the_page_fits_eighty_columns_in_a_pipe(memgit, well):
    lines = memgit("--store", well, "doctor").stdout.splitlines()
    commands = [line for line in lines if line.lstrip().startswith("→ ")]
    assert max(cell_len(line) for line in lines if line not in commands) <= 80
    assert not [line for line in lines if "\x1b" in line or line != line.rstrip()]
    assert all(line[:4].strip() in ("ok", "warn", "bad", "") for line in lines)


@pytest.mark.parametrize(("colour", "escapes"), [("1", False), ("", True)])
def test_on_a_terminal_faults_are_coloured_unless_told_not_to(colour, escapes, sample):
    said = on_terminal(["--store", str(sample), "doctor"], {"NO_COLOR": colour})
    assert ("\x1b[1;31mbad   index" in said) is escapes
    assert "bad   index" in said


def test_findings_go_to_a_file_while_progress_goes_to_the_terminal(well, tmp_path):
    """Both at once: what is on stdout must be whole, whatever the progress line does."""
    out = tmp_path / "found.jsonl"
    said = on_terminal(["--store", str(well), "doctor", "--json"], {}, out)
    subjects = [json.loads(line)["subject"] for line in out.read_text().splitlines()]
    assert subjects[0] == "git"
    assert "all is well" in said


def on_terminal(arguments, environment, stdout=None):
    """Run the command on a pseudo-terminal; what came there. `stdout` is a file for its data."""
    ours, theirs = pty.openpty()
    settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **environment}
    target = stdout.open("wb") if stdout else theirs
    process = subprocess.Popen(
        [sys.executable, "-m", "memgit", *arguments],
        stdin=theirs, stdout=target, stderr=theirs, env=settings,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while True:
        try:
            data = os.read(ours, 65_536)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        said += data
    os.close(ours)
    process.wait(60)
    return said.decode()
