"""`memgit review`: what passes propose, and what becomes of it.

The one rule: nothing is decided by looking; each decision is one key or one word, and a commit.
"""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click

from memgit.commands._help import examples
from memgit.commands._operation import SHORT
from memgit.commands._proposals import choices, shown
from memgit.commands._words import PROPOSAL
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed
from memgit.domain.proposals import reviewing
from memgit.domain.proposals.carrying_out import stale
from memgit.domain.proposals.waiting import Held, Waiting
from memgit.domain.store import Store
from memgit.errors import MemgitError, UsageError
from memgit.output import coloured, page, paging, printer, say

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_because = click.option("--because", default="", metavar="TEXT", help="Why, for the history.")
_ids = click.argument("ids", metavar="ID...", nargs=-1, required=True, type=PROPOSAL)


@click.group(
    invoke_without_command=True,
    epilog=examples("memgit review", "memgit review reject 3f2a --because 'both hold'"),
)
@_json
@click.pass_context
def review(context: click.Context, as_json: bool) -> None:
    """Decide on what passes propose. On a terminal, one after the other with a key each; elsewhere
    a list. An ID may be cut as long as it means one alone.
    """
    if context.invoked_subcommand:
        return
    store = Store.find(context.obj)
    every = _waiting(store)
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _list(store, every, as_json)
    else:
        _step(store, every)


@review.command("list", epilog=examples("memgit review list --json"))
@_json
@click.pass_obj
def list_(store: str | None, as_json: bool) -> None:
    """List what waits, a line each; with --json each one whole."""
    opened = Store.find(store)
    _list(opened, _waiting(opened), as_json)


def _waiting(store: Store) -> list[Held]:
    """What waits; what cannot be read is told, so that nobody waits for it."""
    if damaged := Waiting(store).damaged():
        more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        say(f"{damaged[0]}{more}: no proposal that can be read, left out")
        say("  delete it, and run the pass that made it again")
    return reviewing.waiting(store)


@review.command(epilog=examples("memgit review show 3f2a"))
@click.argument("id_", metavar="ID", type=PROPOSAL)
@_json
@click.pass_obj
def show(store: str | None, id_: str, as_json: bool) -> None:
    """Show one with both sides, the words that it rests on, and what each guard says."""
    opened = Store.find(store)
    held = Waiting(opened).find(id_)
    with paging(as_json) as out:
        out.value(
            reviewing.record(opened, held), lambda: page([*shown(opened, held), *choices(held)])
        )


@review.command(epilog=examples("memgit review accept 3f2a 91c0"))
@_ids
@_because
@_json
@click.pass_obj
def accept(store: str | None, ids: Sequence[str], because: str, as_json: bool) -> None:
    """Carry these out, a commit each, also where a guard refused. `memgit undo` takes one back."""
    opened = Store.find(store)
    for held in _found(opened, ids):
        _tell(held, [reviewing.accept(opened, held, because)], as_json)


@review.command(epilog=examples("memgit review reject 3f2a --because 'both hold'"))
@_ids
@_because
@_json
@click.pass_obj
def reject(store: str | None, ids: Sequence[str], because: str, as_json: bool) -> None:
    """Turn these down for good: a commit that changes no memory remembers it, in every clone."""
    opened = Store.find(store)
    for held in _found(opened, ids):
        commit = reviewing.reject(opened, held, because)
        value = {"id": held.proposal.id, "decision": "rejected", "commits": [commit]}
        printer(as_json).value(value, f"rejected {_name(held)} in {commit[:SHORT]}")


@review.command(epilog=examples("memgit review edit 3f2a", "memgit review edit 3f2a < better.md"))
@click.argument("id_", metavar="ID", type=PROPOSAL)
@_because
@_json
@click.pass_obj
def edit(store: str | None, id_: str, because: str, as_json: bool) -> None:
    """Change its text, and accept it so: in an editor on a terminal, else from standard input. Of a
    supersession the text is that of the memory that is to stand.
    """
    opened = Store.find(store)
    held = Waiting(opened).find(id_)
    before = reviewing.editable(opened, held)
    if sys.stdin.isatty():
        text = click.edit(before, extension=".md")
    else:
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    if text is None or not text.strip():
        raise UsageError("no text, so nothing was changed", f"`memgit review show {id_}`")
    _tell(held, reviewing.accept_edited(opened, held, text, because), as_json)


