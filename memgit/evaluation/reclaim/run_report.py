"""The report on runs: a table for each condition and reader, the certificate; two runs compared.

The one rule: who answered stands over every table, and of a rule that it is one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgit.evaluation.metrics import mean, share, sign_test
from memgit.evaluation.reclaim.cells import word
from memgit.evaluation.reclaim.scoring import ABSTAINED, ERROR, INHERITED, OTHER, TRUE

Row = Mapping[str, Any]
Document = dict[str, Any]

GROUPS: Mapping[str, Sequence[str]] = {
    "wall": ("family", "correction", "integrity", "policy"),
    "others": ("family", "correction", "policy"),
    "size": ("budget", "size", "policy"),
    "noise": ("decoys", "policy"),
    "completeness": ("tagged",),
    "corrections": ("policy", "correction"),
    "fields": ("arm", "policy"),
    "cascade": ("planted", "hops", "policy"),
}
"""Condition → the settings by which its table is grouped."""

IN_TITLE = {"wall": 2, "others": 2}
"""Condition → how many of those settings stand in the title, a table for each of their values."""

NO_MODEL = "a rule, no model"


def document(rows: Sequence[Row]) -> Document:
    """Everything as plain JSON values: per reader and condition its cells."""
    readers: dict[tuple[str, bool], list[Row]] = defaultdict(list)
    for row in rows:
        readers[str(row["reader"]), bool(row["deterministic"])].append(row)
    return {
        "readers": [
            {
                "reader": name, "deterministic": rule, "rows": len(mine),
                "errors": sum(row["outcome"] == ERROR for row in mine),
                "policies": _by(mine, ("policy",)),
                "conditions": {condition: _cells(mine, condition) for condition in GROUPS
                               if any(row["condition"] == condition for row in mine)},
                "certificate": _certificate(mine),
            }
            for (name, rule), mine in readers.items()
        ]
    }  # fmt: skip


def _cells(rows: Sequence[Row], condition: str) -> list[Document]:
    return _by([row for row in rows if row["condition"] == condition], GROUPS[condition])


def _by(rows: Sequence[Row], keys: Sequence[str]) -> list[Document]:
    """A cell for each combination of some settings."""
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return [{"group": dict(zip(keys, group, strict=True)), **cell(of)}
            for group, of in groups.items()]  # fmt: skip


def cell(rows: Sequence[Row]) -> Document:
    """The figures of some rows; errors are counted apart and are in no share."""
    asked = [row for row in rows if row["outcome"] != ERROR]
    n = len(asked)
    figures: Document = {
        "n": n, "errors": len(rows) - n,
        "reclaim": share(_count(asked, TRUE), n).record(),
        "inherited": share(_count(asked, INHERITED), n).record(),
        "other": share(_count(asked, OTHER), n).record(),
        "abstained": share(_count(asked, ABSTAINED), n).record(),
        "emit": share(_count(asked, INHERITED) + _count(asked, OTHER), n).record(),
    }  # fmt: skip
    if asked and all("blast" in row for row in asked):
        figures["blast"] = mean(row["blast"] for row in asked).record()
        hops = sum(row["hops"] for row in asked)
        figures["blast_share"] = share(sum(row["blast"] for row in asked), hops).record()
    return figures


def _certificate(rows: Sequence[Row]) -> list[Document]:
    """By what the certificate said of a note when it was written: how many were corrected."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if (
            row.get("certificate")
            and row["condition"] == "size"
            and row["policy"] == "source_first"
        ):
            groups[row["certificate"]].append(row)
    return [{"group": {"certificate": verdict}, **cell(of)} for verdict, of in groups.items()]


def _count(rows: Sequence[Row], outcome: str) -> int:
    return sum(row["outcome"] == outcome for row in rows)


# Tables -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A table: its title, what is to be said of it, its columns and rows."""

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def sections(made: Document) -> list[Section]:
    """The tables of a report, in order."""
    found = []
    for reader in made["readers"]:
        who = f"{reader['reader']} ({NO_MODEL})" if reader["deterministic"] else reader["reader"]
        if len(reader["conditions"]) > 1:
            note = "over all that follows: easy and hard alike, so to look at and not to compare by"
            found.append(_section(f"by policy: {who}", reader["policies"], note))
        for condition, cells in reader["conditions"].items():
            for told, of in _parted(cells, IN_TITLE.get(condition, 0)):
                found.append(_section(f"{', '.join((condition, *told))}: {who}", of))
        if reader["certificate"]:
            note = "what the certificate said when the note was written, without a model"
            found.append(_section(f"certificate: {who}", reader["certificate"], note))
    return found


