"""`memgit trust`: let a store reach outside of itself, on this machine."""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain import trust as trusting
from memgit.domain.store import Store
from memgit.output import printer
from memgit.ports.model.choosing import PAID


@click.command(epilog=examples("memgit trust", "memgit trust --remove"))
@click.option("--remove", is_flag=True, help="Take it back.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def trust(store: str | None, remove: bool, as_json: bool) -> None:
    """Trust a store: `memgit verify` may look into the projects that its memgit.toml names, ask
    your own gh, glab, doppler, gcloud and aws, and see whether URLs answer.

    Passes may then also ask the API by your key, where its memgit.toml says door = "api". Until
    then nothing of that is done, as others may have written what the store says. It is noted on
    this machine, outside of the store. When what the store names changes, it asks for trust again.
    """
    opened = Store.find(store)
    if remove:
        trusting.distrust(opened)
    else:
        trusting.trust(opened)
    projects = {name: one.path for name, one in opened.settings.projects.items()}
    door = opened.settings.model.door
    value = {"store": str(opened.root), "trusted": not remove, "projects": projects, "door": door}
    printer(as_json).value(value, lambda: _text(opened.root, remove, projects, door))


def _text(root: Path, removed: bool, projects: dict[str, str], door: str) -> str:
    if removed:
        return f"{root} is not trusted any more"
    rows = [f"  {name}: {path}" for name, path in projects.items()]
    named = ["it names these folders:", *rows] if rows else ["it names no project yet"]
    if door == PAID:
        named.append("its passes ask the API, paid by your key")
    return "\n".join([f"{root} is trusted", *named])
