"""What the verbs that change a memory share: how one says who and why, and what is printed.

The one rule: every operation is told in the same form, so that a program reads them all alike.
"""

from collections.abc import Callable
from typing import Any

import click

from memgit.domain.operation import Provenance
from memgit.domain.operations.changing import Changed
from memgit.output import printer

_ALIKE = ("undo", "promote", "migrate")
"""Operations that do the same to all of their memories."""

SHORT = 12
"""Characters of a commit's id that are shown."""


def with_provenance(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every operation: `because`, `actor`, `as_json`."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option(
            "--actor", type=click.Choice(["user", "agent"]), default="user", show_default=True,
            help="Who wants it.",
        ),
        click.option("--because", default="", metavar="TEXT", help="Why, for the history."),
    ):  # fmt: skip
        command = option(command)
    return command


def provenance(actor: str, because: str) -> Provenance:
    """What the options say."""
    return Provenance(actor=actor, because=because)


def report(done: Changed, as_json: bool) -> None:
    """Print what was done; where everything stood so already, that."""
    operation = done.operation
    printer(as_json).value(
        {
            "operation": operation.kind,
            "memories": list(operation.memories),
            "to": operation.to,
            "commit": done.commit,
            "paths": list(done.paths),
            "note": done.note,
        },
        lambda: _text(done),
    )


def _text(done: Changed) -> str:
    if done.commit is None:
        return done.note
    operation = done.operation
    lines = [f"{operation.kind}: {operation.subject} in {done.commit[:SHORT]}"]
    about = 2 if operation.kind in ("supersede", "rename") else 1
    others = operation.memories[about:] if operation.kind not in _ALIKE else ()
    if others:
        verb = "now follow" if operation.kind == "rename" else "labels changed"
        lines.append(f"  {verb}: {', '.join(others)}")
    return "\n".join([*lines, *([f"  {done.note}"] if done.note else [])])
