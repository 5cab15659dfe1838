"""`memgit label`: say of a memory that it is unverified, or refuted."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.operations.labelling import LABELS, put_label, take_label
from memgit.domain.store import Store
from memgit.errors import UsageError


@click.command(
    epilog=examples(
        "memgit label rate-limits unverified --because 'nginx was replaced'",
        "memgit label rate-limits --remove unverified",
    )
)
@click.argument("name", type=MEMORY)
@click.argument("label", required=False, metavar="[unverified|refuted]", type=click.Choice(LABELS))
@click.option("--remove", type=click.Choice(LABELS), help="Take this label away instead.")
@with_provenance
@click.pass_obj
def label(
    store: str | None, name: str, label: str | None, remove: str | None, because: str, actor: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Label the memory NAME. `refuted` also makes unverified whatever was derived from it."""
    by = provenance(actor, because)
    if bool(label) == bool(remove):
        raise UsageError("one label, to give or to take", f"e.g. memgit label {name} unverified")
    if remove:
        report(take_label(Store.find(store), name, remove, by), as_json)
    else:
        report(put_label(Store.find(store), name, label or "", by), as_json)
