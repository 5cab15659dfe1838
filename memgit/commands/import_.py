"""`memgit import`: take over memories from other folders, in one commit."""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.importing.taking_over import Imported, import_memories
from memgit.domain.indexing.index import Index
from memgit.domain.recording import farewell
from memgit.domain.store import Store, without_tilde
from memgit.output import paging, progress


@click.command(
    "import",
    epilog=examples(
        "memgit import ~/.claude/projects/-home-me-app/memory ~/app/.serena/memories",
        "memgit import --dry-run ~/notes",
    ),
)
@click.argument(
    "sources", metavar="SRC...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--dry-run", is_flag=True, help="Tell what would come, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def import_(store: str | None, sources: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Take over the memories in SRC: Claude Code's memory folders with their MEMORY.md, Serena's
    memories, trees of markdown, single files, and what `memgit export --to jsonl` wrote.

    Texts stay as they are, byte for byte. What was left out is printed with its reason. Importing
    again adds only what is new, and renews what changed in SRC but not in the store.

    Without a type, a memory is of type project; one that its name, its first heading or its folder
    calls an overview, an architecture, a glossary, a reference or the like is a reference.
    """
    opened = Store.find(store)
    given = [without_tilde(str(path)) for path in sources]
    with progress("reading") as told:
        done = import_memories(opened, given, told, told.stage, dry_run)
    if not dry_run:
        with progress("indexing") as told:
            Index(opened).sync(told)
    with paging(as_json) as shown:
        shown.value(_value(done, dry_run), lambda: _dry_text(done) if dry_run else _text(done))


def _value(done: Imported, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "commit": done.commit,
        "memories": [
            {"name": one.name, "path": one.path, "source": one.source, "new": one.new}
            for one in done.taken
        ],
        "skipped": [{"path": remark.path, "reason": remark.text} for remark in done.left],
        "demoted": list(done.demoted),
        "remarks": [{"path": remark.path, "text": remark.text} for remark in done.remarks],
    }


def _dry_text(done: Imported) -> str:
    """What would be taken over, and to where."""
    lines = [f"{remark.path}: {remark.text}" for remark in (*done.remarks, *done.left)]
    lines += [f"{one.source} -> {one.path}{'' if one.new else ' (changed)'}" for one in done.taken]
    new = sum(one.new for one in done.taken)
    counts = f"{new} new, {len(done.taken) - new} changed, {len(done.left)} paths left out"
    return "\n".join([*lines, f"{counts}; nothing was changed"])


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
