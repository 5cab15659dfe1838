"""`memgit add`: write a memory and commit it at once, safely beside other writers."""

import sys

import click

from memgit.domain.index import Index
from memgit.domain.memory import TYPES
from memgit.domain.remember import Wish, remember
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import printer

TEMPLATE = """
# The first lines, up to ---, are the description. Below it comes the memory, in markdown.
# Lines that start with # above the --- are left out; an empty text writes nothing.
---
"""


@click.command(
    epilog="Example: memgit add --name tabs --type feedback --body 'Indent with tabs.'   "
    "Or: echo 'Use tabs.' | memgit add -"
)
@click.argument("source", required=False, metavar="[-]")
@click.option("--name", help="Its name; else made from the description or the first words.")
@click.option("--type", "kind", type=click.Choice(TYPES), default="project", show_default=True)
@click.option("--description", default="", help="One line that tells when it is needed.")
@click.option("--body", help="Its text, in markdown; `-` reads stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def add(
    store: str | None, source: str | None, name: str | None, kind: str, description: str,
    body: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Write a memory and commit it. Without a text, an editor opens on a terminal."""
    if source not in (None, "-"):
        raise UsageError(f"{source}: not an option", "give the text with --body TEXT")
    description, text = _text(description, "-" if source else body)
    opened = Store.find(store)
    done = remember(opened, Wish(text, name or "", kind, description))
    Index(opened).sync()
    printer(as_json).value(
        {"name": done.name, "path": done.path, "commit": done.commit},
        f"added {done.name} ({done.path}) in {done.commit[:12]}",
    )


def _text(description: str, body: str | None) -> tuple[str, str]:
    """(description, body) from the option, stdin or an editor. Raises UsageError when empty."""
    if body == "-" or (body is None and not sys.stdin.isatty()):
        body = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    elif body is None:
        written = click.edit(TEMPLATE, extension=".md") or ""
        head, _, body = written.partition("---\n")
        typed = [line for line in head.splitlines() if line.strip() and line[0] != "#"]
        description = description or " ".join(typed)
    if not body.strip() and not description.strip():
        raise UsageError("there is nothing to remember", "give the text with --body TEXT")
    return description, body
