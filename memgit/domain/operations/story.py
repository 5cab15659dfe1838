"""The story of a memory in sentences: who recorded it, what was done to it and why, how it stands.

The one rule: each sentence is one commit, and names it, so that whoever doubts can look.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memgit.domain.memory import Memory, key_of
from memgit.domain.operation import Operation
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.history import BY_HAND, Event, story_of
from memgit.domain.store import Store
from memgit.errors import StoreError

SHORT = 12
"""Characters of a commit's id that are shown."""

_NOUNS = {
    "supersede": "supersession", "retire": "retirement", "restore": "restoration",
    "rename": "renaming", "add": "recording", "label": "label", "unlabel": "removal of the label",
    "undo": "undoing", BY_HAND: "edit", "save": "change", "import": "import",
    "alias": "addition of words", "migrate": "migration",
}  # fmt: skip

_SUFFERED = "Became unverified on {day}: {origin}, from which it is derived, was {fate}"

Teller = Callable[[Event, Operation, str], str]
"""(event, its operation, what that has to do with the memory) → a sentence."""


@dataclass(frozen=True)
class Sentence:
    """One thing that happened, and the commit in which it did; "" for how it stands now."""

    text: str
    commit: str = ""
    day: str = ""


def tell(store: Store, name: str) -> list[Sentence]:
    """The story of a memory, oldest first. Raises StoreError where history knows no such name."""
    happened = list(story_of(store, name))[::-1]
    catalogue = Catalogue(store)
    entry = catalogue.at(name) or catalogue.called(name)
    if not happened and entry is None:
        catalogue.find(name)
    memory = store.read(entry.path) if entry else None
    if memory is None and not happened:
        raise StoreError(f"no memory was ever named {name}")
    by_id = {event.id: event for event in happened}
    called = {key_of(name)} | ({key_of(memory.name)} if memory else set())
    undone = {event.operation.undoes for event in happened if event.operation}
    for event in reversed(happened):
        if event.kind == "rename" and event.operation:
            old, new = key_of(event.memories[0]), key_of(event.operation.to)
            if new in called or (old in called and event.id in undone):
                called |= {old, new}
    found = [sentence for event in happened if (sentence := _sentence(event, called, by_id))]
    return [*found, Sentence(_now(memory, happened, catalogue))]


def _sentence(event: Event, called: set[str], by_id: Mapping[str, Event]) -> Sentence | None:
    if event.kind == "merge":
        return None
    operation = event.operation
    if operation is None:
        text = _by_hand(event, called)
    elif event.kind == "undo":
        text = _undone(event, by_id)
    else:
        teller = _TELLERS.get(event.kind, _plainly)
        text = teller(event, operation, _role(operation, called))
    because = (
        f", because {operation.because.rstrip('.')}" if operation and operation.because else ""
    )
    return Sentence(f"{text}{because}.", event.id, event.day)


def _role(operation: Operation, called: set[str]) -> str:
    """Whether an operation is `about` a memory, leads `to` it, or only `reaches` it."""
    if operation.memories and key_of(operation.memories[0]) in called:
        return "about"
    return "to" if key_of(operation.to) in called else "reaches"


def _who(event: Event) -> str:
    actor = event.actor
    return {"user": "the user", "agent": "an agent"}.get(actor, f"the pass {actor}")


def _done(what: str) -> Teller:
    """The sentence of an operation of which there is no more to say than when and by whom."""
    return lambda event, operation, role: f"{what} {event.day} by {_who(event)}"


def _began(event: Event, operation: Operation, role: str) -> str:
    return f"Was there when the store was made on {event.day}"


def _superseded(event: Event, operation: Operation, role: str) -> str:
    if role == "about":
        return f"Superseded by {operation.to} on {event.day}, by {_who(event)}"
    if role == "to":
        return f"Took the place of {operation.memories[0]} on {event.day}"
    return _suffered(event, operation, f"superseded by {operation.to}")


def _retired(event: Event, operation: Operation, role: str) -> str:
    if role == "about":
        return f"Retired on {event.day} by {_who(event)}"
    return _suffered(event, operation, "retired")


