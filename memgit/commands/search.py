"""`memgit search`: Whoosh's answer to a query, with the words that matched."""

import click

from memgit.domain.index import Index
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import printer
from memgit.ports.search import QueryFault


@click.command(
    epilog="Example: memgit search 'staging AND type:reference'   "
    "Fields: name description headings code aliases topics body type label."
)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one hit a line.")
@click.pass_obj
def search(store: str | None, query: tuple[str, ...], limit: int, as_json: bool) -> int:
    """Search the memories: words, "phrases", AND, OR, NOT, field:word, word*.

    Exit code 1 when nothing is found.
    """
    try:
        found = Index(Store.find(store)).search(" ".join(query), limit)
    except QueryFault as fault:
        raise UsageError(f"the query does not parse: {fault}", "put odd words in quotes") from None
    shown = printer(as_json)
    for hit in found:
        record = hit.record
        row = {
            "name": record["name"],
            "path": record["path"],
            "score": round(hit.score, 3),
            "type": record["type"],
            "recorded": record["recorded"],
            "labels": record["labels"],
            "description": record["description"],
            "snippet": hit.lines,
        }
        labels = "".join(f" ({label})" for label in record["labels"])
        lines = [f"{record['path']}  {row['score']}{labels}", f"  {record['description']}"]
        shown.value(row, "\n".join([*lines[: 1 + bool(record["description"])],
                                    *(f"  | {line}" for line in hit.lines)]))  # fmt: skip
    return 0 if found else 1
