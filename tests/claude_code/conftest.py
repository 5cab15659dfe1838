"""Fixtures for tests against the real Claude Code CLI; without it they skip and say why."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
