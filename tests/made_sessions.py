"""Transcripts made for tests: what a session typed, ran and was told, in the agent's own shape."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Call = str | tuple[str, str] | dict[str, Any]
"""A command; a command and the complaint with which it failed; or the input of another tool."""


def session_id(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-{number:012x}"


def rows(
    number: int, calls: Iterable[Call], prompt: str = "go on", cwd: str = "/p", seed: str = ""
) -> list[dict[str, Any]]:
    """The records of one session; `seed` makes their uuids others than those of the number."""
    sid = session_id(number)
    head = {"sessionId": sid, "cwd": cwd, "isSidechain": False, "version": "2.1.40"}

    def uuid(place: int) -> str:
        return f"{seed or number}-{place}"

    day = f"2026-05-{number % 28 + 1:02}"
    typed = {"type": "user", "uuid": uuid(0), "timestamp": f"{day}T10:00:00Z"}
    found = [{**head, **typed, "message": {"content": prompt}}]
    for place, call in enumerate(calls, 1):
        command, complaint = call if isinstance(call, tuple) else (call, "")
        name, given = "Bash", {"command": command}
        if isinstance(call, dict):
            given = dict(call)
            name = given.pop("tool")
        block = {"type": "tool_use", "id": f"t{place}", "name": name, "input": given}
        answer = {"type": "tool_result", "tool_use_id": f"t{place}",
                  "content": complaint or "done", "is_error": bool(complaint)}  # fmt: skip
        when = {"timestamp": f"{day}T10:{place:02}:00Z"}
        found.append({**head, **when, "type": "assistant", "uuid": uuid(2 * place - 1),
                      "message": {"content": [block]}})  # fmt: skip
        found.append({**head, **when, "type": "user", "uuid": uuid(2 * place),
                      "message": {"content": [answer]}})  # fmt: skip
    return found


def put(folder: Path, number: int, records: Sequence[dict[str, Any]]) -> Path:
    """A transcript where the agent would have it."""
    path = folder / "-p" / f"{session_id(number)}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in records)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def made(folder: Path, number: int, *calls: Call, prompt: str = "go on", cwd: str = "/p") -> Path:
    """A session that ran these calls."""
    return put(folder, number, rows(number, calls, prompt, cwd))


CONFLICT = "CONFLICT (content): Merge conflict in src/a.py"
RELEASE = ("git fetch origin", "git rebase origin/main", "git push")
OTHERS: tuple[tuple[Call, ...], ...] = (
    ("ls -la", "npm install", "cat package.json"),
    ("docker compose up -d", "pytest -q", "pytest -q tests"),
    ("pytest -q", "docker compose down"),
    ("cargo build", "cargo run"),
    ("npm install", "cargo build"),
    ("cargo run", "npm install"),
    ("docker compose down", "npm install", "cargo build"),
)
"""Sessions in which nothing recurs, so that what recurs in others stands out."""


def releases(folder: Path, count: int = 4, cwd: str = "/p") -> None:
    """So many sessions that fetch, rebase and push, one of which met a conflict; and others."""
    for number in range(1, count + 1):
        failed = [("git rebase origin/main", CONFLICT)] if number == 2 else []
        made(folder, number, RELEASE[0], *failed, *RELEASE[1:], prompt=f"release {number}", cwd=cwd)
    for number, calls in enumerate(OTHERS, 101):
        made(folder, number, *calls, cwd=cwd)
