"""The one door from proposals to the store: judged, then applied, left to a person, or dropped.

The one rule: a pass writes nothing itself. What all guards let pass is applied, one commit for
each; everything else waits, with the guard that refused it; and no pass changes more than the brake
lets it before a person has looked.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property

from memgit.domain.memory import Memory, key_of, parse
from memgit.domain.operation import Operation
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.proposals.carrying_out import carry_out, provenance, stale
from memgit.domain.proposals.deciding import Decision, decisions
from memgit.domain.proposals.guards import GUARDS, Case, judge
from memgit.domain.proposals.proposal import Judgement, Proposal
from memgit.domain.proposals.subjects import plain, told
from memgit.domain.proposals.waiting import Waiting
from memgit.domain.store import Store
from memgit.errors import StoreError

ALONE = ("add", "confirm", "alias", "supersede", "label")
"""Kinds that may be applied without a person, where every guard lets them pass. All others change
words, or take a memory out of recall without another in its place."""

BRAKED = ("supersede", "label", "retire", "edit", "demote")
"""Kinds that take something away, or doubt it: these the brake counts."""

GATES, BRAKE, KIND = "gates", "brake", "kind"
"""Guards that are not in the table: they look at the store, or at the pass as a whole."""

_OURS = frozenset((GATES, BRAKE, KIND, *(guard.name for guard in GUARDS)))

UNSEEN = timedelta(hours=24)
"""How far back the brake looks: what one pass changed in a day counts together."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Applied:
    """A proposal that was applied: the commit (`memgit undo` takes it back), the files changed."""

    proposal: Proposal
    commit: str
    paths: Sequence[str] = ()


@dataclass(frozen=True)
class Dropped:
    """A proposal that is neither applied nor left to wait, and why, in one sentence."""

    proposal: Proposal
    why: str


@dataclass(frozen=True)
class Settled:
    """What became of proposals: each is in exactly one of the three."""

    applied: Sequence[Applied] = ()
    waiting: Sequence[Proposal] = ()
    dropped: Sequence[Dropped] = ()


def settle(
    store: Store, proposals: Iterable[Proposal], now: datetime | None = None,
    dry_run: bool = False, told: Told | None = None,
) -> Settled:  # fmt: skip
    """Judge proposals, apply what may be applied, queue the rest. What was decided before stays so.

    A dry run changes nothing and writes nothing down: its `applied` have no commit. Raises
    StoreError only where the store itself cannot be worked on; then what was applied until there
    stands, each as a commit of its own.
    """
    every = list(proposals)
    settling = _Settling(store, now or datetime.now(UTC), dry_run)
    for number, proposal in enumerate(every):
        if told:
            told(number, len(every))
        settling.take(proposal)
    if told:
        told(len(every), len(every))
    return settling.result()


def judged(store: Store, proposal: Proposal) -> Proposal:
    """The proposal with what every guard says of it, as the store stands now."""
    return _View(store).judged(proposal)


@dataclass
class _Settling:
    store: Store
    now: datetime
    dry_run: bool
    applied: list[Applied] = field(default_factory=list)
    waiting: list[Proposal] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._decided: dict[str, Decision | str] = dict(decisions(self.store))
        self._queue = Waiting(self.store)
        self._view = _View(self.store)
        self._changed = Counter(_changed_since(self.store, self.now - UNSEEN))

    def take(self, proposal: Proposal) -> None:
        if why := self._known(proposal) or stale(self._view.catalogue, proposal):
            self.dropped.append(Dropped(proposal, why))
            self._forget(proposal)
            return
        proposal = self._view.judged(proposal)
        if proposal.kind not in ALONE:
            proposal = _refused(proposal, KIND, f"to {proposal.kind} is for a person to decide")
        if not proposal.refusals and (why := self._braked(proposal)):
            proposal = _refused(proposal, BRAKE, why)
        if proposal.refusals:
            self._wait(proposal)
        else:
            self._apply(proposal)

    def result(self) -> Settled:
        return Settled(self.applied, self.waiting, self.dropped)

    def _known(self, proposal: Proposal) -> str:
        found = self._decided.get(proposal.id)
        return f"it was {found}" if found else ""

    def _braked(self, proposal: Proposal) -> str:
        if proposal.kind not in BRAKED:
            return ""
        limit = self.store.settings.curate.brake
        so_far = self._changed[proposal.actor]
        reach = self._view.reach(proposal)
        if so_far + reach <= limit:
            return ""
        return (f"{proposal.actor} changed {so_far} memories in a day that nobody looked at, this "
                f"would change {reach} more, and {limit} is the most")  # fmt: skip

    def _apply(self, proposal: Proposal) -> None:
        reach = self._view.reach(proposal) if proposal.kind in BRAKED else 0
        if self.dry_run:
            done = Applied(proposal, "")
        else:
            try:
                with self.store.locked():
                    # Another process may have settled the same since this one began.
                    if found := decisions(self.store).get(proposal.id):
                        self.dropped.append(Dropped(proposal, f"it was {found}"))
                        return
                    changed = carry_out(self.store, proposal, provenance(proposal), self.now)
            except StoreError as fault:
                self._wait(_refused(proposal, GATES, str(fault)))
                return
            if changed.commit is None:
                self.dropped.append(Dropped(proposal, changed.note or "it stands so already"))
                self._forget(proposal)
                return
            done = Applied(proposal, changed.commit, changed.paths)
            self._queue.take(proposal.id)
            self._view = self._view.after(proposal)
        self._changed[proposal.actor] += reach
        self._decided[proposal.id] = "applied just now"
        self.applied.append(done)

    def _wait(self, proposal: Proposal) -> None:
        self.waiting.append(proposal)
        self._decided[proposal.id] = "proposed just now"
        if not self.dry_run:
            self._queue.put(proposal)

    def _forget(self, proposal: Proposal) -> None:
        if not self.dry_run:
            self._queue.take(proposal.id)


