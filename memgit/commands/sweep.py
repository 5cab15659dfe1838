"""`memgit sweep`: what a store wants done once a day, one verb after the other.

The one rule: a stage is a verb that a person could type, and none keeps the next one from its turn.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from io import StringIO
from typing import Any

import click

from memgit.commands._help import examples
from memgit.domain.queue.owner import owned
from memgit.domain.store import Store
from memgit.domain.swept import Swept
from memgit.errors import MemgitError, StoreError
from memgit.output import printer, say


@dataclass(frozen=True)
class Stage:
    """A verb with its options, as a person would type them; `does` says what for.

    `asks` are further options with which it asks a model; None for one that always does. `says_no`
    is the exit code with which it tells that something was found.
    """

    verb: str
    does: str
    options: Sequence[str] = ()
    asks: Sequence[str] | None = ()
    says_no: int = 0


STAGES = (
    Stage("harvest", "read the sessions that wait", ("--due",), None),
    Stage("verify", "look up what memories claim", ("--stale",), says_no=1),
    Stage("curate", "find what repeats or contradicts", asks=("--model",)),
    Stage("enrich", "let words that people type lead to new memories", (), None),
    Stage("skills", "propose to demote skills that nobody calls", ("unused",)),
    Stage("budget", "bring MEMORY.md and the profile within their limits", ("--fit",), says_no=1),
)
"""In this order: what is harvested is verified, what stands is curated, and listed in the end."""


@click.command(
    epilog=examples(
        "memgit sweep",
        "memgit install sweep     # each day",
        note="Exits with the code of the first stage that failed. Stages: "
        + "; ".join(f"{stage.verb}: {stage.does}" for stage in STAGES)
        + ".",
    )
)
@click.option("--no-model", is_flag=True, help="Only what needs no model.")
@click.option("--anew", is_flag=True, help="Do not go on with a sweep that was stopped.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one stage a line.")
@click.pass_obj
def sweep(store: str | None, no_model: bool, anew: bool, as_json: bool) -> int:
    """Do what a store wants done once a day. A stage that fails is told, and the others have their
    turn; what was stopped goes on where it was, within a day.

    Where nothing is new, no model is asked.
    """
    opened = Store.find(store)
    with owned(opened, "sweep") as mine:
        if not mine:
            raise StoreError("another sweep of this store runs", "wait for it to end")
        return _sweep(opened, no_model, anew, as_json)


def _sweep(store: Store, no_model: bool, anew: bool, as_json: bool) -> int:
    now = datetime.now(UTC)
    swept = Swept(now.isoformat(timespec="seconds")) if anew else Swept.begin(store, now)
    if swept.done:
        say(f"going on with the sweep of {swept.begun}: {', '.join(swept.done)} done before")
    failed = 0
    stages = [stage for stage in STAGES if not (no_model and stage.asks is None)]
    for number, stage in enumerate(stages, 1):
        if stage.verb in swept.done:
            continue
        say(f"[{number}/{len(stages)}] {stage.verb}: {stage.does}")
        row = _run(store, stage, no_model, as_json)
        if as_json:
            printer(True).value(row, "")
        if row["exit"] in (0, stage.says_no):
            swept = swept.with_done(store, stage.verb)
        else:
            failed = failed or row["exit"]
    if not failed:
        swept.finished(store, datetime.now(UTC))
    return failed


def _run(store: Store, stage: Stage, no_model: bool, as_json: bool) -> dict[str, Any]:
    """Run one stage; what it said, as JSON has it."""
    options = [*stage.options, *(() if no_model else stage.asks or ())]
    began, said, fault, status = time.monotonic(), StringIO(), "", 0
    command: click.Command = getattr(import_module(f"memgit.commands.{stage.verb}"), stage.verb)
    try:
        with redirect_stdout(said) if as_json else nullcontext():
            words = [*options, *(["--json"] if as_json else [])]
            status = command.main(
                words, prog_name=f"memgit {stage.verb}", standalone_mode=False, obj=str(store.root)
            )
    except MemgitError as raised:
        fault, status = str(raised), raised.exit_code
    except click.ClickException as raised:
        fault, status = raised.format_message(), raised.exit_code
    except Exception as raised:  # a fault of one stage must not cost the others
        fault, status = f"a fault of its own: {type(raised).__name__}: {raised}", 70
    if fault:
        say(f"memgit: {stage.verb}: {fault}")
    return {
        "stage": stage.verb, "exit": status or 0, "fault": fault,
        "seconds": round(time.monotonic() - began, 3), "said": list(_rows(said.getvalue())),
    }  # fmt: skip


def _rows(text: str) -> Iterator[Any]:
    for line in text.splitlines():
        with suppress(ValueError):
            yield json.loads(line)
