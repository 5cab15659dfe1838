"""Where the derived files lie: the prompt path reads a few small files, the store asks git."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memgit.domain.store import Store
from memgit.prompt import place

Git = Callable[..., object]


def _linked(store: Path, git: Git) -> Path:
    git(store, "worktree", "add", "--quiet", "../linked")
    return store.parent / "linked"


def _linked_named_main(store: Path, git: Git) -> Path:
    git(store, "worktree", "add", "--quiet", "--detach", "../else/main")
    return store.parent / "else" / "main"


def _moved_worktree(store: Path, git: Git) -> Path:
    git(_linked(store, git), "worktree", "move", ".", "../a b 日本")
    return store.parent / "a b 日本"


def _linked_to_bare(store: Path, git: Git) -> Path:
    git(store.parent, "clone", "--quiet", "--bare", "store", "bare.git")
    git(store.parent / "bare.git", "worktree", "add", "--quiet", "../from-bare")
    return store.parent / "from-bare"


def _submodule(store: Path, git: Git) -> Path:
    outer = store.parent / "outer"
    git(store.parent, "init", "--quiet", "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(store), "m")
    return outer / "m"


def _separate_git_dir(store: Path, git: Git) -> Path:
    git(store, "init", "--quiet", "--separate-git-dir", "../apart.git")
    return store


def _symlink(store: Path, git: Git) -> Path:
    (store.parent / "link").symlink_to(store)
    return store.parent / "link"


SHAPES = (
    lambda store, git: store, _linked, _linked_named_main, _moved_worktree, _linked_to_bare,
    _submodule, _separate_git_dir, _symlink,
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__.strip("_<>"))
def test_prompt_and_store_agree_on_the_place_and_the_commit(
    shape: Callable[[Path, Git], Path], store: Path, git: Git
) -> None:
    root = shape(store, git)

    found = Store.at(root)

    assert Path(place.derived(str(root))).resolve() == found.derived
    assert place.head_commit(str(root)) == found.repository.head()


def test_no_worktree_shares_a_place_with_the_main_one(store: Path, git: Git) -> None:
    linked = _linked_named_main(store, git)

    assert Store.at(linked).derived != Store.at(store).derived


def test_packed_branches_are_read(store: Path, git: Git) -> None:
    git(store, "pack-refs", "--all")

    assert place.head_commit(str(store)) == Store.at(store).repository.head()


def test_a_hook_never_takes_the_store_of_the_folder_it_stands_in(
    sample: Path, memgit: Callable[..., CompletedProcess[str]], sealed: Path
) -> None:
    assert memgit("index", cwd=sample).returncode == 0
    event = '{"session_id": "s", "prompt": "please read @deploy first"}'
    assert memgit("recall", cwd=sample, stdin=event).stdout == ""
    named = memgit("recall", cwd=sealed, stdin=event, env={"MEMGIT_REPO": str(sample)})
    assert "deploy" in named.stdout
