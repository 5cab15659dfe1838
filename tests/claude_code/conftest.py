"""Fixtures for tests against the real Claude Code CLI; without it they skip and say why."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

from .cli import ABSENT, Claude, find_cli
from .messages_api import MessagesApi


@pytest.fixture
def messages_api() -> Iterator[MessagesApi]:
    """A scripted model on a loopback port."""
    with MessagesApi() as api:
        yield api


@pytest.fixture
def claude(messages_api: MessagesApi, tmp_path: Path) -> Claude:
    """The real CLI in an empty home, talking to `messages_api`."""
    cli = find_cli()
    if cli is None:
        pytest.skip(ABSENT)
    return Claude(cli, tmp_path / "claude", messages_api)


@pytest.fixture
def plugin(claude: Claude) -> Callable[..., None]:
    """`plugin(store, *options)` installs our plugin, with one `memgit` on the CLI's PATH.

    Options are further ones of `claude plugin install`.
    """
    programs = claude.home / "programs"
    programs.mkdir()
    program = programs / "memgit"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m memgit "$@"\n', "utf-8"
    )
    program.chmod(0o755)
    others = (place for place in claude.env["PATH"].split(os.pathsep)
              if not Path(place, "memgit").exists())  # fmt: skip
    claude.env["PATH"] = os.pathsep.join((str(programs), *others))

    def install(store: Path, *options: str) -> None:
        place = ("--marketplace", ROOT / "hooks", "--config", f"store={store}", *options)
        done = claude.command("plugin", "install", "memgit", *place)
        assert done.returncode == 0, done.stdout + done.stderr

    return install
