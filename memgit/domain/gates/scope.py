"""What the gates look at: some files, and what has to be known of all the memories beside them.

The one rule: looking at a few memories must not cost what reading the store would, so the others
are known from the register alone.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memgit.domain.gates.register import Entry, Register, register_of
from memgit.domain.memory import Memory, decode, is_memory_path, parse, split
from memgit.domain.store import Store
from memgit.errors import Fault

_NAME = re.compile(r"""[ ]{0,2}["']?name["']?[ \t]*:[ \t]*(?!""[ \t]*$|''[ \t]*$|~|null|#)\S""")

LARGEST_BESIDE = 2_000_000
"""Bytes of a file that is no memory and is still looked through."""


@dataclass(frozen=True)
class File:
    """One file under judgement."""

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
    def text(self) -> str:
        """All of it, as text."""
        return decode(self.data)[0]

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, the first of which is line 1."""
        return self.text.split("\n")

    @property
    def body(self) -> Iterator[tuple[int, str]]:
        """(number, line) of the memory's body."""
        return iter(enumerate(self.lines[self.body_line - 1 :], self.body_line))

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
    """`files` are memories to be judged, `beside` other files of the same commit: an index, drafts.
    `rest` is what git keeps without a text: links, each with the path to which it leads.

    `register` knows all memories of the same state, those judged among them; `content` reads one
    that is not. `store` is whose they are.
    """

    files: Sequence[File]
    register: Register
    beside: Sequence[File] = ()
    content: Callable[[str], bytes] = lambda path: b""
    rest: Sequence[File] = ()
    store: Store | None = None

    @property
    def paths(self) -> list[str]:
        """Where the memories of this state are."""
        return sorted(self.register.entries)

    def body(self, path: str) -> str:
        """The body of any memory of this state."""
        for file in self.files:
            if file.path == path:
                return file.memory.body
        return parse(path, self.content(path))[0].body


def whole(store: Store) -> Scope:
    """Every memory of the work tree, and the other files that git keeps or would keep."""
    listed = store.repository.run(
        "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
    )
    files = [File(path, store.content(path)) for path in store.paths()]
    others = [path for path in listed.split("\0") if path and not is_memory_path(path)]
    small = [path for path in others if _is_small_file(store, path)]
    beside = [File(path, store.content(path)) for path in small]
    links = [path for path in listed.split("\0") if path and (store.root / path).is_symlink()]
    rest = [File(path, os.fsencode(os.readlink(store.root / path))) for path in links]
    register = Register(Entry.of(file.memory) for file in files)
    return Scope(files, register, beside, rest=rest, store=store)


def some(
    store: Store, files: Sequence[File], gone: Iterable[str] = (), beside: Sequence[File] = (),
    rest: Sequence[File] = (),
) -> Scope:  # fmt: skip
    """These files on top of the commit that is checked out, and without the paths that are gone."""
    blobs, known = _committed(store, store.repository.head())
    entries = dict(known.entries)
    for path in gone:
        entries.pop(path, None)
    entries.update({file.path: Entry.of(file.memory) for file in files})
    return Scope(files, Register(entries.values()), beside, _reader(store, blobs), rest, store)


def committed(store: Store) -> Register:
    """The register of the commit that is checked out."""
    return _committed(store, store.repository.head())[1]


@lru_cache(maxsize=1)  # an operation asks for names, and then for the gates
def _committed(store: Store, head: str | None) -> tuple[dict[str, str], Register]:
    """(path → blob, the register) of the memories of a commit."""
    tree = store.repository.tree(head) if head else {}
    blobs = {path: blob for path, blob in tree.items() if is_memory_path(path)}
    return blobs, register_of(store.repository, store.derived / "register.json", blobs)


def changed(store: Store, contents: Mapping[str, bytes | None]) -> Scope:
    """What a change would make of the commit that is checked out; None for a file that goes."""
    present = [File(path, data) for path, data in contents.items() if data is not None]
    gone = [path for path, data in contents.items() if data is None]
    memories = [file for file in present if is_memory_path(file.path)]
    return some(store, memories, gone, [file for file in present if file not in memories])


def _reader(store: Store, blobs: Mapping[str, str]) -> Callable[[str], bytes]:
    return lambda path: next(store.repository.blobs([blobs[path]]))


def _is_small_file(store: Store, path: str) -> bool:
    file = store.root / path
    return file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST_BESIDE
