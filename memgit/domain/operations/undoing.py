"""Undoing one operation: a new commit that takes back its changes and keeps what came later.

The one rule: what cannot be taken back without touching a later change is told in one line, and
then nothing is changed at all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from memgit.domain.always_on.profile import merged as profile_merged
from memgit.domain.memory import NOT_MEMORIES, is_memory_path, parse
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.history import Event, events
from memgit.domain.operations.renaming import followed
from memgit.domain.settings import FILE
from memgit.domain.sharing.merging import Conflict, merged
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.history import Touched, differences
from memgit.prompt.profile import FILE as PROFILE

SHORT = 12
"""Characters of a commit's id that are shown."""

FINAL = {"init": "a store is taken down by removing its folder",
         "purge": "what was purged is gone for good"}  # fmt: skip
"""Operations that cannot be undone, and why."""


def undo(store: Store, which: str | None = None, by: Provenance = BY_THE_USER) -> Changed:
    """Take back an operation, the last one where none is named, in a commit of its own.

    Undoing that commit brings the operation back. `commit` is None where nothing of it is left.
    Raises StoreError, having changed nothing, where later changes stand in the way.
    """

    def plan(catalogue: Catalogue) -> Plan:
        target = _last(store) if which is None else _named(store, which)
        undoing = _Undoing(store, catalogue, target)
        for touched in differences(store.repository, _parent(target), target.id):
            undoing.take_back(touched)
        return undoing.plan(by)

    return change(store, plan)


def _last(store: Store) -> Event:
    for event in events(store):
        if event.operation and event.kind not in FINAL and not _only_lists(event):
            return event
    raise StoreError(f"{store.root}: no operation to undo", "`memgit log` tells what happened")


def _only_lists(event: Event) -> bool:
    """Whether all that it did was to make `MEMORY.md` anew, as after a merge: that follows the
    memories by itself, so there is nothing of it to undo.
    """
    places = {touched.place for touched in event.commit.touched}
    return places == {NOT_MEMORIES[0]}


def _named(store: Store, which: str) -> Event:
    """The commit that a person names, by its id or a part of it."""
    repository = store.repository
    status, commit, _ = repository.run_status(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{which}^{{commit}}"
    )
    if status:
        raise StoreError(f"{which} is no commit of this store", "`memgit log` lists them")
    if repository.run_status("merge-base", "--is-ancestor", commit, "HEAD")[0]:
        raise StoreError(f"{which} is not in the history of what is checked out", "see `git log`")
    parents = repository.run("log", "-1", "--format=%P", commit).split()
    if len(parents) > 1:
        raise StoreError(
            f"{which} is a merge", "undo the operations that it brought, one by one (`memgit log`)"
        )
    for event in events(store, parents[0] if parents else None):
        if event.id == commit:
            return event
    raise StoreError(f"{which} cannot be read", f"`git -C {store.root} fsck` tells more")


def _parent(event: Event) -> str | None:
    return event.commit.parents[0] if event.commit.parents else None