class _View:
    """The memories of a store at one moment, as guards look at them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def after(self, proposal: Proposal) -> "_View":
        """The memories once this was applied; what they say is read again only where it changed."""
        view = _View(self._store)
        if not proposal.text and "_texts" in vars(self):
            vars(view)["_texts"] = self._texts
        return view

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every memory, as it stood when it was first asked for."""
        return Catalogue(self._store)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        memories = (self._store.read(path) for path in self._store.paths())
        return {memory.name: plain(told(memory)) for memory in memories}

    def judged(self, proposal: Proposal) -> Proposal:
        """What a pass itself said of it stays: it looked at what is not in the store."""
        given = [one for one in proposal.judgements if one.guard not in _OURS]
        return proposal.judged((*given, *judge(self._case(proposal))))

    def reach(self, proposal: Proposal) -> int:
        """How many memories it would change: the one it is about, and what derives from it."""
        entry = self.catalogue.called(proposal.name)
        if entry is None or proposal.kind not in ("supersede", "retire", "label"):
            return 1
        if proposal.kind == "label" and proposal.to == "unverified":
            return 1
        successor = self.catalogue.called(proposal.to) if proposal.kind == "supersede" else None
        but = successor.path if successor else proposal.path
        return 1 + len(self.catalogue.descendants(entry, but))

    def _case(self, proposal: Proposal) -> Case:
        old = None if proposal.kind == "add" else self._memory(proposal.name)
        new = self._memory(proposal.to) if proposal.kind == "supersede" else None
        if proposal.text:
            data = proposal.text.encode("utf-8", "surrogatepass")
            new = parse(proposal.path or f"{proposal.to or proposal.name}.md", data)[0]
        return Case(proposal, old, new, lambda: self._texts)

    def _memory(self, name: str) -> Memory | None:
        entry: Entry | None = self.catalogue.called(name)
        return self._store.read(entry.path) if entry else None


def _refused(proposal: Proposal, guard: str, why: str) -> Proposal:
    return proposal.judged((*proposal.judgements, Judgement(guard, False, why)))


def _changed_since(store: Store, since: datetime) -> Iterable[str]:
    """The pass, once for each memory that it changed alone since then and that was not undone."""
    if not store.repository.head():
        return []
    rows = store.repository.run(
        "-c", "log.showSignature=false", "log", "-z", f"--since={since.isoformat()}",
        "--no-notes", "--no-decorate", "-E", "--grep=^Memgit-(Proposal|Undoes): ",
        "--format=%H%n%B",
    ).split("\0")  # fmt: skip
    found: dict[str, Operation] = {}
    for row in filter(None, rows):
        commit, _, message = row.lstrip("\n").partition("\n")
        if operation := Operation.parse(message):
            found[commit] = operation
    undone = {operation.undoes for operation in found.values()}
    return [
        operation.actor
        for commit, operation in found.items()
        if operation.proposal and operation.kind in BRAKED and commit not in undone
        and operation.actor not in ("user", "agent")
        for name in operation.memories
        if operation.kind != "supersede" or key_of(name) != key_of(operation.to)
    ]  # fmt: skip
