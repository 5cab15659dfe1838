"""`memgit undo`: take one operation back, and keep what came later."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import COMMIT
from memgit.domain.operations.undoing import undo as undo_operation
from memgit.domain.skills.promoting import follow
from memgit.domain.store import Store
from memgit.output import say


@click.command(
    epilog=examples(
        "memgit undo",
        "memgit undo 3f9c2a1b     # a commit that `memgit log` shows",
        note="Exits with 1 when nothing of it is left to undo.",
    )
)
@click.argument("operation", required=False, type=COMMIT)
@with_provenance
@click.pass_obj
def undo(store: str | None, operation: str | None, because: str, actor: str, as_json: bool) -> int:
    """Take back OPERATION, a commit, or else the last operation, in a new commit. Later changes
    stay. Where they touch the same lines, that is told, and nothing is changed. Undoing an undo
    brings the operation back.
    """
    opened = Store.find(store)
    done = undo_operation(opened, operation, provenance(actor, because))
    report(done, as_json)
    if done.commit:
        for told in follow(opened, done.commit):
            say(told)
        again = "run it again" if operation is None else "memgit undo"
        say(f"{again} to take that back; further back: memgit undo COMMIT (see memgit log)")
    return int(done.commit is None)
