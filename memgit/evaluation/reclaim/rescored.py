"""The report on recorded replies that were scored again: a table for each file, and the pooled one.

The one rule: replies that were recorded are called so, and those of a rule are never called a
model's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memgit.evaluation.reclaim.cells import against_blank, cell, cells, word
from memgit.evaluation.reclaim.replies import Recorded
from memgit.evaluation.reclaim.rescoring import Scored, score

Document = dict[str, Any]

TITLES = {
    "reclaim": "right", "emit": "wrong given", "inherited": "of it planted",
    "abstained": "abstained",
}  # fmt: skip


def document(files: Sequence[Recorded]) -> Document:
    """Everything as plain JSON values: a record per file, and one per kind with all its files."""
    scored = [(one, score(one)) for one in files]
    kinds: dict[str, list[tuple[Recorded, list[Scored]]]] = defaultdict(list)
    for one, rows in scored:
        if rows:
            kinds[one.kind].append((one, rows))
    return {
        "source": "recorded replies, scored again; no model was asked",
        "files": [_file(one, rows) for one, rows in scored],
        "pooled": [_pooled(kind, of) for kind, of in kinds.items() if len(of) > 1],
    }


def _file(recorded: Recorded, rows: Sequence[Scored]) -> Document:
    made = cells(rows)
    document: Document = {
        "file": str(recorded.path), "kind": recorded.kind, "model": recorded.model,
        "deterministic": recorded.is_deterministic, "rows": len(rows),
        "with_reply": sum("reply" in one.row for one in rows),
        "differs": [_differs(one) for one in rows if not one.agrees],
        "mended": sum(one.mended != one.outcome for one in rows),
        "faults": [str(fault) for fault in recorded.faults],
    }  # fmt: skip
    if rows:
        document |= {"cells": made, "all": cell(rows)}
        if compared := against_blank(made):
            document["lossy_minus_blank"] = compared
        if recorded.kind == "size sweep":
            document["certificate"] = _certificate(rows)
    return document


def _pooled(kind: str, of: Sequence[tuple[Recorded, Sequence[Scored]]]) -> Document:
    models = [(one, rows) for one, rows in of if not one.is_deterministic]
    every = [row for _, rows in models for row in rows]
    document: Document = {"kind": kind, "files": len(models), "rows": len(every)}
    keys = {key for row in every for key, _ in row.group}
    shared = {key for key in keys if all(key in dict(row.group) for row in every)}
    document["cells"] = cells(
        [_regrouped(row, tuple(kv for kv in row.group if kv[0] in shared)) for row in every]
    )
    if "policy" in shared:
        document["by_policy"] = cells(
            [_regrouped(row, (("policy", dict(row.group)["policy"]),)) for row in every]
        )
    if kind == "size sweep":
        document["certificate"] = _certificate(every)
    return document


def _regrouped(row: Scored, group: tuple[tuple[str, Any], ...]) -> Scored:
    return Scored(group, row.outcome, row.mended, row.recorded, row.row)


def _certificate(rows: Iterable[Scored]) -> list[Document]:
    """Of notes that keep the source: those that keep all of it, and those that do not."""
    kept = [row for row in rows if dict(row.group).get("policy") == "source_first"]
    return cells([_regrouped(row, (("whole", dict(row.group).get("whole")),)) for row in kept])


def _differs(one: Scored) -> Document:
    told = ("pid", "case", "policy", "variant", "arm", "seed", "answer", "chosen")
    row = {key: one.row[key] for key in told if key in one.row}
    return {"scored": one.outcome, "recorded": one.recorded, "row": row}


# Text ---------------------------------------------------------------------------------------


def rows_of(made: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """(headings, rows) of a table of cells; a column that says the same everywhere is left out."""
    keys = [
        key for key in made[0]["group"] if len({str(one["group"].get(key)) for one in made}) > 1
    ]
    shown = [key for key in TITLES if key != "inherited" or any(one[key]["value"] for one in made)]
    has_blast = any("blast" in one for one in made)
    has_mended = any("mended" in one for one in made)
    other = sorted({kind for one in made for kind in one["counts"]} & {"flagged partial"})
    head = [*keys, "n", *(TITLES[key] for key in shown), *other]
    head += ["blast"] * has_blast + ["wrong, mended"] * has_mended
    rows = []
    for one in made:
        row = [word(one["group"].get(key)) for key in keys]
        row += [str(one["n"]), *(_told(one, key) for key in shown)]
        row += [str(one["counts"].get(kind, 0)) for kind in other]
        row += [f"{one['blast']['value']:.1f}" if "blast" in one else ""] * has_blast
        row += [figure(one["mended"]["emit"]) if "mended" in one else ""] * has_mended
        rows.append(row)
    return head, rows


def heading(of: Mapping[str, Any]) -> str:
    """What a file holds, in a line."""
    who = "a rule, no model" if of["deterministic"] else f"recorded replies of {of['model']}"
    differing = f", {len(of['differs'])} scored otherwise than recorded" if of["differs"] else ""
    how = f"{of['with_reply']} raw" if of["with_reply"] else "answers only"
    return f"{of['kind']}: {who} ({of['rows']} rows, {how}{differing})"


def figure(record: Mapping[str, Any]) -> str:
    """A share with its interval."""
    if record["value"] is None:
        return "-"
    return f"{record['value']:.2f} ({record['low']:.2f}-{record['high']:.2f})"


def _told(one: Mapping[str, Any], key: str) -> str:
    """The intervals of what a table is about; the rest of them is in the JSON."""
    value = one[key]["value"]
    if key in ("reclaim", "emit"):
        return figure(one[key])
    return "-" if value is None else f"{value:.2f}"
