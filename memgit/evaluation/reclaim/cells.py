"""Figures of rows that were scored: cells of a table, what was given against blank, blast.

The one rule: an error is neither an abstention nor a wrong answer, and counts in no share.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from memgit.evaluation.metrics import Figure, mean, share
from memgit.evaluation.reclaim.replies import Row, blast
from memgit.evaluation.reclaim.rescoring import WRONG, Scored
from memgit.evaluation.reclaim.scoring import ABSTAINED, ERROR, INHERITED, TRUE

_HAS_NUMBER = re.compile(r"\d+(?:\.\d+)?")


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
        figures["mended"] = {"emit": exact(wrong), "reclaim": exact(right)}
    blasts = [blast(one.row) for one in scored if "blast" in one.row]
    if blasts:
        figures["blast"] = exact(mean(blasts))
        hops = sum(int(one.row["H"]) for one in scored if "blast" in one.row)
        figures["blast_share"] = exact(share(sum(blasts), hops))
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
    return exact(Figure(one["n"] + other["n"], d, max(-1.0, d - down), min(1.0, d + up)))


def exact(figure: Figure) -> dict[str, Any]:
    """A figure with as many places as whoever rounds it again needs."""
    return {key: round(value, 6) if isinstance(value, float) else value
            for key, value in vars(figure).items()}  # fmt: skip


def _share(scored: Sequence[Scored], is_so: Any) -> dict[str, Any]:
    return exact(share(sum(is_so(one.outcome) for one in scored), len(scored)))


def _counts(kinds: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for kind in kinds:
        counts[kind] += 1
    return dict(sorted(counts.items()))


def _order(value: Any) -> tuple[int, float, str]:
    if isinstance(value, bool) or value is None:
        return (0, float(bool(value)), "")
    return (1, float(value), "") if isinstance(value, int | float) else (2, 0.0, str(value))


def _invented(row: Row) -> int:
    """Numbers of a note that occur nowhere in its session."""
    given = row["src_nums"] if isinstance(row["src_nums"], list) else []
    said = {float(number) for one in given
            for number in _HAS_NUMBER.findall(str(one).replace(",", ""))}  # fmt: skip
    note = str(row.get("memory_text") or "").replace(",", "")
    return sum(float(one) not in said for one in _HAS_NUMBER.findall(note))


def word(value: Any) -> str:
    """A setting as a table shows it."""
    if value is None:
        return "-"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
