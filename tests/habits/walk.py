"""Every verb and sub-verb of the command line, as click knows them."""

from collections.abc import Iterator

import click

from memgit.cli import UNLISTED, VERBS, memgit


def walk(listed_only: bool = True) -> Iterator[tuple[str, click.Command]]:
    """(words, command) for each: `review`, `review list`, ..."""
    context = click.Context(memgit)
    for verb in sorted((*VERBS, *(() if listed_only else UNLISTED))):
        command = memgit.get_command(context, verb)
        assert command is not None
        yield from _below(verb, command)


def _below(words: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        for name, inner in sorted(command.commands.items()):
            yield from _below(f"{words} {name}", inner)
