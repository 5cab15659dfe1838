"""Recording an operation: its files, and `MEMORY.md` made anew, in one commit.

The one rule: every change of the memories passes here. What a person or an agent wrote into
`MEMORY.md` is taken over before it is made anew, and a profile that has grown over its cap gives
its last lines to the store.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from memgit.domain.always_on import hand_edits, listing
from memgit.domain.always_on.candidates import Candidates, candidates, everything
from memgit.domain.always_on.listing import Row
from memgit.domain.always_on.profile import Profile, to_memories
from memgit.domain.gates.refusing import expect_no_secret
from memgit.domain.importing.index_lines import Pointer, read_index
from memgit.domain.memory import decode, is_memory_path, parse
from memgit.domain.naming import Newcomers
from memgit.domain.operation import Operation
from memgit.domain.placed_files import UNSEEN, Rewritten, Seen
from memgit.domain.settings import FILE as SETTINGS
from memgit.domain.settings import Settings
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.prompt import profile

Files = Mapping[str, bytes | None]
Answer = TypeVar("Answer")

AGENT = "agent"
"""Who is taken to have written into `MEMORY.md` where nobody says: the one to be trusted less."""


TRIES = 5
"""Times that an operation is begun again because `MEMORY.md` changed under it."""

TOLD = 5
"""Names that a message repeats."""


@dataclass(frozen=True)
class Recorded:
    """The commit, and the memories that `MEMORY.md` listed before it and does not any more."""

    commit: str
    demoted: Sequence[str] = ()


def record(
    store: Store,
    operation: Operation,
    files: Files,
    standing: Sequence[str] = (),
    seen: Seen = UNSEEN,
) -> Recorded:
    """Commit an operation. What was written into `MEMORY.md` by hand becomes a commit before it.

    `files` are written, None removing one; `standing` are committed as they are in the work tree.
    Raises Rewritten, with nothing committed, where a path that was `seen` holds something else.
    """
    with store.locked():
        return unhurried(store, lambda: _recorded(store, operation, files, standing, seen))


def _recorded(
    store: Store, operation: Operation, files: Files, standing: Sequence[str], seen: Seen
) -> Recorded:
    return record_listed(store, operation, files, standing, seen={**seen, **take_over(store)})


def take_over(store: Store) -> Seen:
    """Let what was written into `MEMORY.md` be a commit of its own, before an operation is planned
    on memories that it may change. Returns `MEMORY.md` as it then is, with nothing more to take.
    """
    store.repository.expect_nothing_in_progress()
    return unhurried(store, lambda: _taken_over(store))


def _taken_over(store: Store) -> Seen:
    taken = hand_edits.taken_over(store, AGENT)
    seen = {listing.FILE: taken.read}
    if not taken.files:
        return seen
    details = ("written into MEMORY.md, and taken over before it is made anew",)
    save = Operation("save", taken.subject, taken.names, AGENT, details)
    record_listed(store, save, taken.files, seen=seen)
    return _taken_over(store)


def unhurried(store: Store, attempt: Callable[[], Answer]) -> Answer:
    """What `attempt` returns, made again where somebody wrote into `MEMORY.md` meanwhile.

    Raises StoreError where he goes on and on.
    """
    for _ in range(TRIES):
        try:
            return attempt()
        except Rewritten as fault:
            if fault.args[0] != listing.FILE:
                raise
    raise StoreError(
        f"{store.root / listing.FILE} keeps being written by another program",
        "nothing was changed; try again when it is done",
    )


def farewell(demoted: Sequence[str]) -> str:
    """What a person is told of memories that `MEMORY.md` lists no more; "" for none."""
    if not demoted:
        return ""
    shown = ", ".join(demoted[:TOLD])
    more = f" and {len(demoted) - TOLD} more" if len(demoted) > TOLD else ""
    return f"MEMORY.md has no room left for {shown}{more}: kept, recalled and searched as before"


def record_listed(
    store: Store, operation: Operation, files: Files, standing: Sequence[str] = (),
    lists: bool = True, seen: Seen = UNSEEN,
) -> Recorded:  # fmt: skip
    """Commit an operation with the listing that follows from it; where `lists` is not set, without.

    What `MEMORY.md` holds now is written over: who calls has taken over what is to be kept of it,
    and says in `seen` what that was. Raises, with nothing committed, StoreError for a secret, and
    Rewritten as `record` does.
    """
    with store.locked():
        files = {**files, **_overflow(store, files, standing, operation.actor)}
        expect_no_secret(store, operation, files, standing)
        if not (lists and is_kept(store)):
            return Recorded(store.commit(operation, files, standing, seen))
        data, demoted = made_anew(store, files, standing)
        told = replace(operation, demoted=demoted)
        listed = {**files, listing.FILE: data}
        return Recorded(store.commit(told, listed, standing, seen), demoted)


def is_kept(store: Store) -> bool:
    """Whether the store has a `MEMORY.md`, in its work tree or its commit; a link is let alone."""
    file = store.root / listing.FILE
    if file.is_symlink() or file.is_dir():
        return False
    return file.exists() or hand_edits.committed(store) is not None


def regenerate(store: Store) -> bytes:
    """The `MEMORY.md` that follows from the memories of the commit that is checked out."""
    return _listed(candidates(store), store.settings)[0]


def is_current(store: Store) -> bool:
    """Whether `MEMORY.md` in the work tree is what follows from the memories; none is as well."""
    if not is_kept(store):
        return True
    file = store.root / listing.FILE
    return file.is_file() and _lines(store.content(listing.FILE)) == _lines(regenerate(store))


def made_anew(store: Store, files: Files, standing: Iterable[str] = ()) -> tuple[bytes, list[str]]:
    """(`MEMORY.md` once these files are committed, the names of memories that leave it).

    `files` and `standing` are as in `record`.
    """
    now = {path: _content(store, path) for path in standing} | dict(files)
    found = _with(store, candidates(store), now)
    if not found.is_enough():
        found = _with(store, everything(store), now)
    data, rows = _listed(found, _settings(store, now))
    here = {row.path for row in rows}
    before = [path for path in _pointed_at(store) if path not in here and path in found.rows]
    return data, [found.rows[path].name for path in before]


def _overflow(store: Store, files: Files, standing: Iterable[str], origin: str) -> dict[str, bytes]:
    """A profile that is over its cap, cut to it, and the memories that its last lines become."""
    data = files.get(profile.FILE) or (
        _content(store, profile.FILE) if profile.FILE in standing else None
    )
    fits, over = Profile.read(data or b"").fitted(store.settings.profile)
    if not over:
        return {}
    newcomers = Newcomers(store, origin)
    to_memories(over, newcomers)
    return {profile.FILE: fits.data(), **newcomers.files}


def _with(store: Store, found: Candidates, files: Files) -> Candidates:
    """The candidates once these files are committed. What tells no date is of today."""
    today = datetime.now(UTC).date().isoformat()
    for path in filter(is_memory_path, files):
        data = files[path]
        found.put(path, None if data is None else Row.of(parse(path, data)[0], today))
    return found


def _listed(found: Candidates, settings: Settings) -> tuple[bytes, list[Row]]:
    rows = listing.chosen(found.rows.values(), settings.budget, found.is_complete)
    more = not found.is_complete or len(rows) < len(found.rows)
    return listing.text(rows, more, settings.budget), rows


def _settings(store: Store, files: Files) -> Settings:
    """The settings once these files are committed."""
    return Settings.load(store.root) if SETTINGS in files else store.settings


def _pointed_at(store: Store) -> list[str]:
    """The memories that `MEMORY.md` lists as it stands."""
    text = decode(_content(store, listing.FILE) or b"")[0]
    if lines := listing.sealed_lines(text):
        return [path for line in lines if (path := listing.path_of(line))]
    rows = read_index(text, partial(hand_edits.is_memory, store))
    return list(dict.fromkeys(row.target for row in rows if isinstance(row, Pointer)))


def _content(store: Store, path: str) -> bytes | None:
    file = store.root / path
    return store.content(path) if file.is_file() and not file.is_symlink() else None


def _lines(data: bytes) -> str:
    """A file's text, whatever ends its lines."""
    return decode(data)[0].replace("\r\n", "\n")
