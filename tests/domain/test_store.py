"""The store: found where a person expects it, and the only writer to itself."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.operation import Operation
from memgit.domain.store import Store, record_file, record_store, recorded_store
from memgit.errors import StoreError
from memgit.prompt import place

Run = Callable[..., subprocess.CompletedProcess[str]]

ADD = Operation("add", "a memory", ("a",))


@pytest.fixture
def opened(store: Path) -> Store:
    return Store.at(store)


def files(root: Path) -> dict[str, bytes]:
    """Everything in the work tree, hidden files too."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b"(folder)"
        for path in sorted(root.rglob("*"))
        if ".git" not in path.relative_to(root).parts
    }


# --------------------------------------------------------------------------------------- finding


def test_named_then_variable_then_here_then_recorded(
    tmp_path: Path, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = {}
    for name in ("named", "variable", "here", "recorded"):
        stores[name] = tmp_path / name
        (stores[name] / "deep/er").mkdir(parents=True)
        git(stores[name], "init", "--quiet")
        (stores[name] / "memgit.toml").touch()
    (tmp_path / "elsewhere").mkdir()

    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="no store found") as nowhere:
        Store.find()
    assert "--store or MEMGIT_REPO" in nowhere.value.hint
    record_store(stores["recorded"])
    assert Store.find().root == stores["recorded"]
    monkeypatch.chdir(stores["here"] / "deep/er")
    assert Store.find().root == stores["here"]
    monkeypatch.setenv("MEMGIT_REPO", str(stores["variable"]))
    assert Store.find().root == stores["variable"]
    assert Store.find(str(stores["named"] / "deep")).root == stores["named"]


def test_a_home_in_a_path(sealed: Path, git: Run) -> None:
    (sealed / "memory").mkdir()
    git(sealed / "memory", "init", "--quiet")
    (sealed / "memory/memgit.toml").touch()
    assert Store.find("~/memory").root == sealed / "memory"
    with pytest.raises(StoreError, match="no such person's home"):
        Store.find("~nobody-of-this-name/memory")


