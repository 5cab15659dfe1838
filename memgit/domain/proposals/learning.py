"""What became of proposals that were put on a branch: merged, closed, or still open.

The one rule: only what git or the forge says counts. A branch that cannot be looked at stays open,
and nobody's silence is taken for a no.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from memgit.domain.always_on.listing import FILE as LISTING
from memgit.domain.memory import decode
from memgit.domain.operation import Provenance
from memgit.domain.proposals import deciding
from memgit.domain.proposals.deciding import decisions
from memgit.domain.proposals.proposing import Request, forge, forget, requests
from memgit.domain.proposals.waiting import Held, Waiting
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports import branches
from memgit.ports.forge import CLOSED, MERGED
from memgit.ports.history import differences
from memgit.ports.remotes import fetch, tracking

Told = Callable[[str], None]


@dataclass
class Learned:
    """Ids of proposals that turn out to be decided; `behind` are remotes to sync with first."""

    accepted: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)


def learn(store: Store, told: Told | None = None) -> Learned:
    """Look at every open request: here, and with `told` also at its remote and its forge.

    What was merged is accepted, also squashed into one commit; what was closed is rejected.
    """
    learned = Learned()
    queue = Waiting(store)
    for request in requests(store):
        held = {one.proposal.id: one for one in queue.all() if one.branch == request.branch}
        decided = decisions(store)
        for id_ in set(request.ids.values()) & set(decided):
            _sort(learned, id_, decided[id_].what)
            queue.take(id_)
            held.pop(id_, None)
        if held:
            _judge(store, request, held, learned, told)
        if not any(one.branch == request.branch for one in queue.all()):
            forget(store, request)
    return learned


def _sort(learned: Learned, id_: str, what: str) -> None:
    (learned.accepted if what == deciding.ACCEPTED else learned.rejected).append(id_)


def _judge(
    store: Store, request: Request, held: dict[str, Held], learned: Learned, told: Told | None
) -> None:
    repository = store.repository
    head = repository.head()
    if head and branches.is_merged(repository, request.tip, head):
        by = Provenance(because=f"merged with {request.url or request.branch}")
        for id_, one in held.items():
            deciding.note_accepted(store, one.proposal, by)
            learned.accepted.append(id_)
            Waiting(store).take(id_)
        return
    state = _end(store, request, learned, told) if told and request.pushed else ""
    if not state:
        return
    merged = Provenance(because=f"merged with {request.url or request.branch}")
    closed = Provenance(because=f"closed without merging: {request.url or request.branch}")
    commits = {id_: commit for commit, id_ in request.ids.items()}
    for id_, one in held.items():
        if state == MERGED or _is_taken_over(store, commits[id_]):
            deciding.note_accepted(store, one.proposal, merged)
            learned.accepted.append(id_)
        else:
            deciding.reject(store, one.proposal, closed)
            learned.rejected.append(id_)
        Waiting(store).take(id_)


def _is_taken_over(store: Store, commit: str) -> bool:
    """Whether most of what a commit added stands in the store: squashed, and edited on the way."""
    added = stands = 0
    for one in differences(store.repository, f"{commit}^", commit):
        if not one.is_plain or one.place == LISTING:
            continue
        before, after = (_lines(store, blob) for blob in (one.old_blob, one.blob))
        here = store.root / one.place
        now = decode(here.read_bytes())[0].splitlines() if here.is_file() else []
        added += len(after - before)
        stands += len((after - before) & set(now))
    return added > 0 and 2 * stands > added


def _lines(store: Store, blob: str | None) -> set[str]:
    data = next(iter(store.repository.blobs([blob])), b"") if blob else b""
    return set(filter(None, decode(data)[0].splitlines()))


def _end(store: Store, request: Request, learned: Learned, told: Told) -> str:
    """`closed` or `merged` where nobody can merge it any more: its branch is gone at the remote, or
    the forge says so, and what the remote has is all here; "" where it is open.
    """
    repository = store.repository
    try:
        base = fetch(repository, request.remote, request.base, told)
        gone = fetch(repository, request.remote, request.branch, told) is None
    except StoreError as fault:
        told(f"{request.branch}: {fault}")
        return ""
    head = repository.head()
    if base and head and not branches.is_in(repository, base, head):
        learned.behind.append(request.remote)
        return ""
    found = forge(store, request.remote)
    state = found.state(request.branch) if found else ""
    if not gone:
        return state if state in (CLOSED, MERGED) else ""
    repository.run("update-ref", "-d", tracking(request.remote, request.branch), check=False)
    return MERGED if state == MERGED else CLOSED
