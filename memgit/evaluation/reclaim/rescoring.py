"""Recorded replies scored again: a raw reply is parsed, a recorded answer judged, row by row.

The one rule: it is told wherever a score differs from the recorded one, and nothing that is shown
was taken over from what was recorded where the row itself tells more.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from memgit.evaluation.metrics import Figure, mean, share
from memgit.evaluation.reclaim.replies import (
    OURS,
    Recorded,
    Row,
    is_planted,
    partial_sums,
    place_of,
    value_of,
)
from memgit.evaluation.reclaim.scoring import (
    ABSTAINED,
    ERROR,
    INHERITED,
    OTHER,
    TRUE,
    Gold,
    Value,
    answer,
    outcome,
    same,
)

FLAGGED, SILENT = "flagged partial", "silent missum"
"""Of a note that keeps a part: the sum of the part, told to be that; and not told."""

WRONG_ONE, NOT_RIGHT = "wrong", "not right"
"""A recorded score that tells less than ours: a wrong value, whichever; anything but right."""

WRONG = (INHERITED, OTHER, SILENT)
"""Outcomes in which a wrong value is given as the answer."""

NOT_A_GROUP = {
    "answer", "certificate", "kept", "note", "number", "of", "options", "planted_value", "schema",
    "true", "attractor", "blast", "bucket", "case", "chosen", "correct", "correct_new",
    "drift_new", "k_items", "locus_kept", "mem_has_source_final", "memory_text", "model", "outcome",
    "per_hop", "pid", "reclaim", "reply", "seed", "source_complete", "src_nums", "store",
    "task_index",
}  # fmt: skip
"""Fields that tell what came out, or which problem it was; every other one groups rows."""

A_GROUP = {"arm", "budget", "correction", "H", "integrity", "n", "planted", "policy", "variant"}

FEWEST = 3
"""Rows of a group on average; a field with more values than that allows tells rows apart."""

_TELLS_PART = re.compile(
    r"(?i)\b(?:missing|dropped|incomplete|indeterminate|unknown"
    r"|not (?:included|preserved|available|shown)"
    r"|(?:did ?n[o']t|does ?n[o']t|not) include|of the original \d+"
    r"|cannot be (?:determined|computed|included)|can[’']t be)"
)
_TELLS_COUNT = re.compile(r"(?i)\bonly (?:the )?\d+ (?:of the (?:\w+ )?\d+|(?:\w+ )?items)\b")
"""Replies that say `only 15 of the 20` were recorded as silent."""

_HAS_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Scored:
    """One row: its group, what it is by the published rule, and `mended`: where an escaped
    `$197` is read as 197, and `only 15 of the 20` as told.

    `recorded` is what the file says, in the same words; "" where it does not.
    """

    group: tuple[tuple[str, Any], ...]
    outcome: str
    mended: str
    recorded: str
    row: Row

    @property
    def agrees(self) -> bool:
        """Whether the score is the recorded one, as far as that says anything."""
        if self.recorded == NOT_RIGHT:
            return self.outcome != TRUE
        if self.recorded == WRONG_ONE:
            return self.is_wrong
        return not self.recorded or self.recorded == self.outcome

    @property
    def is_wrong(self) -> bool:
        """Whether a wrong value is given as the answer."""
        return self.outcome in WRONG


def score(recorded: Recorded) -> list[Scored]:
    """Every row of a file, in order."""
    keys = _grouping(recorded)
    sums = partial_sums(recorded.rows) if recorded.kind == "completeness" else {}
    found = []
    for row in recorded.rows:
        group = tuple((key, row.get(key)) for key in keys)
        if recorded.kind == "size sweep" and "k_items" in row and "n" in row:
            group = (*group, ("whole", row["k_items"] == row["n"]))
        first = _outcome(recorded, row, sums, is_published=True)
        again = _outcome(recorded, row, sums, is_published=False) if "reply" in row else first
        found.append(Scored(group, first, again, _recorded(row), row))
    return found


def _grouping(recorded: Recorded) -> list[str]:
    """The fields whose values group the rows of a file."""
    rows = recorded.rows
    keys = sorted({key for row in rows for key in row} - NOT_A_GROUP)
    if recorded.kind == "completeness":
        keys = [key for key in keys if key in ("budget", "n", "k")]
    chosen = []
    for key in keys:
        values = [row.get(key) for row in rows]
        if any(isinstance(value, list | dict) for value in values):
            continue
        distinct = len(set(map(str, values)))
        longest = max((len(value) for value in values if isinstance(value, str)), default=0)
        if longest <= 60 and (key in A_GROUP or distinct == 1 or distinct * FEWEST <= len(rows)):
            chosen.append(key)
    return chosen


# One row ------------------------------------------------------------------------------------


def _outcome(
    recorded: Recorded, row: Row, sums: Mapping[tuple[Any, ...], Value], is_published: bool
) -> str:
    if row.get("error"):
        return ERROR
    if recorded.kind == OURS:
        return _of_run(row)
    if recorded.kind == "chosen option":
        return _choice(row)
    if recorded.kind == "cascade" or ("reclaim" in row and "answer" not in row):
        return TRUE if row.get("reclaim") else NOT_RIGHT
    value = _value(recorded, row, is_published)
    if recorded.kind == "completeness":
        return _partly(row, value, sums.get(place_of(row)), is_published)
    gold = recorded.golds.get(str(row.get("pid")))
    if gold is None:
        return _without_gold(row, value)
    if isinstance(gold.true, str) and isinstance(value, str):
        return outcome(value, Gold(gold.true, gold.planted))
    judged = outcome(value, gold)
    if judged == OTHER and is_planted(row, value, gold) and gold.planted is None:
        return INHERITED
    return judged


def _of_run(row: Row) -> str:
    """A row of `memgit reclaim run`: its last reply, read again."""
    replies = row.get("replies") or [""]
    gold = Gold(row["true"], row.get("planted_value"), tuple(row.get("options") or ()))
    return outcome(answer(str(replies[-1]), gold.options), gold)


def _value(recorded: Recorded, row: Row, is_published: bool) -> Value | None:
    """The answer: out of the reply where there is one, else as it was recorded."""
    reply = row.get("reply")
    if not isinstance(reply, str):
        return value_of(row.get("answer"))
    # The published rule read an escaped dollar sign as no answer.
    text = reply.replace("\\$", "§") if is_published else reply
    gold = recorded.golds.get(str(row.get("pid")))
    if gold and isinstance(gold.true, str):
        words = [value_of(one.get("answer")) for one in recorded.rows if one.get("answer")]
        options = {str(word) for word in words if isinstance(word, str)} | {gold.true}
        return answer(text, sorted(options))
    return answer(text)


def _without_gold(row: Row, value: Value | None) -> str:
    """A row of a problem of which nothing tells what is right, but the row itself."""
    told = _recorded(row)
    if told == TRUE:
        return TRUE
    if value is None and "answer" in row:
        return ABSTAINED
    return INHERITED if told == INHERITED or row.get("attractor") is True else OTHER


def _choice(row: Row) -> str:
    """What was chosen among things with ids: the right one, the planted one, another, none."""
    chosen = str(row.get("chosen") or "none").strip().casefold()
    if "correct_new" not in row:
        return _recorded(row) or OTHER
    known = _recorded(row)
    if chosen in ("none", "null", "abstain"):
        return ABSTAINED
    if chosen == str(row["correct_new"]).casefold():
        return TRUE
    if chosen == str(row.get("drift_new")).casefold():
        return INHERITED
    # An id of nothing changes nothing, and only who asked the shop can tell.
    return ABSTAINED if known == ABSTAINED else OTHER


def _partly(row: Row, value: Value | None, part: Value | None, is_published: bool) -> str:
    """A reply to a note that keeps k of n items."""
    reply = str(row["reply"])
    tells = bool(_TELLS_PART.search(reply) or (not is_published and _TELLS_COUNT.search(reply)))
    if value is None:
        return ABSTAINED
    if not same(value, part):
        return ABSTAINED if tells else OTHER
    return FLAGGED if tells else SILENT


_NAMES = {
    "true": TRUE, "reclaim": TRUE, "drift": INHERITED, "inherit": INHERITED,
    "inherited": INHERITED, "other": OTHER, "novel": OTHER, "abstain": ABSTAINED,
    "abstained": ABSTAINED, "noans": ABSTAINED, "none": ABSTAINED, "stuck": WRONG_ONE,
    "emit": WRONG_ONE,
    "flagged_partial": FLAGGED, "silent_missum": SILENT, "other_wrong": OTHER, "error": ERROR,
}  # fmt: skip


def _recorded(row: Row) -> str:
    """The recorded score in our words, as far as the row tells it."""
    for key in ("outcome", "bucket"):
        if row.get(key) in _NAMES:
            return _NAMES[row[key]]
    for key in ("correct", "reclaim"):
        if isinstance(row.get(key), bool):
            return TRUE if row[key] else NOT_RIGHT
    return ""


# Tables -------------------------------------------------------------------------------------


def cells(scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """One cell per group, in the order of their values: counts, shares with Wilson's intervals."""
    groups: dict[tuple[tuple[str, Any], ...], list[Scored]] = defaultdict(list)
    for one in scored:
        groups[one.group].append(one)
    order = sorted(groups, key=lambda group: [_order(value) for _, value in group])
    return [{"group": dict(group), **cell(groups[group])} for group in order]


