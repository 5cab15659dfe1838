"""Names and files for memories that are made from a text.

The one rule: a name is free in the store and among those given before, so that making a memory
never fails for its name.
"""

from datetime import UTC, datetime

from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, is_memory_path, key_of, render, slug
from memgit.domain.store import Store


class Newcomers:
    """New memories of one operation: `files` by path, `names` in the order in which they came."""

    def __init__(self, store: Store, origin: str, now: datetime | None = None) -> None:
        self.files: dict[str, bytes] = {}
        self.names: list[str] = []
        self._store = store
        self._origin = origin
        moment = (now or datetime.now(UTC)).astimezone(UTC)
        self.stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._index: Index | None = None

    def add(self, stem: str, body: str, kind: str, **metadata: object) -> str:
        """Make a memory of a text, unless one of that name says the same; its name."""
        stem = slug(stem) or "memory"
        text = body if body.endswith("\n") else f"{body}\n"
        number = 1
        while True:
            name = stem if number == 1 else f"{stem}-{number}"
            number += 1
            same, free = self._found(name, text)
            if same:
                return same
            if free:
                break
        told = {"origin": self._origin, **metadata, "modified": self.stamp}
        memory = Memory(f"{name}.md", name, type=kind, body=text).with_metadata(**told)
        self.files[memory.path] = render(memory)
        self.names.append(name)
        return name

    def _found(self, name: str, text: str) -> tuple[str, bool]:
        """(the name of a memory called so that says the text, whether the name is free)."""
        path = f"{name}.md"
        if self._index is None:
            self._index = Index(self._store)
            self._index.sync()
        rows = self._index.named(name)
        places = [row["path"] for row in rows if (self._store.root / row["path"]).is_file()]
        for place in places:
            memory = self._store.read(place)
            if memory.body == text and not memory.labels:
                return memory.name, False
        taken = rows or key_of(path) in map(key_of, self.files) or not is_memory_path(path)
        return "", not (taken or (self._store.root / path).exists())
