"""`memgit harvest`: do now what waits in the queue. The hooks of a session start it as a worker.

The one rule: one process at a time works on the queue of a store.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from memgit.commands import _harvested
from memgit.commands._help import examples
from memgit.domain.examination.finding import several
from memgit.domain.indexing.index import Index
from memgit.domain.proposals.applying import Settled, settle
from memgit.domain.queue.jobs import Queue
from memgit.domain.queue.owner import owned
from memgit.domain.queue.working import FAILED, NOTHING, Done, Learned, work
from memgit.domain.spending import open_model
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import sessions
from memgit.domain.transcripts.turns import Turn, turns
from memgit.errors import ModelError, StoreError, UsageError
from memgit.output import Printer, printer, say, waiting, watched
from memgit.passes.harvest import Harvested
from memgit.passes.harvest import harvest as pass_over
from memgit.ports.claude_code import projects_dir
from memgit.prompt.jobs import is_due

BACKGROUND = 10
"""How much less than others a worker in the background asks of the machine (`nice`)."""


@click.command(
    epilog=examples(
        "memgit harvest", "memgit harvest --dry-run ~/.claude/projects/-home-me-app/SESSION.jsonl"
    )
)
@click.argument("transcripts", nargs=-1, metavar="[TRANSCRIPT]...", type=click.Path(path_type=Path))
@click.option("--transcripts", "folder", type=click.Path(path_type=Path), metavar="DIR",
              help="Every session below a folder.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Ask about these transcripts, and change nothing.")
@click.option("--due", is_flag=True, help="Only what is due, in the background (for hooks).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one session a line.")
@click.pass_obj
def harvest(
    store: str | None, transcripts: Sequence[Path], folder: Path | None, dry_run: bool, due: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Harvest the sessions that wait, and these transcripts: what a model finds worth remembering
    becomes proposals; guards decide which are applied, and the others wait for `memgit review`.

    A transcript costs its new part only: what was harvested before is not read again, nor what a
    fork of it copied. `memgit queue` shows what waits, `memgit cost` what it took.
    """
    opened = Store.find(store)
    shown = printer(as_json)
    transcripts = _transcripts(transcripts, folder)
    if dry_run:
        _try(opened, transcripts, shown)
        return
    queue = Queue(opened)
    for path in transcripts:
        queue.add(path, _now())
    if due:
        os.nice(BACKGROUND)
    failed, is_idle = "", True
    details: list[_Details] = []
    for done in watched(_until_nothing_is_due(queue, due, details), "harvesting"):
        is_idle = False
        _tell(shown, done, details)
        details.clear()
        failed = done.because if done.what == FAILED else failed
    if is_idle and not due:
        say("no session waits")
    if failed:
        raise ModelError(f"not everything was harvested: {failed}", "see `memgit queue`")


_Details = tuple[Harvested, Settled]


def _transcripts(named: Sequence[Path], folder: Path | None) -> list[Path]:
    for path in named:
        if path.suffix != ".jsonl" or not path.is_file():
            raise UsageError(f"{path}: not a transcript", "name SESSION.jsonl files")
    if folder and not folder.is_dir():
        raise UsageError(f"{folder}: no such folder", f"Claude Code's are in {projects_dir()}")
    return [*named, *(sessions(folder) if folder else [])]


def _try(store: Store, transcripts: Sequence[Path], shown: Printer) -> None:
    """Ask about each transcript as a whole, and show what would come of it."""
    if not transcripts:
        raise UsageError("which sessions to try?", "name SESSION.jsonl files, or --transcripts DIR")
    model = open_model(store)
    for path in transcripts:
        now = _now()
        with waiting(f"harvesting {path.stem}"):
            found = pass_over(store, list(turns(path)), model, now)
            settled = settle(store, found.proposals, now, dry_run=True)
        asked = f"{several(found.windows, 'call')} of {model.name}, {found.usage.tokens:,} tokens"
        told = found.note or asked
        text = "\n".join([f"{path.stem}: {told}; nothing was changed",
                          *_harvested.lines(found, settled)])  # fmt: skip
        shown.value({"session": path.stem, **_harvested.row(found, settled)}, text)


def _until_nothing_is_due(queue: Queue, due: bool, details: list[_Details]) -> Iterator[Done]:
    """Work, and look again once the lock is free: who found it taken meanwhile started nobody."""
    store, first = queue.store, True
    while first or (due and is_due(str(store.derived), _now().timestamp())):
        with owned(store) as mine:
            if mine:
                yield from work(queue, lambda turns: _learn(store, turns, details), _now, due)
            elif due:
                return
            else:
                raise StoreError(
                    "another process harvests the queue of this store now",
                    "wait for it to end; `memgit queue` shows how far it is",
                )
        first = False


def _learn(store: Store, turns: Sequence[Turn], details: list[_Details]) -> Learned:
    """Harvest turns, and settle what comes of it."""
    found = pass_over(store, turns, open_model(store), _now())
    settled = settle(store, found.proposals)
    if settled.applied:
        Index(store).sync()
    details.append((found, settled))
    usage = found.usage
    return Learned(
        len(found.proposals), len(settled.applied), found.windows, usage.tokens, usage.dollars
    )


def _tell(shown: Printer, done: Done, details: Sequence[_Details]) -> None:
    learned, job = done.learned, done.job
    row: dict[str, Any] = {
        "session": job.session, "transcript": job.path, "state": done.what, "turns": done.turns,
        "proposals": learned.proposals, "applied": learned.applied, "calls": learned.calls,
        "tokens": learned.tokens, "dollars": round(learned.dollars, 6), "because": done.because,
    }  # fmt: skip
    for found, settled in details:
        row["details"] = _harvested.row(found, settled)
    told = (line for one in details for line in _harvested.lines(*one))
    shown.value(row, "\n".join([f"{job.session}: {_text(done)}", *told]))


def _text(done: Done) -> str:
    learned = done.learned
    if done.because or done.what == NOTHING or not learned.calls:
        return f"{done.what}{done.because and f', {done.because}'}"
    paid = f", ${learned.dollars:.4f}" if learned.dollars else ""
    took = f"{several(learned.calls, 'call')}, {learned.tokens:,} tokens{paid}"
    return (
        f"{several(done.turns, 'turn')}, {several(learned.proposals, 'proposal')}, "
        f"{learned.applied} applied; {took}"
    )


def _now() -> datetime:
    return datetime.now(UTC)
