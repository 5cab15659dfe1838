"""Completion as a person has it: in the shells themselves, at a prompt."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memgit.cli import VERBS
from memgit.commands._outline import drawn, outline
from memgit.domain import at_hand
from tests.conftest import Run
from tests.habits.terminal import Terminal
from tests.habits.walk import walk

SETUP = {
    "bash": 'eval "$(memgit completions bash)"; PS1="REA""DY> "',
    "zsh": "autoload -Uz compinit; compinit -u; "
    'eval "$(memgit completions zsh)"; PROMPT="REA""DY> "',
}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH with a `memgit` that runs this one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "memgit"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m memgit "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("TERM", "xterm")
    return folder


@pytest.fixture
def indexed(sample: Path, memgit: Run) -> Path:
    """The sample store with its index."""
    assert memgit("--store", sample, "index").returncode == 0
    return sample


def asked(line: str, folder: Path, **more: str) -> list[str]:
    """What the lines of `completions bash` are told for the last word of a line."""
    environment = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")),
                   "_MEMGIT_COMPLETE": "bash_complete", **more}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "memgit"], cwd=folder, env={**os.environ, **environment},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return [row.partition(",")[2] for row in done.stdout.splitlines() if row]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_verbs_options_and_names(
    shell: str, on_path: Path, indexed: Path
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    with Terminal(START[shell], indexed) as at:
        at.press(f"{SETUP[shell]}\r")
        at.wait("READY> ")
        for typed, rest in (
            ("memgit supers", "ede "),
            ("memgit show depl", "oy "),
            ("memgit review acc", "ept "),
            ("memgit list --ty", "pe "),
            ("memgit why さか", "もり航路への返信 "),
        ):
            at.press(f"{typed}\t")
            at.wait(rest)
            at.press("\x15")  # the line goes again


def test_fish_completes_verbs_options_and_names(on_path: Path, indexed: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    typed = ["memgit supers", "memgit show depl", "memgit review acc", "memgit list --ty"]
    lines = ["memgit completions fish | source", *(f"complete -C '{line}'" for line in typed)]
    script = "\n".join(lines)
    done = subprocess.run(["fish", "--no-config", "-c", script], cwd=indexed, capture_output=True,
                          text=True, check=False, timeout=60)  # fmt: skip
    words = [row.partition("\t")[0] for row in done.stdout.splitlines()]
    assert words == ["supersede", "deploy", "accept", "--type"], done.stderr


def test_what_each_place_takes(indexed: Path, git: Run) -> None:
    commit = git(indexed, "rev-parse", "--short", "HEAD").stdout.strip()
    nowhere = indexed.parent
    assert asked("memgit supersede deploy --by payment", indexed) == [
        "payment-timeout-12s", "payment-timeout-30s",
    ]  # fmt: skip
    assert asked("memgit undo ", indexed) == [commit]
    assert asked("memgit label deploy unv", indexed) == ["unverified"]
    assert asked(f"memgit --store {indexed} show ci", nowhere) == ["ci-jobs"]
    assert asked("memgit show ci", nowhere, MEMGIT_REPO=str(indexed)) == ["ci-jobs"]
    assert asked("memgit show ", nowhere) == asked("memgit undo ", nowhere) == []


def test_proposals_that_wait_are_offered(indexed: Path) -> None:
    folder = indexed / ".git" / "memgit" / "main" / "proposals"
    folder.mkdir(parents=True)
    (folder / "3f2a91c0.json").write_text("{}")
    assert asked("memgit review accept 3", indexed) == ["3f2a91c0"]


@pytest.mark.parametrize("name", ["$(touch hit)", "`touch hit`", "a;touch hit", "-rf", "a b", "a:b",
                                  "*", "~root", "a'b"])  # fmt: skip
def test_what_a_shell_obeys_is_not_offered(name: str) -> None:
    assert list(at_hand._offered([(name, ""), ("fine-ー当番.md", "a\x1b[31m\nb")])) == [
        ("fine-ー当番.md", "a [31m b")
    ]


def test_an_outline_says_what_its_verb_says() -> None:
    """Of every verb: the same words, whether the verb was imported or drawn."""
    for words, command in walk():
        if " " not in words:
            told = outline(command)
            assert outline(drawn(told)) == told, words
    assert len(list(walk())) > len(VERBS)


def test_an_outline_is_kept_until_the_code_changes(
    indexed: Path, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = sealed / ".cache" / "memgit" / "outlines" / "list.json"
    assert asked("memgit list --ty", indexed) == ["--type"]
    written = kept.read_text()
    kept.write_text(written.replace("--type", "--tyre"))
    assert asked("memgit list --ty", indexed) == ["--tyre"]
    kept.write_text(kept.read_text().replace('"of": "', '"of": "0'))
    assert asked("memgit list --ty", indexed) == ["--type"]
    for damaged in ("", "[]", '{"of": 1}'):
        kept.write_text(damaged)
        assert asked("memgit list --ty", indexed) == ["--type"]
    kept.unlink()
    kept.parent.chmod(0o500)
    assert asked("memgit list --ty", indexed) == ["--type"]


def test_a_completion_costs_little(indexed: Path) -> None:
    """CPU of the whole process, with what it starts; a bare import of the verb costs more."""
    asked("memgit show d", indexed)
    spent = []
    for _ in range(3):
        before = os.times()
        assert asked("memgit show depl", indexed) == ["deploy"]
        after = os.times()
        spent.append(sum(after[2:4]) - sum(before[2:4]))
    assert min(spent) < 0.15
