"""What a person makes of a proposal: accept, reject, edit and accept, put off; and how it is shown.

The one rule: a person may accept what a guard refused, never what the store has outgrown; and what
was decided waits no longer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff
from typing import Any

from memgit.domain.memory import Memory, decode, parse
from memgit.domain.operation import Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.proposals import deciding
from memgit.domain.proposals.carrying_out import carry_out, provenance, stale
from memgit.domain.proposals.deciding import undecided
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.proposals.waiting import Held, Waiting
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError

USER = "user"


@dataclass(frozen=True)
class Side:
    """One memory that a proposal is about: what becomes of it, and its file; "" where there is
    none yet.
    """

    name: str
    fate: str
    path: str = ""
    text: str = ""
    memory: Memory | None = None


def waiting(store: Store) -> list[Held]:
    """The proposals that wait; one that came to be decided elsewhere, by a merge, is let go."""
    queue = Waiting(store)
    every = queue.all()
    still = undecided(store)
    for id_ in {held.proposal.id for held in every} - {held.proposal.id for held in still}:
        queue.take(id_)
    return still


def accept(
    store: Store, held: Held, because: str = "", text: str | None = None,
    now: datetime | None = None,
) -> Changed:  # fmt: skip
    """Carry a proposal out as the user's decision, in one commit; `text` in place of its own.

    Raises StoreError, having changed nothing, where a memory was changed since, or where a gate
    refuses the result.
    """
    proposal = held.proposal
    _expect_current(store, proposal)
    by = _by(proposal, because)
    wanted = proposal if text is None else replace(proposal, text=text)
    done = carry_out(store, wanted, by, now)
    if done.commit is None:
        deciding.note_accepted(store, proposal, by)
    Waiting(store).take(proposal.id)
    return done


def accept_edited(
    store: Store, held: Held, text: str, because: str = "", now: datetime | None = None
) -> list[Changed]:
    """Accept a proposal with the text that a person made of it. Where it has none of its own, that
    is the text of the memory that is to stand, whose change is an operation before the other.
    """
    proposal = held.proposal
    if proposal.text:
        return [accept(store, held, because, text, now)]
    _expect_current(store, proposal)
    entry = Catalogue(store).find(proposal.to)
    read = store.content(entry.path)
    wish = Edit(whole=text.encode("utf-8", "surrogatepass"), read=read)
    why = because or f"so that it stands for {proposal.name}"
    first = edit(store, entry.name, wish, Provenance(because=why), now)
    # What it quotes of that memory was quoted of the text before.
    fresh = replace(proposal, evidence=tuple(
        replace(one, digest="") if one.session == proposal.to else one for one in proposal.evidence
    ))  # fmt: skip
    return [first, accept(store, replace(held, proposal=fresh), because, now=now)]


def reject(store: Store, held: Held, because: str = "") -> str:
    """Turn a proposal down for good; the commit that remembers it."""
    commit = deciding.reject(store, held.proposal, Provenance(because=because))
    Waiting(store).take(held.proposal.id)
    return commit


def editable(store: Store, held: Held) -> str:
    """The text that a person may change before accepting. Raises UsageError where there is none."""
    proposal = held.proposal
    if proposal.text:
        return proposal.text
    if proposal.kind == "supersede":
        return decode(store.content(Catalogue(store).find(proposal.to).path))[0]
    raise UsageError(
        f"{proposal.id} would {proposal.kind} {proposal.name}: there is no text to change",
        f"`memgit review accept {proposal.id}` or `reject`",
    )


def sides(store: Store, proposal: Proposal) -> list[Side]:
    """The memories that a proposal is about, the one that changes first."""
    if proposal.kind == "demote":
        return [Side(proposal.name, "is taken out of the skills folder; its draft stays")]
    catalogue = Catalogue(store)
    fates = {
        "supersede": ("is superseded", "stands"), "label": (f"becomes {proposal.to}",),
        "retire": ("is retired",), "add": ("is new",),
    }.get(proposal.kind, ("is changed",))  # fmt: skip
    found = []
    names = [proposal.name, *([proposal.to] if proposal.kind == "supersede" else [])]
    for name, fate in zip(names, fates, strict=True):
        entry = catalogue.called(name) if proposal.kind != "add" else None
        is_new = bool(proposal.text) and (fate in ("stands", "is new"))
        if is_new:
            data = proposal.text.encode("utf-8", "surrogatepass")
            memory = parse(proposal.path or f"{name}.md", data)[0]
            found.append(Side(name, f"{fate}, and is new" if fate == "stands" else fate,
                              memory.path, proposal.text, memory))  # fmt: skip
        elif entry:
            data = store.content(entry.path)
            memory = parse(entry.path, data)[0]
            found.append(Side(memory.name, fate, entry.path, decode(data)[0], memory))
        else:
            found.append(Side(name, f"{fate}; it is not in the store any more"))
    return found


def difference(store: Store, proposal: Proposal) -> list[str]:
    """What would change in the file of the memory, as the lines of a unified diff; [] for kinds
    that rewrite none.
    """
    if proposal.kind not in ("edit", "alias", "confirm") or not proposal.text:
        return []
    entry = Catalogue(store).called(proposal.name)
    before = decode(store.content(entry.path))[0] if entry else ""
    path = entry.path if entry else proposal.path
    lines = unified_diff(before.split("\n"), proposal.text.split("\n"), path, path, lineterm="")
    return list(lines)


def record(store: Store, held: Held) -> Mapping[str, Any]:
    """A proposal with both sides, as JSON has it."""
    proposal = held.proposal
    return {
        **proposal.as_json(), "until": held.until, "branch": held.branch,
        "stale": stale(Catalogue(store), proposal),
        "sides": [{"name": one.name, "fate": one.fate, "path": one.path, "text": one.text}
                  for one in sides(store, proposal)],
        "diff": difference(store, proposal),
    }  # fmt: skip


def _expect_current(store: Store, proposal: Proposal) -> None:
    if why := stale(Catalogue(store), proposal):
        raise StoreError(
            f"{proposal.id}: {why}, so this proposal speaks of what is no more",
            f"nothing was changed; `memgit review reject {proposal.id}` lets it go, and a later "
            "pass looks again",
        )


def _by(proposal: Proposal, because: str) -> Provenance:
    """The user's decision on what a pass said; its id is that of the proposal as it was made."""
    return provenance(proposal, USER, because)
