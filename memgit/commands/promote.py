"""`memgit promote`: memories of a merged branch hold for all."""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands.scope import PROJECT
from memgit.domain.sharing import branch_scope
from memgit.domain.store import Store
from memgit.output import say


@click.command(
    epilog=examples(
        "memgit promote     # in a project",
        "memgit promote --project ~/shop",
        note="Exits with 1 when no branch was merged that a memory is tied to.",
    )
)
@PROJECT
@with_provenance
@click.pass_obj
def promote(store: str | None, project: Path, because: str, actor: str, as_json: bool) -> int:
    """Take the label off memories that are tied to branches of the project, where those were
    merged, rebased or squashed into its main branch; all in one commit. The others are told.
    """
    done, left = branch_scope.promote(Store.find(store), project, provenance(actor, because))
    report(done, as_json)
    for one in left:
        say(f"{one.name}: {one.why}")
    return int(done.commit is None)
