"""How right curating is: of pairs that only seem to contradict, how many does it touch?

The one rule: what was applied is judged by the hand-written kind of its pair, and every one of it
is taken back again, one by one, until the store says what it said before.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memgit.domain.indexing.index import Index
from memgit.domain.operation import Operation
from memgit.domain.operations.undoing import undo
from memgit.domain.proposals.applying import Settled
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.settings import FILE
from memgit.domain.store import Store
from memgit.evaluation.contradictions import Pair, files
from memgit.evaluation.metrics import Figure, share
from memgit.evaluation.scripted_model import Scripted
from memgit.ports.git import Repository
from memgit.ports.model.door import Model

UNBOUND = b"format = 1\n[curate]\nbrake = 10000\npairs = 10000\n"
"""Settings under which nothing is held back: the brake would hide what guards let pass."""

HALF, ALWAYS = "wrong of half", "always replaces"
"""How the scripted model is wrong."""

Curate = Callable[[Store, Model], Settled]
"""The pass and the door behind it, as a person would run them."""


@dataclass
class Measured:
    """What a run over the pairs did. `wrong` are those that should not have been applied."""

    script: str
    pairs: int
    replacements: int
    offered: int
    """Replacements that the model tells rightly."""
    held_out: int
    asked: int
    others: int
    unseen: int = 0
    """Pairs that no rule found and that the model was not asked about: none of their neighbours."""
    right: list[Pair] = field(default_factory=list)
    wrong: list[Proposal] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    nameless: int = 0
    """Proposals that wait without a guard that refused them."""
    waiting: int = 0
    undone: int = 0

    @property
    def applied(self) -> int:
        """How many were applied."""
        return len(self.right) + len(self.wrong)

    @property
    def _right_offered(self) -> int:
        return sum(map(self._is_told, self.right))

    def _held_out(self) -> Figure:
        """Of the replacements that were written last and never tuned on, told rightly."""
        found = [pair for pair in self.right if pair.is_held_out and self._is_told(pair)]
        return share(len(found), self.held_out)

    def _is_told(self, pair: Pair) -> bool:
        return self.script == ALWAYS or not pair.is_lied_about

    def record(self) -> dict[str, Any]:
        """The same as JSON holds it; shares with their 95 % intervals (Wilson)."""
        return {
            "script": self.script, "pairs": self.pairs, "asked": self.asked, "others": self.others,
            "unseen": self.unseen,
            "applied": self.applied, "right": len(self.right),
            "precision": share(len(self.right), self.applied).record(),
            "replacements": self.replacements,
            "offered": self.offered,
            "recall_of_offered": share(self._right_offered, self.offered).record(),
            "recall_held_out": self._held_out().record(),
            "recall_of_all": share(len(self.right), self.replacements).record(),
            "waiting": self.waiting, "refused_by": dict(self.refused.most_common()),
            "refusals_without_a_guard": self.nameless, "undone_by_one_command": self.undone,
            "wrong": [f"{one.name} by {one.to}" for one in self.wrong],
        }  # fmt: skip


def measure(every: Sequence[Pair], folder: Path, curate: Curate, always: bool) -> Measured:
    """Lay the pairs down as a store in `folder`, curate it with the scripted model, judge that."""
    store = _laid_down(every, folder)
    model = Scripted(every, always)
    before = _contents(store)
    done = curate(store, model)
    told = [pair for pair in every if pair.replaces and (always or not pair.is_lied_about)]
    made = Measured(
        ALWAYS if always else HALF, len(every),
        sum(pair.replaces for pair in every), len(told),
        sum(pair.is_held_out for pair in told), len(model.asked), model.others,
    )  # fmt: skip
    _judge(made, every, done)
    seen = {frozenset((one.name, one.to)) for one in _proposals(done)}
    made.unseen = sum(p.number not in model.asked and p.names not in seen for p in every)
    for applied in reversed(done.applied):
        made.undone += bool(undo(store, applied.commit).commit)
    if _contents(store) != before:
        made.undone = 0
    return made


def _judge(made: Measured, every: Sequence[Pair], done: Settled) -> None:
    right = {(pair.old.name, pair.new.name): pair for pair in every if pair.replaces}
    for applied in done.applied:
        one = applied.proposal
        pair = right.get((one.name, one.to)) if one.kind == "supersede" else None
        if pair:
            made.right.append(pair)
        else:
            made.wrong.append(one)
    for one in done.waiting:
        made.waiting += 1
        made.refused.update(refusal.guard for refusal in one.refusals)
        made.nameless += not one.refusals


def _proposals(done: Settled) -> Iterator[Proposal]:
    yield from (one.proposal for one in done.applied)
    yield from done.waiting


def _laid_down(every: Sequence[Pair], folder: Path) -> Store:
    repository = Repository.create(folder)
    for key, value in (("user.name", "memgit eval"), ("user.email", "eval@memgit.invalid")):
        repository.run("config", "--local", key, value)
    store = Store(repository)
    store.commit(Operation("init", "pairs to curate"), {FILE: UNBOUND, **files(every)})
    opened = Store.at(folder)
    Index(opened).sync()
    return opened


def _contents(store: Store) -> dict[str, bytes]:
    return {path: store.content(path) for path in store.paths()}
