"""`memgit list`: every memory with its type, age and labels."""

import click

from memgit.domain.index import Index
from memgit.domain.store import Store
from memgit.output import Record, printer


@click.command("list", epilog="Example: memgit list --type feedback --json")
@click.option("--type", "kind", metavar="TYPE", help="Only user, feedback, project or reference.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one memory a line.")
@click.pass_obj
def list(store: str | None, kind: str | None, as_json: bool) -> None:
    """List the memories, newest first."""
    index = Index(Store.find(store))
    index.sync()
    rows = [
        {
            "name": record["name"],
            "type": record["type"],
            "recorded": record["recorded"][:10],
            "labels": record["labels"],
            "path": record["path"],
            "description": record["description"],
        }
        for record in index.records()
        if kind is None or record["type"] == kind
    ]
    rows.sort(key=lambda row: row["recorded"], reverse=True)
    printer(as_json).rows(rows, ("name", "type", "recorded", ("description", _about)))


def _about(row: Record) -> str:
    """What a reader must be told first, then what it is about."""
    return " ".join([*(f"({label})" for label in row["labels"]), row["description"]])
