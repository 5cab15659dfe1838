"""`memgit merge-driver`: git asks this when both sides of a merge changed a memory."""

import os
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.sharing.merge_driver import merge
from memgit.ports.git import Repository


@click.command(
    "merge-driver",
    epilog=examples(
        "memgit merge-driver %O %A %B %L %P     # as git runs it",
        note="Exits with 1 when the file holds marks for a person to decide.",
    ),
)
@click.argument("base", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("ours", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("theirs", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("size", type=int)
@click.argument("path")
def merge_driver(base: Path, ours: Path, theirs: Path, size: int, path: str) -> int:
    """Merge three versions of the file at PATH into OURS. Git calls this; nobody has to."""
    repository = Repository(Path.cwd())
    merged, is_clean = merge(
        repository, path, ours.read_bytes(), base.read_bytes(), theirs.read_bytes(), size
    )
    aside = ours.with_name(f"{ours.name}.{os.getpid()}.new")
    aside.write_bytes(merged)
    os.replace(aside, ours)
    return int(not is_clean)
