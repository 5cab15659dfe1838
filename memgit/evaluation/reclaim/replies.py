"""Recorded replies of models, read row by row: what kind of row a file holds, and what is right.

The one rule: a file is known by the fields of its rows, never by its name; what cannot be read is
told with its line, and the rest counts all the same.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memgit.errors import Fault
from memgit.evaluation.reclaim.rows import fault_of, is_value
from memgit.evaluation.reclaim.scoring import Gold, Value, number, same

Row = Mapping[str, Any]

PIDS = "pids.json"
"""Lies beside recorded replies, or in a folder above: problem → its right and its planted value."""

LISTS = ("per_hop", "src_nums")
"""Fields that may hold more than one value."""

SHOWN = 200
"""Characters of a row that a fault repeats."""

RIGHT = ("true", "reclaim")
PLANTED = ("drift", "inherit", "inherited", "attractor")

OURS = "run of memgit"

KINDS: Sequence[tuple[str, frozenset[str]]] = (
    (OURS, frozenset({"schema", "outcome", "prompts"})),
    ("chosen option", frozenset({"chosen", "outcome"})),
    ("cascade", frozenset({"H", "blast"})),
    ("completeness", frozenset({"k", "n", "reply", "bucket"})),
    ("size sweep", frozenset({"n", "budget", "correct"})),
    ("guessing floor", frozenset({"n_options", "correct"})),
    ("kinds of correction", frozenset({"correction", "bucket"})),
    ("blank against lossy", frozenset({"bucket", "attractor"})),
    ("integrity", frozenset({"integrity", "correct"})),
    ("written notes", frozenset({"variant", "correct"})),
    ("wordings of the prompt", frozenset({"prompt", "correct"})),
    ("buckets", frozenset({"bucket"})),
    ("outcomes", frozenset({"outcome"})),
    ("right or wrong", frozenset({"correct"})),
    ("answers", frozenset({"pid", "answer"})),
    ("reclaims", frozenset({"reclaim"})),
)
"""Kind → the fields that tell it; the first that a row has all of."""


@dataclass(frozen=True)
class Recorded:
    """One file of recorded replies. `kind` is one of KINDS; `model` as the rows or the name say."""

    path: Path
    kind: str
    model: str
    rows: Sequence[Row]
    faults: Sequence[Fault] = ()
    golds: Mapping[str, Gold] = field(default_factory=dict)

    @property
    def is_deterministic(self) -> bool:
        """Whether its replies are those of a rule, and of no model."""
        words = self.model.lower().replace("-", "_").split("_")
        return "dry" in words or any(row.get("deterministic") for row in self.rows[:1])


def read(path: Path) -> Recorded:
    """A file of JSON lines. Faults are lines that are no object, or of no kind that is known."""
    rows: list[Row] = []
    faults: list[Fault] = []
    kinds: Counter[str] = Counter()
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as fault:
        told = Fault(str(path), 0, "file", fault.strerror or "cannot be read")
        return Recorded(path, "", "", (), (told,))
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row, why = _row(line, is_last=place == len(lines))
        kind = kind_of(row) if row is not None else ""
        why = why or _fault(row or {}, kind)
        if row is None or why:
            faults.append(Fault(str(path), place, "row", why))
            continue
        rows.append(row)
        kinds[kind] += 1
    if not rows and not faults:
        faults.append(Fault(str(path), 1, "empty", "holds no rows"))
    kind = kinds.most_common(1)[0][0] if kinds else ""
    known = _pids(path)
    return Recorded(path, kind, _model(path, rows), rows, faults, _golds(rows, known))


def kind_of(row: Row) -> str:
    """The kind of a row; "" for one that nothing tells."""
    return next((kind for kind, needed in KINDS if needed <= row.keys()), "")


def _fault(row: Row, kind: str) -> str:
    """What keeps an object from being scored; "" where nothing does."""
    if not kind:
        return f"no field tells what was right; it has {', '.join(sorted(row))[:SHOWN]}"
    if kind == OURS:
        return fault_of(row)
    for name, value in row.items():
        if not (is_value(value) or (name in LISTS and isinstance(value, list))):
            return f"its {name[:SHOWN]} is no value"
    if kind == "cascade":
        if not (type(row["H"]) is int and row["H"] >= 1):
            return "its H is no number of hops"
        if not (isinstance(row["blast"], int | float) and 0 <= blast(row) <= row["H"]):
            return "its blast is no number of its hops"
    return ""


def blast(row: Row) -> float:
    """Hops of a row whose total was wrong."""
    hops = row.get("per_hop")
    return float(sum(not right for right in hops) if isinstance(hops, list) else row["blast"])


def _row(line: bytes, is_last: bool) -> tuple[Row | None, str]:
    try:
        row = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None, "is cut off; the file was not written to its end" if is_last else "is no JSON"
    return (row, "") if isinstance(row, dict) else (None, "is no JSON object")


def _model(path: Path, rows: Sequence[Row]) -> str:
    named = {str(row["model"]) for row in rows if row.get("model")}
    if len(named) == 1:
        return named.pop()
    stem = path.stem
    return stem.partition("_")[2] or stem


# What is right ------------------------------------------------------------------------------


def _pids(path: Path) -> Mapping[str, Mapping[str, Any]]:
    for folder in list(path.resolve().parents)[:4]:
        try:
            told = json.loads((folder / PIDS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(told, dict):
            return {pid: one for pid, one in told.items() if isinstance(one, dict)}
    return {}


def _golds(rows: Sequence[Row], known: Mapping[str, Mapping[str, Any]]) -> dict[str, Gold]:
    """Per problem what is right: as it is told beside the rows, else as the rows themselves tell.

    A problem that no row got right has no entry.
    """
    right = _most(rows, lambda row: row.get("correct") is True or row.get("bucket") in RIGHT)
    planted = _most(rows, lambda row: row.get("attractor") is True or row.get("bucket") in PLANTED)
    found = {}
    for pid in {str(row["pid"]) for row in rows if "pid" in row}:
        told = known.get(pid, {})
        true = value_of(told.get("truth"))
        true = right.get(pid) if true is None else true
        drift = value_of(told.get("drift"))
        if true is not None:
            found[pid] = Gold(true, planted.get(pid) if drift is None else drift)
    return found


def gold_of(row: Row) -> Gold | None:
    """What is right where the row itself tells it."""
    true = next((value_of(row[key]) for key in ("truth", "true", "gold") if key in row), None)
    if true is None:
        return None
    planted = (value_of(row[key]) for key in ("drift", "planted_value") if key in row)
    return Gold(true, next(planted, None))


def _most(rows: Iterable[Row], has: Callable[[Row], bool]) -> dict[str, Value]:
    counts: dict[str, Counter[Value]] = defaultdict(Counter)
    for row in rows:
        value = value_of(row.get("answer"))
        if "pid" in row and value is not None and has(row):
            counts[str(row["pid"])][value] += 1
    return {pid: count.most_common(1)[0][0] for pid, count in counts.items()}


def value_of(given: Any) -> Value | None:
    """A recorded answer as a value; None for none."""
    if given is None or isinstance(given, bool | list | dict):
        return None
    if isinstance(given, int | float):
        return float(given)
    text = str(given).strip()
    read = number(text)
    return read if read is not None else text or None


def partial_sums(rows: Sequence[Row]) -> dict[tuple[Any, ...], Value]:
    """Of notes that keep k of n items, per (budget, n, k, store): what the kept ones come to, as
    most rows have it that were recorded as such.
    """
    counts: dict[tuple[Any, ...], Counter[Value]] = defaultdict(Counter)
    for row in rows:
        value = value_of(row.get("answer"))
        if value is not None and row.get("bucket") in ("silent_missum", "flagged_partial"):
            counts[place_of(row)][value] += 1
    return {place: count.most_common(1)[0][0] for place, count in counts.items()}


def place_of(row: Row) -> tuple[Any, ...]:
    """Which note a row of a completeness file was about."""
    return tuple(row.get(key) for key in ("budget", "n", "k", "store"))


def is_planted(row: Row, value: Value | None, gold: Gold | None) -> bool:
    """Whether a value is the planted one: as the row says, else as the problem tells."""
    if isinstance(row.get("attractor"), bool):
        return bool(row["attractor"])
    return bool(gold and same(value, gold.planted))
