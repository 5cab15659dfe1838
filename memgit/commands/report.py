"""`memgit report`: how a memory is, as one page to look at."""

from datetime import UTC, datetime
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.health.gathering import gather
from memgit.domain.health.judging import judge
from memgit.domain.health.record import record
from memgit.domain.queue.jobs import put
from memgit.domain.store import Store
from memgit.output import printer, waiting
from memgit.output import put as print_out
from memgit.pages.words import LANGUAGES, Words, usual_language

FILE = "report.html"


@click.command(epilog=examples("memgit report --out report.html --lang ja"))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
              metavar="FILE", help="Where to write it; - for stdout. Else among the store's "
              "derived data, where git never sees it.")  # fmt: skip
@click.option("--lang", type=click.Choice(LANGUAGES), help="Its language; else your locale's.")
@click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON, make no page.")
@click.pass_obj
def report(store: str | None, out: Path | None, lang: str | None, as_json: bool) -> None:
    """Make one page that tells how the memory is, and print where it lies.

    It needs no network and nothing beside it: a verdict and what to do next, growth, what is always
    on, what is recalled and what never is, doubts with their story, proposals, cost. It holds text
    of your memories.
    """
    opened = Store.find(store)
    with waiting("looking"):
        health = gather(opened, datetime.now(UTC))
    judgement = judge(health)
    if as_json:
        return printer(True).value(record(health, judgement), "")
    from memgit.pages.report import page

    made = page(health, judgement, Words(lang or usual_language()))
    if out == Path("-"):
        return print_out(made)
    path = out or opened.derived / FILE
    put(path, made)
    printer(False).value(None, str(path))
