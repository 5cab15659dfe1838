"""`memgit reclaim conflicts`: what recall asserts once memories contradict each other.

The one rule: wrong and silent stand in columns of their own.
"""

from typing import Any

import click

from memgit.commands._help import examples
from memgit.commands._reclaim_run import harvested
from memgit.evaluation.reclaim.conflicts import SIGNED, measure
from memgit.evaluation.reclaim.conflicts import report as figures_of
from memgit.evaluation.reclaim.run_report import interval
from memgit.output import printer, progress, table

LISTED = 8


@click.command(epilog=examples("memgit reclaim conflicts --memories 100 --memories 1000"))
@click.option("--memories", "sizes", multiple=True, default=(100, 1000), show_default=True,
              type=click.IntRange(100, 1000), help="How large the stores are.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def conflicts(sizes: tuple[int, ...], as_json: bool) -> None:
    """Plant falsehoods late, tell real updates, conditions and values of other things; then ask.

    The model that reads the sessions is a script which believes all of it; stores, guards and
    recall are real.
    """
    found = {}
    for size in dict.fromkeys(sizes):
        with progress(f"{size:,} memories") as told:
            found[size] = measure(harvested, size, told)
    made = figures_of(found)
    printer(as_json).value(made, lambda: _text(made))


def _text(made: dict[str, Any]) -> str:
    parts = [f"model: {made['model']}. Right counts +1, wrong −1, silence 0.\n"]
    for size, of in made["sizes"].items():
        rows = [[kind, str(one["n"]), *(str(one["counts"][name]) for name in SIGNED),
                 interval(one["wrong"]), f"{one['signed']['value']:+.2f}"]
                for kind, one in of["kinds"].items()]  # fmt: skip
        columns = ("kind", "n", *SIGNED, "wrong rate", "signed")
        parts += [f"\n{int(size):,} memories, signed {of['signed']['value']:+.3f}\n",
                  table(columns, rows)]  # fmt: skip
        for one in of["wrong_ones"][:LISTED]:
            way = f" ({one['way']})" if one["way"] else ""
            parts.append(f"  wrong: {one['kind']}{way}: {one['question']} → {one['first']}\n")
    if rate := made.get("wrong_rate"):
        ratio = f", {rate['ratio']} times" if rate["ratio"] is not None else ""
        parts.append(f"\nwrong rate {rate['smallest']:.3f} → {rate['largest']:.3f}{ratio}\n")
    return "".join(parts)
