"""One run of curating, for the verbs that start it: by rules, then by a model, settled at once.

The one rule: what a call brought is settled before the next is made, so that whatever ends the run
leaves what came until there, and asks nothing twice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from memgit.commands._operation import SHORT
from memgit.domain.proposals.applying import Applied, Dropped, Settled, settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.passes.curate import Curation
from memgit.passes.curating.asking import Tension
from memgit.ports.model.door import NOTHING, Model, NoAnswer, Usage

Told = Callable[[int, int], None]
"""Told (pairs asked about, pairs in all)."""


@dataclass
class Curated:
    """What a run did. `near` are pairs that a model could be asked about and was not, `stopped` is
    why it was asked no more.
    """

    dry_run: bool = False
    door: str = ""
    asked: int = 0
    calls: int = 0
    near: int = 0
    usage: Usage = NOTHING
    applied: list[Applied] = field(default_factory=list)
    waiting: list[Proposal] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    tensions: list[Tension] = field(default_factory=list)
    stopped: NoAnswer | None = None

    @property
    def settled(self) -> Settled:
        """What became of every proposal."""
        return Settled(self.applied, self.waiting, self.dropped)

    def take(self, settled: Settled) -> None:
        """Add what became of some."""
        self.applied += settled.applied
        self.waiting += settled.waiting
        self.dropped += settled.dropped


def curate(
    store: Store, now: datetime, guides: Sequence[Path] = (),
    open_model: Callable[[], Model] | None = None, dry_run: bool = False, told: Told | None = None,
) -> Curated:  # fmt: skip
    """Curate a store: by rules, and with a model where `open_model` is given. A dry run asks all
    the same, and changes nothing.
    """
    done = Curated(dry_run)
    curation = Curation(store, now, guides)
    found = curation.by_rules()
    done.take(settle(store, found, now, dry_run))
    pairs = curation.pairs(found)
    done.near = len(pairs) + curation.left
    if open_model is None or not pairs:
        return done
    try:
        model = open_model()
        done.door = model.name
        for one in curation.by_model(model, pairs):
            done.take(settle(store, one.proposals, now, dry_run))
            batch = pairs[done.asked : done.asked + one.pairs]
            if not dry_run:
                curation.settled(batch)
            done.asked += one.pairs
            done.calls += 1
            done.usage = _both(done.usage, one.usage)
            done.tensions += one.tensions
            if told:
                told(done.asked, len(pairs))
    except NoAnswer as fault:
        done.usage = _both(done.usage, fault.usage)
        done.stopped = fault
    done.near -= done.asked
    return done


def record(done: Curated) -> dict[str, Any]:
    """A run as JSON has it."""
    usage = done.usage
    return {
        "dry_run": done.dry_run, "door": done.door, "pairs": done.asked, "calls": done.calls,
        "near": done.near, "dollars": round(usage.dollars, 6),
        "tokens": {"in": usage.input, "out": usage.output, "cached": usage.cached},
        "applied": [{**one.proposal.as_json(), "commit": one.commit} for one in done.applied],
        "waiting": [one.as_json() for one in done.waiting],
        "settled_before": [{"id": one.proposal.id, "why": one.why} for one in done.dropped],
        "tensions": [{"names": list(one.names), "because": one.because} for one in done.tensions],
        "stopped": str(done.stopped or ""),
    }  # fmt: skip


def lines(done: Curated) -> Iterator[tuple[str, str, str]]:
    """A run as a person reads it: (margin, text, style)."""
    if done.calls:
        usage = done.usage
        paid = f", ${usage.dollars:.4f}" if usage.dollars else ""
        yield ("", f"asked {done.door} about {_count(done.asked, 'pair')} in "
               f"{_count(done.calls, 'call')}: {usage.input + usage.cached:,} tokens in, "
               f"{usage.output:,} out{paid}", "")  # fmt: skip
    for one in done.applied:
        verb = "would apply" if done.dry_run else f"applied in {one.commit[:SHORT]}"
        yield f"{verb}: ", _told(one.proposal), ""
    for proposal in done.waiting:
        yield f"{'would wait' if done.dry_run else 'waits as'} {proposal.id}: ", _told(proposal), ""
        for refusal in proposal.refusals:
            yield f"  {refusal.guard}: ", refusal.why, "dim"
    for tension in done.tensions:
        yield "left as they are: ", f"{' and '.join(tension.names)}: {tension.because}", ""
    if done.dropped:
        yield "", f"decided before, or changed meanwhile: {_count(len(done.dropped), 'one')}", "dim"
    yield "", _outcome(done), ""


def _told(proposal: Proposal) -> str:
    why = f", because {proposal.because}" if proposal.because else ""
    return f"{proposal.kind} {proposal.told}{why}"


def _outcome(done: Curated) -> str:
    if done.dry_run:
        end = "nothing was changed"
    elif done.applied:
        end = "`memgit undo COMMIT` takes one back"
        end += "; the others wait for `memgit review`" if done.waiting else ""
    elif done.waiting:
        end = "nothing was changed; `memgit review` shows what waits"
    else:
        end = "nothing to change"
    if done.near:
        how = "the next run goes on" if done.calls or done.stopped else "--model asks about them"
        end += f"; {_count(done.near, 'pair')} near each other not asked about: {how}"
    return end


def _both(one: Usage, more: Usage) -> Usage:
    return Usage(one.input + more.input, one.output + more.output, one.cached + more.cached,
                 one.dollars + more.dollars)  # fmt: skip


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