def cell(scored: Sequence[Scored]) -> dict[str, Any]:
    """The figures of some rows. `emit` is a wrong value given as the answer; an error is neither
    that nor an abstention, and counts in no share.
    """
    asked = [one for one in scored if one.outcome != ERROR]
    figures: dict[str, Any] = {
        "n": len(asked), "errors": len(scored) - len(asked),
        "counts": _counts(one.outcome for one in scored),
        "reclaim": _share(asked, lambda kind: kind == TRUE),
        "emit": _share(asked, lambda kind: kind in WRONG),
        "inherited": _share(asked, lambda kind: kind == INHERITED),
        "abstained": _share(asked, lambda kind: kind == ABSTAINED),
    }  # fmt: skip
    if any(one.mended != one.outcome for one in asked):
        wrong = share(sum(one.mended in WRONG for one in asked), len(asked))
        right = share(sum(one.mended == TRUE for one in asked), len(asked))
        figures["mended"] = {"emit": wrong.record(), "reclaim": right.record()}
    blasts = [_blast(one.row) for one in scored if "blast" in one.row]
    if blasts:
        figures["blast"] = mean(blasts).record()
    invented = [_invented(one.row) for one in scored if one.row.get("src_nums") is not None]
    if invented:
        figures["numbers_invented"] = round(fmean(invented), 1)
    return figures