@dataclass
class _Undoing:
    """The reversal of one operation, file by file."""

    store: Store
    catalogue: Catalogue
    target: Event
    files: dict[str, bytes | None] = field(default_factory=dict)
    known: dict[str, bytes] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if why := FINAL.get(self.target.kind):
            raise StoreError(f"{self.target.id[:SHORT]} cannot be undone", why)
        later = list(events(self.store, self.target.id))
        self._later = [event for event in later if event.id != self.target.id]
        self._moves = _moves(self._later)
        self._renamed = list(_renamed(self.store, self._later))

    def take_back(self, touched: Touched) -> None:
        """Plan the reversal of what the operation did to one file."""
        if touched.place == NOT_MEMORIES[0]:  # made from the memories: it follows them by itself
            return
        if not touched.is_plain or (touched.old_path is None and touched.path == FILE):
            raise StoreError(
                f"{self._told()} cannot be undone: it made {touched.place}",
                "revert it with git, if that is meant",
            )
        before = self._blob(touched.old_path, touched.old_blob)
        after = self._blob(touched.path, touched.blob)
        if touched.path is None:
            self._bring_back(touched.old_path or "", before)
            return
        path = self._moves.get(touched.path, touched.path)
        now = self._now(path)
        if touched.old_path is None:
            self._take_away(path, now, after)
        elif now is None:
            raise self._refusal(path, "was removed")
        else:
            to = path if touched.old_path == touched.path else touched.old_path
            if to != path and path != touched.path:
                raise self._refusal(path, "was renamed again")
            self._put(to, path, self._merged(path, now, after, before))
            self.known[to] = before

    def plan(self, by: Provenance) -> Plan:
        """The operation that undoes the target."""
        for entry, new in _renamed(self.store, [self.target]):
            self._follow_back(entry, new)
        subject = self.target.commit.message.partition("\n")[0].replace(": ", " ", 1)
        names = self.target.memories
        operation = Operation.of("undo", subject, names, by, undoes=self.target.id)
        decides = bool(self.target.operation and not self.target.commit.touched)
        is_note = decides and not self._is_undone
        if not self.files and not is_note:
            self.notes = [self._already()]
        note = "; ".join(self.notes)
        return Plan(operation, self.files, (), self.moved, self.known, note, is_note)

    @property
    def _is_undone(self) -> bool:
        taken = {one.operation.undoes: one.id for one in self._later if one.operation}
        return self.target.id in taken and taken[self.target.id] not in taken

    def _follow_back(self, entry: Entry, new: str) -> None:
        """Let what came to refer to a memory by its new name say the old one again."""
        for other in self.catalogue:
            path = other.path
            data = self.files.get(path, self._now(path))
            if data is not None and self._now(path) is not None:
                back = followed(path, data, replace(entry, name=new, path=f"{new}.md"), entry.name)
                if back != data:
                    self.files[path] = back

    def _bring_back(self, path: str, before: bytes) -> None:
        now = self._now(path)
        if now is not None and now != before:
            raise self._refusal(path, "another file stands there")
        self.files[path] = before
        self.known[path] = before

    def _take_away(self, path: str, now: bytes | None, after: bytes) -> None:
        if now is None:
            return
        if now != after:
            raise self._refusal(path, "was changed")
        self.files[path] = None
        if is_memory_path(path):
            name = parse(path, after)[0].name
            where = f"git show {self.target.id[:SHORT]}:{path}"
            self.notes.append(f"{name} is gone from the store; its words stay in history: {where}")

    def _merged(self, path: str, now: bytes, after: bytes, before: bytes) -> bytes:
        try:
            return merged(self.store.repository, path, now, after, before)
        except Conflict as conflict:
            if path == PROFILE:
                return profile_merged(now, after, before)
            raise self._refusal(path, f"{conflict.what} changed") from None

    def _put(self, to: str, path: str, data: bytes) -> None:
        if to != path:
            if self._now(to) is not None:
                raise self._refusal(to, "another file stands there")
            self.files[path] = None
            self.moved[to] = path
        if to != path or data != self._now(path):
            self.files[to] = data

    def _now(self, path: str) -> bytes | None:
        return self.catalogue.content(path) if (self.store.root / path).is_file() else None

    def _blob(self, path: str | None, blob: str | None) -> bytes:
        """The content at that time, with names of memories as they are by now."""
        data = next(iter(self.store.repository.blobs([blob])), b"") if blob else b""
        for entry, new in self._renamed if path and is_memory_path(path) else ():
            data = followed(path or "", data, entry, new)
        return data

    def _told(self) -> str:
        return f"{self.target.id[:SHORT]} ({self.target.commit.message.partition(chr(10))[0]})"

    def _refusal(self, path: str, what: str) -> StoreError:
        """Why it cannot be undone, and the later commit that has to go first."""
        event = next((event for event in self._later if event.touches({path})), None)
        since = f" since, in {event.id[:SHORT]} ({event.subject})" if event else ""
        hint = f"`memgit undo {event.id[:SHORT]}` first, or " if event else ""
        return StoreError(
            f"{self._told()} cannot be undone alone: {path}: {what}{since}",
            f"{hint}edit the file by hand; nothing was changed",
        )

    def _already(self) -> str:
        for event in self._later:
            if event.operation and event.operation.undoes == self.target.id:
                return f"nothing of it is left: it was undone in {event.id[:SHORT]}"
        return "nothing of it is left"


def _moves(later: list[Event]) -> Mapping[str, str]:
    """Where files went in later commits, from the place that they had before."""
    moves: dict[str, str] = {}
    for event in reversed(later):
        for old, new in _moved(event):
            for start, end in list(moves.items()):
                if end == old:
                    moves[start] = new
            moves[old] = new
    return moves


def _renamed(store: Store, later: list[Event]) -> Iterator[tuple[Entry, str]]:
    """What later operations renamed, oldest first: the memory as it was, and its new name."""
    for event in reversed(later):
        operation = event.operation
        back = operation is not None and operation.kind == "undo"
        if operation and back:
            message = store.repository.run(
                "log", "-1", "--format=%B", operation.undoes, check=False
            )
            operation = Operation.parse(message)
        if operation and operation.kind == "rename":
            names = [operation.memories[0], operation.to]
            old, new = reversed(names) if back else names
            paths = [start for start, _ in _moved(event)]
            yield Entry(old, paths[0] if paths else f"{old}.md", ""), new


def _moved(event: Event) -> list[tuple[str, str]]:
    """The files that a commit moved. Of a renaming git may find none, when the file is small."""
    touched = event.commit.touched
    found = [(one.old_path, one.path) for one in touched
             if one.old_path and one.path and one.old_path != one.path]  # fmt: skip
    if not found and event.kind in ("rename", "undo"):
        gone = [one.old_path for one in touched if one.path is None and one.old_path]
        new = [one.path for one in touched if one.old_path is None and one.path]
        if len(gone) == len(new) == 1:
            found = [(gone[0], new[0])]
    return found
