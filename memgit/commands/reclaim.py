"""`memgit reclaim`: whether a memory that holds a wrong conclusion can still be corrected.

The one rule: what was recorded, what a rule said and what a model said are told apart wherever a
figure stands.
"""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.commands._reclaim_conflicts import conflicts
from memgit.commands._reclaim_prevalence import prevalence
from memgit.commands._reclaim_report import report
from memgit.commands._reclaim_run import run
from memgit.errors import UsageError
from memgit.evaluation.reclaim import rescored
from memgit.evaluation.reclaim.replies import read
from memgit.output import printer, say, table, waiting

File = click.Path(exists=True, path_type=Path)
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group(epilog=examples("memgit reclaim rescore replies/*.jsonl"))
def reclaim() -> None:
    """Whether memories stay correctable: runs, recorded replies, and what is at stake."""


reclaim.add_command(run)
reclaim.add_command(report)
reclaim.add_command(prevalence)
reclaim.add_command(conflicts)


@reclaim.command(epilog=examples("memgit reclaim rescore replies/blank_strict_*.jsonl --json"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=File)
@_json
def rescore(files: tuple[Path, ...], as_json: bool) -> None:
    """Score recorded replies again: JSON lines, or folders of them. No model is asked.

    A file is known by the fields of its rows. A raw reply is parsed by the published rule; `mended`
    is what comes out where an escaped sign (\\$197) and `only 15 of the 20` are read as well.
    """
    with waiting("reading"):
        found = [read(path) for path in _unfolded(files)]
    for one in found:
        for fault in one.faults:
            say(str(fault))
    if not any(one.rows for one in found):
        raise UsageError("none of the files holds a row that can be scored", "give JSON lines")
    made = rescored.document(found)
    printer(as_json).value(made, lambda: _text(made))


def _unfolded(files: tuple[Path, ...]) -> list[Path]:
    """The files, and for a folder the JSON lines anywhere in it."""
    found: list[Path] = []
    for path in files:
        found += sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    return list(dict.fromkeys(found))


def _text(made: rescored.Document) -> str:
    parts = [f"{made['source'].capitalize()}. In parentheses: 95 % intervals (Wilson).\n"]
    for of in made["files"]:
        if of["rows"]:
            parts += [f"\n{of['file']}\n{rescored.heading(of)}\n",
                      table(*rescored.rows_of(of["cells"]))]  # fmt: skip
        parts += [*_compared(of), *_certified(of)]
    for of in made["pooled"]:
        kept = of.get("by_policy") or of["cells"]
        parts += [f"\npooled, {of['kind']}: {of['files']} files, {of['rows']} recorded rows\n"]
        parts += [table(*rescored.rows_of(kept)), *_certified(of)]
    return "".join([*parts, f"\n{_agreement(made)}\n"])


def _agreement(made: rescored.Document) -> str:
    """How many rows were scored as they are recorded, over all files."""
    rows = sum(of["rows"] for of in made["files"])
    differing = sum(len(of["differs"]) for of in made["files"])
    return f"{rows - differing:,} of {rows:,} rows score as they are recorded"


def _compared(of: rescored.Document) -> list[str]:
    """Lossy against blank; where a file has several such pairs, each with what it is of."""
    pairs = of.get("lossy_minus_blank", ())
    lines = []
    for pair in pairs:
        told = [str(value) for key, value in pair["group"].items()
                if any(other["group"].get(key) != value for other in pairs)]  # fmt: skip
        where = f" ({', '.join(told)})" * bool(told)
        one = pair["difference"]
        lines.append(
            f"wrong given, lossy − blank{where}: {one['value']:+.2f} "
            f"({one['low']:+.2f} to {one['high']:+.2f}, Newcombe)\n"
        )
    return lines


def _certified(of: rescored.Document) -> list[str]:
    lines = []
    for one in of.get("certificate", ()):
        kept = "all of the source" if one["group"]["whole"] else "a part of it"
        right = one["counts"].get("true", 0)
        lines.append(f"source_first notes that keep {kept}: {right} of {one['n']} right\n")
    return lines
