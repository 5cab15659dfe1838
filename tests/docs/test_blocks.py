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

from memgit.cli import memgit
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


def fault_of(words: list[str]) -> str:
    """What the program's own parser says against a command line; "" where it takes it."""
    command: click.Command = memgit
    while True:
        context = click.Context(command, info_name=command.name, help_option_names=["-h", "--help"])
        try:
            _, words, _ = command.make_parser(context).parse_args(list(words))
        except click.UsageError as fault:
            return f"{command.name}: {fault.format_message()}"
        if not isinstance(command, click.Group) or not words:
            return ""
        inner = command.get_command(context, words[0])
        if inner is None:
            return f"{command.name}: no {words[0]}"
        command, words = inner, words[1:]


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
    assert [fault for words in named + typed if (fault := fault_of(words))] == []


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("memgit --store ~/memory add --type user -", ""),
        ("memgit recall --promt x", "recall: No such option"),
        ("memgit profile ad x", "profile: no ad"),
        ("memgit label x --because", "label: Option '--because' requires"),
    ],
)
def test_what_is_no_command_line_is_seen(typed: str, fault: str) -> None:
    assert fault_of(next(command_lines(typed))).startswith(fault)


@pytest.mark.parametrize(
    ("shown", "said", "same"),
    [
        ("added a in 6a6b0194ae5c\n", "added a in 91f1e129d1de\n", True),
        ("added a in 6a6b0194ae5c\n", "added b in 91f1e129d1de\n", False),
        ("recorded 2026-12-01, today\n", "recorded 2027-01-02, 3 days ago\n", True),
        ("first\n...\n", "first\nsecond\n", True),
        ("first\n", "first\nsecond\n", False),
        ("", "said though nothing is shown\n", False),
        ("/home/me/a b\n", "/home/x/a\nb\n", True),
        ("3 memories\n", "4 memories\n", False),
    ],
)
def test_what_is_shown_is_held_against_what_is_said(shown: str, said: str, same: bool) -> None:
    assert agrees(shown, said, Path("/home/x")) is same
