"""`memgit search`: Whoosh's answer to a query, with the words that matched."""

import re

import click

from memgit.commands._help import examples
from memgit.domain.indexing.index import Hit, Index
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import paging, progress, say
from memgit.ports.search import QueryFault
from memgit.prompt.show import plain

FIELDS = "name title description headings code aliases asked_as topics body type label path"

_FIELD = re.compile(r"(?<![\w\"])([^\W\d]\w*):(?=[^\s/])")
"""What looks like a field of a query; `http://` does not."""


@click.command(
    epilog=examples("memgit search 'staging AND type:reference'", note=f"Fields: {FIELDS}.")
)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one hit a line.")
@click.pass_obj
def search(store: str | None, query: tuple[str, ...], limit: int, as_json: bool) -> int:
    """Search the memories: words, "phrases", AND, OR, NOT, field:word, word*; * for all.

    Exit code 1 when nothing is found.
    """
    index = Index(Store.find(store))
    with progress("indexing") as told:
        index.sync(told)
    try:
        found = index.search(" ".join(query), limit)
    except QueryFault as fault:
        raise UsageError(f"the query does not parse: {fault}", "put odd words in quotes") from None
    with paging(as_json) as shown:
        for hit in found:
            shown.value(_row(hit), _text(hit))
    if not found:
        say("; ".join(["nothing found", *_unknown(" ".join(query))]))
    return 0 if found else 1


def _unknown(query: str) -> list[str]:
    """What to say of fields that there are none of: they were searched as words like others."""
    names = [name for name in dict.fromkeys(_FIELD.findall(query)) if name not in FIELDS.split()]
    return [f"{', '.join(names)}: no such field; there are {FIELDS}"] if names else []


def _row(hit: Hit) -> dict[str, object]:
    record = hit.record
    shown = ("name", "path", "type", "recorded", "labels", "description")
    return {
        **{key: record[key] for key in shown},
        "score": round(hit.score, 3),
        "snippet": hit.lines,
    }


def _text(hit: Hit) -> str:
    record = hit.record
    labels = "".join(f" ({plain(label)})" for label in record["labels"])
    lines = [f"{plain(record['path'])}  {hit.score:.3g}{labels}"]
    if record["description"]:
        lines.append(f"  {plain(record['description'])}")
    return "\n".join([*lines, *(f"  | {line}" for line in hit.lines)])
