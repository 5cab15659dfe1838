"""The interpreter of the hooks is one that runs them."""

import os
import sys
from pathlib import Path

import pytest

from memgit.errors import MemgitError
from memgit.ports.interpreter import bare, full
from memgit.ports.shipped import shipped

RECALL = shipped("hooks") / "recall.py"


def program(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_it_is_the_one_behind_the_virtual_environment() -> None:
    assert bare(RECALL) == os.path.realpath(sys.executable)
    assert full() == sys.executable


def test_a_link_that_leads_to_none_that_runs_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a program's first word decides what it is."""
    shim = program(
        tmp_path / "shim",
        f'#!/bin/sh\ncase $0 in */python) exec "{sys.executable}" "$@" ;; esac\nexit 1\n',
    )
    link = tmp_path / "python"
    link.symlink_to(shim)
    monkeypatch.setattr(sys, "executable", str(link))
    assert bare(RECALL) == str(link)


@pytest.mark.parametrize("text", ["exit 1", "echo 'No module named memgit' >&2"])
def test_one_that_does_not_run_the_hook_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    python = program(tmp_path / "python", f"#!/bin/sh\n{text}\n")
    monkeypatch.setattr(sys, "executable", python)
    with pytest.raises(MemgitError, match=f"{python} does not run .*recall.py: "):
        bare(RECALL)


def test_a_hook_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(MemgitError, match="No such file"):
        bare(tmp_path / "recall.py")
