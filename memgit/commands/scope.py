"""`memgit scope`: tie a memory to a branch of a project."""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.sharing.branch_scope import tie
from memgit.domain.store import Store

PROJECT = click.option(
    "--project",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="A folder of the project [default: this one].",
)


@click.command(epilog=examples("memgit scope new-login-flow     # in a project"))
@click.argument("name", type=MEMORY)
@PROJECT
@with_provenance
@click.pass_obj
def scope(
    store: str | None, name: str, project: Path, because: str, actor: str, as_json: bool
) -> None:
    """Say that the memory NAME holds on the branch that is checked out in the project.

    It is recalled as before, with the label `unmerged: branch NAME of PROJECT`, until
    `memgit promote` finds the branch merged.
    """
    report(tie(Store.find(store), name, project, provenance(actor, because)), as_json)
