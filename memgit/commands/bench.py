"""`memgit bench`: what recall and a commit cost, beside rivals; what the hooks of a session do.

The one rule: a benchmark reports and judges nothing; no test depends on what a machine can do.
"""

import os
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from memgit import __version__
from memgit.commands._help import examples
from memgit.domain.demonstration import build
from memgit.errors import MemgitError
from memgit.evaluation import commit_bench, session_bench
from memgit.evaluation.recall_bench import SMALLEST, Plan, measure
from memgit.evaluation.stopwatch import FailedRun
from memgit.output import printer, progress, say, table, waiting

LARGEST = 1_000_000
"""The most memories of a generated store."""


def _sizes(context: click.Context, option: click.Parameter, value: str) -> tuple[int, ...]:
    """The sizes in ascending order, each once."""
    try:
        sizes = sorted({int(part) for part in value.split(",")})
    except ValueError:
        raise click.BadParameter(f"{value!r}: write it like 1000,10000") from None
    if sizes[0] < SMALLEST or sizes[-1] > LARGEST:
        raise click.BadParameter(f"{value!r}: sizes go from {SMALLEST} to {LARGEST}")
    return tuple(sizes)


@click.group(epilog=examples("memgit bench recall --sizes 1000 --runs 10"))
def bench() -> None:
    """Time recall and its rivals on generated stores, and the hooks of a session."""


@bench.command(epilog=examples("memgit bench recall --sizes 1000 --runs 10"))
@click.option("--sizes", callback=_sizes, default="1000,10000,50000", show_default=True,
              metavar="N,N,...", help="Memories of each store.")  # fmt: skip
@click.option("--runs", type=click.IntRange(1, 10_000), default=40, show_default=True,
              help="Timed runs of each program.")  # fmt: skip
@click.option("--seed", type=int, default=7, show_default=True, help="What the stores grow from.")
@click.option("--cache", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Keep the stores here for the next time; else they are removed.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def recall(sizes: tuple[int, ...], runs: int, seed: int, cache: Path | None, as_json: bool) -> None:
    """Time the prompt hook as a whole process, in turn with a bare interpreter, an FTS5 process and
    Whoosh, for prompts of 160 words; then the post-commit hook after one changed memory.

    A store of 50,000 memories takes minutes to build, and Whoosh takes long to answer from it.
    Nothing outside of the cache is touched.
    """
    held = nullcontext(cache) if cache else tempfile.TemporaryDirectory(prefix="memgit-bench-")
    with held as folder:
        plan = Plan(sizes, runs, seed, Path(folder or ".").resolve())
        try:
            numbers = measure(plan, _stage)
        except FailedRun as fault:
            raise MemgitError(f"a timed process failed: {fault}") from None
    report = {"machine": _machine(), **numbers}
    printer(as_json).value(report, partial(_text, report))


@bench.command(epilog=examples("memgit bench sessions --runs 20"))
@click.option("--megabytes", type=click.IntRange(1, 1000), default=50, show_default=True,
              help="Size of the transcript that is made up.")  # fmt: skip
@click.option("--runs", type=click.IntRange(1, 10_000), default=40, show_default=True,
              help="Timed runs of each hook.")  # fmt: skip
@click.option("--transcripts", type=click.Path(file_okay=False, exists=True, path_type=Path),
              metavar="DIR", help="Also read the transcripts below a folder.")  # fmt: skip
@click.option("--turns", type=click.IntRange(100, 10_000_000), default=100_000, show_default=True,
              help="Turns that are put into an index of sessions.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def sessions(
    megabytes: int, runs: int, transcripts: Path | None, turns: int, as_json: bool
) -> None:
    """Time the hooks of a session that ends, with a large transcript and a small one, in turn with
    a bare interpreter; then how fast transcripts are read, put into the index of sessions, and
    found in it. Nothing of yours is touched.
    """
    with tempfile.TemporaryDirectory(prefix="memgit-bench-") as folder:
        store = build(Path(folder) / "store")
        plan = session_bench.Plan(megabytes, runs, Path(folder), transcripts, turns)
        try:
            numbers = session_bench.measure(plan, store, _stage)
        except FailedRun as fault:
            raise MemgitError(f"a timed process failed: {fault}") from None
    report = {"machine": _machine(), **numbers}
    printer(as_json).value(report, partial(_sessions_text, report))


@bench.command(epilog=examples("memgit bench compare HEAD~1", "memgit bench compare v1 main"))
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False, default=commit_bench.WORK_TREE)
@click.option("--source", type=click.Path(file_okay=False, exists=True, path_type=Path),
              metavar="DIR", default=Path(__file__).parents[2],
              help="The checkout of memgit [default: the one that runs].")  # fmt: skip
@click.option("--memories", type=click.IntRange(10, 100_000), default=1000, show_default=True,
              help="Memories of the generated store.")  # fmt: skip
@click.option("--runs", type=click.IntRange(1, 10_000), default=20, show_default=True,
              help="Timed runs of each side.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def compare(
    first: str, second: str, source: Path, memories: int, runs: int, as_json: bool
) -> None:  # fmt: skip
    """Time two commits of memgit against each other: the prompt hook, `add` and `list`, as whole
    processes in turn, each side with its own code and store. Without B, A against the work tree.

    Both run with the packages that are installed here. A ratio is B to A in processor time, pair by
    pair; it tells a difference only where all of its spread is on one side of 1.
    """
    with tempfile.TemporaryDirectory(prefix="memgit-bench-") as folder:
        place = Path(folder).resolve()
        plan = commit_bench.Plan(source.resolve(), (first, second), memories, runs, place)
        try:
            with waiting("building both sides") as told:
                numbers = commit_bench.measure(plan, told)
        except FailedRun as fault:
            raise MemgitError(f"a timed process failed: {fault}") from None
    report = {"machine": _machine(), **numbers}
    printer(as_json).value(report, partial(_compare_text, report))


