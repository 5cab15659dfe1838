"""`memgit status`: how a memory is, in ten lines."""

from datetime import UTC, datetime

import click

from memgit.commands._help import examples
from memgit.domain.health.gathering import gather
from memgit.domain.health.judging import judge
from memgit.domain.health.record import record
from memgit.domain.store import Store
from memgit.output import page, printer


@click.command(epilog=examples("memgit status --json"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def status(store: str | None, as_json: bool) -> None:
    """Tell in ten lines how the memory is: `memgit report` draws the same, with all that is in it.

    It looks at the store and at what hooks and passes noted; `memgit doctor` also tries the hooks.
    """
    health = gather(Store.find(store), datetime.now(UTC))
    judgement = judge(health)
    if as_json:  # a long document, which takes time that ten lines do not need
        return printer(True).value(record(health, judgement), "")
    from memgit.pages.lines import lines

    return printer(False).value(None, page(lines(health, judgement)))
