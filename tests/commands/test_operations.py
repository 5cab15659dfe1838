"""The verbs that change memories, as a person types them and as a program reads them."""

import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

KEY = "sk-live-Ab12Cd34Ef56"
HIDDEN = ("The string:", KEY)
TREE = "out of files and index, type the store's name"
HISTORY = "rewrite history, type the store's name"


@pytest.fixture
def at(sample: Path, memgit: Run) -> Run:
    """`at(*arguments)`: memgit on the sample store."""
    return lambda *arguments, **options: memgit("--store", sample, *arguments, **options)


def test_a_day_of_operations(at: Run) -> None:
    done = at("supersede", "seat-hold-migration", "--by", "waitlist-branch", "--because", "moved")
    assert done.stdout.startswith("supersede: seat-hold-migration by waitlist-branch in ")
    assert "  labels changed: seat-hold-batch-size, " in done.stdout
    assert at("rename", "deploy", "release").stdout.startswith("rename: deploy to release in ")
    assert at("show", "deploy").stdout.startswith("release (")
    assert at("edit", "release", "--append", "- one more").returncode == 0
    assert at("label", "release", "unverified", "--because", "old").returncode == 0
    assert at("retire", "load-test-august", "--actor", "agent").returncode == 0
    assert at("restore", "load-test-august").returncode == 0
    told = at("log").stdout.splitlines()
    assert [line.split("  ")[2].split(":")[0] for line in told] == [
        "restore", "retire", "label", "edit", "rename", "supersede", "edit",
    ]  # fmt: skip
    assert told[1].endswith("retire: load-test-august [agent]")
    assert told[5].endswith("(moved) [user]")
    moment = json.loads(at("log", "--json").stdout.splitlines()[0])["date"]
    assert told[0].split("  ")[1] == moment[:16].replace("T", " ")
    undone = at("undo")
    assert undone.returncode == 0
    assert undone.stderr.splitlines() == [
        "run it again to take that back; further back: memgit undo COMMIT (see memgit log)"
    ]
    assert "! retired:" in at("show", "load-test-august").stdout
    assert "Retired on" in at("why", "load-test-august").stdout
    assert at("check").returncode == 0


