"""What happened to the memories, read from git: operations by their trailers, and plain commits.

The one rule: history is what git says; nothing is kept beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from memgit.domain.memory import is_memory_path, key_of
from memgit.domain.operation import Operation, one_line
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.store import Store
from memgit.ports.history import Commit, Touched, commits

BY_HAND = "edit"
"""The kind of a commit without trailers that touches memories; without any it is a `commit`."""


@dataclass(frozen=True)
class Event:
    """One commit as the history of memories tells it; `operation` is None for one made by hand."""

    commit: Commit
    operation: Operation | None

    @classmethod
    def of(cls, commit: Commit) -> "Event":
        """The event that a commit is."""
        return cls(commit, Operation.parse(commit.message))

    @property
    def id(self) -> str:
        """The commit's full id."""
        return self.commit.id

    @property
    def kind(self) -> str:
        """The verb of an operation; `merge`, `edit` or `commit` for what was made by hand."""
        if self.operation:
            return self.operation.kind
        if len(self.commit.parents) > 1:
            return "merge"
        return BY_HAND if self.memories else "commit"

    @property
    def actor(self) -> str:
        """Who did it; a commit by hand is the user's."""
        return self.operation.actor if self.operation else "user"

    @property
    def memories(self) -> tuple[str, ...]:
        """The names of the memories that it is about; of one made by hand, those of the files."""
        if self.operation:
            return tuple(self.operation.memories)
        places = (touched.place for touched in self.commit.touched)
        stems = (PurePosixPath(place).stem for place in places if is_memory_path(place))
        return tuple(stem.encode("utf-8", "replace").decode() for stem in stems)

    @property
    def author(self) -> str:
        """The name of whoever made the commit, as it can be printed."""
        return one_line(self.commit.author)

    @property
    def subject(self) -> str:
        """One line that tells what it did."""
        if self.operation:
            return self.operation.subject
        return one_line(self.commit.message.partition("\n")[0])

    @property
    def moment(self) -> datetime:
        """When its author made it, with his zone."""
        return datetime.fromisoformat(self.commit.date)

    @property
    def day(self) -> str:
        """The date of it, where its author was."""
        return self.commit.date[:10]

    def touches(self, paths: set[str]) -> Touched | None:
        """What it did to the file at one of these paths."""
        for touched in self.commit.touched:
            if touched.path in paths or touched.old_path in paths:
                return touched
        return None


def events(store: Store, since: str | None = None) -> Iterator[Event]:
    """Everything in the history of HEAD, newest first; `since` a commit only what is not in it."""
    return map(Event.of, commits(store.repository, since))


def story_of(store: Store, name: str) -> Iterator[Event]:
    """What happened to one memory, newest first, also while it had other names and places.

    A memory that is no longer there is followed by the name it had.
    """
    names, paths = _traces(Catalogue(store), name)
    for event in events(store):
        touched = event.touches(paths)
        if not touched and names.isdisjoint(map(key_of, event.memories)):
            continue
        if touched and touched.old_path and touched.old_path not in paths:
            paths.add(touched.old_path)
            names.add(key_of(PurePosixPath(touched.old_path).stem))
        if event.operation and event.kind == "rename" and key_of(event.operation.to) in names:
            names.add(key_of(event.memories[0]))
        yield event


def _traces(catalogue: Catalogue, name: str) -> tuple[set[str], set[str]]:
    """The keys and the paths under which a memory may stand in history.

    Its aliases hold the names it had, also those of a branch on which the renaming is unknown.
    """
    entry = catalogue.at(name) or catalogue.called(name)
    if entry is None:
        return {key_of(name), key_of(PurePosixPath(name).stem)}, {name, f"{name}.md"}
    here = PurePosixPath(entry.path)
    former = [alias for alias in entry.aliases
              if (found := catalogue.called(alias)) is None or found == entry]  # fmt: skip
    places = (here.with_name(f"{alias}{here.suffix}") for alias in former if "/" not in alias)
    free = (place.as_posix() for place in places if not catalogue.at(place.as_posix()))
    return {key_of(word) for word in (entry.name, *former)}, {entry.path, *free}
