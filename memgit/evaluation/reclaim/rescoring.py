"""Recorded replies scored again: a raw reply is parsed, a recorded answer judged, row by row.

The one rule: it is told wherever a score differs from the recorded one, and nothing that is shown
was taken over from what was recorded where the row itself tells more.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memgit.evaluation.reclaim.replies import (
    OURS,
    Recorded,
    Row,
    gold_of,
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
    "answer", "attractor", "blast", "bucket", "case", "chosen", "correct", "correct_new", "drift",
    "drift_new", "error", "gold", "id", "k_items", "locus_kept", "mem_has_source_final",
    "memory_text", "model", "outcome", "per_hop", "pid", "planted_value", "reclaim", "reply",
    "seed", "source_complete", "src_nums", "store", "task_index", "true", "truth",
}  # fmt: skip
"""Fields that tell what came out, or which problem it was; every other one groups rows."""

OF_A_RUN = {"certificate", "kept", "note", "number", "of", "options", "schema"}
"""The same of our own runs, where they follow from the rest."""

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
    if recorded.kind == OURS:
        keys = [key for key in keys if key not in OF_A_RUN]
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
    gold = recorded.golds.get(str(row.get("pid"))) or gold_of(row)
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
