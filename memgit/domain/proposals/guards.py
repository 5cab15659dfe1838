"""Guards: what refuses a proposal. Plain functions over data, in one visible table.

The one rule: a guard never changes anything and never asks a model; it says in one sentence why
not, or nothing. Whatever a model is sure of counts only as far as all of them agree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memgit.domain.borders.statements import words
from memgit.domain.gates.origin import USER
from memgit.domain.gates.register import shingles
from memgit.domain.memory import Memory, key_of
from memgit.domain.proposals.classes import COLLECTIONS, EVENT, PLAN, RULE, class_of
from memgit.domain.proposals.correcting import corrects, moment, unlike
from memgit.domain.proposals.coverage import (
    differ_by_value,
    is_within,
    uncovered,
    values_apart,
)
from memgit.domain.proposals.proposal import Judgement, Proposal
from memgit.domain.proposals.subjects import entities, names, topics
from memgit.domain.proposals.technologies import is_technology, technologies

SURE = 0.75
"""Confidence from which on a proposal may be applied without a person."""

SHARED = 2
"""Entities that two memories must share where they share no topic."""


@dataclass(frozen=True)
class Case:
    """One proposal with what it is about, as it stands now.

    `old` is the memory that changes, None where there is none yet; `new` the one that would stand
    (`supersede`), or the memory as it would be (`add`, `edit`, `alias`, `confirm`). `texts` gives
    the text of each memory that a person put in (the memory's name → its words, in small letters)
    for counting how common a thing is.
    """

    proposal: Proposal
    old: Memory | None = None
    new: Memory | None = None
    texts: Callable[[], Mapping[str, str]] = field(default=dict)

    def is_common(self, word: str) -> bool:
        """Whether so much of the store speaks of a thing that it says nothing of a subject."""
        every = self.texts()
        limit = max(4, len(every) // 12)
        return sum(word in text for text in every.values()) > limit


Judge = Callable[[Case], str]
"""What a guard is: "" where it lets a proposal pass, else why not, as a sentence."""


@dataclass(frozen=True)
class Guard:
    """A guard, the kinds of proposal that it looks at, and what it is for."""

    name: str
    judge: Judge
    kinds: Sequence[str]
    about: str


def judge(case: Case) -> tuple[Judgement, ...]:
    """What every guard of its kind says of a proposal, in the order of the table."""
    wanted = [guard for guard in GUARDS if case.proposal.kind in guard.kinds]
    said = ((guard.name, guard.judge(case)) for guard in wanted)
    return tuple(Judgement(name, not why, why) for name, why in said)


def confidence(case: Case) -> str:
    """How sure whoever proposes it says to be."""
    sure = case.proposal.confidence
    return "" if sure >= SURE else f"the pass itself is only {sure:.0%} sure, below {SURE:.0%}"


def quoted(case: Case) -> str:
    """Words of a memory that a proposal rests on stand in that memory."""
    sides = [one for one in (case.old, case.new) if one]
    for item in case.proposal.evidence:
        if item.role != "memory":
            continue
        named = [one for one in sides if key_of(one.name) == key_of(item.session)]
        if not named:
            return f"it quotes {item.session}, which it is not about"
        memory = named[0]  # as it stands; an edit's other side is what it would be
        told = _plain(f"{memory.name}\n{memory.description}\n{memory.body}")
        if not item.quote.strip() or _plain(item.quote) not in told:
            return f"the words “{item.quote[:60]}” do not stand in {memory.name}"
    return ""


def subject(case: Case) -> str:
    """Both memories are about the same: a topic, or two entities, or one and the same sentences but
    for a value; a technology is none.
    """
    old, new = case.old, case.new
    if not (old and new) or _says_the_same(old, new):
        return ""
    named, others = _own_names(old, new)
    if named and others and not named & others:
        return (f"{old.name} speaks of {_some(named)}, {new.name} of {_some(others)}: "
                "another thing")  # fmt: skip
    theirs = _projects(old), _projects(new)
    if all(theirs) and theirs[0] != theirs[1]:
        return f"{old.name} belongs to {theirs[0]}, {new.name} to {theirs[1]}"
    if any(not case.is_common(word) for word in topics(old) & topics(new)):
        return ""
    shared = {one for one in entities(old) & entities(new) if not case.is_common(one)}
    if len(shared) >= SHARED or (shared and differ_by_value(old, new)):
        return ""
    told = f"only {min(shared)}" if shared else "no topic and no particular thing"
    if not shared and (both := _technologies(old) & _technologies(new)):
        told = f"only the technology {min(both)}"
    return f"they share {told}: too little to be about the same"


def same_class(case: Case) -> str:
    """A rule gives way to a rule, a state to a state; a map or a list to none of its items."""
    old, new = case.old, case.new
    if not old:
        return ""
    one = class_of(old)
    if case.proposal.kind == "retire":
        return f"{old.name} is a {one}: it stays as long as it has an item" if (
            one in COLLECTIONS) else ""  # fmt: skip
    if not new:
        return ""
    other = class_of(new)
    if one in COLLECTIONS and (one != other or not _says_the_same(old, new)):
        return f"{old.name} is a {one}, and no single memory takes the place of that"
    if one != other:
        return f"{old.name} is a {one}, {new.name} a {other}"
    if other in (EVENT, PLAN) and not _says_the_same(old, new):
        return f"both are {one}s, and what happened or was planned later takes back neither"
    return ""


def scope(case: Case) -> str:
    """What is to stand says all that the other one says."""
    old, new = case.old, case.new
    if not (old and new) or _says_the_same(old, new):
        return ""
    return uncovered(old, new)


def origin(case: Case) -> str:
    """What the user wrote gives way only to the user's own words."""
    old, new = case.old, case.new
    if not old or _origin(old) != USER:
        return ""
    if any(item.role == "user" and item.session and item.digest for item in case.proposal.evidence):
        return ""
    if case.proposal.kind != "supersede":
        return f"{old.name} is the user's own, and no words of the user's ask for this"
    if new and _origin(new) != USER and not _says_the_same(old, new):
        return f"{old.name} is the user's own, {new.name} was written by {_origin(new)}"
    return ""


def later(case: Case) -> str:
    """What is to stand is the younger one, as both tell; of twins it does not matter."""
    old, new = case.old, case.new
    if not (old and new) or case.proposal.text or _says_the_same(old, new):
        return ""
    one, other = moment(old), moment(new)
    if not (one and other):
        missing = old if not one else new
        return f"{missing.name} does not tell when it was written, so which is later is open"
    if one >= other:
        return f"{new.name} was not written after {old.name}"
    return ""


def correction(case: Case) -> str:
    """A standing rule falls by a correction, not by being older; and two rules may both hold."""
    old, new = case.old, case.new
    if not (old and new) or _says_the_same(old, new):
        return ""
    if class_of(old) == RULE and not corrects(old, new, case.proposal.evidence):
        return f"{new.name} does not say that it takes back what {old.name} asks for"
    return unlike(old, new)


def standing(case: Case) -> str:
    """What is to stand is itself current: not superseded, retired, refuted or unverified."""
    new = case.new
    if case.proposal.kind != "supersede" or not new or not new.labels:
        return ""
    return f"{new.name} is itself {new.labels[0]}"


def only_words(case: Case) -> str:
    """An added alias is words that lead to a memory that holds; nothing that it says changes."""
    old, new = case.old, case.new
    if old is None or new is None:
        return ""
    if old.is_retired or old.superseded_by:
        return f"{old.name} holds no more"
    bare = [replace(one, metadata={key: value for key, value in one.metadata.items()
                                   if key not in ("asked_as", "modified", "node_type", "type")})
            for one in (old, new)]  # fmt: skip
    return "" if bare[0] == bare[1] else f"more of {old.name} would change than what leads to it"


def _own_names(old: Memory, new: Memory) -> tuple[frozenset[str], frozenset[str]]:
    """The proper names of either, but for those that are only what it says of its subject."""
    gone, come = values_apart(old, new)
    return (frozenset(name for name in names(old) if not words(name) & gone),
            frozenset(name for name in names(new) if not words(name) & come))  # fmt: skip


def _says_the_same(old: Memory, new: Memory) -> bool:
    """Whether the texts are the same, or so nearly that `new` only adds a word here and there."""
    if old.body.split() == new.body.split():
        return bool(old.body.strip())
    mine, theirs = shingles(old.body), shingles(new.body)
    alike = len(mine & theirs) >= 0.9 * max(1, len(mine | theirs))
    return alike and len(mine) >= 8 and is_within(old, new)


def _origin(memory: Memory) -> str:
    said = memory.metadata.get("origin")
    return str(said or ("agent" if "originSessionId" in memory.metadata else USER)).strip()


def _projects(memory: Memory) -> str:
    held = memory.metadata.get("scope")
    return str(held.get("project") or "") if isinstance(held, Mapping) else ""


def _technologies(memory: Memory) -> frozenset[str]:
    given = {key_of(word) for word in memory.words("entities") if is_technology(word)}
    return technologies(f"{memory.name} {memory.description} {memory.body}") | given


def _some(found: frozenset[str]) -> str:
    return ", ".join(sorted(found)[:2])


def _plain(text: str) -> str:
    return " ".join(key_of(text).split())


PAIR = ("supersede",)

GUARDS = (
    Guard("confidence", confidence, ("add", "confirm", "supersede", "edit", "retire", "label"),
          f"The pass is at least {SURE:.0%} sure."),
    Guard("quoted", quoted, ("add", "confirm", "supersede", "edit", "retire", "label"),
          "Words that it quotes from a memory stand there."),
    Guard("subject", subject, PAIR,
          "Both share a topic, or two particular things, or one and all words but a value."),
    Guard("class", same_class, ("supersede", "retire"),
          "Rule for rule, state for state; maps and lists of open questions give way to no item."),
    Guard("scope", scope, PAIR,
          "What is to stand covers every statement of the other; in doubt it does not."),
    Guard("origin", origin, ("supersede", "edit", "retire", "label"),
          "What the user wrote gives way to the user's words alone."),
    Guard("later", later, PAIR,
          "What is to stand was written after the other, and both tell when."),
    Guard("correction", correction, PAIR,
          "A standing rule gives way to a correction only, and a choice to one of its own kind."),
    Guard("standing", standing, PAIR,
          "What is to stand carries no label itself."),
    Guard("words", only_words, ("alias",),
          "Words that are to lead to a memory change nothing else of it, and it holds."),
)  # fmt: skip
"""Every guard, in the order in which it is told. Adding one is a function and a line here."""
