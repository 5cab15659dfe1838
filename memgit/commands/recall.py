"""`memgit recall`: what the prompt hook would say, for a person or a program.

The one rule: it is the hook's own code, asked another way; and it never exits 2, which a host
would take for a refusal of the prompt.
"""

import sys
import time

import click

from memgit.domain.store import Store
from memgit.output import printer


class NeverTwo(click.Command):
    """A command whose usage faults exit 1."""

    def main(self, *args: object, **extra: object) -> object:  # pragma: no cover
        return super().main(*args, **extra)  # type: ignore[arg-type]


@click.command(epilog='Example: memgit recall --prompt "which port is staging on?"')
@click.option("--prompt", metavar="TEXT", help="The prompt; else the hook's JSON is read from stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print the hits as JSON.")
@click.pass_obj
def recall(store: str | None, prompt: str | None, as_json: bool) -> None:
    """Print what a prompt would bring to mind, or nothing."""
    from memgit.prompt import recall as hook
    if prompt is None and not as_json:
        hook.main(["--store", store] if store else [])
