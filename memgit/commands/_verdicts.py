"""How verdicts are told: an object a line for programs, places and a summary by probe for people.

The one rule: what is not known is counted, and never told as if it were wrong.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memgit.domain.claims.table import PROBES
from memgit.domain.claims.verdict import Verdict
from memgit.output import table
from memgit.passes.verify import Judged, Reading


def as_value(judged: Judged) -> dict[str, Any]:
    """A verdict as JSON has it."""
    claim, standing, memory = judged.claim, judged.standing, judged.reading.memory
    return {
        "type": "verdict",
        "memory": memory.name,
        "path": memory.path,
        "line": claim.line,
        "mention": claim.mention,
        "probe": claim.probe,
        "args": dict(claim.arguments),
        "verdict": standing.verdict,
        "moved_to": standing.moved_to or None,
        "checked": standing.checked,
        "why": standing.why,
    }


def refusals(readings: Iterable[Reading]) -> Iterator[dict[str, Any]]:
    """What memories say that is no claim, and why."""
    for reading in readings:
        for one in reading.refused:
            yield {"type": "refusal", "memory": reading.memory.name, "path": reading.path,
                   "line": one.line, "mention": one.mention, "reason": one.reason}  # fmt: skip


def told(judged: Judged) -> str:
    """One line on a claim that does not hold, or not yet."""
    claim, standing = judged.claim, judged.standing
    what = PROBES[claim.probe].failed if standing.verdict == Verdict.REFUTED else standing.verdict
    moved = f" (moved to {standing.moved_to}?)" if standing.moved_to else ""
    why = f": {standing.why}" if standing.why else ""
    return f"{judged.reading.path}:{claim.line}: {claim.subject} {what}{moved or why}"


def summary(judged: Sequence[Judged], refused: Sequence[Mapping[str, Any]]) -> str:
    """How many claims of each probe hold, do not, not yet, or are not known."""
    counts = Counter((one.claim.probe, one.standing.verdict) for one in judged)
    rows = [
        [name, *(str(counts[name, verdict] or "") for verdict in Verdict)]
        for name in PROBES
        if any(counts[name, verdict] for verdict in Verdict)
    ]
    lines = [table(("probe", *Verdict), rows).rstrip("\n")] if rows else []
    moods = sum("is a mood" in one["reason"] for one in refused)
    if moods:
        was = "state that passes (open, closed) was" if moods == 1 else (
            "states that pass (open, closed) were")  # fmt: skip
        lines.append(f"{moods} {was} not taken for {'a claim' if moods == 1 else 'claims'}")
    if others := len(refused) - moods:
        lines.append(
            f"{others} claim{'s were' if others > 1 else ' was'} refused: --json tells why"
        )
    if missing := _unknown(judged):
        lines.append(f"not known, mostly because: {missing}")
    return "\n".join(lines) or "no memory claims anything that can be looked up"


def _unknown(judged: Sequence[Judged]) -> str:
    reasons = Counter(one.standing.why for one in judged if one.standing.verdict == Verdict.UNKNOWN)
    common = reasons.most_common(1)
    return common[0][0] if common else ""
