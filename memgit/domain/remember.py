"""Writing a new memory: a name that is free, a file, a commit.

The one rule: a write never fails because of its name; where a name is taken, a number is added and
the answer says so.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from memgit.domain.index import Index
from memgit.domain.memory import NOT_MEMORIES, Memory, is_memory_path, render, slug
from memgit.domain.operation import Operation
from memgit.domain.store import Store


@dataclass(frozen=True)
class Wish:
    """What somebody wants remembered. An empty name is made from the other words."""

    body: str
    name: str = ""
    type: str = "project"
    description: str = ""


@dataclass(frozen=True)
class Remembered:
    """Where the memory now is."""

    name: str
    path: str
    commit: str


def remember(store: Store, wish: Wish, now: datetime | None = None) -> Remembered:
    """Commit a new memory and say where it is. Safe beside any number of other writers."""
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    with store.locked():
        name, path = _free(store, wish)
        body = wish.body if wish.body.endswith("\n") or not wish.body else f"{wish.body}\n"
        memory = Memory(path, name, wish.description, wish.type, body,
                        {"origin": "user", "modified": stamp})  # fmt: skip
        operation = Operation("add", wish.description or name, (name,))
        commit = store.commit(operation, {path: render(memory)})
    return Remembered(name, path, commit)


def _free(store: Store, wish: Wish) -> tuple[str, str]:
    """A name and a path that nothing in the store has yet."""
    index = Index(store)
    index.sync()
    words = wish.name or wish.description or wish.body
    stem = slug(words.strip().split("\n")[0]) or "memory"
    number = 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        path = f"{name}.md"
        taken = (store.root / path).exists() or index.named(name) or path in NOT_MEMORIES
        if not taken and is_memory_path(path):
            return name, path
        number += 1
