"""What `memgit install sweep` and `memgit uninstall sweep` say."""

import shlex
from collections.abc import Sequence

import click

from memgit.domain.scheduling.schedules import SCHEDULERS, Change
from memgit.output import printer, say

SCHEDULER = click.option(
    "--with",
    "scheduler",
    type=click.Choice(list(SCHEDULERS)),
    help="Who starts it [default: launchd on macOS, else systemd where it runs, else cron].",
)


def tell_schedule(
    change: Change, done: str, left: Sequence[str], dry_run: bool, as_json: bool
) -> None:
    """Tell what was done, and what is left to type."""
    value = {
        "where": change.where,
        "changed": change.changes and not dry_run,
        "left": list(left),
        "diff": change.diff,
    }
    text = done if change.changes else f"{change.where}: nothing changed"
    printer(as_json).value(value, change.diff or text if dry_run else text)
    for command in left:
        say(f"the scheduler did not listen; type this yourself: {shlex.join(command.split())}")
