"""Help ends with examples that can be copied, whatever the width of the terminal."""

import click
import pytest

from tests.habits.walk import walk

NARROW = 40


@pytest.mark.parametrize(("words", "command"), list(walk(False)), ids=[w for w, _ in walk(False)])
def test_examples_stand_a_line_each(words: str, command: click.Command) -> None:
    context = click.Context(command, info_name=f"memgit {words}", terminal_width=NARROW)
    lines = command.get_help(context).splitlines()
    start = next(place for place, line in enumerate(lines) if line.strip().startswith("Example"))
    examples = [line.strip() for line in lines[start + 1 :]]
    assert examples, words
    assert any(f"memgit {words}" in line.replace("--store ~/memory ", "") for line in examples)
    assert all("memgit" in line for line in examples), examples
