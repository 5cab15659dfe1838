"""`memgit migrate`: bring a store to the newest format, as one operation."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.domain.format.migrating import Rehearsal, rehearse
from memgit.domain.format.migrating import migrate as bring
from memgit.domain.store import Store
from memgit.output import printer, waiting


@click.command(epilog=examples("memgit migrate --dry-run", "memgit migrate"))
@click.option("--dry-run", is_flag=True, help="Show the diff, and change nothing.")
@with_provenance
@click.pass_obj
def migrate(store: str | None, dry_run: bool, because: str, actor: str, as_json: bool) -> None:
    """Bring the store to the newest format: each memory says its name and type itself, its keys
    stand where Claude Code writes them, and memgit.toml names the format.

    One commit, which `memgit undo` takes back. No text below the keys changes. Nothing has to be
    migrated: older formats are read and written as before. Others who share the store need a memgit
    that knows the new format before they can write again.
    """
    opened = Store.find(store)
    if dry_run:
        _show(rehearse(opened), as_json)
        return
    with waiting("migrating"):
        done = bring(opened, provenance(actor, because))
    report(done, as_json)


def _show(found: Rehearsal, as_json: bool) -> None:
    left = [{"path": one.path, "line": one.line, "fault": one.message} for one in found.left]
    printer(as_json).value(
        {"paths": list(found.paths), "left": left, "diff": found.diff},
        lambda: "\n".join([found.diff or "nothing would change", *map(str, found.left)]),
    )
