"""How a proposal is shown to a person: both sides, the words it rests on, what the guards say."""

from collections.abc import Iterator, Sequence

from memgit.domain.proposals.proposal import Proposal
from memgit.domain.proposals.reviewing import Side, difference, sides
from memgit.domain.proposals.waiting import Held
from memgit.domain.store import Store

Line = tuple[str, str, str]
"""(margin, text, style), as `page` takes it."""

LONGEST = 24
"""Lines of a memory's text that are shown."""


def shown(store: Store, held: Held) -> Iterator[Line]:
    """A proposal, whole."""
    proposal = held.proposal
    yield f"{proposal.id}  ", f"{proposal.kind} {proposal.told}", "bold"
    yield "  ", _origin(held), "dim"
    if proposal.because:
        yield "  because ", proposal.because, ""
    if changes := difference(store, proposal):
        yield from (("  ", line, _STYLES.get(line[:1], "")) for line in changes)
    else:
        for side in sides(store, proposal):
            yield from _side(side)
    for one in proposal.evidence:
        place = " ".join(filter(None, (one.session, one.turn)))
        yield "  rests on ", f"“{one.quote}” ({one.role}{f', {place}' if place else ''})", ""
    yield from guards(proposal)


def guards(proposal: Proposal) -> Iterator[Line]:
    """What the guards say: those that passed in one line, each refusal in its own."""
    passed = [one.guard for one in proposal.judgements if one.passed]
    if passed:
        yield "  passed ", ", ".join(passed), "dim"
    for one in proposal.refusals:
        yield f"  refused by {one.guard}: ", one.why, "yellow"


def choices(held: Held) -> Iterator[Line]:
    """What can be done with it."""
    id_ = held.proposal.id
    yield "  ", f"memgit review accept {id_}   or reject, edit, defer", "dim"


_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def _origin(held: Held) -> str:
    proposal = held.proposal
    parts = [f"by {proposal.actor}", f"{proposal.confidence:.0%} sure"]
    parts += [f"made {proposal.made[:10]}"] if proposal.made else []
    parts += [f"put off to {held.until[:10]}"] if held.until else []
    parts += [f"on branch {held.branch}"] if held.branch else []
    return ", ".join(parts)


def _side(side: Side) -> Iterator[Line]:
    memory = side.memory
    if memory is None:
        yield "  ", f"{side.name}: {side.fate}", "yellow"
        return
    about = [memory.type, memory.recorded[:10], str(memory.metadata.get("origin") or "")]
    told = ", ".join(filter(None, about))
    yield "  ", f"{side.name} ({told}) {side.fate}:", "bold"
    if memory.description:
        yield "  │ ", memory.description, "dim"
    lines: Sequence[str] = memory.body.strip("\n").split("\n")
    for line in lines[:LONGEST]:
        yield "  │ ", line, ""
    if len(lines) > LONGEST:
        yield "  │ ", f"… and {len(lines) - LONGEST} more lines: memgit show {side.name}", "dim"
