"""How procedures, drafts and what became of them are told, as JSON and as text.

The one rule: what sessions said is shown as one printable line, and never as markup.
"""

from collections.abc import Collection, Sequence
from typing import Any

from memgit.domain.skills.draft import Draft
from memgit.domain.skills.drafting import Detected
from memgit.domain.skills.report import Row
from memgit.errors import Fault
from memgit.prompt.show import plain

EXAMPLE = 300
"""Characters of an example that are shown to a person; JSON has more."""


def row(one: Detected) -> dict[str, Any]:
    """A procedure as JSON has it."""
    procedure = one.procedure
    return {
        "type": "procedure",
        "name": procedure.name,
        "steps": list(procedure.steps),
        "sessions": list(procedure.sessions),
        "failed_first": procedure.failed_first,
        "example": plain(procedure.example),
        "cost": procedure.cost,
        "variants": [{"steps": list(steps), "sessions": count}
                     for steps, count in procedure.variants.items()],
    }  # fmt: skip


def procedure(one: Detected, gone: Collection[str]) -> str:
    """The same for a person."""
    found = one.procedure
    lost = len(set(found.sessions) & set(gone))
    many = some(len(found.sessions), "session")
    lines = [f"{found.name}: {many}" + (f", {lost} deleted" * bool(lost))]
    lines.append(f"  {' → '.join(found.steps)}")
    for steps, count in found.variants.items():
        lines.append(f"  or {' → '.join(steps)} ({some(count, 'session')})")
    if found.failed_first:
        lines.append(
            f"  failed first in {some(found.failed_first, 'session')}, which took "
            f"{some(found.cost, 'further call or edit', 'further calls and edits')}"
        )
    lines.append(f"  as in: {plain(found.example)[:EXAMPLE]}")
    lines.append(f"  sessions: {', '.join(session[:8] for session in found.sessions)}")
    return "\n".join(lines)


def checked(draft: Draft, faults: Sequence[Fault], length: int) -> dict[str, Any]:
    """A check as JSON has it."""
    return {
        "name": draft.name, "path": draft.path, "digest": draft.digest[:length],
        "passed": not faults,
        "faults": [{"line": one.line, "gate": one.code, "message": one.message} for one in faults],
    }  # fmt: skip


def check(draft: Draft, faults: Sequence[Fault], length: int) -> str:
    """The same for a person."""
    if faults:
        return "\n".join(plain(str(fault)) for fault in faults)
    return f"{draft.path}: every gate is passed, digest {draft.digest[:length]}"


def some(count: int, one: str, more: str = "") -> str:
    """A number of things, where one is told as one."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


def state(row: Row) -> str:
    """What became of one procedure or draft."""
    told = f"{row.name}: {row.state}"
    if row.state == "detected":
        return f"{told} in {some(row.sessions, 'session')}, not drafted"
    if row.folders:
        told += f" to {', '.join(row.folders)}"
    if row.state == "promoted":
        told += f", called {some(row.used, 'time')} in {some(row.sessions, 'session')}"
    lines = [told, *(f"  {plain(one)}" for one in dict.fromkeys(row.because))]
    return "\n".join([*lines, *([f"  to take it back: {row.demote}"] if row.demote else [])])
