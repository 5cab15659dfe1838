"""The harvest: from the turns of a session to proposals of what to remember, each with its source.

The one rule: it writes nothing, and believes the model nothing. What a candidate rests on is looked
up in the session, what the store knows is looked up in the store, and guards judge the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memgit.domain.borders.statements import words
from memgit.domain.harvesting.candidate import OVERTURNED, Candidate
from memgit.domain.harvesting.heard import Found, Heard
from memgit.domain.harvesting.wording import takes_back
from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.guards_of_harvest import Case, judge
from memgit.domain.proposals.proposal import Judgement, Proposal
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.passes.harvesting import asking, writing
from memgit.passes.harvesting.known import REPLACES, SAME, Known
from memgit.passes.harvesting.windows import Window, shown, windows
from memgit.ports.model.door import NOTHING, Model, Request, Usage

ONE = 0.9
"""Share of words from which on two candidates of one session are one."""

Told = Callable[[int, int], None]

_OF_WHAT_HOLDS = ("overturned", "sense", "corrected")
"""Guards that have nothing to say where words are quoted because they take something back."""


@dataclass(frozen=True)
class Dropped:
    """A candidate that came to nothing, and the guard and reason."""

    name: str
    why: str


@dataclass(frozen=True)
class Harvested:
    """What a session led to: proposals, what is known already without need of a source more, what
    was dropped and why; and what it took. `windows` are the calls, `note` says why there was none.
    """

    proposals: tuple[Proposal, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    known: tuple[str, ...] = ()
    usage: Usage = NOTHING
    windows: int = 0
    note: str = ""


def harvest(
    store: Store, turns: Sequence[Turn], model: Model, now: datetime, told: Told | None = None
) -> Harvested:
    """What to remember of the turns of one session, in order.

    Asks the model once for up to 200 turns, and not at all where nobody typed anything. Raises
    NoAnswer where it has no answer that fits, and changes nothing in any case.
    """
    if not any(turn.typed for turn in turns):
        return Harvested(note="nobody typed anything in it")
    known, usage = Known(store), NOTHING
    found: list[Candidate] = []
    every = windows(turns)
    for number, window in enumerate(every):
        if told:
            told(number, len(every))
        answer = model.ask(_request(known, window, found))
        usage = _sum(usage, answer.usage)
        found = _joined(found, asking.candidates(answer.value))
    heard = Heard(turns)
    proposals: list[Proposal] = []
    dropped: list[Dropped] = []
    same: list[str] = []
    for candidate in found:
        outcome = _Judging(store, known, heard, now).proposal(candidate)
        if isinstance(outcome, Proposal):
            proposals.append(outcome)
        elif isinstance(outcome, Dropped):
            dropped.append(outcome)
        else:
            same.append(outcome)
    apart, twins = _apart(proposals)
    return Harvested(apart, (*dropped, *twins), tuple(same), usage, len(every))


def _request(known: Known, window: Window, found: Sequence[Candidate]) -> Request:
    typed = [text for turn in window.turns for text in turn.typed]
    lines = known.listed([*reversed(typed), *(turn.answer for turn in window.turns[-5:])])
    lines += [f"- {one.name} ({one.type}, found earlier in this session): {one.description}"
              for one in found]  # fmt: skip
    return asking.request(shown(window), lines, window.turns[0].session)


def _joined(before: Sequence[Candidate], after: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of two windows: what a later one says of an earlier one holds."""
    gone = {key_of(one.replaces) for one in after if one.replaces}
    kept = [one for one in before if key_of(one.name) not in gone]
    for new in after:
        twin = next((old for old in kept if _is_one(old, new)), None)
        if twin:
            kept.remove(twin)
            new = replace(new, quotes=tuple(dict.fromkeys((*twin.quotes, *new.quotes))))
        kept.append(new)
    return kept


def _is_one(old: Candidate, new: Candidate) -> bool:
    one, other = words(old.whole), words(new.whole)
    return key_of(old.name) == key_of(new.name) or (
        old.type == new.type and len(one & other) >= ONE * max(1, len(one | other))
    )


