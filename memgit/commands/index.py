"""`memgit index`: bring index and recall table to the current commit. The git hooks call this."""

import click

from memgit.commands._help import examples
from memgit.domain.indexing.index import Index
from memgit.domain.operations.following import HOOKS, LIST, follow
from memgit.domain.store import Store
from memgit.output import printer, progress, say


@click.command(epilog=examples("memgit index --rebuild"))
@click.option("--rebuild", is_flag=True, help="Build it from nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing when all went well (for hooks).")
@click.option(
    "--after", type=click.Choice(HOOKS),
    help="The git hook that calls: what derives from memories that a commit says to be at fault "
    "is labelled.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def index(store: str | None, rebuild: bool, quiet: bool, after: str | None, as_json: bool) -> None:
    """Bring the index and the recall table to the commit that is checked out."""
    known = Index(Store.find(store))
    before = known.head().get("commit")
    with progress("indexing") as told:
        done = known.sync(told, anew=rebuild)
    if after:
        _follow(known, after, before)
    if quiet:
        return
    how = "rebuilt" if done.rebuilt else "current" if not done.changed else "updated"
    printer(as_json).value(
        {"commit": done.commit, "memories": done.memories, "changed": done.changed, "how": how},
        f"{how}: {done.memories} memories at {(done.commit or 'no commit yet')[:12]}",
    )


def _follow(known: Index, hook: str, before: str | None) -> None:
    """Say what else was committed because of a commit, which a person then sees beside it."""
    followed = follow(known.store, hook, before)
    for subject, names in followed.operations:
        say(f"memgit: {subject}: labels changed on {', '.join(names)}")
    if followed.made_anew:
        say(f"memgit: {LIST} was made anew after the merge")
        known.sync()
    if followed.is_stale:
        say(f"memgit: {LIST} is not what the memories say; `memgit save` makes it anew")