def against_blank(made: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Lossy minus blank, in wrong values given, wherever two cells differ in the policy alone."""
    found = []
    for one in made:
        group = one["group"]
        if group.get("policy") != "lossy":
            continue
        other = next((two for two in made if two["group"] == {**group, "policy": "blank"}), None)
        if other and one["n"] and other["n"]:
            rest = {key: value for key, value in group.items() if key != "policy"}
            found.append({"group": rest, "lossy": one["emit"], "blank": other["emit"],
                          "difference": difference(one["emit"], other["emit"])})  # fmt: skip
    return found


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """One share minus another, with Newcombe's interval from the two of Wilson."""
    d = one["value"] - other["value"]
    down = ((one["value"] - one["low"]) ** 2 + (other["high"] - other["value"]) ** 2) ** 0.5
    up = ((one["high"] - one["value"]) ** 2 + (other["value"] - other["low"]) ** 2) ** 0.5
    return Figure(one["n"] + other["n"], d, max(-1.0, d - down), min(1.0, d + up)).record()


def _share(scored: Sequence[Scored], is_so: Any) -> dict[str, Any]:
    return share(sum(is_so(one.outcome) for one in scored), len(scored)).record()


def _counts(kinds: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for kind in kinds:
        counts[kind] += 1
    return dict(sorted(counts.items()))


def _order(value: Any) -> tuple[int, float, str]:
    if isinstance(value, bool) or value is None:
        return (0, float(bool(value)), "")
    return (1, float(value), "") if isinstance(value, int | float) else (2, 0.0, str(value))


def _blast(row: Row) -> float:
    """Hops whose total was wrong."""
    hops = row.get("per_hop")
    return float(sum(not right for right in hops) if isinstance(hops, list) else row["blast"])


def _invented(row: Row) -> int:
    """Numbers of a note that occur nowhere in its session."""
    given = row["src_nums"] if isinstance(row["src_nums"], list) else []
    said = {float(str(one).replace(",", "")) for one in given if _HAS_NUMBER.search(str(one))}
    note = str(row.get("memory_text") or "").replace(",", "")
    return sum(float(one) not in said for one in _HAS_NUMBER.findall(note))