def _apart(proposals: Sequence[Proposal]) -> tuple[tuple[Proposal, ...], list[Dropped]]:
    """The proposals, no two with one id, and those that are left out for it.

    One sentence may hold two facts: both are kept, and one of them waits for a person, who sees
    whether it is another one. The one that no guard refuses goes first.
    """
    by_id: dict[str, list[Proposal]] = {}
    for one in proposals:
        by_id.setdefault(one.id, []).append(one)
    kept: dict[str, Proposal] = {}
    dropped: list[Dropped] = []
    for rows in by_id.values():
        first, *others = sorted(rows, key=lambda one: len(one.refusals))
        kept[first.id] = first
        for number, other in enumerate(others, 2):
            why = f"{(first.to or first.name)} rests on the same words"
            if other.kind == "add":
                said = (*other.judgements, Judgement("same words", False, why))
                other = replace(other, to=str(number)).judged(said)
                kept[other.id] = other
            else:
                dropped.append(Dropped(other.to or other.name, f"same words: {why}"))
    return tuple(kept.values()), dropped


@dataclass(frozen=True)
class _Judging:
    """One candidate on its way to a proposal."""

    store: Store
    known: Known
    heard: Heard
    now: datetime

    def proposal(self, candidate: Candidate) -> Proposal | Dropped | str:
        """A proposal; or why there is none; or the name of the memory that has all of it."""
        if not candidate.whole.strip():
            return Dropped(candidate.name, "empty: it says nothing")
        found = [one for quote in candidate.quotes if (one := self.heard.find(quote))]
        if candidate.state == OVERTURNED and (candidate.replaces or candidate.same_as):
            return self._refuted(candidate, found)
        case = Case(candidate, found, self.heard)
        said, dropped = judge(case)
        if dropped:
            return Dropped(candidate.name, dropped)
        if self.known.retired.binds(candidate.name, candidate.text):
            return Dropped(candidate.name, "retired: it was retired, and stays so")
        candidate = writing.without_conclusions(candidate, found)
        made = writing.add(candidate, found, self.now, said)
        relation = self.known.relation(candidate)
        old = relation.memory
        if old and relation.kind == SAME:
            return writing.confirm(self.store, old, made, relation.doubt) or old.name
        if old and relation.kind == REPLACES:
            made = writing.supersede(self.store, old, made)
            return made.judged((*made.judgements, *_on_replacing(old, found)))
        return made

    def _refuted(self, candidate: Candidate, found: Sequence[Found]) -> Proposal | Dropped:
        """A memory of the store that the session shows to be wrong, with nothing in its place."""
        named = key_of(candidate.replaces or candidate.same_as)
        near = self.known.near(f"{named} {candidate.whole}")
        old = next((memory for memory in near if key_of(memory.name) == named), None)
        if old is None:
            return Dropped(candidate.name, "state: it was taken back later in the session")
        case = Case(replace(candidate, state="holds"), found, self.heard)
        said, dropped = judge(case)
        if dropped and not dropped.startswith("overturned"):
            return Dropped(candidate.name, dropped)
        back = [one for one in case.vouched if takes_back(one.around)]
        why = "" if back else "no quoted words of the person or of a tool take it back"
        said = [one for one in said if one.guard not in _OF_WHAT_HOLDS]
        said += [Judgement("takes back", not why, why), *_on_replacing(old, found)]
        return writing.refute(self.store, old, writing.add(candidate, found, self.now, said))


def _on_replacing(old: Memory, found: Sequence[Found]) -> Iterator[Judgement]:
    """A session of before a memory was written says nothing against it."""
    said, stands = _moment(writing.said_at(found)), _moment(old.recorded)
    is_older = bool(said and stands and said <= stands)
    why = f"it was said before {old.name} was written" if is_older else ""
    yield Judgement("said later", not why, why)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.input + other.input, one.output + other.output, one.cached + other.cached,
        one.dollars + other.dollars, other.model or one.model,
    )  # fmt: skip
