"""What `memgit install AGENT` and `memgit uninstall AGENT` take and say, for any agent.

The one rule: an agent's settings are the person's; only what is ours is touched, and a dry run
shows it first.
"""

from pathlib import Path
from shlex import quote

import click

from memgit.commands._help import examples
from memgit.domain.connecting.agent import Agent
from memgit.domain.connecting.agents.claude_code import plugins_in
from memgit.domain.connecting.installing import Installed, install, uninstall
from memgit.domain.store import Store
from memgit.output import printer, say
from memgit.ports.shipped import shipped

HELP = """Let {title} ask the store with every prompt.

Writes {count} into a settings file, marked as ours{more}. What stood in the file before is kept
beside it, in FILE.memgit-backup. A second run brings the hooks up to date{stays}. `memgit uninstall
{name}` takes it all away again. The store becomes the one that commands find from anywhere, unless
another settings file is named and there is one already. {note}"""

MORE = "; with --harvest, three more, which note\nthat a session stopped"

HELP_AWAY = """Take memgit out of the settings of {title}.

The file becomes what it was before, to the byte when nothing else in it changed since. The store
stays, and stays the one that commands find."""

DRY_RUN = click.Option(["--dry-run"], is_flag=True,
                       help="Show the change as a diff, and change nothing.")  # fmt: skip
AS_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON.")

_COUNTS = {2: "two hooks", 3: "three hooks"}


def installing(agent: Agent) -> click.Command:
    """The command that connects an agent."""

    def run(
        settings: Path | None, dry_run: bool, as_json: bool, auto_memory: bool = False,
        harvest: bool | None = None,
    ) -> None:  # fmt: skip
        store = Store.find(click.get_current_context().obj)
        done = install(agent, store, settings, auto_memory, harvest, dry_run)
        _warn(done)
        value = {
            "settings": str(done.edit.file.path),
            "store": done.root,
            "changed": done.edit.changes and not dry_run,
            **({"harvest": done.harvests} if agent.ends else {}),
            "backup": str(done.edit.file.backup) if done.edit.file.backup.exists() else None,
            "diff": done.edit.diff(),
        }
        is_shown = dry_run and done.edit.changes
        printer(as_json).value(value, done.edit.diff() if is_shown else _told(done))

    text = HELP.format(
        title=agent.title,
        name=agent.name,
        count=_COUNTS[len(agent.hooks)],
        more=MORE if agent.ends else "",
        stays="; auto memory and harvest stay as they are" if agent.auto_memory else "",
        note=agent.note,
    )
    return click.Command(
        agent.name, callback=run, help=text, epilog=_examples(agent),
        params=[_settings(agent), *_extras(agent), DRY_RUN, AS_JSON],
    )  # fmt: skip


def uninstalling(agent: Agent) -> click.Command:
    """The command that lets go of an agent."""

    def run(settings: Path | None, dry_run: bool, as_json: bool) -> None:
        edit = uninstall(agent, settings, dry_run)
        path = str(edit.file.path)
        value = {"settings": path, "changed": edit.changes and not dry_run, "diff": edit.diff()}
        done = "memgit is out of it" if edit.changes else "nothing of memgit is in it"
        is_shown = dry_run and edit.changes
        printer(as_json).value(value, edit.diff() if is_shown else f"{path}: {done}")

    return click.Command(
        agent.name, callback=run, help=HELP_AWAY.format(title=agent.title),
        epilog=examples(f"memgit uninstall {agent.name} --dry-run"),
        params=[_settings(agent), DRY_RUN, AS_JSON],
    )  # fmt: skip


def _settings(agent: Agent) -> click.Option:
    return click.Option(
        ["--settings"],
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"The settings file [default: {agent.about}].",
    )


def _extras(agent: Agent) -> list[click.Option]:
    memory = click.Option(
        ["--auto-memory"],
        is_flag=True,
        help=f"Also let the agent keep its own memories in the store ({agent.auto_memory}).",
    )
    harvest = click.Option(
        ["--harvest/--no-harvest"],
        default=None,
        help="Also harvest sessions when they end: a model reads them in the background, on your "
        "plan.",
    )
    return [*([memory] if agent.auto_memory else []), *([harvest] if agent.ends else [])]


def _examples(agent: Agent) -> str:
    shown = f"memgit --store ~/memory install {agent.name} --dry-run"
    if agent.name != "claude-code":
        return examples(shown)
    plugin = f"claude plugin install memgit --marketplace {quote(str(shipped('hooks')))} "
    return examples(
        shown,
        f"{plugin}--config store=PATH",
        note="The second example does the same with a plugin, instead of settings.",
    )


def _told(done: Installed) -> str:
    edit, agent = done.edit, done.agent
    if not edit.changes:
        told = f"{agent.title} is connected to {done.root} already; nothing changed"
        return f"{edit.file.path}: {told}"
    lines = [f"{edit.file.path}: {agent.title} now asks {done.root}"]
    if done.harvests:
        lines += [
            "sessions are harvested when they end: a model reads them in the background, on the",
            "plan or key of [model] in memgit.toml, within its daily cap; see `memgit queue` and",
            f"`memgit cost`, and switch it off with `memgit install {agent.name} --no-harvest`",
        ]
    if edit.keep:
        lines.append(f"what stood there before is in {edit.file.backup}")
    return "\n".join(lines)


def _warn(done: Installed) -> None:
    """What else in the settings bears on our hooks."""
    for plugin in plugins_in(done.settings):
        say(f"the plugin {plugin} is switched on too; together they answer a prompt once")
    for says, do in done.agent.asleep(done.edit.file.path, done.settings):
        say(says)
        say(f"  {do}")
