"""`memgit profile`: the few lines that an agent is given in every session."""

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, with_provenance
from memgit.domain.always_on.budget import measure
from memgit.domain.always_on.profile import Profile
from memgit.domain.indexing.index import Index
from memgit.domain.operations.profiling import Profiled, add_line, move_line, remove_line
from memgit.domain.recording import farewell
from memgit.domain.store import Store
from memgit.output import paging, printer
from memgit.prompt.profile import within


@click.group(
    epilog=examples("memgit profile add 'Reviews are written in English.'", "memgit profile list")
)
def profile() -> None:
    """What an agent is always told: PROFILE.md, a few lines, given as a session starts. Its order
    is the order in which lines stay: a new one stands on top, and where there is no room, the last
    ones become memories.
    """


@profile.command("list", epilog=examples("memgit profile list --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_lines(store: str | None, as_json: bool) -> None:
    """List the lines, numbered; the last ones go first."""
    opened = Store.find(store)
    lines, cap = Profile.of(opened).lines, opened.settings.profile
    fits = within(lines, cap.lines, cap.units)
    size = measure("\n".join(lines), cap)
    rows = [f"{number:>3} {line}" for number, line in enumerate(lines, 1)]
    if fits < len(lines):
        rows.insert(fits, f"--- no room from here on: {len(lines) - fits} are not given ---")
    used = f"{size.lines} of {cap.lines} lines, {size.units:,} of {cap.units:,} units"
    with paging(as_json) as shown:
        shown.value(
            {
                "lines": lines,
                "given": fits,
                "units": size.units,
                "most": {"lines": cap.lines, "units": cap.units},
            },
            "\n".join([*rows, used]),
        )


@profile.command(epilog=examples("memgit profile add 'Times are UTC in the database.'"))
@click.argument("text", nargs=-1, required=True)
@with_provenance
@click.pass_obj
def add(store: str | None, text: tuple[str, ...], because: str, actor: str, as_json: bool) -> None:
    """Put TEXT on top. It never fails for want of room: the last lines then become memories."""
    opened = Store.find(store)
    _report(opened, add_line(opened, " ".join(text), provenance(actor, because)), as_json)


@profile.command(
    epilog=examples(
        "memgit profile remove 3",
        "memgit profile remove 'Reviews are written'     # words of the line",
    )
)
@click.argument("line")
@with_provenance
@click.pass_obj
def remove(store: str | None, line: str, because: str, actor: str, as_json: bool) -> None:
    """Take LINE, a number or words of it, off the profile. It stays as a retired memory."""
    opened = Store.find(store)
    _report(opened, remove_line(opened, line, provenance(actor, because)), as_json)


@profile.command(epilog=examples("memgit profile move 9 1"))
@click.argument("line")
@click.argument("to", type=click.IntRange(1))
@with_provenance
@click.pass_obj
def move(store: str | None, line: str, to: int, because: str, actor: str, as_json: bool) -> None:
    """Let LINE, a number or words of it, stand at place TO. The first line stays longest."""
    opened = Store.find(store)
    _report(opened, move_line(opened, line, to, provenance(actor, because)), as_json)


def _report(store: Store, done: Profiled, as_json: bool) -> None:
    Index(store).sync()
    printer(as_json).value(
        {
            "operation": done.kind,
            "line": done.line,
            "commit": done.commit,
            "moved": [{"line": line, "memory": name} for line, name in done.moved],
            "demoted": list(done.demoted),
        },
        lambda: _text(done),
    )


def _text(done: Profiled) -> str:
    if done.commit is None:
        lines = ["it stands so already"]
    else:
        lines = [f"{done.kind.replace('-', ' ')}: {done.line} in {done.commit[:12]}"]
    for line, name in done.moved:
        if done.kind == "profile-remove":
            lines.append(f"  kept as {name}, retired: `memgit restore {name}` lets it be recalled")
        elif line == done.line:
            lines.append(f"  longer than the profile: kept as the memory {name}, which is recalled")
        else:
            lines.append(f"  made room, and is now the memory {name}: {line}")
    return "\n".join([*lines, *filter(None, [farewell(done.demoted)])])
