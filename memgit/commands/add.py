"""`memgit add`: write a memory and commit it at once, safely beside other writers.

The one rule: whatever goes wrong, what was typed is in the store or in a file that is named.
"""

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import click

from memgit.commands._help import examples
from memgit.commands._words import MEMORY
from memgit.commands.check import as_value, tell
from memgit.domain.indexing.index import Index
from memgit.domain.memory import TYPES, decode, key_of
from memgit.domain.recording import farewell
from memgit.domain.remember import Remembered, Wish, keep, places_outside, remember
from memgit.domain.store import Store
from memgit.errors import MemgitError, StoreError, UsageError
from memgit.output import printer, say

TEMPLATE = """{description}
# The lines above are the description: when is it needed? Below the --- comes the memory, in
# markdown. These lines are left out; an empty text writes nothing.
---
"""

_NOTES = tuple(line for line in TEMPLATE.splitlines() if line.startswith("#"))


@click.command(
    epilog=examples(
        "memgit add --name tabs --type feedback --body 'Indent with tabs.'",
        "echo 'Use tabs.' | memgit add -",
    )
)
@click.argument("source", required=False, metavar="[-]")
@click.option("--name", default="", help="Its name; else made from the description or first words.")
@click.option("--type", "kind", type=click.Choice(TYPES), default="project", show_default=True)
@click.option("--description", default="", help="One line that tells when it is needed.")
@click.option("--body", help="Its text, in markdown; `-` reads stdin.")
@click.option("--topics", multiple=True, metavar="WORD,...", help="What it is about.")
@click.option("--alias", "aliases", multiple=True, metavar="WORD,...",
              help="What else one would type to find it.")  # fmt: skip
@click.option("--derived-from", multiple=True, metavar="NAME,...", type=MEMORY,
              help="The memories that it was made from.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def add(
    store: str | None, source: str | None, name: str, kind: str, description: str,
    body: str | None, topics: Sequence[str], aliases: Sequence[str],
    derived_from: Sequence[str], as_json: bool,
) -> None:  # fmt: skip
    """Write a memory and commit it. Without a text, an editor opens on a terminal.

    --topics, --alias and --derived-from may be given more than once, or with commas between.
    """
    if source not in (None, "-"):
        raise UsageError(f"{source}: not an option", "give the text with --body TEXT")
    with _Words(Wish(_typed(body or ""), _typed(name), kind, _typed(description))) as words:
        if body == "-" or source or (body is None and not _is_terminal()):
            words.wish = replace(words.wish, body=_with(words.wish.body, body, _stdin()))
            if body not in (None, "-"):
                raise UsageError("--body and `-` both give the text", "give one of them")
        words.put("topics", _listed("--topics", topics))
        words.put("aliases", _listed("--alias", aliases))
        origins = _listed("--derived-from", derived_from)
        opened = words.store = Store.find(store)
        opened.repository.expect_nothing_in_progress()
        if body is None and not source and _is_terminal():
            words.wish = _edited(opened, words.wish)
        if origins:
            from memgit.domain.operations.catalogue import Catalogue

            catalogue = Catalogue(opened)
            found = [catalogue.find(name.strip("[] ")).name for name in origins]
            words.put("derived_from", list(dict.fromkeys(found)))
        if words.are_empty:
            raise UsageError("there is nothing to remember", "give the text with --body TEXT")
        done = remember(opened, words.wish)
    _index(opened)
    for finding in done.findings:
        say(str(finding.fault))
    tell(done.findings)
    printer(as_json).value(_value(done), lambda: _text(done))
    if done.cut:
        say(f"--name was too long, so it is {done.name}; `memgit rename` gives it another")
    if opened.repository.branch() is None:
        say("HEAD is on no branch, so only this work tree knows the commit; `git switch -c NAME`")


def _value(done: Remembered) -> dict[str, object]:
    return {
        "name": done.name,
        "path": done.path,
        "commit": done.commit,
        "taken": done.taken,
        "cut": done.cut,
        "demoted": list(done.demoted),
        "findings": [as_value(finding) for finding in done.findings],
    }


def _text(done: Remembered) -> str:
    taken = f"; the name {done.taken} was taken" if done.taken else ""
    said = f"added {done.name} ({done.path}) in {done.commit[:12]}{taken}"
    return "\n".join(filter(None, (said, farewell(done.demoted))))


class _Words:
    """What was typed so far: kept in a file, and the file named, when the body fails."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.store: Store | None = None

    def put(self, key: str, values: Sequence[str]) -> None:
        """Say what stands below a key of the metadata."""
        self.wish = replace(self.wish, words={**self.wish.words, key: values})

    @property
    def are_empty(self) -> bool:
        return not self.wish.body.strip() and not self.wish.description.strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: object
    ) -> None:
        if fault is None or self.are_empty:
            return
        try:
            where = f"your text is kept: memgit import {keep(self.store, self.wish)}"
        except OSError:
            where = f"your text, which no disk takes: {self.wish.body}"
        if isinstance(fault, MemgitError):
            fault.hint = "; ".join(filter(None, (fault.hint, where)))
        else:
            say(where)


def _index(store: Store) -> None:
    """Bring the index along; where it cannot be, the memory is in the store all the same."""
    try:
        Index(store).sync()
    except StoreError as fault:
        say(f"memgit: {fault}")
        say(f"  {fault.hint}")


def _typed(argument: str) -> str:
    """An argument as text, whatever encoding the terminal had."""
    return decode(os.fsencode(argument))[0]


def _listed(option: str, given: Sequence[str]) -> list[str]:
    """The words of an option, each once. Raises UsageError for one that is empty or unreadable."""
    words = [_typed(part).strip() for one in given for part in re.split("[,，、]", one)]
    for word in words:
        if not word:
            raise UsageError(f"{option}: a word is empty", "write it as: first,second")
        if not word.isprintable():
            raise UsageError(f"{option}: {word!r} is more than one line", "give plain words")
    found: dict[str, str] = {}
    for word in words:
        found.setdefault(key_of(word), word)
    return list(found.values())


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _stdin() -> str:
    return decode(sys.stdin.buffer.read())[0] if sys.stdin is not None else ""


def _with(typed: str, body: str | None, piped: str) -> str:
    """What came through the pipe; behind a text that was typed as well."""
    return piped if body in (None, "-") else f"{typed}\n\n{piped}"


def _edited(store: Store, wish: Wish) -> Wish:
    """The wish with what a person writes in an editor. The file stays until it is read."""
    file = _editor_file(store)
    file.write_text(TEMPLATE.format(description=wish.description), encoding="utf-8")
    try:
        click.edit(filename=str(file))
    except click.ClickException as fault:
        raise UsageError(fault.format_message(), f"what was typed is in {file}") from None
    text = decode(file.read_bytes())[0].replace("\r\n", "\n")
    lines = [line for line in text.split("\n") if line not in _NOTES]
    if "---" in lines:
        at = lines.index("---")
        about, body = " ".join(lines[:at]), "\n".join(lines[at + 1 :])
    else:
        about, body = "", "\n".join(lines)
    file.unlink(missing_ok=True)
    return replace(wish, body=body.strip("\n"), description=" ".join(about.split()))


def _editor_file(store: Store) -> Path:
    """A file of our own in the derived folder, or among temporary files."""
    for folder in places_outside(store):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number, name = tempfile.mkstemp(".md", "editor-", folder)
        except OSError:
            continue
        os.close(number)
        return Path(name)
    raise StoreError("there is no place for a file to edit", "make room, or give --body TEXT")
