"""`memgit harvest`: do now what waits in the queue. The hooks of a session start it as a worker.

The one rule: one process at a time works on the queue of a store.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from memgit.domain.indexing.index import Index
from memgit.domain.proposals.applying import settle
from memgit.domain.queue.jobs import Queue
from memgit.domain.queue.owner import owned
from memgit.domain.queue.working import FAILED, NOTHING, Done, Learned, work
from memgit.domain.spending import open_model
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.errors import ModelError, StoreError, UsageError
from memgit.output import Printer, printer
from memgit.passes.harvest import harvest as pass_over
from memgit.prompt.jobs import is_due

BACKGROUND = 10
"""How much less than others a worker in the background asks of the machine (`nice`)."""


@click.command(epilog="Example: memgit harvest   memgit harvest ~/.claude/projects/*/SESSION.jsonl")
@click.argument("transcripts", nargs=-1, metavar="[TRANSCRIPT]...", type=click.Path(path_type=Path))
@click.option("--due", is_flag=True, help="Only what is due, in the background (for hooks).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one session a line.")
@click.pass_obj
def harvest(store: str | None, transcripts: Sequence[Path], due: bool, as_json: bool) -> None:
    """Harvest the sessions that wait, and these transcripts: what a model finds worth remembering
    becomes proposals; guards decide which are applied, and the others wait for `memgit review`.

    A transcript costs its new part only: what was harvested before is not read again, nor what a
    fork of it copied. `memgit queue` shows what waits, `memgit cost` what it took.
    """
    opened = Store.find(store)
    queue = Queue(opened)
    _add(queue, transcripts)
    if due:
        os.nice(BACKGROUND)
    failed = ""
    for done in _until_nothing_is_due(queue, due):
        _tell(printer(as_json), done)
        failed = done.because if done.what == FAILED else failed
    if failed:
        raise ModelError(f"not everything was harvested: {failed}", "see `memgit queue`")


def _add(queue: Queue, transcripts: Sequence[Path]) -> None:
    for path in transcripts:
        if path.suffix != ".jsonl" or not path.is_file():
            raise UsageError(f"{path}: not a transcript", "name SESSION.jsonl files")
    for path in transcripts:
        queue.add(path, _now())


def _until_nothing_is_due(queue: Queue, due: bool) -> Iterator[Done]:
    """Work, and look again once the lock is free: who found it taken meanwhile started nobody."""
    store, first = queue.store, True
    while first or (due and is_due(str(store.derived), _now().timestamp())):
        with owned(store) as mine:
            if mine:
                yield from work(queue, lambda turns: _learn(store, turns), _now, due)
            elif due:
                return
            else:
                raise StoreError(
                    "another process harvests the queue of this store now",
                    "wait for it to end; `memgit queue` shows how far it is",
                )
        first = False


def _learn(store: Store, turns: Sequence[Turn]) -> Learned:
    """Harvest turns, and settle what comes of it."""
    found = pass_over(store, turns, open_model(store), _now())
    settled = settle(store, found.proposals)
    if settled.applied:
        Index(store).sync()
    usage = found.usage
    return Learned(
        len(found.proposals), len(settled.applied), found.windows, usage.tokens, usage.dollars
    )


def _tell(shown: Printer, done: Done) -> None:
    learned, job = done.learned, done.job
    row = {
        "session": job.session, "transcript": job.path, "state": done.what, "turns": done.turns,
        "proposals": learned.proposals, "applied": learned.applied, "calls": learned.calls,
        "tokens": learned.tokens, "dollars": round(learned.dollars, 6), "because": done.because,
    }  # fmt: skip
    shown.value(row, f"{job.session}: {_text(done)}")


def _text(done: Done) -> str:
    learned = done.learned
    if done.because or done.what == NOTHING or not learned.calls:
        return f"{done.what}{done.because and f', {done.because}'}"
    paid = f", ${learned.dollars:.4f}" if learned.dollars else ""
    return (
        f"{done.turns} turns, {learned.proposals} proposals, {learned.applied} of them applied; "
        f"{learned.calls} calls, {learned.tokens:,} tokens{paid}"
    )


def _now() -> datetime:
    return datetime.now(UTC)
