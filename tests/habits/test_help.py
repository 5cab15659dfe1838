"""Help ends with examples that can be copied, whatever the width of the terminal."""

import click

from memgit.cli import memgit
from tests.habits.walk import walk

NARROW = 40


def test_examples_stand_a_line_each() -> None:
    for words, command in walk(listed_only=False):
        # A command keeps the help option that it was first asked for: asked as memgit asks.
        context = click.Context(
            command, info_name=f"memgit {words}", terminal_width=NARROW,
            help_option_names=memgit.context_settings["help_option_names"],
        )  # fmt: skip
        lines = command.get_help(context).splitlines()
        places = [at for at, line in enumerate(lines) if line.strip() in ("Example:", "Examples:")]
        assert len(places) == 1, words
        examples = [line.strip() for line in lines[places[0] + 1 :]]
        assert any(f"memgit {words}" in line.replace("--store ~/memory ", "") for line in examples)
        assert all("memgit" in line for line in examples), examples