def _compare_text(report: dict[str, Any]) -> str:
    a, b = report["compared"]
    rows = [
        (name, *(f"{side['median']:.1f} ms" for side in of["cpu_ms"]), _span(of["ratio"], "x"))
        for name, of in report["of"].items()
    ]
    heads = ("processor time", "A", "B", "B to A, pair by pair")
    about = f"A: {a}, B: {b}; {report['memories']:,} memories, {report['runs']} runs each; medians"
    return f"{about}\n{table(heads, rows)}"


@contextmanager
def _stage(what: str) -> Iterator[Callable[[int, int], None]]:
    say(what)
    with progress(what) as told:
        yield told


def _machine() -> dict[str, Any]:
    return {
        "memgit": __version__,
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "sqlite": sqlite3.sqlite_version,
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _text(report: dict[str, Any]) -> str:
    """The same numbers as tables for people: medians, with the least and the greatest."""
    machine = report["machine"]
    lines = [
        f"memgit {machine['memgit']} · Python {machine['python']} · SQLite {machine['sqlite']} · "
        f"{machine['platform']} · {machine['cpus']} CPUs · load {machine['load'][0]}",
        f"whole processes timed in turn, {report['runs']} runs, prompts of 160 words; "
        "median (least – greatest)",
        "found: the memory asked for was shown; fts5 and whoosh take the prompt whole",
    ]
    for store in report["recall"]:
        lines += ["", *_recall_lines(store)]
    lines += ["", "post-commit, one changed memory; then the hook on the store with these commits"]
    for row in report["commit"]:
        times, peak = row["times_smallest"]["median"], row["rss_mb"]["median"]
        lines.append(
            f"  {row['memories']:>9,} memories {_span(row['wall_ms'], 'ms'):>32}"
            f"   x {times:5.2f}   {peak:6.1f} MB   hook {_span(row['hook_times_bare'])} x bare"
        )
    return "\n".join(lines)


def _sessions_text(report: dict[str, Any]) -> str:
    lines = [f"whole processes timed in turn, {report['runs']} runs; median (least – greatest)",
             f"large is a transcript of {report['megabytes']} MB, small one of 0.1 MB"]  # fmt: skip
    for name, row in report["hooks"].items():
        lines.append(
            f"  {name:20}{_span(row['wall_ms'], 'ms'):>30}{_span(row['times_bare']):>26} x"
        )
    for name, row in report["reading"].items():
        lines += [
            f"reading {name}: {row['bytes'] / 1e6:.1f} MB, {row['passed_over']:.0%} passed over",
            f"  MB a second: {row['lines_mb_s']:,} lines alone, {row['skip_mb_s']:,} where all is "
            f"passed over, {row['turns_mb_s']:,} into turns, {row['parse_all_mb_s']:,} every line "
            "parsed",
        ]
    lines.append(f"the 0.1 MB that a session went on by: {report['read_on_ms']:.1f} ms")
    return "\n".join([*lines, *_index_lines(report["index"])])


def _index_lines(row: dict[str, Any]) -> list[str]:
    lines = [
        f"index of sessions: {row['turns']:,} turns ({row['bytes'] / 1e6:.0f} MB) in, "
        f"{row['index_bytes'] / 1e6:.0f} MB",
        f"  turns a minute: {row['turns_per_minute']:,} by the clock, "
        f"{row['turns_per_cpu_minute']:,} of processor time",
        f"  a new session of 2 MB: {row['new_session_s']:.2f} s, "
        f"{row['new_session_cpu_s']:.2f} s of processor time",
    ]
    for name, one in row["query_ms"].items():
        lines.append(
            f"  query, {name}: {one['median']:.1f} ms, at most {one['most']:.1f}; "
            f"{one['cpu_median']:.1f} of processor time"
        )
    return lines


def _recall_lines(store: dict[str, Any]) -> list[str]:
    sizes = store["bytes"]
    lines = [
        f"{store['memories']:,} memories, {sizes['texts'] / 1e6:.1f} MB; built in "
        f"{store['build_s']:.1f} s; index {sizes['index'] / 1e6:.1f} MB + table "
        f"{sizes['table'] / 1e6:.1f} MB = {store['bytes_times_texts']:.2f} x the texts",
        f"  {'':8}{'wall':>28}{'x bare':>24}{'peak':>10}   found",
    ]
    for name, wall in store["wall_ms"].items():
        times = store["times_bare"].get(name)
        found = store["found"].get(name)
        lines.append(
            f"  {name:8}{_span(wall, 'ms'):>28}{_span(times) if times else '':>24}"
            f"{store['rss_mb'][name]['median']:>7.1f} MB"
            + (f"   {found['right']} of {found['prompts']}" if found else "")
        )
    against = store["hook_times_fts5"]
    lines.append(
        f"  hook x fts5 {_span(against)}; the hook started {store['processes_started']} processes, "
        f"opened {store['sockets_opened']} sockets"
    )
    return lines


def _span(numbers: dict[str, float], unit: str = "") -> str:
    median, least, most = numbers["median"], numbers["min"], numbers["max"]
    return f"{median:.2f} {unit}".rstrip() + f" ({least:.2f} – {most:.2f})"
