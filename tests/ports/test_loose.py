"""Objects read from git's own files: what git would answer, or nothing."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.errors import StoreError
from memgit.ports.changes import raw_changes
from memgit.ports.git import Repository
from memgit.ports.loose import Loose, NotPlain

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def grown(store: Path, git: Run) -> tuple[str, str]:
    """Two commits, between which everything that can happen to a path happens to one."""
    for path in ("stays", "goes", "a/b/deep", "a/b.c", "becomes-folder", "becomes-link", "日本"):
        (store / path).parent.mkdir(parents=True, exist_ok=True)
        (store / path).write_text(f"{path}\n")
    (store / os.fsdecode(b"caf\xe9")).write_text("odd\n")
    (store / "folder-goes").mkdir()
    (store / "folder-goes/x").write_text("x\n")
    (store / "link").symlink_to("stays")
    git(store, "add", "--all")
    git(store, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    git(store, "commit", "--quiet", "--message=one")
    (store / "goes").unlink()
    (store / "becomes-folder").unlink()
    (store / "becomes-folder").mkdir()
    (store / "becomes-folder/y").write_text("y\n")
    (store / "becomes-folder.d").write_text("sorts between\n")
    (store / "becomes-link").unlink()
    (store / "becomes-link").symlink_to("stays")
    (store / "folder-goes/x").unlink()
    (store / "folder-goes").rmdir()
    (store / "folder-goes").write_text("a file\n")
    (store / "a/b/deep").write_text("other\n")
    (store / "日本").chmod(0o755)
    git(store, "add", "--all")
    git(store, "update-index", "--add", "--cacheinfo", f"160000,{'2' * 40},module")
    git(store, "commit", "--quiet", "--message=two")
    first, second = git(store, "log", "--format=%H", "-2").stdout.split()[::-1]
    return first, second


def test_it_tells_what_git_tells(store: Path, grown: tuple[str, str], git: Run) -> None:
    old, new = grown
    repository = Repository(store)
    loose = Loose(repository.common_dir)
    listed = repository.run("ls-tree", "-r", "-z", "--full-tree", new).split("\0")[:-1]
    assert [f"{mode} {name}\t{path}" for path, (mode, name) in loose.files(new)] == [
        row.replace(" blob", "").replace(" commit", "") for row in listed
    ]
    for pair in (old, new), (new, old), (new, new):
        differ = repository.run(
            "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", *pair
        )
        assert repository.changes(*pair) == raw_changes(differ)
    assert loose.tree_of(new) == git(store, "rev-parse", "HEAD^{tree}").stdout.strip()
    for name in repository.tree(new).values():
        told = subprocess.run(["git", "cat-file", "blob", name], cwd=store, capture_output=True)
        assert loose.read("blob", name) == told.stdout


def test_what_is_packed_is_gits_to_tell(store: Path, grown: tuple[str, str], git: Run) -> None:
    old, new = grown
    opened = Repository(store)
    before = (opened.tree(new), opened.changes(old, new), opened.tree_of(new))
    git(store, "repack", "-adq")
    with pytest.raises(NotPlain):
        list(Loose(opened.common_dir).files(new))
    packed = Repository(store)
    assert (packed.tree(new), packed.changes(old, new), packed.tree_of(new)) == before


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_replaced_is_told_as_git_does(
    store: Path, grown: tuple[str, str], git: Run, packed: bool
) -> None:
    _, new = grown
    tree = Repository(store).tree(new)
    git(store, "replace", tree["stays"], tree["a/b.c"])
    if packed:
        git(store, "pack-refs", "--all")
    assert list(Repository(store).blobs([tree["stays"]])) == [b"a/b.c\n"]


@pytest.mark.parametrize("data", [b"", b"nonsense", b"x\x9c"], ids=["empty", "no zlib", "cut"])
def test_a_damaged_object_is_gits_to_tell(store: Path, git: Run, data: bytes) -> None:
    loose = Loose(store / ".git")
    head = git(store, "rev-parse", "HEAD").stdout.strip()
    file = store / ".git/objects" / head[:2] / head[2:]
    assert loose.tree_of(head)
    file.chmod(0o644)
    file.write_bytes(data)
    with pytest.raises(NotPlain):
        loose.tree_of(head)


@pytest.mark.parametrize(
    "data",
    [b"100644 a", b"100644 a\0" + b"i" * 19, b"100644 \0" + b"i" * 20, b"40000 \0" + b"i" * 20],
    ids=["no id", "half an id", "no name", "a folder without one"],
)
def test_a_damaged_folder_is_gits_to_tell(store: Path, git: Run, data: bytes) -> None:
    write = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    made = subprocess.run(write, cwd=store, input=data, capture_output=True, check=True)
    commit = git(store, "cat-file", "commit", "HEAD").stdout
    whole = commit.replace(commit.split()[1], made.stdout.decode().strip(), 1)
    file = store / "commit"
    file.write_text(whole)
    named = git(store, "hash-object", "-t", "commit", "-w", "--literally", "commit").stdout.strip()
    with pytest.raises(NotPlain):
        list(Loose(store / ".git").files(named))
    with pytest.raises(StoreError, match="git ls-tree: "):
        Repository(store).tree(named)


@pytest.mark.parametrize("name", ["../../memgit.toml", "HEAD", "", "12" * 20, "HEAD:memgit.toml"])
def test_only_ids_are_looked_up(store: Path, name: str) -> None:
    with pytest.raises(NotPlain):
        Loose(store / ".git").read("blob", name)
