"""`memgit retire`: keep a memory, and never recall it again."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.operations.labelling import retire as retire_memory
from memgit.domain.store import Store


@click.command(
    epilog=examples("memgit retire load-test-august --because 'the old cluster is gone'")
)
@click.argument("name", type=MEMORY)
@with_provenance
@click.pass_obj
def retire(store: str | None, name: str, because: str, actor: str, as_json: bool) -> None:
    """Hide the memory NAME from recall. It stays in the store and in `memgit search`, no pass may
    bring it back, and what was derived from it is labelled unverified. `memgit restore` ends it.
    """
    report(retire_memory(Store.find(store), name, provenance(actor, because)), as_json)
