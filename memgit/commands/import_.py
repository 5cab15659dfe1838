"""`memgit import`: take over memories from other folders, in one commit."""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.importing.taking_over import Imported, import_memories
from memgit.domain.indexing.index import Index
from memgit.domain.recording import farewell
from memgit.domain.store import Store, without_tilde
from memgit.output import printer, progress


@click.command(
    "import",
    epilog=examples("memgit import ~/.claude/projects/-home-me-app/memory ~/app/.serena/memories"),
)
@click.argument(
    "sources", metavar="SRC...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def import_(store: str | None, sources: tuple[Path, ...], as_json: bool) -> None:
    """Take over the memories in SRC: Claude Code's memory folders with their MEMORY.md, Serena's
    memories, trees of markdown, single files.

    Texts stay as they are, byte for byte. What was left out is printed with its reason. Importing
    again adds only what is new, and renews what changed in SRC but not in the store.

    Without a type, a memory is of type project; one that its name, its first heading or its folder
    calls an overview, an architecture, a glossary, a reference or the like is a reference.
    """
    opened = Store.find(store)
    with progress("reading") as told:
        done = import_memories(opened, [without_tilde(str(path)) for path in sources], told)
    with progress("indexing") as told:
        Index(opened).sync(told)
    printer(as_json).value(_value(done), lambda: _text(done))


def _value(done: Imported) -> dict[str, object]:
    return {
        "commit": done.commit,
        "memories": [
            {"name": one.name, "path": one.path, "source": one.source, "new": one.new}
            for one in done.taken
        ],
        "skipped": [{"path": remark.path, "reason": remark.text} for remark in done.left],
        "demoted": list(done.demoted),
        "remarks": [{"path": remark.path, "text": remark.text} for remark in done.remarks],
    }


def _text(done: Imported) -> str:
    new = sum(one.new for one in done.taken)
    lines = [f"{remark.path}: {remark.text}" for remark in (*done.remarks, *done.left)]
    changed = len(done.taken) - new
    if done.commit:
        said = f"imported {new} new" + (f" and {changed} changed" if changed else "")
        count = "memory" if len(done.taken) == 1 else "memories"
        lines.append(f"{said} {count} in {done.commit[:12]}; {len(done.left)} paths left out")
        lines += filter(None, [farewell(done.demoted)])
    else:
        lines.append("nothing new to import")
    return "\n".join(lines)
