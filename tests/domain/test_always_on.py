"""The promise of what is always on, held against anything in any order: nothing that was said is
lost, all of it is found by its own words, and no cap is ever passed.

`MEMGIT_TEST_STEPS` and `MEMGIT_TEST_SEED` choose another run.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.always_on import listing
from memgit.domain.always_on.budget import measure
from memgit.domain.always_on.fitting import fit
from memgit.domain.always_on.profile import Profile
from memgit.domain.indexing.index import Index
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.operations.labelling import retire
from memgit.domain.operations.profiling import add_line, move_line, remove_line
from memgit.domain.recording import regenerate
from memgit.domain.remember import Wish, remember
from memgit.domain.saving import save
from memgit.domain.store import Store
from memgit.prompt.profile import INTRODUCTION, given, units

SETTINGS = "format = 1\n[budget]\nlines = 12\nunits = 900\n[profile]\nlines = 5\nunits = 300\n"
SUBJECTS = ("deploy", "times", "連絡", "review", "seats", "港", "queue", "budget")


class Life:
    """A store and everything that was ever said to it, each by a word of its own."""

    def __init__(self, store: Path, seed: int) -> None:
        self.store = Store.at(store)
        self.said: list[str] = []
        self._dice = random.Random(seed)

    def step(self) -> str:
        """Do one thing; its name."""
        acts = (self.add, self.add, self.add_rule, self.add_line, self.add_line, self.add_line,
                self.remove_line, self.move_line, self.append, self.retire, self.write_file,
                self.write_index, self.reword_index, self.write_index_as_agent,
                self.write_profile, self.clear_index, self.fit)  # fmt: skip
        act = self._dice.choice(acts)
        act()
        Index(self.store).sync()
        return act.__name__

    def words(self) -> str:
        """A text that was never said before."""
        token = f"w{len(self.said):05}q"
        self.said.append(token)
        return f"{self._dice.choice(SUBJECTS)} {token} " + "and more " * self._dice.randrange(12)

    def add(self) -> None:
        remember(self.store, Wish(self.words(), type="project", description=self.words()[:60]))

    def add_rule(self) -> None:
        remember(self.store, Wish(self.words(), type="feedback"))

    def add_line(self) -> None:
        add_line(self.store, self.words())

    def remove_line(self) -> None:
        if lines := Profile.of(self.store).lines:
            remove_line(self.store, str(self._dice.randrange(len(lines)) + 1))

    def move_line(self) -> None:
        if lines := Profile.of(self.store).lines:
            move_line(self.store, str(self._dice.randrange(len(lines)) + 1), 1)

    def append(self) -> None:
        if path := self._path():
            edit(self.store, path, Edit(to=self.words()))

    def retire(self) -> None:
        if path := self._path():
            retire(self.store, path)

    def write_file(self) -> None:
        name = f"by-hand-{len(self.said)}.md"
        (self.store.root / name).write_text(f"# Title\n\n{self.words()}\n", encoding="utf-8")
        save(self.store, "user")

    def write_index(self) -> None:
        lines = self._index().splitlines()
        forms = ("{}", "- {}", "- [{}](nowhere.md) — x", "## {}", "<!-- {} -->", "1. {}")
        line = self._dice.choice(forms).format(self.words().strip())
        lines.insert(self._dice.randrange(len(lines) + 1), line)
        self._write("\n".join([*lines, ""]))
        if self._dice.random() < 0.7:
            save(self.store, "user")
        else:
            add_line(self.store, self.words())

    def write_index_as_agent(self) -> None:
        name = f"by-agent-{len(self.said)}"
        text = f"---\nname: {name}\ndescription: {self.words().strip()}\n---\n{self.words()}\n"
        (self.store.root / f"{name}.md").write_text(text, encoding="utf-8")
        self._write(f"{self._index()}- [{name}]({name}.md) — {self.words().strip()}\n")
        save(self.store, "agent", now=4e9)

    def reword_index(self) -> None:
        lines = self._index().splitlines()
        hooks = [number for number, line in enumerate(lines) if " — " in line]
        if hooks:
            number = self._dice.choice(hooks)
            lines[number] = f"{lines[number].partition(' — ')[0]} — {self.words().strip()}"
            self._write("\n".join([*lines, ""]))
        save(self.store, "user")

    def clear_index(self) -> None:
        (self.store.root / "MEMORY.md").unlink()
        save(self.store, "user")

    def write_profile(self) -> None:
        file = self.store.root / "PROFILE.md"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        extra = "".join(f"- {self.words()}\n" for _ in range(self._dice.randrange(1, 6)))
        file.write_text(text + extra, encoding="utf-8")
        save(self.store, "user")

    def fit(self) -> None:
        fit(self.store)

    def lost(self) -> list[str]:
        """What was said and is neither in the profile nor found by its own word."""
        profile = "\n".join(Profile.of(self.store).lines)
        index = Index(self.store)
        return [word for word in self.said if word not in profile and not index.search(word, 1)]

    def faults(self) -> list[str]:
        """What does not hold right now."""
        settings, text = self.store.settings, self._index()
        shown = given(str(self.store.root))
        checks = {
            "MEMORY.md is not what follows": text.encode() == regenerate(self.store),
            "MEMORY.md is not sealed": listing.sealed_lines(text) is not None,
            "MEMORY.md is over its cap": not measure(text, settings.budget).is_over,
            "the profile is over its cap": not measure(
                "\n".join(Profile.of(self.store).lines), settings.profile
            ).is_over,
            "too much is given": units(shown) <= settings.profile.units + units(INTRODUCTION) + 1,
            "something is left": self.store.repository.run("status", "--porcelain") == "",
        }
        return [fault for fault, holds in checks.items() if not holds]

    def _index(self) -> str:
        file = self.store.root / "MEMORY.md"
        return file.read_text(encoding="utf-8")

    def _write(self, text: str) -> None:
        (self.store.root / "MEMORY.md").write_text(text, encoding="utf-8")

    def _path(self) -> str:
        paths = self.store.paths()
        return self._dice.choice(paths) if paths else ""


def live(store: Path, git: Callable[..., object], steps: int, seed: int, look_every: int) -> None:
    (store / "memgit.toml").write_text(SETTINGS)
    (store / "MEMORY.md").write_bytes(listing.text([], False, Store.at(store).settings.budget))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=settings")
    life = Life(store, seed)
    for number in range(1, steps + 1):
        act = life.step()
        assert life.faults() == [], f"after {act}, step {number} of seed {seed}"
        if number % look_every == 0 or number == steps:
            assert life.lost() == [], f"by step {number} of seed {seed}"


def test_three_hundred_steps(store: Path, git: Callable[..., object]) -> None:
    steps = int(os.environ.get("MEMGIT_TEST_STEPS", "300"))
    live(store, git, steps, int(os.environ.get("MEMGIT_TEST_SEED", "1")), 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_steps_ten_times(store: Path, git: Callable[..., object], seed: int) -> None:
    live(store, git, 1000, 100 + seed, 250)
