"""`memgit export`: the memories in shapes that others read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.domain.exporting import lines, shapes
from memgit.domain.exporting.places import Shelf, state_of
from memgit.domain.exporting.writing import Written, write
from memgit.domain.store import Store, without_tilde
from memgit.errors import UsageError
from memgit.output import printer, say, waiting

SHAPES = ("markdown", "jsonl", "claude-code")


@click.command(
    epilog=examples(
        "memgit export --to markdown ~/notes",
        "memgit export --to jsonl | jq .name",
        "memgit export --to claude-code ~/.claude/projects/-home-me-app/memory",
    )
)
@click.option("--to", "shape", type=click.Choice(SHAPES), required=True, help="The shape.")
@click.argument("path", metavar="[PATH]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def export(store: str | None, shape: str, path: str | None, as_json: bool) -> None:
    """Write the memories as they stand to PATH, in a shape that needs no memgit.

    markdown: a folder of plain files, each with a short readable head, whose links lead on; with
    a MEMORY.md that lists them all. jsonl: a line of JSON for each memory, with its keys, labels,
    sources and history, to the file PATH or else to stdout; `memgit import` reads it. Both hold
    every memory. claude-code: a memory folder of Claude Code, with a MEMORY.md that it reads whole
    and the profile on top; superseded, refuted and retired memories are left out.

    Nothing is overwritten but what an export wrote there and nobody has changed since.
    """
    opened = Store.find(store)
    with waiting("reading"):
        shelf = Shelf.of(opened)
    if path is not None:
        _write(opened, shelf, shape, path, as_json)
    elif shape == "jsonl":
        out = printer(as_json=True)
        for row in lines.rows(opened, shelf):
            out.value(row, "")
    else:
        raise UsageError(f"--to {shape} needs a folder", f"memgit export --to {shape} FOLDER")


def _write(store: Store, shelf: Shelf, shape: str, path: str, as_json: bool) -> None:
    """Write the shape to a path, and tell."""
    folder, notes = without_tilde(path), []
    with waiting("writing"):
        if shape == "jsonl":
            text = "".join(map(lines.line, lines.rows(store, shelf)))
            files, folder = {folder.name: text.encode()}, folder.parent
        elif shape == "markdown":
            files = shapes.markdown(store, shelf)
        else:
            files, unlisted = shapes.claude_code(store, shelf)
            notes = _left(shelf, unlisted)
        done = write(store, folder, files)
    if done.stale:
        notes.append(f"of an earlier export, left where they are: {', '.join(done.stale)}")
    _tell(shape, Path(path), shelf, files, done, notes, as_json)


def _left(shelf: Shelf, unlisted: int) -> list[str]:
    """What Claude Code is not given, or not told of."""
    states = Counter(filter(None, map(state_of, shelf.memories)))
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    notes = [f"left out, as Claude Code would take them to hold: {counts}"] if states else []
    if unlisted:
        notes.append(f"MEMORY.md has no room to list {unlisted} of them; their files are there")
    return notes


def _tell(
    shape: str, path: Path, shelf: Shelf, files: Mapping[str, Any], done: Written,
    notes: Sequence[str], as_json: bool,
) -> None:  # fmt: skip
    written = len(shelf.memories)
    if shape != "jsonl":
        written = sum(shelf.path(one) in files for one in shelf.memories)
    value = {"to": shape, "path": str(path), "memories": written, "new": list(done.new),
             "changed": list(done.changed), "same": list(done.same), "stale": list(done.stale),
             "notes": list(notes)}  # fmt: skip
    count = "1 memory" if written == 1 else f"{written} memories"
    files_ = f"{len(done.new)} new, {len(done.changed)} changed, {len(done.same)} as before"
    printer(as_json).value(value, f"{path}: {count}; files: {files_}")
    for note in notes:
        say(note)
