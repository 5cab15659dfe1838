"""Names and files for memories that are made from a text.

The one rule: a name is free in the store and among those given before, so that making a memory
never fails for its name.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from memgit.domain.gates.register import Register
from memgit.domain.gates.scope import committed
from memgit.domain.memory import Memory, is_memory_path, key_of, render, slug
from memgit.domain.store import Store


@dataclass
class _Numbered:
    """The names that one stem has given: `last` is the number of the last one that was looked at,
    `said` what those say that the store has (text → name).
    """

    last: int = 0
    said: dict[str, str] = field(default_factory=dict)


class Newcomers:
    """New memories of one operation: `files` by path, `names` in the order in which they came."""

    def __init__(self, store: Store, origin: str, now: datetime | None = None) -> None:
        self.files: dict[str, bytes] = {}
        self.names: list[str] = []
        self._store = store
        self._origin = origin
        moment = (now or datetime.now(UTC)).astimezone(UTC)
        self.stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._keys: set[str] = set()
        self._stems: dict[str, _Numbered] = {}

    def add(self, stem: str, body: str, kind: str, **metadata: object) -> str:
        """Make a memory of a text, unless one of that name says the same; its name."""
        stem = slug(stem) or "memory"
        text = body if body.endswith("\n") else f"{body}\n"
        name, is_free = self._name(stem, text)
        if not is_free:
            return name
        told = {"origin": self._origin, **metadata, "modified": self.stamp}
        memory = Memory(f"{name}.md", name, type=kind, body=text).with_metadata(**told)
        self.files[memory.path] = render(memory)
        self.names.append(name)
        self._keys.add(key_of(memory.path))
        return name

    def _name(self, stem: str, text: str) -> tuple[str, bool]:
        """(the name of a memory that says the text, False) or (a name that is free, True).

        Each name of a stem is looked at once, however many texts ask for it.
        """
        known = self._stems.setdefault(stem, _Numbered())
        while text not in known.said:
            known.last += 1
            name = stem if known.last == 1 else f"{stem}-{known.last}"
            for memory in self._standing(name):
                known.said.setdefault(memory.body, memory.name)
            if text not in known.said and self._is_free(name):
                return name, True
        return known.said[text], False

    @cached_property
    def _register(self) -> Register:
        return committed(self._store)

    def _standing(self, name: str) -> Iterator[Memory]:
        """The memories of a name against which nothing speaks."""
        for entry in self._register.named(name):
            if (self._store.root / entry.path).is_file():
                memory = self._store.read(entry.path)
                if not memory.labels:
                    yield memory

    def _is_free(self, name: str) -> bool:
        path = f"{name}.md"
        if key_of(path) in self._keys or not is_memory_path(path):
            return False
        return not (self._register.named(name) or (self._store.root / path).exists())
