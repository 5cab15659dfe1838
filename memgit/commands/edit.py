"""`memgit edit`: change one line of a memory, or open it in an editor."""

import sys
import tempfile
from contextlib import suppress

import click

from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands._words import MEMORY
from memgit.domain.memory import decode
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.editing import Edit
from memgit.domain.operations.editing import edit as edit_memory
from memgit.domain.operations.rewriting import encoded
from memgit.domain.remember import places_outside
from memgit.domain.store import Store
from memgit.errors import MemgitError, UsageError


@click.command(
    epilog=examples(
        "memgit edit rate-limits --line '- burst: 40' --to '- burst: 80'",
        "memgit edit rate-limits --append '- partners: 60 a second'",
    )
)
@click.argument("name", type=MEMORY)
@click.option("--line", metavar="TEXT", help="The line to change, exactly as it stands.")
@click.option("--to", metavar="TEXT", help="What it shall be.")
@click.option("--remove", is_flag=True, help="Take the line out.")
@click.option("--append", metavar="TEXT", help="Add a line at the end instead.")
@with_provenance
@click.pass_obj
def edit(
    store: str | None, name: str, line: str | None, to: str | None, remove: bool,
    append: str | None, because: str, actor: str, as_json: bool,
) -> None:  # fmt: skip
    """Change one line of the memory NAME; every other line stays byte for byte. Without options,
    an editor opens on a terminal.
    """
    opened = Store.find(store)
    given = [what for what in (line, to, append) if what is not None]
    if append is not None and len(given) == 1 and not remove:
        wish = Edit(to=append)
    elif line is not None and append is None and remove == (to is None):
        wish = Edit(line, to)
    elif not given and not remove and sys.stdin.isatty():
        wish = _typed(opened, name)
    else:
        raise UsageError(
            "say which line, and what becomes of it",
            "--line TEXT --to TEXT, --line TEXT --remove, or --append TEXT",
        )
    try:
        done = edit_memory(opened, name, wish, provenance(actor, because))
    except MemgitError as fault:
        if wish.whole is not None and wish.whole != wish.read:
            fault.hint = f"{fault.hint}; {_kept(opened, wish.whole)}"
        raise
    report(done, as_json)


def _kept(store: Store, text: bytes) -> str:
    """Where the text lies that the store did not take."""
    for folder in places_outside(store):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            number, path = tempfile.mkstemp(".md", "edited-", folder)
            with open(number, "wb") as file:
                file.write(text)
            return f"your text is kept in {path}"
    return f"your text, which no disk takes: {decode(text)[0]}"


def _typed(store: Store, name: str) -> Edit:
    """What a person makes of the file in an editor; leaving it without saving changes nothing."""
    path = Catalogue(store).find(name).path
    read = store.content(path)
    text, encoding = decode(read)
    written = click.edit(text, extension=".md")
    if written is not None and not written.strip():
        raise UsageError(
            "there is nothing to remember, so nothing was changed",
            f"`memgit retire {name}` takes a memory out of recall",
        )
    whole = read if written is None else encoded(path, written, read, encoding)
    return Edit(whole=whole, read=read)
