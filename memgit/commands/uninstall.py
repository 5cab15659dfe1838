"""`memgit uninstall`: take memgit's hooks away again, from a store or from an agent.

The one rule: what was there before is there again, and memories are never touched.
"""

import os
import shlex

import click

from memgit.commands._agents import uninstalling
from memgit.commands._help import examples
from memgit.commands._scheduled import SCHEDULER, tell_schedule
from memgit.domain.connecting.adopt import take_gate_out
from memgit.domain.connecting.agents import AGENTS
from memgit.domain.connecting.githooks import remove
from memgit.domain.scheduling.recipe import Recipe
from memgit.domain.scheduling.schedules import SCHEDULERS, there
from memgit.domain.store import Store, recorded_store
from memgit.errors import MemgitError, StoreError
from memgit.output import printer, say
from memgit.ports.precommit import FILE as CONFIG


@click.group(invoke_without_command=True, epilog=examples("memgit uninstall claude-code"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def uninstall(context: click.Context, as_json: bool) -> None:
    """Take memgit's git hooks away from the store; with the name of an agent, those in it."""
    if context.invoked_subcommand is None:
        _leave(_meant(context.obj), as_json)


def _leave(store: Store, as_json: bool) -> None:
    """Take the git hooks out of a store, and tell."""
    gate = take_gate_out(store)
    done = [*gate, *(line for line in remove(store) if not (gate and line.startswith(CONFIG)))]
    text = "\n".join((f"{store.root}:", *done))
    none = f"{store.root}: there are no hooks of memgit in this store"
    printer(as_json).value({"store": str(store.root), "done": done}, text if done else none)


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


for agent in AGENTS.values():
    uninstall.add_command(uninstalling(agent))


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


@uninstall.command("all", epilog=examples("memgit uninstall all --store ~/memory"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each place.")
@click.pass_context
def everything(context: click.Context, as_json: bool) -> int:
    """Take memgit out of every agent, let the store be swept no more, and take its git hooks away.

    The store is the one that is named or stood in; without one, only the agents are let go. Exit
    code 1 where an agent's settings cannot be changed; the others are all the same.
    """
    failed = 0
    for name in AGENTS:
        try:
            context.invoke(uninstall.commands[name], settings=None, dry_run=False, as_json=as_json)
        except MemgitError as fault:
            failed = 1
            say(f"memgit: {fault}\n  {fault.hint}")
    if store := Store.meant(context.obj):
        context.invoke(sweep, scheduler=None, dry_run=False, as_json=as_json)
        _leave(store, as_json)
    return failed


def _root(named: str | None) -> str:
    """The store's folder; one that is named may be gone."""
    if named and not os.path.exists(named):
        return os.path.realpath(os.path.expanduser(named))
    return os.path.realpath(Store.find(named).root)
