"""`memgit index`: bring index and recall table to the current commit. The git hooks call this."""

import click

from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.output import printer, progress


@click.command(epilog="Example: memgit index --rebuild")
@click.option("--rebuild", is_flag=True, help="Build it from nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing when all went well (for hooks).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def index(store: str | None, rebuild: bool, quiet: bool, as_json: bool) -> None:
    """Bring the index and the recall table to the commit that is checked out."""
    with progress("indexing") as told:
        done = Index(Store.find(store)).sync(told, anew=rebuild)
    if quiet:
        return
    how = "rebuilt" if done.rebuilt else "current" if not done.changed else "updated"
    printer(as_json).value(
        {"commit": done.commit, "memories": done.memories, "changed": done.changed, "how": how},
        f"{how}: {done.memories} memories at {(done.commit or 'no commit yet')[:12]}",
    )
