"""`memgit rename`: another name for a memory, and everything that refers to it follows."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.operations.renaming import rename as rename_memory
from memgit.domain.store import Store


@click.command(epilog=examples("memgit rename deploy release-to-production"))
@click.argument("old", type=MEMORY)
@click.argument("new")
@with_provenance
@click.pass_obj
def rename(store: str | None, old: str, new: str, because: str, actor: str, as_json: bool) -> None:
    """Rename the memory OLD, and its file, to NEW. The old name stays an alias; links and
    references in other memories are rewritten in the same commit.
    """
    report(rename_memory(Store.find(store), old, new, provenance(actor, because)), as_json)
