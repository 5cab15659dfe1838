"""What came of one harvest, shown with the words that it rests on and the reasons against it."""

from collections.abc import Iterator
from typing import Any

from memgit.domain.proposals.applying import Settled
from memgit.domain.proposals.proposal import Proposal
from memgit.passes.harvest import Harvested


def row(found: Harvested, settled: Settled) -> dict[str, Any]:
    """As JSON has it."""
    usage = found.usage
    return {
        "calls": found.windows, "model": usage.model, "dollars": round(usage.dollars, 6),
        "tokens": {"in": usage.input, "out": usage.output, "cached": usage.cached},
        "applied": [{**one.proposal.as_json(), "commit": one.commit} for one in settled.applied],
        "waiting": [one.as_json() for one in settled.waiting],
        "settled_before": [{"id": one.proposal.id, "why": one.why} for one in settled.dropped],
        "known": list(found.known), "dropped": [vars(one) for one in found.dropped],
    }  # fmt: skip


def lines(found: Harvested, settled: Settled) -> Iterator[str]:
    """As a person reads it, a line for each thing and each reason."""
    for done in settled.applied:
        yield f"  applied {done.commit[:10]}".rstrip() + f": {_told(done.proposal)}"
        yield from _quotes(done.proposal)
    for proposal in settled.waiting:
        yield f"  waiting {proposal.id}: {_told(proposal)}"
        yield from _quotes(proposal)
        for one in proposal.refusals:
            yield f"      {one.guard}: {one.why}"
    for name in found.known:
        yield f"  known: {name}"
    for past in settled.dropped:
        yield f"  settled before: {_told(past.proposal)}: {past.why}"
    for gone in found.dropped:
        yield f"  dropped: {gone.name}: {gone.why}"


def _told(proposal: Proposal) -> str:
    return f"{proposal.kind} {proposal.told}"


def _quotes(proposal: Proposal) -> Iterator[str]:
    for one in proposal.evidence:
        yield f"      {one.role}: “{one.quote}”"
