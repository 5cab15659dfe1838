"""`memgit restore`: let a retired memory be recalled again."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.operations.labelling import restore as restore_memory
from memgit.domain.store import Store


@click.command(epilog=examples("memgit restore load-test-august"))
@click.argument("name", type=MEMORY)
@with_provenance
@click.pass_obj
def restore(store: str | None, name: str, because: str, actor: str, as_json: bool) -> None:
    """Bring the retired memory NAME back to recall, and take the labels away that its retirement
    left on others.
    """
    report(restore_memory(Store.find(store), name, provenance(actor, because)), as_json)
