"""`memgit list`: readable on a narrow terminal, whole in a pipe."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

Run = Callable[..., subprocess.CompletedProcess[str]]


def on_a_terminal(arguments: list[str], columns: int) -> list[str]:
    """The lines that the command writes to a real terminal of this width."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "memgit", *arguments],
        stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment,
    ) as process:  # fmt: skip
        os.close(theirs)
        data = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            data += piece
        assert process.stderr
        assert process.stderr.read() == b""
    os.close(ours)
    return re.sub("\x1b\\[[0-9;]*m", "", data.decode()).replace("\r\n", "\n").splitlines()


def test_newest_first_with_what_a_reader_must_know(sample: Path, memgit: Run) -> None:
    lines = memgit("list", cwd=sample).stdout.splitlines()
    assert lines[0].split() == ["name", "type", "recorded", "description"]
    assert len(lines) == 37
    dates = [line.split()[2] for line in lines[1:]]
    assert dates == sorted(dates, reverse=True)
    assert all(line == line.rstrip() for line in lines)
    (old,) = [line for line in lines if line.startswith("payment-timeout-30s")]
    assert "(superseded by payment-timeout-12s)" in old


def test_whole_in_a_pipe(store: Path, memgit: Run, git: Run) -> None:
    name, about = "名" * 50, "説明" * 200
    (store / "a.md").write_text(f"---\nname: {name}\ndescription: {about}\n---\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    line = memgit("list", cwd=store, env={"COLUMNS": "80"}).stdout.splitlines()[1]
    assert name in line
    assert about in line


@pytest.mark.parametrize("columns", [80, 50, 200])
def test_one_line_for_each_on_a_terminal(sample: Path, store: Path, git: Run, columns: int) -> None:
    for number, name in enumerate(("名前" * 40, "a" * 100)):
        (sample / f"long{number}.md").write_text(
            f"---\nname: {name}\ndescription: {'説明 and words ' * 20}\n---\n"
        )
    git(sample, "add", "--all")
    git(sample, "commit", "--quiet", "--message=long")
    lines = on_a_terminal(["--store", str(sample), "list"], columns)
    assert len(lines) == 39
    assert all(cell_len(line) <= columns for line in lines)
    (shown,) = [line for line in lines if line.startswith("当番表")]
    (other,) = [line for line in lines if line.startswith("ci-jobs")]
    assert cell_len(shown[: shown.index(" pro")]) == cell_len(other[: other.index(" ref")])


def test_one_type(sample: Path, memgit: Run) -> None:
    rows = [json.loads(line) for line in
            memgit("list", "--type", "user", "--json", cwd=sample).stdout.splitlines()]  # fmt: skip
    assert sorted(row["name"] for row in rows) == [
        "aki-backend-lead", "mio-mobile-lead", "tomas-operations",
    ]  # fmt: skip
    assert rows[0].keys() == {"name", "type", "recorded", "labels", "path", "description"}


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--type", "user")])
def test_an_empty_store_says_so_beside_the_data(
    store: Path, memgit: Run, arguments: tuple[str, ...]
) -> None:
    done = memgit("list", *arguments, cwd=store)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "no memories yet: memgit add --name NAME --body TEXT\n"


def test_a_type_is_ours_or_that_of_a_memory(store: Path, memgit: Run, git: Run) -> None:
    (store / "a.md").write_text("---\nname: a\nmetadata:\n  type: recipe\n---\nStir it.\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    done = memgit("list", "--type", "foo", cwd=store)
    assert (done.returncode, done.stdout) == (2, "")
    assert "foo" in done.stderr
    assert "user, feedback, project, reference" in done.stderr
    assert "Stir it." in memgit("list", "--type", "recipe", cwd=store).stdout


def test_newest_first_within_a_day_and_a_text_stands_in(store: Path, memgit: Run, git: Run) -> None:
    for name, hour in (("a", "09:00:00Z"), ("b", "08:00:00-09:00"), ("c", "12:00")):
        (store / f"{name}.md").write_text(
            f"---\nname: {name}\nmetadata:\n  modified: '2026-05-03T{hour}'\n---\n"
            f"# 地図タイル {name}\n\nText.\n",
            "utf-8",
        )
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    lines = memgit("list", cwd=store).stdout.splitlines()[1:]
    assert [line[0] for line in lines] == ["b", "c", "a"]
    assert lines[0].endswith("地図タイル b")
    rows = [json.loads(line) for line in memgit("list", "--json", cwd=store).stdout.splitlines()]
    assert [row["description"] for row in rows] == ["", "", ""]


def test_a_reader_that_has_seen_enough(sample: Path, git: Run) -> None:
    command = f"'{sys.executable}' -m memgit --store '{sample}' list --json | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
