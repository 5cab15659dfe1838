"""Rows of a run as they lie in a file: one trial a line, read back, and checked by their types.

The one rule: a row that another program wrote, or somebody changed, is told with its line before
anything is made of it; a last line that was cut off is none.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_type_hints

from memgit.errors import UsageError
from memgit.evaluation.reclaim.adapters import ADAPTERS
from memgit.evaluation.reclaim.notes import POLICIES
from memgit.evaluation.reclaim.problem import FAMILIES
from memgit.evaluation.reclaim.scoring import OUTCOMES
from memgit.evaluation.reclaim.trial import CONDITIONS, Trial
from memgit.evaluation.reclaim.wording import ARMS, CORRECTIONS

SCHEMA = 1
"""Raised whenever a row would mean something else."""

MOST = 10**9
"""Beyond which no number of a row is meant."""

Row = Mapping[str, Any]

_TYPES: Mapping[str, type] = {
    **get_type_hints(Trial), "pid": str, "reader": str, "deterministic": bool, "outcome": str,
}  # fmt: skip
_MAY_BE: Mapping[str, type] = {
    "certificate": str, "blast": int, "H": int, "replies": list, "options": list,
}  # fmt: skip
_SINGLE = ("true", "planted_value", "answer")
_ONE_OF: Mapping[str, Sequence[str]] = {
    "condition": tuple(CONDITIONS), "outcome": OUTCOMES, "family": FAMILIES, "arm": ARMS,
    "policy": (*POLICIES, *ADAPTERS), "correction": CORRECTIONS,
}  # fmt: skip


def key_of(row: Row) -> str:
    """What tells a trial apart within a file: all that was set, and who answered."""
    names = (*Trial.__dataclass_fields__, "pid", "reader")
    return json.dumps([row.get(name) for name in names], ensure_ascii=False)


def load(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of a run so far, the last one of each trial; a line that was cut off is dropped.

    Raises UsageError where the file holds something else, or cannot be read.
    """
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(whole(path).split(b"\n")[:-1], 1):
        row = _row(line)
        why = "it is no JSON object" if row is None else fault_of(row)
        if row is None or why:
            raise UsageError(f"{path}:{number}: no row of a run: {why}",
                             "`memgit reclaim run --out FILE` writes them")  # fmt: skip
        found[key_of(row)] = row
    return found


def together(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The rows of several files; of a trial that stands in more than one, the last."""
    found: dict[str, dict[str, Any]] = {}
    for path in paths:
        found |= load(path)
    return list(found.values())


def whole(path: Path) -> bytes:
    """A file up to the end of its last whole line; empty where there is no file yet."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror}", "name a file of a run") from None
    return data[: data.rfind(b"\n") + 1]


def cut_off(path: Path) -> bool:
    """Whether a file ends within a line, as after a run that was killed."""
    return path.stat().st_size > len(whole(path))


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def fault_of(row: Row) -> str:
    """What keeps an object from being a row of a run; "" for one that is."""
    if row.get("schema") != SCHEMA:
        return f"its schema is not {SCHEMA}"
    for name, kind in {**_TYPES, **{key: _MAY_BE[key] for key in _MAY_BE if key in row}}.items():
        if name not in row:
            return f"it has no {name}"
        value = row[name]
        fits = isinstance(value, (int, float) if kind is float else kind)
        if not fits or (kind is not bool and isinstance(value, bool)):
            return f"its {name} is no {_WORDS[kind]}"
        if isinstance(value, int | float) and not 0 <= value <= MOST:
            return f"its {name} is out of range"
        if name in _ONE_OF and value not in _ONE_OF[name]:
            return f"its {name} is not known"
    if "blast" in row and not (row.get("H") == row["hops"] and row["blast"] <= row["hops"]):
        return "its blast is more than its hops"
    if not all(isinstance(one, str) for one in row.get("options", ())):
        return "its options are no texts"
    odd = [name for name in _SINGLE if not is_value(row.get(name))]
    return f"its {odd[0]} is no value" if odd else ""


def is_value(given: object) -> bool:
    """Whether something is a single value: text, a number that somebody may mean, or none."""
    if isinstance(given, int | float):
        return abs(given) <= MOST  # never so of what is no number
    return given is None or isinstance(given, str)


_WORDS = {str: "text", int: "whole number", float: "number", bool: "truth value", list: "list"}
