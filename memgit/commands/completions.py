"""`memgit completions`: what lets a shell complete verbs, options and names of memories."""

import click
from click.shell_completion import get_completion_class

from memgit.commands._help import examples
from memgit.output import printer

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog=examples(
        'eval "$(memgit completions bash)"     # in ~/.bashrc',
        'eval "$(memgit completions zsh)"      # in ~/.zshrc, after compinit',
        "memgit completions fish > ~/.config/fish/completions/memgit.fish",
    )
)
@click.argument("shell", metavar=f"[{'|'.join(SHELLS)}]", type=click.Choice(SHELLS))
@click.pass_context
def completions(context: click.Context, shell: str) -> None:
    """Print the lines with which SHELL completes memgit: verbs, their options, and names of
    memories, commits and proposals of the store at hand.

    Bash from 4.4 on. A name that holds what a shell obeys, or a space, is not offered. The first
    completion of a verb after an upgrade takes a moment longer: it is kept in ~/.cache/memgit.
    """
    root = context.find_root()
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click brings these three
    script = kind(root.command, {}, "memgit", "_MEMGIT_COMPLETE").source()  # as in cli.py
    printer(False).value(None, script)
