"""`memgit eval curate`: how right curating is on hand-written pairs, with a model that lies."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from memgit.commands._curated import curate
from memgit.commands._help import examples
from memgit.domain.proposals.applying import Settled
from memgit.domain.store import Store
from memgit.evaluation.contradictions import pairs
from memgit.evaluation.curate_eval import measure
from memgit.output import page, printer, table, waiting
from memgit.ports.model.door import Model


@click.command("curate", epilog=examples("memgit eval curate --always --json"))
@click.option("--always", is_flag=True, help="With a model that says of every pair it is asked "
              "about that the younger one replaces the older one.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def curate_eval(always: bool, as_json: bool) -> None:
    """Curate a store of hand-written pairs, in English and Japanese, with a scripted model that is
    sure and wrong of every second one: what is applied, what is refused by which guard, and whether
    each is taken back by one command. Takes minutes, and asks no real model.
    """
    every = pairs()
    what = f"curating {len(every)} pairs with a scripted model"
    with waiting(what), tempfile.TemporaryDirectory(prefix="memgit-eval-") as folder:
        made = measure(every, Path(folder) / "store", _curated, always)
    printer(as_json).value(made.record(), lambda: _text(made.record()))


def _curated(store: Store, model: Model) -> Settled:
    return curate(store, datetime.now(UTC), open_model=lambda: model).settled


def _text(record: dict[str, Any]) -> str:
    rows = [
        ("pairs", str(record["pairs"])),
        ("asked about", f"{record['asked']} of them, {record['others']} that only are near each "
                        f"other; {record['unseen']} were neither asked nor found by a rule"),
        ("applied", f"{record['applied']}, right {record['right']}"),
        ("precision", _figure(record["precision"])),
        ("found, of all replacements", _figure(record["recall_of_all"])),
        ("found, of those the model told", _figure(record["recall_of_offered"])),
        ("found, of those held out", _figure(record["recall_held_out"])),
        ("taken back by one undo each", str(record["undone_by_one_command"])),
        ("refused", f"{record['waiting']}, without a guard's name: "
                    f"{record['refusals_without_a_guard']}"),
    ]  # fmt: skip
    refused = [(guard, str(count)) for guard, count in record["refused_by"].items()]
    wrong = [("wrong: ", one, "red") for one in record["wrong"]]
    return table(("what", "how much"), rows) + table(("guard", "refusals"), refused) + page(wrong)


def _figure(told: dict[str, Any]) -> str:
    if told["value"] is None:
        return "none"
    return f"{told['value']:.3f} ({told['low']:.3f} to {told['high']:.3f}), n {told['n']}"