def test_a_repository_that_is_no_store(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(StoreError, match=r"not a store \(no memgit.toml at its top\)") as fault:
        Store.at(tmp_path)
    assert fault.value.hint == f"make it one with `memgit init {tmp_path}`"


def test_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(StoreError, match="the current folder is gone"):
        Store.find()


@pytest.mark.parametrize("content", [b"", b"\n", b"/nowhere/at/all\n", b"\xff\xfe\n"])
def test_a_record_that_leads_nowhere(content: bytes) -> None:
    record_file().parent.mkdir(parents=True)
    record_file().write_bytes(content)
    assert recorded_store() is None


def test_the_prompt_path_finds_the_same_derived_folder(
    store: Path, tmp_path: Path, git: Run
) -> None:
    git(store, "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    (tmp_path / "link").symlink_to(store)
    (tmp_path / "a b/日本").mkdir(parents=True)
    git(tmp_path, "clone", "--quiet", str(store), str(tmp_path / "a b/日本/store"))
    for root in (store, tmp_path / "linked", tmp_path / "link", tmp_path / "a b/日本/store"):
        assert os.path.realpath(place.derived(str(root))) == str(Store.at(root).derived)
        assert place.head_commit(str(root)) == Store.at(root).repository.head()


# --------------------------------------------------------------------------------------- reading


def test_paths_are_the_memories_of_the_work_tree(opened: Store, git: Run) -> None:
    root = opened.root
    for name in (
        "b.md",
        "sub/a.md",
        "new\nline.md",
        "drafts/x.md",
        ".hidden.md",
        "x.txt",
        "old.md",
        "MEMORY.md",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(name)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=some")
    (root / "old.md").unlink()
    (root / "loose.md").write_text("loose")
    (root / "ignored.md").write_text("ignored")
    (root / ".gitignore").write_text("ignored.md\n")
    (root / "link.md").symlink_to("/etc/hostname")
    assert opened.paths() == ["b.md", "loose.md", "new\nline.md", "sub/a.md"]
    assert opened.read("sub/a.md").body == "sub/a.md"


@pytest.mark.parametrize("path", ["nowhere.md", "sub", "nul\0.md"])
def test_what_cannot_be_read_is_told(opened: Store, path: str) -> None:
    (opened.root / "sub").mkdir()
    with pytest.raises(StoreError, match=str(opened.root)):
        opened.content(path)


# --------------------------------------------------------------------------------------- writing


def test_a_commit_writes_replaces_and_removes(opened: Store, git: Run) -> None:
    root = opened.root
    opened.commit(ADD, {"sub/a.md": b"one\r\n", "b.md": b"b", "c.md": b"c"})
    (root / "b.md").chmod(0o700)
    made = opened.commit(ADD, {"sub/a.md": b"two", "b.md": b"bb", "c.md": None, "none.md": None})
    assert git(root, "status", "--porcelain").stdout == ""
    assert git(root, "rev-parse", "HEAD").stdout.strip() == made
    assert files(root) == {
        "b.md": b"bb", "memgit.toml": b"format = 1\n", "sub": b"(folder)", "sub/a.md": b"two",
    }  # fmt: skip
    assert (root / "b.md").stat().st_mode & 0o777 == 0o700


def test_the_commit_tells_the_operation(opened: Store, git: Run) -> None:
    operation = Operation(
        "add", "two\nlines \0 and \x1b[31m colour", ("a\nb", "日本"), "user", ("why\nnot",)
    )
    opened.commit(operation, {"a.md": b"a"})
    assert git(opened.root, "log", "-1", "--format=%B").stdout.rstrip("\n").split("\n") == [
        "add: two lines and [31m colour", "", "why not", "", "Memgit-Operation: add",
        "Memgit-Actor: user", "Memgit-Memory: a b", "Memgit-Memory: 日本",
    ]  # fmt: skip
    trailers = "--format=%(trailers:key=Memgit-Memory,valueonly)"
    assert git(opened.root, "log", "-1", trailers).stdout.split("\n")[:2] == ["a b", "日本"]


def test_what_is_there_already_is_left_alone(opened: Store) -> None:
    before = opened.commit(ADD, {"a.md": b"a"})
    stamp = (opened.root / "a.md").stat().st_mtime_ns
    assert opened.commit(ADD, {"a.md": b"a"}) == before
    assert (opened.root / "a.md").stat().st_mtime_ns == stamp


@pytest.fixture
def busy(opened: Store, git: Run) -> Store:
    """A store with a committed memory that somebody is editing, and staged work."""
    root = opened.root
    opened.commit(ADD, {"sub/a.md": b"committed", "gone.md": b"to be removed"})
    (root / "sub/a.md").write_bytes(b"half edited")
    (root / "staged.md").write_bytes(b"staged")
    git(root, "add", "staged.md")
    return opened


WISH = {"sub/a.md": b"mine", "new/deep/b.md": b"new", "gone.md": None, "new/c.md": b"c"}


def all_of(store: Store, git: Run) -> tuple[object, ...]:
    return (
        files(store.root),
        git(store.root, "ls-files", "--stage").stdout,
        git(store.root, "status", "--porcelain").stdout,
        store.repository.head(),
    )


@pytest.mark.parametrize("mark", ["MERGE_HEAD", "rebase-merge", "CHERRY_PICK_HEAD"])
def test_a_refusal_takes_everything_back(busy: Store, git: Run, mark: str) -> None:
    (busy.repository.git_dir / mark).write_text(f"{busy.repository.head()}\n")
    before = all_of(busy, git)
    with pytest.raises(StoreError, match="in progress"):
        busy.commit(ADD, WISH)
    assert all_of(busy, git) == before


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), MemoryError(), OSError(28, "No space")])
def test_any_failure_takes_everything_back(
    busy: Store, git: Run, fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*ignored: object) -> str:
        raise fault

    monkeypatch.setattr("memgit.domain.store.commit_paths", fail)
    before = all_of(busy, git)
    with pytest.raises(StoreError if isinstance(fault, OSError) else type(fault)):
        busy.commit(ADD, WISH)
    assert all_of(busy, git) == before


