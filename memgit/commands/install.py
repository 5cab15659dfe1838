"""`memgit install`: connect an agent to a store.

The one rule: an agent's settings are the person's; only what is ours is touched, and a dry run
shows it first.
"""

import os
from datetime import datetime
from pathlib import Path
from shlex import quote

import click

from memgit.commands._help import examples
from memgit.commands._scheduled import SCHEDULER, tell_schedule
from memgit.domain.connecting import agent as connect
from memgit.domain.scheduling.recipe import Recipe
from memgit.domain.scheduling.schedules import SCHEDULERS, usual
from memgit.domain.store import Store, record_store, recorded_store
from memgit.errors import StoreError, UsageError
from memgit.output import printer, say
from memgit.ports.claude_code import settings_file, settings_in
from memgit.ports.interpreter import bare, full
from memgit.ports.settings_file import Edit, SettingsFile
from memgit.ports.shipped import shipped


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


@install.command(
    "claude-code",
    epilog=examples(
        "memgit --store ~/memory install claude-code --dry-run",
        f"claude plugin install memgit --marketplace {quote(str(shipped('hooks')))} "
        "--config store=PATH",
        note="The second example does the same with a plugin, instead of settings.",
    ),
)
@click.option(
    "--settings",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The settings file [default: settings.json in CLAUDE_CONFIG_DIR or ~/.claude].",
)
@click.option(
    "--auto-memory",
    is_flag=True,
    help="Also let the agent keep its own memories in the store (autoMemoryDirectory).",
)
@click.option(
    "--harvest/--no-harvest",
    default=None,
    help="Also harvest sessions when they end: a model reads them in the background, on your plan.",
)
@click.option("--dry-run", is_flag=True, help="Show the change as a diff, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def claude_code(
    store: str | None,
    settings: Path | None,
    auto_memory: bool,
    harvest: bool | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Let Claude Code ask the store with every prompt.

    Writes two hooks into a settings file, marked as ours; with --harvest, three more, which note
    that a session stopped. What stood in the file before is kept beside it, in FILE.memgit-backup.
    A second run brings the hooks up to date; auto memory and harvest stay as they are. `memgit
    uninstall claude-code` takes it all away again. The store becomes the one that commands find
    from anywhere, unless another settings file is named and there is one already.
    """
    root = os.path.realpath(Store.find(store).root)
    file = SettingsFile(settings or settings_file())
    edit = connect.connect(file, _wiring(root, auto_memory, harvest))
    harvests = connect.is_harvesting(settings_in(file.text(edit.after or b""), file.path))
    if not dry_run:
        if settings is None or not recorded_store():
            _record(Path(root))
        if edit.changes:
            edit.make()
    _warn(edit)
    value = {
        "settings": str(file.path),
        "store": root,
        "changed": edit.changes and not dry_run,
        "harvest": harvests,
        "backup": str(file.backup) if file.backup.exists() else None,
        "diff": edit.diff(),
    }
    printer(as_json).value(value, edit.diff() if dry_run else _told(edit, root, harvests))


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


def _record(root: Path) -> None:
    try:
        record_store(root)
    except OSError as fault:
        raise StoreError(f"{fault.filename}: {fault.strerror}", "nothing was changed") from None


def _wiring(root: str, auto_memory: bool, harvest: bool | None) -> connect.Wiring:
    """Every path that the hooks name. Raises UsageError for one that JSON cannot hold."""
    launchers = shipped("hooks")
    interpreter = bare(launchers / "recall.py")
    wiring = connect.Wiring(root, launchers, interpreter, full(), auto_memory, harvest)
    for path in map(str, (wiring.store, wiring.launchers, wiring.interpreter, wiring.python)):
        try:
            path.encode()
        except UnicodeEncodeError:
            raise UsageError(
                f"{path!a}: a path that is not UTF-8 cannot stand in settings",
                "rename the folder",
            ) from None
    return wiring


def _told(edit: Edit, root: str, harvests: bool) -> str:
    file = edit.file
    if not edit.changes:
        return f"{file.path}: Claude Code is connected to {root} already; nothing changed"
    lines = [f"{file.path}: Claude Code now asks {root}"]
    if harvests:
        lines += [
            "sessions are harvested when they end: a model reads them in the background, on the",
            "plan or key of [model] in memgit.toml, within its daily cap; see `memgit queue` and",
            "`memgit cost`, and switch it off with `memgit install claude-code --no-harvest`",
        ]
    if edit.keep:
        lines.append(f"what stood there before is in {file.backup}")
    return "\n".join(lines)


def _warn(edit: Edit) -> None:
    """What else in the settings bears on our hooks."""
    settings = settings_in(edit.file.text(edit.after or b""), edit.file.path)
    for plugin in connect.plugins_in(settings):
        say(f"the plugin {plugin} is switched on too; together they answer a prompt once")
    if settings.get("disableAllHooks") is True:
        say(f"{edit.file.path}: disableAllHooks is true, so no hook runs, ours included")