def _parted(cells: Sequence[Document], first: int) -> list[tuple[Sequence[str], list[Document]]]:
    """(the values of their `first` settings, the cells that have them, without those)."""
    parts: dict[tuple[str, ...], list[Document]] = defaultdict(list)
    for one in cells:
        items = list(one["group"].items())
        told = tuple(word(value) for _, value in items[:first])
        parts[told].append({**one, "group": dict(items[first:])})
    return list(parts.items())


def _section(title: str, cells: Sequence[Document], note: str = "") -> Section:
    """A table of cells. What is the same in all its rows stands above it."""
    rows = [_figures(one) for one in cells]
    columns = [name for name in _COLUMNS if any(name in row for row in rows)]
    columns = [*cells[0]["group"], *columns]
    same = [name for name in columns if name not in _ALWAYS
            and len(rows) > 1 and len({row.get(name) for row in rows}) == 1]  # fmt: skip
    alike = "; ".join(f"{name} {rows[0][name]}" for name in same)
    shown = [name for name in columns if name not in same]
    told = ". ".join(filter(None, (note, f"In all rows: {alike}" if alike else "")))
    return Section(title, told, shown, [[row.get(name, "-") for name in shown] for row in rows])


_ALWAYS = ("policy", "reclaimed", "inherited", "other", "abstained", "blast")
_COLUMNS = ("n", "reclaimed", "inherited", "other", "abstained", "blast", "errors")


def _figures(one: Document) -> dict[str, str]:
    """A cell as text, by column."""
    row = {name: word(value) for name, value in one["group"].items()}
    row |= {"n": str(one["n"]), "reclaimed": interval(one["reclaim"])}
    row |= {name: plain(one[name]) for name in ("inherited", "other", "abstained")}
    if "blast" in one:
        row["blast"] = f"{one['blast']['value']:.1f}"
    return row | ({"errors": str(one["errors"])} if one["errors"] else {})


def interval(record: Mapping[str, Any]) -> str:
    """A share with its interval."""
    if record["value"] is None:
        return "-"
    return f"{record['value']:.2f} ({record['low']:.2f}-{record['high']:.2f})"


def plain(record: Mapping[str, Any]) -> str:
    """A share."""
    return "-" if record["value"] is None else f"{record['value']:.2f}"


# Two runs -----------------------------------------------------------------------------------


def compare(before: Sequence[Row], after: Sequence[Row]) -> list[Document]:
    """The trials that both runs have, per policy: gained, lost, and the chance of such a split.

    Where either run has several readers, each is compared with itself. A trial in which a reader
    gave no reply is left out.
    """
    several = any(len({row["reader"] for row in rows}) > 1 for rows in (before, after))
    old = {_trial(row, several): row for row in before if row["outcome"] != ERROR}
    groups: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for row in after:
        if row["outcome"] != ERROR and (other := old.get(_trial(row, several))):
            group = (row["policy"], row["reader"] if several else "")
            groups[group].append((other["outcome"] == TRUE, row["outcome"] == TRUE))
    found = []
    for (policy, reader), pairs in groups.items():
        gained, lost = pairs.count((False, True)), pairs.count((True, False))
        found.append({
            "policy": policy, **({"reader": reader} if reader else {}),
            "n": len(pairs), "gained": gained, "lost": lost,
            "before": share(sum(one for one, _ in pairs), len(pairs)).record(),
            "after": share(sum(one for _, one in pairs), len(pairs)).record(),
            "p": round(sign_test(gained, lost), 4),
        })  # fmt: skip
    return found


def comparison(found: Sequence[Document]) -> Section:
    """What changed from one run to another, as a table."""
    rows = [[one["policy"], *([one["reader"]] if "reader" in one else []), str(one["n"]),
             interval(one["before"]), interval(one["after"]), str(one["gained"]),
             str(one["lost"]), f"{one['p']:.3g}"] for one in found]  # fmt: skip
    named = ("reader",) if any("reader" in one for one in found) else ()
    columns = ("policy", *named, "n", "before", "after", "gained", "lost", "p")
    note = "the trials that both runs have; p by McNemar" if found else "no trial is in both runs"
    return Section("compared", note, columns, rows)


def _trial(row: Row, with_reader: bool) -> tuple[Any, ...]:
    keys = ("condition", "pid", "policy", "integrity", "budget", "size", "decoys", "hops",
            "correction", "arm", "tagged", "planted")  # fmt: skip
    return (*(row[key] for key in keys), row["reader"] if with_reader else "")
