"""`memgit undo`: take one operation back, and keep what came later."""

import click

from memgit.commands._operation import provenance, report, with_provenance
from memgit.domain.operations.undoing import undo as undo_operation
from memgit.domain.store import Store
from memgit.output import say


@click.command(
    epilog="Exits with 1 when nothing of it is left to undo. "
    "Example: memgit undo   Or, with a commit that `memgit log` shows: memgit undo 3f9c2a1b"
)
@click.argument("operation", required=False)
@with_provenance
@click.pass_obj
def undo(store: str | None, operation: str | None, because: str, actor: str, as_json: bool) -> int:
    """Take back OPERATION, a commit, or else the last operation, in a new commit. Later changes
    stay. Where they touch the same lines, that is told, and nothing is changed. Undoing an undo
    brings the operation back.
    """
    done = undo_operation(Store.find(store), operation, provenance(actor, because))
    report(done, as_json)
    if done.commit:
        again = "run it again" if operation is None else "memgit undo"
        say(f"{again} to bring it back; further back: memgit undo COMMIT (see memgit log)")
    return int(done.commit is None)
