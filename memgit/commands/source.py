"""`memgit source`: what a memory rests on, as it was said or written.

The one rule: a source is shown as recorded data with its place, also where that place is gone.
"""

from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.sourcing.looking_up import Found, Sources
from memgit.domain.sourcing.pointing import point
from memgit.domain.sourcing.telling import told
from memgit.domain.store import Store
from memgit.output import paging
from memgit.ports.claude_code import projects_dir


@click.command(
    epilog=examples("memgit source rate-limits", "memgit source rate-limits --add docs/api.md:3")
)
@click.argument("name", type=MEMORY)
@click.option("--add", "place", metavar="PATH[:LINES]",
              help="Let the memory point to a file, or lines of it, as they are.")  # fmt: skip
@click.option("--transcripts", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Where sessions lie, if not where Claude Code keeps them.")  # fmt: skip
@with_provenance
@click.pass_obj
def source(
    store: str | None, name: str, place: str | None, transcripts: Path | None, because: str,
    actor: str, as_json: bool,
) -> None:  # fmt: skip
    """Print what the memory NAME rests on: quotes, turns of sessions, lines of files at their blob.

    What moved is found, what is gone is told, and what was quoted is kept in the memory. Exits 1
    where it names no source.
    """
    opened = Store.find(store)
    if place:
        report(point(opened, name, place, provenance(actor, because)), as_json)
        return
    memory = opened.read(Catalogue(opened).find(name).path)
    found = Sources(opened, transcripts or projects_dir()).of(memory)
    with paging(as_json) as shown:
        shown.value(
            {"name": memory.name, "path": memory.path, "kept": memory.metadata.get("kept"),
             "sources": [_record(one) for one in found]},
            lambda: told(memory, found),
        )  # fmt: skip
    if not found:
        raise SystemExit(1)


def _record(one: Found) -> dict[str, Any]:
    place = {"of": one.of, "state": one.state, "note": one.note, "place": one.source.place}
    return {**place, **one.source.as_source(), "text": one.words}
