"""Proposals on a branch: a commit each on top of what the remote has, pushed for others to merge.

The one rule: nothing is forced, and no commit goes to the branch that memories live on; merging is
somebody's act, and what came of it is learnt from git.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from memgit.domain.memory import decode
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.proposals.carrying_out import carry_out, provenance, stale
from memgit.domain.proposals.described import Change, body, title
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.proposals.waiting import Held, Waiting, write_json
from memgit.domain.store import Store
from memgit.domain.upstream import Line
from memgit.errors import MemgitError, StoreError
from memgit.ports.forge import Forge, forge_of
from memgit.ports.history import differences
from memgit.ports.remotes import fetch, push, remotes
from memgit.ports.workshop import bench

PREFIX = "memgit/proposals-"
"""How the names of these branches begin."""

Told = Callable[[str], None]


@dataclass(frozen=True)
class Request:
    """A branch with proposals: `ids` by commit; `url` where a forge has it, `pushed` where it is
    at the remote.
    """

    branch: str
    base: str
    remote: str
    tip: str
    ids: Mapping[str, str]
    url: str = ""
    pushed: bool = False

    def as_json(self) -> dict[str, Any]:
        """Everything of it."""
        return {"branch": self.branch, "base": self.base, "remote": self.remote, "tip": self.tip,
                "ids": dict(self.ids), "url": self.url, "pushed": self.pushed}  # fmt: skip


@dataclass
class Proposed:
    """What was done. `skipped` are proposals that could not be carried out there, and why."""

    request: Request | None = None
    body: Path | None = None
    skipped: list[tuple[Proposal, str]] = field(default_factory=list)
    note: str = ""


def requests(store: Store) -> list[Request]:
    """The requests that are open as far as is known here."""
    found = []
    for path in sorted(_folder(store).glob("*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            found.append(Request(**json.loads(path.read_bytes())))
    return found


def forget(store: Store, request: Request) -> None:
    """A request that came to an end."""
    _file(store, request.branch, ".json").unlink(missing_ok=True)
    _file(store, request.branch, ".md").unlink(missing_ok=True)


def propose(
    store: Store, every: Sequence[Held], now: datetime, remote: str | None, told: Told
) -> Proposed:
    """Put proposals on a branch of their own, push it, and open a request where a forge is known.

    Without a remote the branch is made here, on top of what is checked out. Raises StoreError.
    """
    repository = store.repository
    line = Line.of(store, remote) if remotes(repository) else None
    base = fetch(repository, line.remote, line.theirs, told) if line else repository.head()
    if base is None:
        raise StoreError(
            f"{line or store.root} has no commit to propose on",
            "memgit sync" if line else "`memgit add` a memory first",
        )
    done = Proposed()
    with store.locked():
        changes = _commits(store, base, every, done)
    if not changes:
        done.note = "none of them can be carried out there"
        return done
    branch = _name(repository.run, changes, now)
    tip = changes[-1].commit
    repository.run("update-ref", f"refs/heads/{branch}", tip, "0" * len(tip))
    done.body = _file(store, branch, ".md")
    done.body.parent.mkdir(parents=True, exist_ok=True)
    done.body.write_text(body(changes, done.skipped), encoding="utf-8", errors="replace")
    theirs = line.theirs if line else repository.branch() or "main"
    ids = {change.commit: change.proposal.id for change in changes}
    request = Request(branch, theirs, line.remote if line else "", tip, ids)
    done.request = _sent(store, request, line, title(changes), done, told)
    write_json(_file(store, branch, ".json"), done.request.as_json())
    queue = Waiting(store)
    for held in every:
        if held.proposal.id in ids.values():
            queue.propose(held, branch)
    return done


def forge(store: Store, remote: str) -> Forge | None:
    """The forge that a remote is on."""
    return forge_of(store.repository.config(f"remote.{remote}.url") or "", store.root)


def _commits(store: Store, base: str, every: Sequence[Held], done: Proposed) -> list[Change]:
    """A commit for each proposal on top of `base`, made in a work tree of their own."""
    changes: list[Change] = []
    with bench(store.repository, base) as place:
        there = Store.at(place.root)
        _bring_index(store, there)
        for held in every:
            proposal = held.proposal
            before = place.head()
            try:
                if proposal.kind == "demote":
                    raise StoreError("it takes copies on this machine away: `memgit review`")
                if why := stale(Catalogue(there), proposal):
                    raise StoreError(f"{why}, as the remote has it")
                made = carry_out(there, proposal, provenance(proposal))
            except MemgitError as fault:
                done.skipped.append((proposal, str(fault)))
                continue
            if made.commit is None:
                done.skipped.append((proposal, made.note or "it stands so already"))
            else:
                files = _files(there, before, made.commit)
                changes.append(Change(proposal, made.commit, files, _standing(there, proposal)))
    return changes


def _bring_index(here: Store, there: Store) -> None:
    """The index as it is here, so that only what differs has to be indexed there. It is checked
    like any other, and built anew where it does not fit.
    """
    with suppress(OSError, shutil.Error):
        for name in ("index", "table"):
            shutil.copytree(here.derived / name, there.derived / name)


def _standing(store: Store, proposal: Proposal) -> str:
    """The text of the memory that is to stand, where the commit does not show it."""
    if proposal.kind != "supersede" or proposal.text:
        return ""
    return decode(store.content(Catalogue(store).find(proposal.to).path))[0]


def _files(store: Store, before: str | None, after: str) -> list[tuple[str, str, str]]:
    """(path, text before, text after) of the memories that a commit changed."""
    found = []
    for one in differences(store.repository, before, after):
        if one.is_plain and one.place != "MEMORY.md":
            texts = [_text(store, blob) for blob in (one.old_blob, one.blob)]
            found.append((one.place, texts[0], texts[1]))
    return found


def _text(store: Store, blob: str | None) -> str:
    return decode(next(iter(store.repository.blobs([blob])), b""))[0] if blob else ""


def _name(run: Callable[..., str], changes: Sequence[Change], now: datetime) -> str:
    """A name that no branch has yet."""
    ids = "".join(change.proposal.id for change in changes)
    stem = f"{PREFIX}{now:%Y%m%d}-{sha256(ids.encode()).hexdigest()[:6]}"
    taken = set(run("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split())
    number, name = 1, stem
    while name in taken:
        number += 1
        name = f"{stem}-{number}"
    return name


def _sent(
    store: Store, request: Request, line: Line | None, subject: str, done: Proposed, told: Told
) -> Request:
    """The request pushed and opened, as far as that goes; what does not is told in a note."""
    if line is None or done.body is None:
        done.note = "there is no remote: the branch is here"
        return request
    try:
        if not push(store.repository, line.remote, request.tip, request.branch, told):
            done.note = f"{line.remote} has a branch {request.branch} already; ours is only here"
            return request
    except StoreError as fault:
        done.note = f"not pushed: {fault}"
        return request
    pushed = Request(**{**request.as_json(), "pushed": True})
    found = forge(store, line.remote)
    if found is None:
        done.note = "no command line of its forge is here: open the request there"
        return pushed
    opened = found.open(request.branch, request.base, subject, done.body)
    done.note = opened.fault and f"{opened.fault}: the branch is pushed, open the request there"
    return Request(**{**pushed.as_json(), "url": opened.url})


def _folder(store: Store) -> Path:
    return store.derived / "proposals" / "requests"


def _file(store: Store, branch: str, suffix: str) -> Path:
    return _folder(store) / f"{branch.removeprefix(PREFIX)}{suffix}"