@review.command(epilog=examples("memgit review defer 3f2a"))
@_ids
@_json
@click.pass_obj
def defer(store: str | None, ids: Sequence[str], as_json: bool) -> None:
    """Put these off: they stay, stand last, and are not asked about for a week."""
    opened = Store.find(store)
    for held in _found(opened, ids):
        put_off = Waiting(opened).defer(held)
        value = {"id": held.proposal.id, "decision": "deferred", "until": put_off.until}
        printer(as_json).value(value, f"put off to {put_off.until[:10]}: {_name(held)}")


def _found(store: Store, ids: Sequence[str]) -> list[Held]:
    queue = Waiting(store)
    return [queue.find(id_) for id_ in ids]


def _list(store: Store, every: Sequence[Held], as_json: bool) -> None:
    if as_json:
        printer(True).rows([reviewing.record(store, held) for held in every], ())
        return
    catalogue = Catalogue(store) if every else None
    rows: list[dict[str, Any]] = [
        {
            "id": held.proposal.id,
            "by": held.proposal.actor,
            "proposal": f"{held.proposal.kind} {held.proposal.told}",
            "refused by": [one.guard for one in held.proposal.refusals],
            "": _state(catalogue, held),
        }
        for held in every
    ]
    told = [""] if any(row[""] for row in rows) else []
    columns = ("id", "by", "refused by", "proposal", *told)
    with paging(False) as out:
        out.rows(rows, columns)
    say("`memgit review show ID` tells all of one" if rows else "nothing waits for a decision")


def _state(catalogue: Catalogue | None, held: Held) -> str:
    if catalogue and (why := stale(catalogue, held.proposal)):
        return why
    return f"off to {held.until[:10]}" if held.until else held.branch


def _tell(held: Held, done: Sequence[Changed], as_json: bool) -> None:
    commits = [one.commit for one in done if one.commit]
    notes = [one.note for one in done if one.note]
    value = {"id": held.proposal.id, "decision": "accepted", "commits": commits, "notes": notes}
    where = ", ".join(commit[:SHORT] for commit in commits)
    lines = [f"accepted {_name(held)}{f' in {where}' if where else ''}", *notes]
    printer(as_json).value(value, "\n  ".join(lines))


def _name(held: Held) -> str:
    return f"{held.proposal.id} ({held.proposal.kind} {held.proposal.told})"


def _step(store: Store, every: Sequence[Held]) -> None:
    """One after the other, with a key each."""
    now = datetime.now(UTC)
    asked = [held for held in every if not held.is_deferred(now)]
    if not asked:
        off = f"; {len(every)} put off (`memgit review list`)" if every else ""
        say(f"nothing waits for a decision{off}")
        return
    for number, held in enumerate(asked, 1):
        click.clear()
        head = ("", f"{number} of {len(asked)}", "dim")
        keys = ("", "a accept   r reject   e edit   d defer   s skip   q quit", "dim")
        lines = [head, *shown(store, held), ("", "", ""), keys]
        click.echo(coloured(page(lines)), nl=False)
        while (key := _key("aredsq")) not in "sq":
            if _decide(store, held, key):
                break
        if key == "q":
            return


def _decide(store: Store, held: Held, key: str) -> bool:
    """Whether it was decided; what stands in the way is told, and another key may be pressed."""
    try:
        if key == "a":
            _tell(held, [reviewing.accept(store, held)], False)
        elif key == "r":
            why = click.prompt("why (may be empty)", default="", show_default=False)
            reviewing.reject(store, held, why)
        elif key == "d":
            Waiting(store).defer(held)
        else:
            text = click.edit(reviewing.editable(store, held), extension=".md")
            if text is None or not text.strip():
                return False
            _tell(held, reviewing.accept_edited(store, held, text), False)
    except MemgitError as fault:
        say(f"memgit: {fault}")
        say(f"  {fault.hint}")
        return False
    return True


def _key(allowed: str) -> str:
    """The next key that means something here; Ctrl-C and Ctrl-D end it."""
    while True:
        pressed = click.getchar().lower()
        if not pressed or pressed[0] in "\x03\x04":
            raise click.Abort
        if pressed[0] in allowed:
            return pressed[0]
