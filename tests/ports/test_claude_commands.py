"""The list of commands that a program tells, of stand-ins for Claude Code."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from memgit.ports.claude_commands import commands_of, program

INIT = {"type": "system", "subtype": "init", "slash_commands": ["verify", "ship-it", 7],
        "terminal_slash_commands": ["focus"]}  # fmt: skip


def stand_in(folder: Path, *lines: str) -> Path:
    """A program of these lines of Python."""
    made = folder / "claude"
    made.write_text("\n".join((f"#!{sys.executable}", "import os, sys, time", *lines)), "utf-8")
    made.chmod(0o755)
    return made


def says(value: object) -> str:
    return f"print({json.dumps(value)!r}, flush=True)"


def test_the_list_is_read_and_the_program_ended_at_once(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    cli = stand_in(
        tmp_path, "print('a warning', flush=True)", says({"type": "other"}), says(INIT),
        f"open({str(pid)!r}, 'w').write(str(os.getpid()))", "time.sleep(60)",
    )  # fmt: skip
    start = time.monotonic()
    assert commands_of(cli) == ["focus", "ship-it", "verify"]
    assert time.monotonic() - start < 10
    if pid.exists() and pid.read_text():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)


def test_it_sees_nothing_of_the_persons_and_can_reach_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-persons-own")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "the-persons-own")
    seen = tmp_path / "seen"
    cli = stand_in(
        tmp_path, f"open({str(seen)!r}, 'w').write(__import__('json').dumps(dict(os.environ)))",
        says(INIT),
    )  # fmt: skip
    assert commands_of(cli)
    told = json.loads(seen.read_text())
    assert "the-persons-own" not in told.values()
    assert told["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
    assert told["HOME"] != os.environ["HOME"]
    assert told["CLAUDE_CONFIG_DIR"].startswith(told["HOME"])
    assert not Path(told["HOME"]).exists()


@pytest.mark.parametrize(
    "line",
    ["sys.exit(1)", "print('no json')", says({"type": "system", "subtype": "init"}),
     says({**INIT, "slash_commands": None, "terminal_slash_commands": {}}), says([1]),
     "time.sleep(60)"],
)  # fmt: skip
def test_what_tells_no_list_has_none(line: str, tmp_path: Path) -> None:
    assert commands_of(stand_in(tmp_path, line), longest=1.5) is None


def test_what_cannot_be_started_has_none(tmp_path: Path) -> None:
    assert commands_of(tmp_path / "nothing") is None


def test_the_program_is_the_named_one_or_that_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMGIT_CLAUDE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() is None
    cli = stand_in(tmp_path)
    assert program() == cli.resolve()
    monkeypatch.setenv("MEMGIT_CLAUDE", str(tmp_path / "gone"))
    assert program() is None
