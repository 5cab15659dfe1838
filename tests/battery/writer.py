"""One of many hands on a store: `python writer.py STORE NUMBER OPERATIONS SYNC_EVERY`.

The one rule: each operation brings a word that is nowhere else, and the word is printed only when
the operation said that it is done; so what was printed must be in the store for ever.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from memgit.domain.operations.editing import Edit, edit
from memgit.domain.operations.labelling import put_label, take_label
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.remember import Wish, remember
from memgit.domain.saving import save
from memgit.domain.sharing.syncing import sync
from memgit.domain.store import Store
from memgit.errors import StoreError

SHARED = "everybodys"
"""A memory that all writers label."""


class Writer:
    """Somebody who works on memories of his own, and on one that is everybody's."""

    def __init__(self, store: Path, number: int) -> None:
        self.store = Store.at(store)
        self.number = number
        self.mine: list[tuple[str, str]] = []
        self.chance = random.Random(number)

    def work(self, count: int, sync_every: int) -> None:
        """Do so many operations; a refusal is tried again, and told on stderr."""
        for turn in range(count):
            word = f"w{self.number:02}t{turn:03}{self.chance.randrange(16**6):06x}"
            act = self.chance.choice(self._acts())
            self._insist(lambda act=act, word=word: act(word))
            print(word, flush=True)
            if sync_every and turn % sync_every == sync_every - 1:
                self._insist(lambda: sync(self.store, None, lambda text: None))

    def _insist(self, act: Callable[[], object]) -> None:
        for pause in range(10):
            try:
                act()
                return
            except StoreError as fault:
                print(f"{act}: {fault}", file=sys.stderr, flush=True)
                time.sleep(0.2 * pause)
        raise SystemExit("gave up")

    def _acts(self) -> list[Callable[[str], object]]:
        first: list[Callable[[str], object]] = [self._add, self._write, self._commit]
        return [*first, self._edit, self._edit, self._label, self._rename,
                self._supersede] if self.mine else first  # fmt: skip

    def _add(self, word: str) -> None:
        done = remember(self.store, Wish(f"A memory.\n\nlast {word}\n", f"m-{word}"))
        self.mine.append((done.name, word))

    def _write(self, word: str) -> None:
        """As an editor or an agent does: a file, and `memgit save` by somebody."""
        self._file(word)
        save(self.store, "user")

    def _commit(self, word: str) -> None:
        """As one who knows only git."""
        file = self._file(word)
        for command in (("add", file.name), ("commit", "--quiet", "-m", word, "--", file.name)):
            self._git(*command)

    def _git(self, *command: str) -> None:
        for _ in range(200):
            done = subprocess.run(
                ["git", "-C", str(self.store.root), *command], capture_output=True, text=True
            )
            if done.returncode == 0 or "nothing to commit" in done.stdout + done.stderr:
                return
            if "did not match any file" in done.stderr:
                return
            time.sleep(0.05)
        raise SystemExit(f"git {command}: {done.stdout}{done.stderr}")

    def _file(self, word: str) -> Path:
        file = self.store.root / f"m-{word}.md"
        file.write_text(f"---\nname: m-{word}\n---\nlast {word}\n")
        self.mine.append((f"m-{word}", word))
        return file

    def _edit(self, word: str) -> None:
        at = self.chance.randrange(len(self.mine))
        name, last = self.mine[at]
        text = self.store.read(self._path(name)).body
        if word not in text:
            edit(self.store, name, Edit(f"last {last}", f"last {word} after {last}"))
        self.mine[at] = (name, f"{word} after {last}")

    def _label(self, word: str) -> None:
        put_label(self.store, SHARED, "unverified")
        take_label(self.store, SHARED, "unverified")
        self._add(word)

    def _rename(self, word: str) -> None:
        at = self.chance.randrange(len(self.mine))
        name, last = self.mine[at]
        new = f"n-{word}"
        if not (self.store.root / f"{new}.md").exists():
            rename(self.store, name, new)
        self.mine[at] = (new, last)

    def _supersede(self, word: str) -> None:
        name, _ = self.chance.choice([one for one in self.mine if one[1] != word])
        if self.mine[-1][1] != word:
            self._add(word)
        supersede(self.store, name, self.mine[-1][0])
        self.mine = [one for one in self.mine if one[0] != name]

    def _path(self, name: str) -> str:
        return f"{name}.md"


if __name__ == "__main__":
    folder, number, count, sync_every = sys.argv[1:]
    Writer(Path(folder), int(number)).work(int(count), int(sync_every))
