"""Every memory of the work tree as operations need it: names, places, and how they refer.

The one rule: what is committed comes from the index, so that a large store is not read for one
change; what is only written comes from the files.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, is_memory_path, key_of
from memgit.domain.store import Store
from memgit.errors import StoreError, did_you_mean


@dataclass(frozen=True)
class Entry:
    """One memory: names are as the file has them."""

    name: str
    path: str
    type: str
    aliases: tuple[str, ...] = ()
    superseded_by: str = ""
    derived_from: tuple[str, ...] = ()
    is_retired: bool = False

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> "Entry":
        """The entry of a record of the index."""
        return cls(
            record["name"], record["path"], record["type"], tuple(record["aliases"]),
            record["superseded_by"], tuple(record["derived_from"]), record["retired"],
        )  # fmt: skip

    @classmethod
    def of_memory(cls, memory: Memory) -> "Entry":
        """The entry of a memory that was read from its file."""
        return cls(
            memory.name, memory.path, memory.type, memory.words("aliases"),
            memory.superseded_by or "", memory.words("derived_from"), memory.is_retired,
        )  # fmt: skip

    @property
    def references(self) -> tuple[str, ...]:
        """The names of other memories in its frontmatter."""
        return (*([self.superseded_by] if self.superseded_by else []), *self.derived_from)


class Catalogue:
    """The memories of a store at one moment."""

    def __init__(self, store: Store) -> None:
        self.store = store
        index = Index(store)
        index.sync()
        rows = (Entry.of_record(record) for record in index.records())
        self._entries = {entry.path: entry for entry in rows}
        self._read: dict[str, bytes] = {}
        unsaved = [row.path for row in store.repository.unsaved()]
        for path in filter(is_memory_path, unsaved):
            self._entries.pop(path, None)
            file = store.root / path
            if file.is_file() and not file.is_symlink():
                self._entries[path] = Entry.of_memory(store.read(path))
        self._by_key: dict[str, list[Entry]] = {}
        self._by_alias: dict[str, list[Entry]] = {}
        for entry in self:
            self._by_key.setdefault(key_of(entry.name), []).append(entry)
            for alias in entry.aliases:
                self._by_alias.setdefault(key_of(alias), []).append(entry)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def content(self, path: str) -> bytes:
        """A memory's file, read once: what an operation saw is what it may replace."""
        if path not in self._read:
            self._read[path] = self.store.content(path)
        return self._read[path]

    def seen(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """What stood at these paths when they were read; None where nothing was read."""
        return {path: self._read.get(path) for path in paths}

    def called(self, word: str) -> Entry | None:
        """The memory that a reference means, by name, else by alias; None where none or many."""
        key = key_of(word.strip("[] ").removesuffix(".md"))
        found = self._by_key.get(key) or self._by_alias.get(key) or ()
        return found[0] if len(found) == 1 else None

    def at(self, path: str) -> Entry | None:
        """The memory at a path."""
        return self._entries.get(path)

    def find(self, name: str) -> Entry:
        """The memory that a person calls so: by path, name or alias.

        Raises StoreError, with what comes close, where there is none or more than one.
        """
        key = key_of(name)
        by_path = self._entries.get(name)
        found = [by_path] if by_path else self._by_key.get(key) or self._by_alias.get(key) or []
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(sorted(entry.path for entry in found))
            raise StoreError(f"{len(found)} memories are named {name}: {places}", "say which path")
        raise StoreError(
            f"no memory is named {name}", self.meant(name) or "`memgit list` names them all"
        )

    def meant(self, name: str) -> str:
        """A question that tells which memories have a name that comes close; else ""."""
        aliases = (alias for entry in self for alias in entry.aliases)
        return did_you_mean(name, [*(entry.name for entry in self), *aliases])

    def chain(self, entry: Entry) -> list[Entry]:
        """The successors of a memory, the next first; ends where one has none, or they repeat."""
        found: list[Entry] = []
        following = self.called(entry.superseded_by) if entry.superseded_by else None
        while following and following not in found and following != entry:
            found.append(following)
            word = following.superseded_by
            following = self.called(word) if word else None
        return found

    def descendants(self, root: Entry, but: str = "") -> list[Entry]:
        """What was derived from a memory, directly or by way of others, nearest first.

        The memory at the path `but`, and what comes only from it, is left out.
        """
        children: dict[str, list[Entry]] = {}
        for entry in self:
            for word in entry.derived_from:
                if parent := self.called(word):
                    children.setdefault(parent.path, []).append(entry)
        found: dict[str, Entry] = {}
        waiting = [root]
        while waiting:
            for child in children.get(waiting.pop(0).path, ()):
                if child.path not in (root.path, but) and child.path not in found:
                    found[child.path] = child
                    waiting.append(child)
        return list(found.values())
