"""Any operations in any order: no line is ever lost, what stands in a memory is found by its own
words, no cap is passed, and each operation can be undone at once.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.always_on import listing
from memgit.domain.always_on.budget import measure
from memgit.domain.gates.scope import whole
from memgit.domain.gates.table import judge
from memgit.domain.indexing.index import Index
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.operations.labelling import put_label, restore, retire, take_label
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.saving import save
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.errors import StoreError

WORDS = [word + end for word in ("port", "key", "港", "queue", "lock", "rule", "夏") for end in
         ("", "s", "-x", "二", "-old", "7")]  # fmt: skip


class Life:
    """A store that lives through random operations, and a list of every line that it was told."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store = store
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.refused = 0
        self.done: dict[str, int] = {}

    def line(self) -> str:
        words = " ".join(self.random.choice(WORDS) for _ in range(4))
        self.lines.append(f"told {len(self.lines):05}: {words}")
        return self.lines[-1]

    def any(self) -> str:
        return self.random.choice(self.store.paths())

    def name(self) -> str:
        return f"{self.random.choice(WORDS)}-{self.random.randrange(1000)}"

    def add(self) -> None:
        text = "\n".join(self.line() for _ in range(self.random.randrange(1, 6)))
        kind = self.random.choice(["user", "feedback", "project", "reference"])
        done = remember(
            self.store, Wish(text, self.name(), kind, self.random.choice(["", "about"]))
        )
        others = [path for path in self.store.paths() if path != done.path]
        if others and self.random.random() < 0.5:
            self.derive(done.path, self.store.read(self.random.choice(others)).name)

    def derive(self, path: str, origin: str) -> None:
        edit(self.store, path, Edit("  origin: user", f"  origin: user\n  derived_from: {origin}"))

    def edit(self) -> None:
        path = self.any()
        lines = [line for line in self.store.read(path).body.split("\n") if line]
        chosen = self.random.choice([*lines, None])
        to = self.line() if chosen is None or self.random.random() < 0.8 else None
        edit(self.store, path, Edit(chosen, to))

    def by_hand(self) -> None:
        """Something is typed into a file, and an operation comes before anybody saves it."""
        path = self.any()
        file = self.store.root / path
        file.write_text(f"{file.read_text()}{self.line()}\n")
        try:
            retire(self.store, path)
        finally:
            save(self.store, "user")

    def step(self) -> None:
        """One random operation; a refusal is an answer too."""
        chosen: tuple[Callable[[], object], ...] = (
            self.add,
            self.edit,
            self.edit,
            lambda: supersede(self.store, self.any(), self.any()),
            lambda: retire(self.store, self.any()),
            lambda: restore(self.store, self.any()),
            lambda: rename(self.store, self.any(), self.name()),
            lambda: put_label(
                self.store, self.any(), self.random.choice(["unverified", "refuted"])
            ),
            lambda: take_label(self.store, self.any(), "refuted"),
            lambda: undo(self.store, self.earlier()),
            self.by_hand,
        )
        pick = self.random.choice(chosen if self.store.paths() else chosen[:1])
        try:
            pick()
        except StoreError:
            self.refused += 1

    def earlier(self) -> str:
        ids = self.store.repository.run("log", "-30", "--no-merges", "--format=%H").split()[:-1]
        return self.random.choice(ids)


def findings(store: Store) -> set[tuple[str, str]]:
    return {(found.fault.code, found.fault.message) for found in judge(whole(store))
            if found.gate.blocks}  # fmt: skip


def live(root: Path, seed: int, steps: int) -> Life:
    store = Store.at(root)
    (root / "memgit.toml").write_text("format = 1\n[budget]\nlines = 12\nunits = 900\n")
    (root / "MEMORY.md").write_bytes(listing.text([], False, Cap(12, 900)))
    store.repository.run("add", "--all")
    store.repository.run("commit", "--quiet", "--message=settings")
    life = Life(Store.at(root), seed)
    store = life.store
    for _ in range(4):
        life.add()
    stood = findings(store)
    for number in range(steps):
        before = store.repository.run("rev-parse", "HEAD")
        tree = store.repository.run("rev-parse", "HEAD^{tree}")
        life.step()
        after = store.repository.run("rev-parse", "HEAD")
        assert store.repository.run("status", "--porcelain") == "", number
        now = findings(store)
        assert now <= stood, (number, now - stood)
        stood = now
        assert over(store) == [], number
        if after != before and number % 5 == 0:
            last = store.repository.run("rev-parse", "HEAD^")
            undone = undo(store)
            assert undone.commit, number
            assert store.repository.run("rev-parse", "HEAD^{tree}") == store.repository.run(
                "rev-parse", f"{last}^{{tree}}"
            ), number
            undo(store)
            assert store.repository.run("rev-parse", f"{after}^{{tree}}") == store.repository.run(
                "rev-parse", "HEAD^{tree}"
            ), (number, tree)
        if number % 25 == 24:
            assert hidden(life) == [], number
    return life


def over(store: Store) -> list[str]:
    """The files for every session that are over their cap."""
    caps = {"MEMORY.md": store.settings.budget, "PROFILE.md": store.settings.profile}
    files = {name: store.root / name for name in caps}
    return [name for name, file in files.items()
            if file.exists() and measure(file.read_text(), caps[name]).is_over]  # fmt: skip


def hidden(life: Life) -> list[str]:
    """The lines that stand in a memory and are not found there by the number that is in them."""
    index = Index(life.store)
    index.sync()
    unfound = []
    for path in life.store.paths():
        for line in life.store.read(path).body.split("\n"):
            number = line.removeprefix("told ").partition(":")[0]
            if number.isdecimal() and path not in {
                hit.record["path"] for hit in index.search(number, 100)
            }:
                unfound.append(f"{path}: {line}")
    return unfound


def lost(life: Life) -> list[str]:
    """The lines that neither the files nor the history of HEAD have."""
    history = life.store.repository.run("log", "-p", "--format=", "--no-renames", "--text", "HEAD")
    return [line for line in life.lines if line not in history]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_hundred_steps(store: Path, seed: int) -> None:
    life = live(store, seed, 100)
    assert lost(life) == []
    assert life.refused < 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_ten_thousand_steps(store: Path, seed: int) -> None:
    assert lost(live(store, 100 + seed, 500)) == []
