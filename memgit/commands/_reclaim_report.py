"""`memgit reclaim report`: tables and charts of runs, as text, JSON or one page; two runs compared.

The one rule: figures of a rule stand below its name, and never beside those of a model.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.errors import UsageError
from memgit.evaluation.reclaim.page import page
from memgit.evaluation.reclaim.rows import cut_off, load, together
from memgit.evaluation.reclaim.run_report import (
    Section,
    compare,
    comparison,
    document,
    sections,
)
from memgit.output import printer, say, table

File = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(epilog=examples("memgit reclaim report run.jsonl --html report.html"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=File)
@click.option("--compare", "before", metavar="FILE", type=File,
              help="An earlier run: trial by trial, what was gained and lost.")  # fmt: skip
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Also write one page with charts there.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def report(files: tuple[Path, ...], before: Path | None, html: Path | None, as_json: bool) -> None:
    """Tell what runs came to: reclaimed (the right value), inherited (the planted one), other wrong
    ones, abstained, and errors apart. Of a trial that several files hold, the last counts.
    """
    for path in (*files, *filter(None, (before,))):
        if cut_off(path):
            say(f"{path}: its last line is cut off, and left out")
    rows = together(files)
    if not rows:
        raise UsageError("no rows of a run", "make some with `memgit reclaim run --out FILE`")
    made: dict[str, Any] = document(rows)
    compared: Sequence[Section] = ()
    if before:
        made["compared"] = compare(list(load(before).values()), rows)
        compared = (comparison(made["compared"]),)
    if html:
        html.write_text(page(made, compared), encoding="utf-8")
        say(f"{html} written")
    printer(as_json).value(made, lambda: _text([*sections(made), *compared]))


def _text(found: Sequence[Section]) -> str:
    parts = ["In parentheses: 95 % intervals (Wilson).\n"]
    for one in found:
        note = f"{one.note}\n" if one.note else ""
        parts.append(f"\n{one.title}\n{note}{table(one.columns, one.rows)}")
    return "".join(parts)
