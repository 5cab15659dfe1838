"""What the gates look at: some memories, and what has to be known of all the others.

The one rule: looking at a few memories must not cost more in a large store, so the others are
asked for by name, from the index while it is current.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from memgit.domain.index import Index
from memgit.domain.memory import Memory, is_memory_path, key_of, parse, split
from memgit.domain.store import Store
from memgit.errors import Fault

_NAME = re.compile(r"""[ ]{0,2}["']?name["']?[ \t]*:[ \t]*(?!""[ \t]*$|''[ \t]*$|~|null|#)\S""")

FEW = 16
"""Names that are looked up one by one; for more, all names are read at once."""


@dataclass(frozen=True)
class File:
    """One memory's file under judgement."""

    path: str
    data: bytes

    @cached_property
    def _parsed(self) -> tuple[Memory, list[Fault]]:
        return parse(self.path, self.data)

    @property
    def memory(self) -> Memory:
        """The memory that it is."""
        return self._parsed[0]

    @property
    def faults(self) -> list[Fault]:
        """What kept it from being read as it should be."""
        return self._parsed[1]

    @cached_property
    def frontmatter(self) -> str | None:
        """The text between the fences; None where there are none."""
        return split(self.data.decode("utf-8-sig", "replace"))[0]

    @property
    def is_named(self) -> bool:
        """Whether its frontmatter gives a name."""
        return any(map(_NAME.match, (self.frontmatter or "").splitlines()))

    @cached_property
    def body_line(self) -> int:
        """The line on which the body starts."""
        return split(self.data.decode("utf-8-sig", "replace"))[2]

    def line_of(self, key: str, value: str = "") -> int:
        """The line of a key of the frontmatter, or of a value below it; 1 where there is none."""
        found = 0
        for number, line in enumerate((self.frontmatter or "").split("\n"), 2):
            if line.strip().startswith((f"{key}:", f'"{key}":')):
                found = number
            if found and value in line:
                return number
        return found or 1


@dataclass(frozen=True)
class Scope:
    """`files` are to be judged; `paths` are those of all memories of the same state.

    `others` tells the paths of memories not among `files` that have a name, and `called` whether
    one of them has it as a name or an alias.
    """

    files: Sequence[File]
    paths: Sequence[str]
    others: Callable[[str], Iterable[str]]
    called: Callable[[str], bool]


def whole(store: Store) -> Scope:
    """Every memory of the work tree."""
    paths = store.paths()
    files = [File(path, store.content(path)) for path in paths]
    return Scope(files, paths, lambda name: (), lambda name: False)


def some(store: Store, files: Sequence[File], gone: Iterable[str] = ()) -> Scope:
    """These files on top of the commit that is checked out, and without the paths that are gone."""
    head = store.repository.head()
    blobs = store.repository.tree(head) if head else {}
    rest = {path: blob for path, blob in blobs.items() if is_memory_path(path)}
    for path in (*gone, *(file.path for file in files)):
        rest.pop(path, None)
    others = _Others(store, head, rest)
    paths = sorted({*rest, *(file.path for file in files)})
    return Scope(files, paths, others.named, others.called)


class _Others:
    """The memories of a commit that are not judged: `rest` is path → blob."""

    def __init__(self, store: Store, head: str | None, rest: dict[str, str]) -> None:
        self._store = store
        self._rest = rest
        self._index = Index(store)
        self._current = bool(head) and self._index.head().get("commit") == head
        self._asked = 0

    def named(self, name: str) -> list[str]:
        """The paths of those with this name."""
        self._asked += 1
        if self._current and self._asked <= FEW:
            rows = [row for row in self._index.named(name) if row["path"] in self._rest]
            return [row["path"] for row in rows if key_of(row["name"]) == key_of(name)]
        return self._names.get(key_of(name), [])

    def called(self, name: str) -> bool:
        """Whether one has this name or this alias. Reads all of them where no name fits."""
        return bool(self.named(name)) or key_of(name) in self._aliases

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, path in self._listed():
            if path in self._rest:
                found.setdefault(key_of(name), []).append(path)
        return found

    def _listed(self) -> list[tuple[str, str]]:
        """(name, path) of each memory, from the index or from the files themselves."""
        if self._current:
            return [(row["name"], row["path"]) for row in self._index.records()]
        return [(memory.name, memory.path) for memory in self._memories]

    @cached_property
    def _memories(self) -> list[Memory]:
        contents = self._store.repository.blobs(self._rest.values())
        return [parse(path, data)[0] for path, data in zip(self._rest, contents, strict=True)]

    @cached_property
    def _aliases(self) -> set[str]:
        return {key_of(word) for memory in self._memories for word in memory.words("aliases")}
