"""How right verifying is on a recorded store: labelled mentions of paths and of pull requests.

The one rule: what is measured is what `memgit verify --json` says, whole notes at a time; and what
it says of things that are no paths counts as much as what it finds.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.domain.claims.extraction.pulls import pulls
from memgit.domain.claims.extraction.reading import lines
from memgit.errors import UsageError
from memgit.evaluation.metrics import share

LABELS, PULLS, NOTES = "path-labels.jsonl", "pr-mentions.jsonl", "notes"

WRONG = ("dead", "moved")
"""Labels of mentions that are to be refuted, unless the note says itself that it is gone."""

SAID = ("supported", "refuted", "pending")
"""Verdicts that say something."""

_SUFFIX = re.compile(r"(?:#.*|:\d[\d:-]*)$")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """A labelled mention of a path, and what was said of it: a verdict, or "" for nothing."""

    note: str
    line: int
    mention: str
    label: str
    target: str
    is_denied: bool
    verdict: str = ""
    moved_to: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether it is to be refuted."""
        return self.label in WRONG and not self.is_denied

    @property
    def is_right(self) -> bool:
        """Whether what was said of it is what is to be said; of what the note denies, anything."""
        if self.is_denied:
            return True
        if self.label == "alive":
            return self.verdict == "supported"
        return self.verdict == "refuted" if self.is_wrong else self.verdict not in SAID


def cases(recorded: Path, verdicts: Iterable[Row]) -> list[Case]:
    """Each labelled mention with the verdict on the same path in the same note."""
    said: dict[tuple[str, str], Row] = {}
    for row in verdicts:
        if row["probe"] == "path_exists":
            path = str(row["args"]["path"]).removeprefix("./")
            said.setdefault((row["path"], path), row)
    found = []
    for label in _rows(recorded / LABELS):
        path = _SUFFIX.sub("", label["mention"]).removeprefix("./")
        row = said.get((label["note"], path), {})
        found.append(Case(
            label["note"], label["line"], label["mention"], label["label"],
            label.get("target", ""), bool(label.get("note_says_absent")),
            row.get("verdict", ""), row.get("moved_to") or "",
        ))  # fmt: skip
    return found


def of_paths(judged: Sequence[Case]) -> dict[str, Any]:
    """Precision and recall of what is refuted, how often the new place is right, what was said of
    what is no path, and the cases that went wrong.
    """
    told = [one for one in judged if not one.is_denied]
    refuted = [one for one in told if one.verdict == "refuted"]
    wrong = [one for one in told if one.is_wrong]
    moved = [one for one in told if one.label == "moved"]
    others = [one for one in told if one.label not in (*WRONG, "alive")]
    return {
        "mentions": len(judged),
        "precision": share(sum(one.is_wrong for one in refuted), len(refuted)),
        "recall": share(sum(one.verdict == "refuted" for one in wrong), len(wrong)),
        "moved_right": share(sum(one.moved_to == one.target for one in moved), len(moved)),
        "alive_supported": share(
            sum(one.verdict == "supported" for one in told if one.label == "alive"),
            sum(one.label == "alive" for one in told),
        ),
        "said_of_no_path": sum(one.verdict in SAID for one in others),
        "no_paths": len(others),
        "table": {f"{label}: {verdict or 'nothing'}": count for (label, verdict), count in
                  sorted(Counter((_label(one), one.verdict) for one in judged).items())},
        "faults": [vars(one) for one in judged if not one.is_right],
    }  # fmt: skip


def of_pulls(recorded: Path) -> dict[str, Any]:
    """Of how many labelled mentions of pull requests exactly the labelled states are claimed."""
    rows = _rows(recorded / PULLS)
    faults = []
    for row in rows:
        text = (recorded / NOTES / row["note"]).read_text(encoding="utf-8", errors="replace")
        states: list[str] = []
        for line in lines(text):
            if line.number == row["line"]:
                states += [state for pull in pulls(line) if pull.number == row["pr"]
                           for state in pull.states]  # fmt: skip
        if sorted(set(states)) != sorted(row["states"]):
            faults.append({**row, "claimed": states})
    return {"right": share(len(rows) - len(faults), len(rows)), "faults": faults}


def _label(case: Case) -> str:
    return f"{case.label}, denied by the note" if case.is_denied else case.label


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        text = file.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as fault:
        raise UsageError(f"{file}: {fault}", "see what it should hold in the help") from None
