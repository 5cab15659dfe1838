"""`memgit uninstall`: take memgit's hooks away again, from a store or from an agent.

The one rule: what was there before is there again, and memories are never touched.
"""

import os
import shlex
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.commands._scheduled import SCHEDULER, tell_schedule
from memgit.domain.connecting import agent as connect
from memgit.domain.connecting.adopt import take_gate_out
from memgit.domain.connecting.githooks import remove
from memgit.domain.scheduling.recipe import Recipe
from memgit.domain.scheduling.schedules import SCHEDULERS, there
from memgit.domain.store import Store, recorded_store
from memgit.errors import StoreError
from memgit.output import printer
from memgit.ports.claude_code import settings_file
from memgit.ports.precommit import FILE as CONFIG
from memgit.ports.settings_file import SettingsFile


@click.group(invoke_without_command=True, epilog=examples("memgit uninstall claude-code"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def uninstall(context: click.Context, as_json: bool) -> None:
    """Take memgit's git hooks away from the store; with the name of an agent, those in it."""
    if context.invoked_subcommand is None:
        store = _meant(context.obj)
        gate = take_gate_out(store)
        done = [*gate, *(line for line in remove(store) if not (gate and line.startswith(CONFIG)))]
        text = "\n".join((f"{store.root}:", *done))
        none = f"{store.root}: there are no hooks of memgit in this store"
        value = {"store": str(store.root), "done": done}
        printer(as_json).value(value, text if done else none)


def _meant(named: str | None) -> Store:
    """The store that is named or stood in; a recorded one is not taken apart from elsewhere."""
    if store := Store.meant(named):
        return store
    recorded = recorded_store()
    path = shlex.quote(str(recorded)) if recorded else "PATH"
    raise StoreError(
        "which store? this folder is in none, and none is named",
        f"stand in it, or name it: `memgit uninstall --store {path}`",
    )


@uninstall.command("claude-code", epilog=examples("memgit uninstall claude-code --dry-run"))
@click.option(
    "--settings",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The settings file [default: settings.json in CLAUDE_CONFIG_DIR or ~/.claude].",
)
@click.option("--dry-run", is_flag=True, help="Show the change as a diff, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def claude_code(settings: Path | None, dry_run: bool, as_json: bool) -> None:
    """Take memgit out of Claude Code's settings.

    The file becomes what it was before, to the byte when nothing else in it changed since. The
    store stays, and stays the one that commands find.
    """
    edit = connect.disconnect(SettingsFile(settings or settings_file()))
    if edit.changes and not dry_run:
        edit.make()
    path = str(edit.file.path)
    value = {"settings": path, "changed": edit.changes and not dry_run, "diff": edit.diff()}
    done = "memgit is out of it" if edit.changes else "nothing of memgit is in it"
    printer(as_json).value(value, edit.diff() if dry_run else f"{path}: {done}")


@uninstall.command("sweep", epilog=examples("memgit uninstall sweep --dry-run"))
@SCHEDULER
@click.option("--dry-run", is_flag=True, help="Show the change as a diff, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def sweep(store: str | None, scheduler: str | None, dry_run: bool, as_json: bool) -> None:
    """Let the store be swept no more by itself, whichever scheduler starts it."""
    recipe = Recipe(_root(store), 0, 0)
    names = [scheduler] if scheduler else there()
    changes = [change for name in names if (change := SCHEDULERS[name](recipe, False)).changes]
    for change in changes:
        left = change.make() if not dry_run else ()
        tell_schedule(change, f"{change.where}: the sweep is out of it", left, dry_run, as_json)
    if not changes:
        none = f"no scheduler sweeps {recipe.store}"
        printer(as_json).value({"where": None, "changed": False, "left": [], "diff": ""}, none)


def _root(named: str | None) -> str:
    """The store's folder; one that is named may be gone."""
    if named and not os.path.exists(named):
        return os.path.realpath(os.path.expanduser(named))
    return os.path.realpath(Store.find(named).root)
