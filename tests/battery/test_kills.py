"""kill -9 at random moments: the next command works, and nothing that was there is gone."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.store import Store

from .servers import bare, http_server
from .test_writers import nothing_is_lost

Run = Callable[..., subprocess.CompletedProcess[str]]

MEMGIT = (sys.executable, "-m", "memgit")


def descendants(pid: int) -> list[int]:
    """The process and all that it started, also those in sessions of their own."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def killed(command: tuple[str, ...], cwd: Path, after: float) -> str:
    """Run a command and kill it with all that it started; what it had said by then."""
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    time.sleep(after)
    for pid in descendants(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return process.communicate()[0]


class Person:
    """Somebody whose commands are killed, and who goes on."""

    def __init__(self, stores: list[Path], chance: random.Random) -> None:
        self.stores = stores
        self.chance = chance
        self.words: list[str] = []
        self.lasts: dict[str, float] = {}

    def do(self, turn: int) -> None:
        """Start something, kill it, and see that the next command works."""
        store = self.chance.choice(self.stores)
        act = self.chance.choice((self._add, self._save, self._index, self._commit, self._sync))
        name = act.__name__
        whole = self.lasts.setdefault(name, 1.2)
        act(
            store, f"k{turn:03}{self.chance.randrange(16**6):06x}", self.chance.uniform(0.15, whole)
        )
        following = self.chance.choice(("add", "sync", "index", "save"))
        self._goes_on(store, following, f"n{turn:03}{self.chance.randrange(16**6):06x}")

    def _goes_on(self, store: Path, following: str, word: str) -> None:
        words = ("--name", word, "--body", f"It went on: {word}.") if following == "add" else ()
        began = time.monotonic()
        done = subprocess.run(
            [*MEMGIT, following, *words], cwd=store, capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip
        self.lasts[f"_{following}"] = min(3.0, time.monotonic() - began)
        assert done.returncode == 0, f"{following}: {done.stdout}{done.stderr}"
        if following == "add":
            self.words.append(word)

    def _add(self, store: Path, word: str, after: float) -> None:
        command = (*MEMGIT, "add", "--name", word, "--body", f"It was added: {word}.")
        if "added" in killed(command, store, after):
            self.words.append(word)

    def _save(self, store: Path, word: str, after: float) -> None:
        self._file(store, word)
        killed((*MEMGIT, "save"), store, after)

    def _index(self, store: Path, word: str, after: float) -> None:
        killed((*MEMGIT, "index", *self.chance.choice(((), ("--rebuild",)))), store, after)

    def _commit(self, store: Path, word: str, after: float) -> None:
        """With git, whose own locks a killed git leaves behind: what git says to do is done."""
        self._file(store, word)
        killed(("git", "commit", "--quiet", "--all", "--message", word), store, after / 4)
        for lock in (".git/index.lock", ".git/HEAD.lock"):
            (store / lock).unlink(missing_ok=True)

    def _sync(self, store: Path, word: str, after: float) -> None:
        self._file(store, word)
        killed((*MEMGIT, "sync"), store, after)

    def _file(self, store: Path, word: str) -> None:
        (store / f"{word}.md").write_text(f"---\nname: {word}\n---\nIt was written: {word}.\n")
        self.words.append(word)


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.slow)])
def test_a_kill_at_any_moment(
    store: Path, tmp_path: Path, git: Run, memgit: Run, kills: int
) -> None:
    served = tmp_path / "served"
    served.mkdir()
    bare(served)
    with http_server(served) as address:
        assert memgit("init", store).returncode == 0
        git(store, "remote", "add", "origin", f"{address}/store.git")
        for number in range(30):
            (store / f"m{number}.md").write_text(f"Memory {number}.\n" * 40)
        assert memgit("sync", cwd=store).returncode == 0
        git(tmp_path, "clone", "--quiet", f"{address}/store.git", "other")
        stores = [store, tmp_path / "other"]
        seed = int(os.environ.get("MEMGIT_TEST_SEED", "0")) or random.randrange(10**6)
        print(f"MEMGIT_TEST_SEED={seed}")
        person = Person(stores, random.Random(seed))
        for turn in range(kills):
            person.do(turn)
        for one in stores * 2:
            done = memgit("sync", cwd=one)
            assert done.returncode == 0, done.stderr
        print(f"{kills} kills, {len(person.words)} words")
        for one in map(Store.at, stores):
            Index(one).sync()
            nothing_is_lost(one, person.words)
