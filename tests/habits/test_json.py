"""`--json` on every verb and sub-verb that prints data."""

import json
from pathlib import Path

import click

from tests.conftest import Run
from tests.habits.walk import walk

WITHOUT = {
    "completions": "prints the lines of a shell's own language",
    "eval collect": "asks a person, a key for each prompt, and prints nothing",
    "mcp": "a server: it speaks a protocol of its own on stdin and stdout",
    "merge-driver": "git's own interface: it writes the file that git gave it",
    "session-event": "an agent's hook, which must print nothing",
}
"""Verbs that have no `--json`, and why."""


def test_every_verb_that_prints_data_has_json() -> None:
    without = {
        words
        for words, command in walk(listed_only=False)
        if not (isinstance(command, click.Group) and not command.invoke_without_command)
        and not any("--json" in option.opts for option in command.params)
    }
    assert without == set(WITHOUT)


def test_init_tells_programs_what_it_did(tmp_path: Path, memgit: Run) -> None:
    told = json.loads(memgit("init", tmp_path / "made", "--json").stdout)
    assert told["store"] == str(tmp_path / "made")
    assert told["commit"]
    assert "memgit.toml" in told["files"]
    again = json.loads(memgit("init", tmp_path / "made", "--json").stdout)
    assert again["commit"] is None
    assert again["files"] == []
