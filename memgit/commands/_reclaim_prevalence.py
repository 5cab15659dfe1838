"""`memgit reclaim prevalence`: how much of a store, or of sessions, could go wrong like this.

The one rule: published figures are of other data, and are told to be.
"""

from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.errors import UsageError
from memgit.evaluation.reclaim.prevalence import (
    PUBLISHED,
    memories_below,
    of_memories,
    of_transcripts,
)
from memgit.evaluation.reclaim.run_report import interval
from memgit.output import printer, waiting

LISTED = 10
"""Brittle memories that the text names; the JSON has all."""


@click.command(epilog=examples("memgit reclaim prevalence ~/.claude/projects"))
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def prevalence(path: Path, as_json: bool) -> None:
    """Tell how many sessions or memories below PATH hold a checkable value that is used again, and
    how many memories are brittle: a value without its source, that nobody vouches for.
    """
    made: dict[str, Any] = {"path": str(path), "published_elsewhere": PUBLISHED}
    with waiting("reading"):
        if sessions := of_transcripts(path):
            made["sessions"] = sessions.record()
        if files := memories_below(path):
            made["memories"] = of_memories(files)
    if len(made) == 2:
        raise UsageError(f"{path}: neither sessions nor memories", "name a store or a folder")
    printer(as_json).value(made, lambda: _text(made))


def _text(made: dict[str, Any]) -> str:
    lines = []
    for what in ("sessions", "memories"):
        if of := made.get(what):
            lines += [
                f"{of['n']:,} {what}",
                f"  hold a checkable value   {interval(of['holds_a_value'])}",
                f"  stated and used again    {interval(of['stated_and_used_again'])}",
            ]
            if of["examples"]:
                lines.append(f"  most often               {', '.join(of['examples'])}")
        if of and "brittle" in of:
            lines.append(f"  brittle today            {interval(of['brittle'])}")
            lines.append(f"  whoever wrote them       {interval(of['without_a_source_beside'])}")
            told = ", ".join(f"{kind} {count:,}" for kind, count in of["verdicts"].items())
            lines.append(f"  what the values are      {told}")
            lines += [f"    {path}" for path in of["brittle_memories"][:LISTED]]
    told = ", ".join(f"{name} {value:.2f}" for name, value in made["published_elsewhere"].items())
    lines.append(f"published for other data, stated and used again: {told}")
    return "\n".join(lines)
