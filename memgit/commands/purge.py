"""`memgit purge`: take a secret out of the store, and out of its history."""

import sys
from collections.abc import Sequence

import click

from memgit.commands._help import examples
from memgit.domain.operations.purging import (
    Sightings,
    after,
    look,
    obstacles,
    purge_history,
    purge_tree,
)
from memgit.domain.operations.secret import Secret
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import printer, say, waiting

SHOWN = 10
"""Places of one kind that are named."""


@click.command(
    epilog=examples(
        "memgit purge     # asks for the string, which then is not in your shell's history",
        note="Exits with 1 when the string is still somewhere.",
    )
)
@click.argument("string", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in the end.")
@click.pass_obj
def purge(store: str | None, string: str | None, as_json: bool) -> int:
    """Take STRING, a secret, out of the files and derived data, then out of history. Each step is
    asked for, and there is no way back from the second. In the end working tree, index and history
    are looked through again, and what still holds it is named.
    """
    if not sys.stdin.isatty():
        raise UsageError("purge asks before it acts, and needs a terminal for that")
    opened = Store.find(store)
    secret = Secret(string or click.prompt("The string", hide_input=True, err=True))
    with waiting("looking for it"):
        before = look(opened, secret)
    if not before:
        say("it stands nowhere in this store")
        return 0
    _show(before)
    name = opened.root.name
    if before.tree or before.index:
        if not _is_wanted("take it out of files and index", name):
            return 1
        with waiting("taking it out"):
            purge_tree(opened, secret)
    if (before.history or before.loose) and not _history(opened, secret, before, name):
        say("history was left as it is")
    with waiting("looking again"):
        found = after(before, look(opened, secret))
    printer(as_json).value(_value(found), lambda: _text(found))
    return int(bool(found))


def _history(store: Store, secret: Secret, before: Sightings, name: str) -> bool:
    """Whether history was rewritten: asked for, and possible."""
    for obstacle in obstacles(store):
        say(f"history cannot be rewritten yet: {obstacle}")
        return False
    say(
        "Rewriting history gives every commit another id and cannot be taken back. Whoever has a "
        "clone keeps the string: a secret that was ever shared must be changed where it is used."
    )
    if before.pushed:
        say(
            f"It was pushed: {', '.join(before.pushed)}. The server keeps it until somebody "
            "replaces the branch there; until then `memgit sync` refuses what it has."
        )
    if not _is_wanted("rewrite history", name):
        return False
    with waiting("rewriting history"):
        written = purge_history(store, secret)
    say(f"{written} commits written anew")
    if before.pushed:
        say(
            "`memgit sync` now refuses a remote that still has the old ones, and tells how "
            "to replace them there. Other clones must be cloned anew: once it is replaced, their "
            "`memgit sync` refuses it, but a plain `git pull` there brings the old ones back."
        )
    return True


def _is_wanted(what: str, name: str) -> bool:
    typed: str = click.prompt(f"To {what}, type the store's name ({name})", default="", err=True,
                              show_default=False)  # fmt: skip
    if typed != name:
        say(f"that is not {name}: nothing was changed by this step")
    return typed == name


def _show(found: Sightings) -> None:
    for title, places in _kinds(found):
        if places:
            say(f"{title}: {_listed(places)}")


def _kinds(found: Sightings) -> list[tuple[str, Sequence[str]]]:
    return [
        ("working tree", found.tree),
        ("index and derived data", found.index),
        ("reachable history", found.history),
        ("objects nothing leads to", found.loose),
        ("git's own files", found.git),
        ("pushed", found.pushed),
    ]


def _listed(places: Sequence[str]) -> str:
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return f"{', '.join(places[:SHOWN])}{more}"


def _text(found: Sightings) -> str:
    lines = [f"{title}: {'still in ' + _listed(places) if places else 'gone'}"
             for title, places in _kinds(found)[:5]]  # fmt: skip
    if found.pushed:
        lines.append(f"pushed before, and not looked at there: {_listed(found.pushed)}")
    return "\n".join(lines)


def _value(found: Sightings) -> dict[str, list[str]]:
    return {
        "working_tree": list(found.tree),
        "index": list(found.index),
        "reachable_history": list(found.history),
        "unreachable_objects": list(found.loose),
        "git_files": list(found.git),
        "pushed": list(found.pushed),
    }
