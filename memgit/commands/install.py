"""`memgit install`: connect an agent to a store.

The one rule: an agent's settings are the person's; only what is ours is touched, and a dry run
shows it first.
"""

import os
from datetime import datetime

import click

from memgit.commands._agents import installing
from memgit.commands._help import examples
from memgit.commands._scheduled import SCHEDULER, tell_schedule
from memgit.domain.connecting.agents import AGENTS
from memgit.domain.scheduling.recipe import Recipe
from memgit.domain.scheduling.schedules import SCHEDULERS, usual
from memgit.domain.store import Store


def _time_of_day(context: click.Context, option: click.Parameter, value: str) -> tuple[int, int]:
    """Hour and minute."""
    try:
        time = datetime.strptime(value, "%H:%M")
    except ValueError:
        raise click.BadParameter(f"{value!r}: write it like 12:30") from None
    return time.hour, time.minute


@click.group(epilog=examples("memgit --store ~/memory install claude-code", "memgit install sweep"))
def install() -> None:
    """Connect an agent to a store, or let a store be swept each day."""


for agent in AGENTS.values():
    install.add_command(installing(agent))


@install.command(
    "sweep",
    epilog=examples(
        "memgit install sweep --dry-run", "memgit install sweep --at 18:30 --with cron"
    ),
)
@SCHEDULER
@click.option("--at", callback=_time_of_day, default="12:30", show_default=True, metavar="HH:MM",
              help="When, each day.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Show the change as a diff, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def sweep(
    store: str | None, scheduler: str | None, at: tuple[int, int], dry_run: bool, as_json: bool
) -> None:
    """Let `memgit sweep` run once a day, by cron, a systemd user timer, or launchd.

    Only what is ours is written. It asks the model of [model] in memgit.toml, within its daily cap,
    and only where something is new. With cron, a machine that sleeps then is left out that day.
    `memgit uninstall sweep` takes it away again.
    """
    root = os.path.realpath(Store.find(store).root)
    change = SCHEDULERS[scheduler or usual()](Recipe(root, *at), True)
    left = change.make() if change.changes and not dry_run else ()
    done = f"{change.where}: {root} is swept each day at {at[0]:02}:{at[1]:02}"
    tell_schedule(change, done, left, dry_run, as_json)