@pytest.mark.parametrize("number", range(1, 6))
def test_a_write_that_fails_half_way_takes_everything_back(
    busy: Store, git: Run, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the first, second, ... step, and stays so on the way back."""
    before = all_of(busy, git)
    steps = []
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        steps.append(path)
        if len(steps) >= number:
            with path.open("wb") as file:
                file.write(data[:1])
            raise OSError(28, "No space left on device", str(path))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreError):
        busy.commit(ADD, WISH)
    monkeypatch.undo()
    assert all_of(busy, git) == before


def test_halves_of_a_killed_writer_are_swept(opened: Store) -> None:
    (opened.root / ".memgit-123-0.new").write_text("half")
    (opened.root / ".memgit-123-0.kept").write_text("perhaps the only copy")
    opened.commit(ADD, {"a.md": b"a"})
    assert sorted(files(opened.root)) == [".memgit-123-0.kept", "a.md", "memgit.toml"]


def test_without_hard_links(busy: Store, git: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*ignored: object, **options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    busy.commit(ADD, WISH)
    assert (busy.root / "sub/a.md").read_bytes() == b"mine"
    assert not [path for path in files(busy.root) if ".memgit-" in path]


@pytest.mark.parametrize(
    "path", ["../out.md", "/tmp/out.md", ".git/hooks/x", ".GIT/x", "", "a/../../b.md"]
)
def test_no_path_leads_out_of_the_store(opened: Store, path: str) -> None:
    with pytest.raises(StoreError, match="not a path inside the store"):
        opened.commit(ADD, {path: b"x"})


def test_no_link_is_followed(opened: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("theirs")
    (opened.root / "folder").symlink_to(outside)
    (opened.root / "file.md").symlink_to(outside / "a.md")
    for path in ("folder/a.md", "folder/new.md", "file.md"):
        with pytest.raises(StoreError, match="a symbolic link"):
            opened.commit(ADD, {path: b"x"})
    assert files(outside) == {"a.md": b"theirs"}


def test_a_folder_in_the_way(opened: Store) -> None:
    (opened.root / "a.md").mkdir()
    with pytest.raises(StoreError, match=r"a.md: Is a directory"):
        opened.commit(ADD, {"a.md": b"x"})


def test_the_lock_is_shared_by_all_work_trees_and_re_entrant(
    opened: Store, tmp_path: Path, git: Run
) -> None:
    git(opened.root, "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    linked = Store.at(tmp_path / "linked")
    assert linked.derived != opened.derived
    with opened.locked(), opened.locked(), linked.locked():
        opened.commit(ADD, {"a.md": b"a"})
        linked.commit(ADD, {"b.md": b"b"})
    assert git(linked.root, "log", "-1", "--format=%s").stdout == "add: a memory\n"


def test_what_a_killed_process_left_beside_its_files_goes(store: Path, git: Run) -> None:
    opened = Store.at(store)
    opened.commit(Operation("add", "a"), {"deep/a.md": b"committed\n"})
    leftovers = {".memgit-1-0.new": b"half a", "deep/.memgit-1-1.kept": b"committed\n",
                 "deep/.memgit-1-2.kept": b"only here\n"}  # fmt: skip
    for path, data in leftovers.items():
        (store / path).write_bytes(data)
    opened.tidy()
    assert all((store / path).exists() for path in leftovers), "nobody was killed"
    (opened.derived / "placing").touch()
    opened.commit(Operation("add", "b"), {"b.md": b"b\n"})
    assert git(store, "status", "--short").stdout == ""
    kept = [file.read_bytes() for file in (opened.derived / "unsaved").iterdir()]
    assert kept == [b"only here\n"]
    assert not (opened.derived / "placing").exists()