def test_what_a_program_reads(at: Run) -> None:
    done = json.loads(at("retire", "deploy", "--because", "gone", "--json").stdout)
    assert (done["operation"], done["memories"][0], done["paths"][0]) == (
        "retire", "deploy", "ops/deploy.md",
    )  # fmt: skip
    (row,) = map(json.loads, at("log", "deploy", "--kind", "retire", "--json").stdout.splitlines())
    assert (row["commit"], row["actor"], row["because"]) == (done["commit"], "user", "gone")
    story = json.loads(at("why", "deploy", "--json").stdout)
    assert [one["commit"] for one in story["story"]][1:] == [done["commit"], ""]
    undone = json.loads(at("undo", done["commit"][:9], "--json").stdout)
    assert undone["operation"] == "undo"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("supersede", "deploy", "--by", "nobody"), 3, "no memory is named nobody"),
        (("supersede", "deploy"), 2, "Missing option '--by'"),
        (("label", "deploy"), 2, "one label"),
        (("label", "deploy", "wrong"), 2, "wrong"),
        (("rename", "deploy", "a b"), 2, "is not a name"),
        (("edit", "deploy"), 2, "say which line"),
        (("edit", "deploy", "--line", "x"), 2, "say which line"),
        (("edit", "deploy", "--line", "x", "--to", "y", "--remove"), 2, "say which line"),
        (("undo",), 3, "no operation to undo"),
        (("undo", "zzz"), 3, "no commit of this store"),
        (("log", "nobody"), 1, ""),
        (("log", "--since", "soon"), 2, "not a date"),
        (("why", "deplo"), 3, "did you mean deploy"),
        (("purge", KEY), 2, "needs a terminal"),
    ],
)
def test_what_is_refused_and_how(at: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    done = at(*arguments)
    assert done.returncode == code, done.stderr
    assert said in done.stderr


def test_nothing_left_to_undo_is_a_no(at: Run) -> None:
    commit = json.loads(at("retire", "deploy", "--json").stdout)["commit"]
    at("undo", commit)
    assert at("undo", commit).returncode == 1


def test_since_counts_from_a_day_or_a_moment(at: Run) -> None:
    at("retire", "deploy")
    assert at("log", "--since", "2020-01-01").stdout.count("\n") == 2
    assert at("log", "--since", "2999-01-01T00:00:00Z").returncode == 1


def typed(
    arguments: list[str], answers: list[tuple[str, str]], **environment: str
) -> tuple[int, str]:
    """Run memgit on a terminal, typing each answer when its question is there: (code, shown)."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memgit", *arguments],
        stdin=follower, stdout=follower, stderr=follower, env={**os.environ, **environment},
    )  # fmt: skip
    os.close(follower)
    shown, waiting, seen = "", list(answers), 0
    while select.select([leader], [], [], 60)[0]:
        try:
            data = os.read(leader, 4096)
        except OSError:  # the terminal is gone: the program ended
            break
        shown += data.decode("utf-8", "replace")
        if waiting and waiting[0][0] in shown[seen:]:
            seen = len(shown)
            os.write(leader, f"{waiting.pop(0)[1]}\n".encode())
    else:
        process.kill()
    os.close(leader)
    return process.wait(), shown.replace("\r\n", "\n")


@pytest.fixture
def leaked(sample: Path, memgit: Run) -> Path:
    memgit("--store", sample, "add", "--name", "leak", "--body", f"Key:\n{KEY}\nend")
    return sample


def holds(folder: Path) -> bool:
    """Whether any object of git or any file has the key."""
    objects = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"],
        cwd=folder, capture_output=True, check=True,
    ).stdout  # fmt: skip
    files = (path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return KEY.encode() in objects or any(KEY.encode() in data for data in files)


def test_purge_asks_twice_and_then_looks_again(leaked: Path) -> None:
    code, shown = typed(
        ["--store", str(leaked), "purge"], [HIDDEN, (TREE, leaked.name), (HISTORY, leaked.name)]
    )
    assert code == 0, shown
    assert "working tree: MEMORY.md, leak.md" in shown
    assert shown.count("type the store's name") == 2
    end = shown[shown.rindex("working tree: ") :]
    assert end.splitlines() == [
        "working tree: gone", "index and derived data: gone", "reachable history: gone",
        "objects nothing leads to: gone", "git's own files: gone",
    ]  # fmt: skip
    assert not holds(leaked)
    assert "[purged]" in (leaked / "leak.md").read_text()


def test_purge_without_the_second_yes_says_what_still_has_it(leaked: Path) -> None:
    code, shown = typed(
        ["--store", str(leaked), "purge", KEY], [(TREE, leaked.name), (HISTORY, "no")]
    )
    assert code == 1
    assert "history was left as it is" in shown
    assert "working tree: gone" in shown
    assert "reachable history: still in blob " in shown


def test_purge_without_the_first_yes_changes_nothing(leaked: Path) -> None:
    before = (leaked / "leak.md").read_bytes()
    code, shown = typed(["--store", str(leaked), "purge", KEY], [(TREE, "y")])
    assert code == 1
    assert f"that is not {leaked.name}: nothing was changed by this step" in shown
    assert (leaked / "leak.md").read_bytes() == before


def test_edit_opens_an_editor_on_a_terminal(sample: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "typed in an editor" >> "$1"\n')
    editor.chmod(0o755)
    before = (sample / "ops/deploy.md").read_text()
    code, shown = typed(["--store", str(sample), "edit", "deploy"], [], EDITOR=str(editor))
    assert code == 0, shown
    after = (sample / "ops/deploy.md").read_text()
    assert after.endswith("typed in an editor\n")
    kept = [line for line in before.splitlines() if "modified:" not in line]
    assert [line for line in after.splitlines() if "modified:" not in line][:-1] == kept


def test_an_emptied_editor_changes_nothing(sample: Path, tmp_path: Path) -> None:
    script = tmp_path / "empty.sh"
    script.write_text('#!/bin/sh\n: > "$1"\n')
    script.chmod(0o755)
    before = (sample / "ops" / "deploy.md").read_bytes()
    code, shown = typed(["--store", str(sample), "edit", "deploy"], [], EDITOR=str(script))
    assert code == 2
    assert "there is nothing to remember, so nothing was changed" in shown
    assert (sample / "ops" / "deploy.md").read_bytes() == before


def test_an_edited_text_that_is_refused_is_kept(sample: Path, tmp_path: Path) -> None:
    script = tmp_path / "flatten.sh"
    script.write_text('#!/bin/sh\necho "only words" > "$1"\n')
    script.chmod(0o755)
    before = (sample / "ops" / "deploy.md").read_bytes()
    code, shown = typed(["--store", str(sample), "edit", "deploy"], [], EDITOR=str(script))
    assert code == 3
    assert "would have no frontmatter any more" in shown
    assert (sample / "ops" / "deploy.md").read_bytes() == before
    kept = Path(shown.split("your text is kept in ")[1].strip())
    assert kept.read_text() == "only words\n"
