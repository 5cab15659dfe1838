"""Claude Code's own CLI as a model: the person's installed program, on the person's plan.

The one rule: it is asked in a place where nothing but the question can reach it (no tools, hooks,
memory, instructions, servers, session, keys), and only an object counts as an answer.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from memgit.ports.model.door import Answer, LimitReached, NoAnswer, Request, Usage
from memgit.ports.model.environment import (
    ADDED,
    ALLOWS_KEY,
    OF_A_SESSION,
    PAID,
    allows_key,
    withheld,
)
from memgit.ports.model.fitting import fitted
from memgit.ports.processes import Ended, run

LARGEST = 9_000_000
"""Bytes that go to it on stdin; it takes ten million."""

LIMITS = ("You've hit your", "You've reached your", "You're out of")
"""How the program says that a plan gives no more for now."""

NEEDED = ("--json-schema", "--output-format", "--system-prompt", "--tools", "--model")
"""Without one of these it could not be asked, or could do more than answer."""

ALONE = ("--strict-mcp-config", "--no-session-persistence")
"""What else keeps a call by itself; older programs do without."""


@dataclass(frozen=True)
class ClaudeCli:
    """`claude -p` as a model; `program` is its path, `model` an id or an alias."""

    program: Path
    model: str
    name: str = "claude"

    def ask(self, request: Request) -> Answer:
        """See `Model`. Ends it, with all that it started, after `request.seconds`."""
        if len(data := request.data.encode("utf-8", "replace")) > LARGEST:
            raise NoAnswer(f"{len(data):,} bytes are more than claude takes ({LARGEST:,})")
        model = request.model or self.model
        with tempfile.TemporaryDirectory(prefix="memgit-") as folder:
            ended = run(
                [str(self.program), "-p", *isolation(self.program), "--tools", "",
                 "--model", model, "--system-prompt", request.instructions,
                 "--output-format", "json",
                 "--json-schema", json.dumps(request.schema, ensure_ascii=False)],
                stdin=data, folder=Path(folder), longest=request.seconds,
                environment=ADDED, without=_without(),
            )  # fmt: skip
        return _answer(ended, request)


def _without() -> list[str]:
    return [*OF_A_SESSION, *(() if allows_key(os.environ) else PAID)]


def isolation(program: Path) -> list[str]:
    """The options that keep the person's settings, hooks, memory and servers away from a call.

    Raises NoAnswer for a program that cannot be asked so.
    """
    with suppress(OSError):
        return list(_probed(program, program.stat().st_mtime_ns))
    raise NoAnswer(f"{program} is not there", "install Claude Code, or see [model] in memgit.toml")


@lru_cache(maxsize=8)
def _probed(program: Path, _changed: int) -> tuple[str, ...]:
    """Asked once for each build of the program."""
    told = run([str(program), "--help"], environment=ADDED, without=_without(), longest=30)
    words = set(told.out.decode("utf-8", "replace").replace(",", " ").split())
    missing = [option for option in NEEDED if option not in words]
    if told.status != 0 or missing:
        raise NoAnswer(
            f"{program} cannot be asked: {told.stopped or 'it lacks ' + ', '.join(missing)}",
            "update Claude Code (`claude --version` tells which one it is)",
        )
    alone = tuple(option for option in ALONE if option in words)
    if "--safe-mode" in words:
        return ("--safe-mode", *alone)
    if "--setting-sources" not in words:
        raise NoAnswer(
            f"{program} cannot be kept from its settings and hooks", "update Claude Code"
        )
    settings = json.dumps({"disableAllHooks": True, "autoMemoryEnabled": False})
    bare = ("--disable-slash-commands",) if "--disable-slash-commands" in words else ()
    return ("--setting-sources", "", "--settings", settings, *bare, *alone)


def _answer(ended: Ended, request: Request) -> Answer:
    """What a run of the program gave. Only an object is an answer, whatever else it says."""
    if ended.stopped:
        raise NoAnswer(f"claude {ended.stopped}", "nothing was changed; it is asked again later")
    told = _told(ended.out)
    usage = _usage(told)
    value = told.get("structured_output")
    if ended.status == 0 and told.get("is_error") is False and value is not None:
        return Answer(fitted(value, request.schema, usage), usage)
    raise _failure(ended, told, usage)


def _told(out: bytes) -> dict[str, Any]:
    """The result that it printed; a warning may stand above it."""
    text = out.decode("utf-8", "replace").strip()
    for part in (text, text.rpartition("\n")[2]):
        with suppress(ValueError, RecursionError):
            if isinstance(told := json.loads(part), dict):
                return told
    return {}


def _failure(ended: Ended, told: Mapping[str, Any], usage: Usage) -> NoAnswer:
    said = _line(told.get("result")) or _line(ended.err.decode("utf-8", "replace"))
    status = told.get("api_error_status")
    hint = "nothing was changed; it is asked again later"
    if said.startswith(LIMITS) or status in (402, 429):
        return LimitReached(f"claude: {said}", hint, usage)
    if status in (401, 403) or "/login" in said or "API key" in said:
        kept = ", ".join(withheld(os.environ))
        why = (
            f" ({kept} was kept from it: {ALLOWS_KEY}=1 lets it through, and pays)" if kept else ""
        )
        return LimitReached(f"claude: {said}{why}", "start `claude` and sign in with /login", usage)
    if ended.status == 0 and told and not told.get("is_error"):
        return NoAnswer("claude gave no object, only text", hint, usage)
    if ended.status is not None and ended.status < 0:
        return NoAnswer(f"claude was ended by signal {-ended.status}", hint, usage)
    return NoAnswer(f"claude ended with {ended.status}: {said or 'no word'}", hint, usage)


def _usage(told: Mapping[str, Any]) -> Usage:
    """What it took; dollars only where a key pays, for what a plan costs is not told."""
    counted = told.get("usage")
    counts = counted if isinstance(counted, dict) else {}
    models = told.get("modelUsage")
    paid = told.get("total_cost_usd") if allows_key(os.environ) else None
    return Usage(
        input=_number(counts, "input_tokens") + _number(counts, "cache_creation_input_tokens"),
        output=_number(counts, "output_tokens"),
        cached=_number(counts, "cache_read_input_tokens"),
        dollars=float(paid) if isinstance(paid, int | float) else 0.0,
        model=", ".join(models) if isinstance(models, dict) else "",
    )


def _number(counts: Mapping[str, Any], key: str) -> int:
    value = counts.get(key)
    return value if isinstance(value, int) else 0


def _line(text: object) -> str:
    return " ".join(str(text or "").split())[:200]
