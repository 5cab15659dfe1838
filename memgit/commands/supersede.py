"""`memgit supersede`: let one memory take the place of another."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.operations.superseding import supersede as supersede_memory
from memgit.domain.store import Store


@click.command(
    epilog=examples(
        "memgit supersede payment-timeout-30s --by payment-timeout-12s "
        "--because 'the provider asked for it'"
    )
)
@click.argument("old", type=MEMORY)
@click.option(
    "--by", "new", required=True, metavar="NEW", type=MEMORY, help="The memory that holds now."
)
@with_provenance
@click.pass_obj
def supersede(
    store: str | None, old: str, new: str, because: str, actor: str, as_json: bool
) -> None:
    """Let the memory NEW take the place of OLD. OLD stays and says so; what was derived from it
    is labelled unverified in the same commit. A rule does not give way to an event.
    """
    report(supersede_memory(Store.find(store), old, new, provenance(actor, because)), as_json)
