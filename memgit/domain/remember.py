"""Writing a new memory: a name that is free, a file, a commit.

The one rule: a write never fails because of its name, and never drops what was typed. Where a name
is taken, a number is added and the answer says so; where the commit fails, the words are kept.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from memgit.domain.gates.origin import USER
from memgit.domain.gates.refusing import SAID_INSTEAD, refuse_or_tell
from memgit.domain.gates.scope import committed
from memgit.domain.gates.secrets import found
from memgit.domain.gates.table import Finding
from memgit.domain.memory import NOT_MEMORIES, Memory, kebab, key_of, render, slug
from memgit.domain.operation import Operation
from memgit.domain.placed_files import Rewritten
from memgit.domain.recording import record, take_over
from memgit.domain.store import Store
from memgit.errors import StoreError


@dataclass(frozen=True)
class Wish:
    """What somebody wants remembered. An empty name is made from the other words.

    `words` are lists of the metadata by their key: topics, aliases, derived_from. `origin` is who
    writes: `user` or `agent`.
    """

    body: str
    name: str = ""
    type: str = "project"
    description: str = ""
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    origin: str = USER


@dataclass(frozen=True)
class Remembered:
    """Where the memory now is; `taken` is the name it could not have, if it got another, `demoted`
    the memories for which `MEMORY.md` has no room any more, `findings` what the gates remark.

    `cut` is the whole name that was asked for, where that was too long.
    """

    name: str
    path: str
    commit: str
    taken: str | None = None
    demoted: Sequence[str] = ()
    findings: Sequence[Finding] = ()
    cut: str | None = None


def remember(store: Store, wish: Wish, now: datetime | None = None) -> Remembered:
    """Commit a new memory and say where it is. Safe beside any number of other writers.

    Raises StoreError where a gate stops it; what the others find comes back.
    """
    if kinds := [kind for kind, _ in found(wish.name)]:  # which its letters in a file's name hide
        raise StoreError(f"refused: the name looks like a secret: {kinds[0]}", SAID_INSTEAD)
    with store.locked():
        take_over(store)
        while True:
            name, taken = _free(store, wish)
            memory = _memory(wish, name, now or datetime.now(UTC))
            operation = Operation("add", memory.description or name, (name,), wish.origin)
            files = {memory.path: render(memory)}
            findings = refuse_or_tell(store, files)
            with suppress(Rewritten):  # by an editor, to which the name goes then
                done = record(store, operation, files, seen={memory.path: None})
                break
    whole = kebab(wish.name)
    cut = whole if whole != slug(wish.name) else None
    return Remembered(name, memory.path, done.commit, taken, done.demoted, findings, cut)


def keep(store: Store | None, wish: Wish, now: datetime | None = None) -> Path:
    """Write a memory that could not be committed to a file of its own, outside the work tree.

    It lies in the store's derived folder, or where that cannot be, among temporary files.
    Raises OSError where neither can be.
    """
    moment = now or datetime.now(UTC)
    memory = _memory(wish, _stem(wish), moment)
    for place in places_outside(store):
        with suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            return _written(place, f"{moment:%Y%m%dT%H%M%S}-", memory)
    raise OSError(f"nowhere to keep {memory.path}")


def _written(place: Path, prefix: str, memory: Memory) -> Path:
    """The memory in a new folder of this person alone: among temporary files, others may have made
    whatever name can be guessed, and would read what this one says.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
    file = folder / memory.path
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with open(os.open(file, flags, 0o600), "wb") as opened:
            opened.write(render(memory))
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return file


def places_outside(store: Store | None) -> list[Path]:
    """Folders for what a person typed and the store does not have yet, the best first."""
    derived = [store.derived / "unsaved"] if store else []
    return [*derived, Path(tempfile.gettempdir())]


def _memory(wish: Wish, name: str, moment: datetime) -> Memory:
    """The new memory; its text stands one line below the frontmatter, as Claude Code has it."""
    stamp = moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    description = " ".join(wish.description.split())
    body = f"\n{wish.body}" if wish.body else ""
    body = body if body.endswith("\n") or not body else f"{body}\n"
    lists = {key: list(words) for key, words in wish.words.items() if words}
    metadata = {**lists, "origin": wish.origin, "modified": stamp}
    return Memory(f"{name}.md", name, description, wish.type, body, metadata)


def _stem(wish: Wish) -> str:
    """The name that the wish asks for, or that its words give."""
    lines = (slug(line) for line in wish.body.split("\n"))
    return slug(wish.name) or slug(wish.description) or next(filter(None, lines), "unnamed")


def _free(store: Store, wish: Wish) -> tuple[str, str | None]:
    """(a name that nothing in the store has yet, the name that is taken or None)."""
    stem = _stem(wish)
    taken = _Taken(store)
    number = 1
    name = stem
    while taken.has(name):
        number += 1
        name = f"{stem}-{number}"
    return name, stem if number > 1 else None


class _Taken:
    """The names and files that there are, case and Unicode form aside: a disk may not tell."""

    def __init__(self, store: Store) -> None:
        self._root = store.root
        self._keys = {key_of(path) for path in (*NOT_MEMORIES, *store.files())}
        self._register = committed(store)

    def has(self, name: str) -> bool:
        path = f"{name}.md"
        if key_of(path) in self._keys or os.path.lexists(self._root / path):
            return True
        return bool(self._register.named(name))
