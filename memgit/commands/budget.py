"""`memgit budget`: how much an agent is always given, and what is past the limits."""

from collections.abc import Iterator
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.always_on.budget import measure
from memgit.domain.always_on.fitting import Fitted, fit
from memgit.domain.always_on.listing import FILE as INDEX
from memgit.domain.always_on.measured import AGENT, Gauge, gauges
from memgit.domain.memory import decode
from memgit.domain.recording import is_current
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import clipped, page, printer
from memgit.output import gauges as drawn
from memgit.prompt.profile import FILE as PROFILE

TOLD = 20
"""Lines past a limit that are named to a person; JSON names all."""


@click.command(
    epilog=examples(
        "memgit budget",
        "memgit budget --fit",
        "memgit budget some/MEMORY.md",
        note="Exits with 1 when something is over its limit.",
    )
)
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--fit", "fits", is_flag=True, help="Bring all within its limits, in one commit.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def budget(store: str | None, file: Path | None, fits: bool, as_json: bool) -> int:
    """Measure what an agent is given in every session: MEMORY.md as Claude Code loads it, and
    PROFILE.md. With FILE, measure that file against Claude Code's limits alone.
    """
    if file:
        if fits:
            raise UsageError("--fit is for a store, not for a file", "leave out FILE")
        measured = [Gauge(file.name, AGENT, measure(decode(file.read_bytes())[0]))]
        return _report(measured, None, None, as_json, True)
    opened = Store.find(store)
    done = fit(opened) if fits else None
    return _report(gauges(opened), opened, done, as_json, is_current(opened))


def _report(
    measured: list[Gauge], store: Store | None, done: Fitted | None,
    as_json: bool, current: bool,
) -> int:  # fmt: skip
    over = any(one.measure.is_over for one in measured)
    value: dict[str, object] = {
        "over": over,
        "current": current,
        "limits": list(map(_value, measured)),
    }
    if done:
        value["fitted"] = {"commit": done.commit, "demoted": list(done.demoted),
                           "used": list(done.used), "taken": list(done.taken)}  # fmt: skip
    printer(as_json).value(value, lambda: _text(measured, store, done, current))
    return int(over)


def _value(gauge: Gauge) -> dict[str, object]:
    one = gauge.measure
    return {
        "file": gauge.file,
        "limit": gauge.whose,
        "lines": one.lines,
        "most_lines": one.limit.lines or None,
        "units": one.units,
        "most_units": one.limit.units,
        "over": one.is_over,
        "near": one.is_near,
        "past": [{"line": number, "text": text} for number, text in one.past],
        "cut": one.cut or None,
    }


def _text(
    measured: list[Gauge], store: Store | None, done: Fitted | None,
    current: bool,
) -> str:  # fmt: skip
    rows = []
    for gauge in measured:
        name, one = f"{gauge.file}, {gauge.whose}", gauge.measure
        if one.limit.lines or one.past:
            rows.append((name, "lines", one.lines, one.limit.lines))
            name = ""
        rows.append((name, "units", one.units, one.limit.units))
    parts = [drawn(rows), page(_remarks(measured, current))]
    if done:
        parts.insert(0, page(_fitted(done)))
    elif store and (any(one.measure.is_over for one in measured) or not current):
        parts.append(page([("", "`memgit budget --fit` brings it within; nothing is lost", "")]))
    return "".join(parts)


def _remarks(measured: list[Gauge], current: bool) -> Iterator[tuple[str, str, str]]:
    """What is past a limit, line by line, and what comes near one."""
    told: set[str] = set()
    for gauge in measured:
        file, whose, one = gauge.file, gauge.whose, gauge.measure
        if one.cut:
            yield f"{file}:{one.cut} ", f"its first {one.limit.units:,} units are loaded", "bold"
        if one.past and file not in told:
            told.add(file)
            count = "1 line is" if len(one.past) == 1 else f"{len(one.past)} lines are"
            yield "", f"{count} past the limit of {whose}:", "bold"
            for number, text in one.past[:TOLD]:
                yield f"  {file}:{number} ", clipped(text, 60), ""
            if len(one.past) > TOLD:
                yield "  ", f"and {len(one.past) - TOLD} more (--json names all)", ""
        elif whose == AGENT and one.is_near and not one.is_over:
            yield "", f"{file} is {one.share:.0%} of what {whose} loads", "yellow"
        elif file == PROFILE and one.is_near and not one.is_over:
            yield "", f"{file} is {one.share:.0%} full; its last lines go first", "yellow"
        elif not one.limit.lines and one.units > one.limit.units:
            yield "", f"{file} takes more than the {one.limit.units:,} units advised", "yellow"
    if not current:
        yield "", f"{INDEX} is not what follows from the memories", "yellow"


def _fitted(done: Fitted) -> Iterator[tuple[str, str, str]]:
    if done.commit is None:
        yield "", "all was within its limits already", ""
        return
    yield "", f"fitted in {done.commit[:12]}; every memory is kept, recalled and searched", "bold"
    for what, names in (("not listed any more", done.demoted), ("noted as used", done.used),
                        ("taken from MEMORY.md", done.taken)):  # fmt: skip
        if names:
            yield f"  {what}: ", ", ".join(names), ""
