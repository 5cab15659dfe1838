"""`memgit curate`: what repeats, contradicts or leads nowhere in a store."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from memgit.commands._curated import curate as run
from memgit.commands._curated import lines, record
from memgit.commands._help import examples
from memgit.domain.borders.comparing import guides
from memgit.domain.proposals.learning import learn
from memgit.domain.spending import open_model
from memgit.domain.store import Store
from memgit.output import page, printer, say, waiting


@click.command(
    epilog=examples(
        "memgit curate",
        "memgit curate --model --project ~/src/harbor-board --dry-run",
        note="Exits with 4 where the model stopped answering; what came before stands.",
    )
)
@click.option("--model/--no-model", "ask", default=False, show_default=True,
              help="Also ask a model about memories that are near each other.")  # fmt: skip
@click.option("--project", "projects", multiple=True, metavar="DIR", help="Also compare with the "
              "instruction files of a project, like CLAUDE.md; may be given again.",
              type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Change nothing; --model asks all the same.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def curate(
    store: str | None, ask: bool, projects: Sequence[Path], dry_run: bool, as_json: bool
) -> int:
    """Find memories that say the same, or differ in a value; circles of successors; references to
    nothing; what profile, store and a project's guides say differently. With --model also what
    contradicts each other, asked in pairs: [curate] pairs at most, and no two texts twice.

    What every guard lets pass is applied, a commit each that `memgit undo` takes back; all else
    waits for `memgit review`, with the guard that refused it. Runs of a day change [curate] brake
    memories at most that nobody has looked at. What was decided on branches of `memgit propose` is
    learnt first.
    """
    opened = Store.find(store)
    given = [guide for project in projects for guide in guides(project)]
    door = partial(open_model, opened) if ask else None
    if not dry_run:
        learn(opened, say if sys.stderr.isatty() else _nothing)
    with waiting("comparing") as told:
        done = run(opened, datetime.now(UTC), given, door, dry_run, told)
    printer(as_json).value(record(done), lambda: page(lines(done)))
    if done.stopped:
        say(f"memgit: {done.stopped}")
        say(f"  {done.stopped.hint}" if done.stopped.hint else "  run it again to go on")
        return done.stopped.exit_code
    return 0


def _nothing(text: str) -> None:
    """Nobody watches."""
