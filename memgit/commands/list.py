"""`memgit list`: every memory with its type, age and labels."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

import click

from memgit.commands._help import examples
from memgit.commands._words import OneOf
from memgit.domain.importing.summary import summary
from memgit.domain.indexing.index import Index
from memgit.domain.memory import TYPES, parse
from memgit.domain.store import Store
from memgit.errors import UsageError, did_you_mean
from memgit.output import Record, paging, progress, say


@click.command("list", epilog=examples("memgit list --type feedback --json"))
@click.option(
    "--type",
    "kind",
    metavar="TYPE",
    type=OneOf(TYPES),
    help="Only user, feedback, project or reference.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one memory a line.")
@click.pass_obj
def list(store: str | None, kind: str | None, as_json: bool) -> None:
    """List the memories, newest first."""
    opened = Store.find(store)
    index = Index(opened)
    with progress("indexing") as told:
        index.sync(told)
    every = index.records()
    _expect_type(kind, every)
    if not every:
        say("no memories yet: memgit add --name NAME --body TEXT")
    found = [record for record in every if kind is None or record["type"] == kind]
    found.sort(key=_moment, reverse=True)
    about = {} if as_json else _stand_ins(opened, found)
    rows = (
        {
            "name": record["name"],
            "type": record["type"],
            "recorded": record["recorded"][:10],
            "labels": record["labels"],
            "path": record["path"],
            "description": record["description"] or about.get(record["path"], ""),
        }
        for record in found
    )
    with paging(as_json) as shown:
        shown.rows(rows, ("name", "type", "recorded", ("description", _about)))


def _expect_type(kind: str | None, records: Iterable[Record]) -> None:
    """Refuse a type that is neither one of ours nor that of a memory."""
    if kind is None or kind in TYPES:
        return
    if all(record["type"] != kind for record in records):
        meant = did_you_mean(kind, TYPES) or f"one of {', '.join(TYPES)}"
        raise UsageError(f"--type {kind}: no memory has this type", meant)


def _moment(record: Record) -> datetime:
    """When a memory was recorded; a time without a zone is UTC, a bare day its first moment."""
    for text in (record["recorded"], record["recorded"][:10]):
        with suppress(ValueError):
            moment = datetime.fromisoformat(text)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)


def _stand_ins(store: Store, records: Iterable[Record]) -> dict[str, str]:
    """By path, what the text of a memory says first where it has no description."""
    bare = [record for record in records if not record["description"]]
    contents = store.repository.blobs(record["blob"] for record in bare)
    return {
        record["path"]: summary(parse(record["path"], content)[0].body, record["name"])
        for record, content in zip(bare, contents, strict=True)
    }


def _about(row: Record) -> str:
    """What a reader must be told first, then what it is about."""
    return " ".join([*(f"({label})" for label in row["labels"]), row["description"]])
