"""Many hands on one work tree, and on many clones of one store: no word is lost."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.remember import Wish, remember
from memgit.domain.sharing.syncing import sync
from memgit.domain.store import Store
from memgit.ports.lock import hold

from .servers import bare, git_daemon, http_server
from .writer import SHARED

Run = Callable[..., subprocess.CompletedProcess[str]]

LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/main.lock")


@pytest.fixture
def shared(store: Path) -> Store:
    opened = Store.at(store)
    remember(opened, Wish("What all of them label.", SHARED))
    Index(opened).sync()
    return opened


def at_once(stores: list[Path], count: int, sync_every: int) -> list[str]:
    """Every word that the writers, one for each entry of `stores`, say is kept."""
    began = time.monotonic()
    writers = [
        subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("writer.py")), str(store), str(number),
             str(count), str(sync_every)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number, store in enumerate(stores)
    ]  # fmt: skip
    words, refusals = [], []
    for writer in writers:
        out, err = writer.communicate(timeout=3000)
        assert writer.returncode == 0, err
        words += out.split()
        refusals += err.splitlines()
    took = time.monotonic() - began
    print(f"{len(writers)} writers, {len(words)} operations, {took:.0f} s; told: {refusals}")
    assert len(words) == len(stores) * count
    return words


def nothing_is_lost(store: Store, words: list[str]) -> None:
    repository = store.repository
    assert repository.run("status", "--short") == ""
    assert repository.run("fsck", "--no-dangling") == ""
    texts = "\n".join(store.content(path).decode() for path in store.paths())
    assert [word for word in words if word not in texts] == []
    index = Index(store)
    index.sync()
    assert index.damage() == []
    assert {row["path"] for row in index.records()} == set(store.paths())
    assert all(index.search(word, 1) for word in words[:: max(1, len(words) // 20)])
    assert [name for name in LOCKS if (repository.common_dir / name).exists()] == []
    began = time.monotonic()
    for name in ("lock", "sync.lock", "main/commit.lock", "main/index.lock"):
        with hold(repository.common_dir / "memgit" / name, "a lock that nobody has"):
            pass
    assert time.monotonic() - began < 2
    left = [path.name for path in store.root.rglob(".memgit-*")]
    assert left == []
    assert len({entry.name for entry in Catalogue(store)}) == len(store.paths())


@pytest.mark.parametrize(
    ("writers", "count"), [(4, 4), pytest.param(20, 50, marks=pytest.mark.slow)]
)
def test_on_one_work_tree(shared: Store, writers: int, count: int) -> None:
    words = at_once([shared.root] * writers, count, 0)
    nothing_is_lost(shared, words)


@pytest.fixture(params=["http", "daemon"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "served"
    folder.mkdir()
    bare(folder)
    servers: dict[str, Callable[[Path], AbstractContextManager[str]]]
    servers = {"http": http_server, "daemon": git_daemon}
    with servers[request.param](folder) as address:
        yield f"{address}/store.git"


@pytest.mark.parametrize(
    ("writers", "count", "every"), [(1, 2, 2), pytest.param(5, 10, 5, marks=pytest.mark.slow)]
)
def test_on_four_clones_over_a_server(
    shared: Store, tmp_path: Path, git: Run, server: str, writers: int, count: int, every: int
) -> None:
    git(shared.root, "remote", "add", "origin", server)
    sync(shared, None, lambda text: None)
    clones = [shared.root]
    for name in ("b", "c", "d"):
        git(tmp_path, "clone", "--quiet", server, name)
        clones.append(tmp_path / name)
    words = at_once([clone for clone in clones for _ in range(writers)], count, every)
    stores = [Store.at(clone) for clone in clones]
    for store in stores * 2:
        sync(store, None, lambda text: None)
    assert len({store.repository.head() for store in stores}) == 1
    for store in stores:
        nothing_is_lost(store, words)
        assert store.repository.run("for-each-ref", "refs/memgit/rescue") == ""
