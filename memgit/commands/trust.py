"""`memgit trust`: let what memories claim be looked up outside of the store."""

from pathlib import Path

import click

from memgit.domain.claims import trust as trusting
from memgit.domain.store import Store
from memgit.output import printer


@click.command(epilog="Example: memgit trust   Or: memgit trust --remove")
@click.option("--remove", is_flag=True, help="Take it back.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def trust(store: str | None, remove: bool, as_json: bool) -> None:
    """Trust a store: `memgit verify` may look into the projects that its memgit.toml names, ask
    your own gh, glab, doppler, gcloud and aws, and see whether URLs answer.

    Until then nothing outside of the store's own folder is looked at, as others may have written
    what it claims. It is noted on this machine, outside of the store. When the folders that the
    store names change, it asks for trust again.
    """
    opened = Store.find(store)
    if remove:
        trusting.distrust(opened)
    else:
        trusting.trust(opened)
    projects = {name: one.path for name, one in opened.settings.projects.items()}
    value = {"store": str(opened.root), "trusted": not remove, "projects": projects}
    printer(as_json).value(value, lambda: _text(opened.root, remove, projects))


def _text(root: Path, removed: bool, projects: dict[str, str]) -> str:
    if removed:
        return f"{root} is not trusted any more"
    rows = [f"  {name}: {path}" for name, path in projects.items()]
    named = ["it names these folders:", *rows] if rows else ["it names no project yet"]
    return "\n".join([f"{root} is trusted", *named])
