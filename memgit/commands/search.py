"""`memgit search`: Whoosh's answer to a query, with the words that matched."""

import click

from memgit.domain.index import Index
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import printer
from memgit.ports.search import Found, QueryFault
from memgit.prompt.show import marked


@click.command(
    epilog='Example: memgit search \'"connection refused" AND type:reference\'  '
    "(fields: name description headings code aliases topics body; also type: and label:)"
)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one hit a line.")
@click.pass_obj
def search(store: str | None, query: tuple[str, ...], limit: int, as_json: bool) -> int:
    """Search the memories. Exit code 1 when nothing is found."""
