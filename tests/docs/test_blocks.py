"""Every console block of the README and the docs does what stands there, in order, page by page.

The one rule: what cannot be run here says why above the block, and is still held against the real
command line.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from memgit.cli import Verbs
from tests.docs.blocks import PAGES, ROOT, agrees, blocks
from tests.docs.staging import Machine, empty, furnish, machine, written

END = "\x1e"
"""Stands in the output around each exit code; no command says it."""


@pytest.fixture(scope="module")
def ready() -> Iterator[Machine]:
    with machine() as made:
        yield made


RUN = [page for page in PAGES if page.name != "README.ja.md" and blocks(page)]
"""What is typed in the Japanese README is what is typed in the other; a test holds that."""


@pytest.mark.parametrize("page", RUN, ids=lambda path: path.name)
def test_blocks_do_what_stands_there(page: Path, ready: Machine) -> None:
    empty(ready.home)
    if page.name == "README.md":
        written(ready.home)
    else:
        furnish(ready)
    for block in blocks(page):
        if block.why:
            continue
        script = "".join(f"{one.typed}\nprintf '{END}%d{END}' $?\n" for one in block.commands)
        said = ready.run(script).stdout.decode("utf-8", "replace").split(END)
        for command, text, status in zip(block.commands, said[::2], said[1::2], strict=False):
            place = f"{page.name}:{command.line}: {command.typed}"
            assert int(status) == command.status, f"{place}\n{text}"
            if command.shown is not None:
                assert agrees(command.shown, text, ready.home), f"{place}\n{text}"
        assert len(said) == 2 * len(block.commands) + 1, said


def command_lines(text: str) -> Iterator[list[str]]:
    """Every `memgit ...` of a shell line, as words."""
    for part in re.split(r"&&|\|\||[|;\n]|\$\(", re.sub(r"(^|\s)#.*", "", text)):
        try:
            words = shlex.split(part.strip().rstrip(")"))
        except ValueError:
            continue
        if words and words[0].rpartition("/")[2] == "memgit":
            yield words[1:]


def check(words: list[str]) -> str:
    """What of a command line the program does not have, or ""."""
    command: click.Command = Verbs("memgit")
    options = {"--store", "--version", "--help", "-h"}
    for word in words:
        if word.startswith("-") and len(word) > 1:
            if word.partition("=")[0] not in options:
                return f"{word} of {command.name}"
        elif isinstance(command, click.Group):
            inner = command.get_command(click.Context(command), word)
            if inner is None:
                return "" if command.invoke_without_command else f"{word} of {command.name}"
            command = inner
            options = {"--help", "-h", "--store"}.union(
                *([*one.opts, *one.secondary_opts] for one in command.params)
            )
    return ""


@pytest.mark.parametrize("page", sorted({*PAGES, *ROOT.glob("*.md")}), ids=lambda path: path.name)
def test_every_command_that_is_named_is_one(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    named = [words for code in re.findall(r"`([^`]+)`", prose) for words in command_lines(code)]
    typed = [
        words
        for block in blocks(page)
        for one in block.commands
        for words in command_lines(one.typed)
    ]
    assert [fault for words in named + typed if (fault := check(words))] == []