def _labelled(event: Event, operation: Operation, role: str) -> str:
    if role == "about":
        return f"Labelled {operation.to} on {event.day} by {_who(event)}"
    return _suffered(event, operation, operation.to)


def _cascaded(event: Event, operation: Operation, role: str) -> str:
    if role == "about":
        return f"What derives from it was labelled on {event.day}, since it is {operation.to}"
    return _suffered(event, operation, operation.to)


def _uncascaded(event: Event, operation: Operation, role: str) -> str:
    if role == "about":
        return f"What derives from it was relieved on {event.day}"
    return _relieved(event, operation)


def _suffered(event: Event, operation: Operation, fate: str) -> str:
    return _SUFFERED.format(day=event.day, origin=operation.memories[0], fate=fate)


def _led_to(event: Event, operation: Operation, role: str) -> str:
    return f"Words that lead to it were added on {event.day} by {_who(event)}"


def _restored(event: Event, operation: Operation, role: str) -> str:
    if role == "about":
        what = f"No longer {operation.to}" if operation.to else "Restored"
        return f"{what} since {event.day}, by {_who(event)}"
    return _relieved(event, operation)


def _relieved(event: Event, operation: Operation) -> str:
    return f"Relieved of that on {event.day}, when {operation.memories[0]} was mended"


def _renamed(event: Event, operation: Operation, role: str) -> str:
    old = operation.memories[0]
    if role == "reaches":
        return f"Its references follow {old}, which became {operation.to} on {event.day}"
    return f"Renamed from {old} to {operation.to} on {event.day} by {_who(event)}"


def _turned_down(event: Event, operation: Operation, role: str) -> str:
    return f"A proposal was turned down on {event.day} by {_who(event)}: {operation.subject}"


def _agreed(event: Event, operation: Operation, role: str) -> str:
    return f"A proposal was accepted on {event.day} by {_who(event)}: {operation.subject}"


def _plainly(event: Event, operation: Operation, role: str) -> str:
    return f"{event.kind.capitalize()} on {event.day} by {_who(event)}: {operation.subject}"


def _by_hand(event: Event, called: set[str]) -> str:
    told = [touched for touched in event.commit.touched
            if key_of(touched.place.rpartition("/")[2].rpartition(".")[0]) in called]  # fmt: skip
    one = told[0] if told else None
    verb = "Changed"
    if one and one.old_path is None:
        verb = "Committed"
    elif one and one.path is None:
        verb = "Removed"
    return f"{verb} {event.day} by {event.author}, by hand ({event.subject})"


def _undone(event: Event, by_id: Mapping[str, Event]) -> str:
    target = by_id.get(event.operation.undoes) if event.operation else None
    if target is None:
        return f"{event.subject.capitalize()}: undone on {event.day} by {_who(event)}"
    noun = _NOUNS.get(target.kind, target.kind)
    return f"The {noun} of {target.day} was undone on {event.day} by {_who(event)}"


_TELLERS: Mapping[str, Teller] = {
    "add": _done("Recorded"),
    "import": _done("Imported"),
    "init": _began,
    "supersede": _superseded,
    "retire": _retired,
    "restore": _restored,
    "label": _labelled,
    "unlabel": _restored,
    "rename": _renamed,
    "cascade": _cascaded,
    "uncascade": _uncascaded,
    "edit": _done("Edited"),
    "save": _done("Written and saved"),
    "reject": _turned_down,
    "accept": _agreed,
    "alias": _led_to,
    "migrate": _done("Put into the shape of the store's next format"),
}
"""Kind of operation → its sentence, without the reason."""


def _now(memory: Memory | None, happened: list[Event], catalogue: Catalogue) -> str:
    """How it stands: labels, and what it was made from."""
    if memory is None:
        last = happened[-1]
        return f"It is no longer in the store; `git show {last.id[:SHORT]}` has its words."
    stands = "; ".join(memory.labels) or "nothing speaks against it"
    origins = ", ".join(memory.words("derived_from"))
    made = f" It was made from {origins}." if origins else ""
    entry = catalogue.at(memory.path)
    below = [one.name for one in catalogue.descendants(entry)] if entry else []
    leads = f" Made from it: {', '.join(below)}." if below else ""
    return f"Now: {stands}.{made}{leads}"
