"""git as we run it: on the right repository, without questions, and in one step or not at all."""

import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.errors import MemgitError, StoreError
from memgit.ports import commit as commit_module
from memgit.ports.changes import Change
from memgit.ports.commit import SIGNATURE, commit_paths
from memgit.ports.git import NoRepository, Repository
from memgit.ports.git_settings import QUIET

Run = Callable[..., subprocess.CompletedProcess[str]]


def said(fault: pytest.ExceptionInfo[MemgitError]) -> str:
    """Message and hint; both must be one line."""
    assert "\n" not in str(fault.value)
    assert "\n" not in fault.value.hint
    return f"{fault.value} / {fault.value.hint}"


def state(folder: Path) -> tuple[str, str, dict[str, bytes]]:
    """HEAD, git's index, and the files of the work tree."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False
        ).stdout

    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }
    return git("rev-parse", "HEAD"), git("ls-files", "--stage", "-z"), files


@pytest.fixture
def repository(store: Path) -> Repository:
    return Repository(store)


# -------------------------------------------------------------------------------------- opening


@pytest.fixture
def instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """`instead(lines)`: a `git` on PATH that runs these lines first; `$git` is the real one."""

    def put(lines: str) -> Path:
        program = tmp_path / "instead" / "git"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\ngit={shutil.which("git")}\n{lines}\nexec "$git" "$@"\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        return program

    return put


def test_a_folder_inside_is_enough(store: Path) -> None:
    (store / "a/b").mkdir(parents=True)
    opened = Repository(store / "a/b")
    assert opened.root == store
    assert opened.git_dir == opened.common_dir == store / ".git"
    assert opened.worktree == "main"


@pytest.mark.parametrize("name", ["a b/日本", "-dash", "quote'\"", "$(x)", "*", "{root}", "ü"])
def test_folders_of_any_name(tmp_path: Path, name: str) -> None:
    opened = Repository.create(tmp_path / name)
    assert opened.root == tmp_path / name
    (opened.root / "a.md").write_text("a")
    made = commit_paths(opened, ["a.md"], "one\n")
    assert opened.head() == made
    assert Repository(opened.root).tree(made).keys() == {"a.md"}


def test_a_symbolic_link_leads_to_the_real_folder(store: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(store)
    assert Repository(tmp_path / "link").root == store


def test_where_there_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NoRepository) as fault:
        Repository(tmp_path)
    assert "not a git repository / make it a store with `memgit init`" in said(fault)
    with pytest.raises(StoreError) as missing:
        Repository(tmp_path / "nowhere")
    assert "no such folder" in said(missing)


def test_a_bare_repository_and_a_git_folder(store: Path, tmp_path: Path, git: Run) -> None:
    git(tmp_path, "clone", "--bare", "--quiet", str(store), "bare.git")
    with pytest.raises(StoreError) as bare:
        Repository(tmp_path / "bare.git")
    assert "a bare repository has no files to remember in / clone it" in said(bare)
    with pytest.raises(StoreError) as inside:
        Repository(store / ".git")
    assert "inside a repository's own folder" in said(inside)


@pytest.mark.parametrize("beside", ["nothing", "an empty .git", "a .git that points elsewhere"])
def test_a_git_that_knows_no_rule_for_bare_ones_opens_none_that_lies_among_files(
    store: Path, tmp_path: Path, git: Run, instead: Callable[[str], Path], beside: str
) -> None:
    (tmp_path / "sent").mkdir()
    sent = tmp_path / "sent" / "notes"
    git(tmp_path, "clone", "--bare", "--quiet", str(store), str(sent))
    git(sent, "--git-dir=.", "config", "core.bare", "false")
    git(sent, "--git-dir=.", "config", "core.worktree", str(tmp_path / "sent"))
    if beside == "an empty .git":
        (tmp_path / "sent" / ".git").mkdir()
    elif beside != "nothing":
        (tmp_path / "sent" / ".git").write_text(f"gitdir: {store}/.git\n")
    instead('[ "$3" = -c ] && { folder=$2; shift 4; set -- -C "$folder" "$@"; }')
    assert Repository(store).root == store
    with pytest.raises(StoreError) as fault:
        Repository(sent)
    assert "without a .git of its own / clone it" in said(fault)


def test_a_work_tree_of_a_bare_repository(store: Path, tmp_path: Path, git: Run) -> None:
    git(tmp_path, "clone", "--bare", "--quiet", str(store), "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "--quiet", str(tmp_path / "main"), "main")
    opened = Repository(tmp_path / "main")
    assert opened.common_dir == tmp_path / "bare.git"
    (opened.root / "a.md").write_text("a")
    assert commit_paths(opened, ["a.md"], "one\n") == opened.head()


def test_linked_work_trees_are_told_apart(store: Path, tmp_path: Path, git: Run) -> None:
    git(store, "worktree", "add", "--quiet", str(tmp_path / "main"), "-b", "other")
    linked = Repository(tmp_path / "main")
    assert linked.common_dir == store / ".git"
    assert linked.worktree == "worktrees/main"


def test_a_repository_of_another_person(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(StoreError) as fault:
        Repository(store)
    assert "belongs to another user" in said(fault)
    assert f"safe.directory {store}" in said(fault)


def test_a_broken_configuration(store: Path) -> None:
    (store / ".git/config").write_text("[core\n")
    with pytest.raises(StoreError) as fault:
        Repository(store)
    assert "bad config line 1" in said(fault)


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 2500, "a\0b"])
def test_a_path_that_cannot_be_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError) as fault:
        Repository(tmp_path / name)
    assert re.search("File name too long|no such folder", said(fault))


def test_without_git(store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError) as fault:
        Repository(store)
    assert said(fault) == "git is not installed or not on PATH / install git 2.31 or newer"


def test_a_repository_with_longer_ids(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256", "long")
    opened = Repository(tmp_path / "long")
    (opened.root / "a.md").write_text("a")
    made = commit_paths(opened, ["a.md"], "one\n")
    (opened.root / "a.md").write_text("b")
    commit_paths(opened, ["a.md"], "two\n")
    assert len(made) == 64
    assert list(opened.blobs(opened.tree(made).values())) == [b"a"]


@pytest.mark.parametrize(
    "variables",
    [
        {"GIT_DIR": "{other}/.git"},
        {"GIT_DIR": "{other}/.git", "GIT_WORK_TREE": "{other}", "GIT_INDEX_FILE": "{other}/.git/x"},
        {"GIT_INDEX_FILE": "{other}/.git/index", "GIT_PREFIX": "sub/"},
        {"GIT_OBJECT_DIRECTORY": "{other}/.git/objects", "GIT_COMMON_DIR": "{other}/.git"},
        {"GIT_NAMESPACE": "other"},
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.worktree", "GIT_CONFIG_VALUE_0": "/"},
        {"GIT_CONFIG_PARAMETERS": "'core.bare'='true'"},
        {"GIT_DIR": "nowhere", "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z"},
        {"GIT_LITERAL_PATHSPECS": "0", "GIT_GLOB_PATHSPECS": "1", "GIT_TRACE": "1"},
    ],
)
def test_variables_of_a_hook_of_another_repository(
    variables: dict[str, str],
    store: Path,
    tmp_path: Path,
    git: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", str(store), "other")
    before = state(other)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(other=other))
    opened = Repository(store)
    (store / "a.md").write_text("a")
    made = commit_paths(opened, ["a.md"], "one\n")
    for name in variables:
        monkeypatch.delenv(name, raising=False)
    assert git(store, "rev-parse", "HEAD").stdout.strip() == made
    assert git(store, "status", "--porcelain").stdout == ""
    assert not git(store, "log", "-1", "--format=%aI").stdout.startswith("2001")
    assert state(other) == before


# -------------------------------------------------------------------------------------- reading


def test_an_unborn_branch_has_no_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TRACE", "1")
    monkeypatch.setenv("GIT_TRACE2", "true")
    opened = Repository.create(tmp_path / "new")
    assert opened.head() is None
    assert opened.branch() == "main"


def test_a_detached_head_has_no_branch(repository: Repository, git: Run) -> None:
    assert repository.branch() == "main"
    git(repository.root, "checkout", "--quiet", "--detach")
    assert repository.branch() is None
    assert repository.head()


def test_a_broken_head_is_not_taken_for_an_empty_store(repository: Repository) -> None:
    head = repository.head()
    assert head
    (repository.git_dir / "objects" / head[:2] / head[2:]).unlink()
    with pytest.raises(StoreError, match="HEAD names a commit that is not there"):
        repository.head()
    (repository.git_dir / "refs/heads/main").write_text("garbage\n")
    with pytest.raises(StoreError):
        repository.head()


def test_links_and_submodules_are_no_memories(repository: Repository, git: Run) -> None:
    root = repository.root
    (root / "a.md").write_text("a")
    (root / "run.md").write_text("a")
    (root / "run.md").chmod(0o755)
    (root / "link.md").symlink_to("/etc/hostname")
    git(root, "clone", "--quiet", str(root), "inner.md")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=more")
    head = repository.head()
    assert head
    assert repository.tree(head).keys() == {"a.md", "run.md", "memgit.toml"}


def test_changes_between_commits(repository: Repository, git: Run) -> None:
    root = repository.root
    for name in ("kept.md", "edited.md", "gone.md", "becomes a link.md"):
        (root / name).write_text(name)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=one")
    one = repository.head()
    (root / "edited.md").write_text("other")
    (root / "gone.md").rename(root / "new\nline.md")
    (root / "becomes a link.md").unlink()
    (root / "becomes a link.md").symlink_to("kept.md")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=two")
    two = repository.head()
    assert one
    assert two
    before, blobs = repository.tree(one), repository.tree(two)
    link = repository.run("rev-parse", f"{two}:becomes a link.md")
    assert sorted(repository.changes(one, two) or (), key=lambda change: change.path) == [
        Change("becomes a link.md", None, link, before["becomes a link.md"]),
        Change("edited.md", blobs["edited.md"], old=before["edited.md"]),
        Change("gone.md", None, old=before["gone.md"]),
        Change("new\nline.md", blobs["new\nline.md"]),
    ]
    assert repository.changes("0" * 40, two) is None
    assert repository.changes("HEAD; rm", two) is None


def test_blobs_are_exact(repository: Repository) -> None:
    contents = [b"", b"\n", b"\r\n\0\xff", "日本".encode(), b"x" * 3_000_000, b"ends in newline\n"]
    for number, data in enumerate(contents):
        (repository.root / f"{number}.md").write_bytes(data)
    made = commit_paths(repository, [f"{number}.md" for number in range(len(contents))], "many\n")
    tree = repository.tree(made)
    assert list(repository.blobs(tree[f"{n}.md"] for n in range(len(contents)))) == contents


def test_a_lost_object_is_told(repository: Repository) -> None:
    with pytest.raises(StoreError) as fault:
        list(repository.blobs(["12" * 20]))
    assert "cannot read the object 1212" in said(fault)


@pytest.mark.parametrize("cut", [0, 30, 60], ids=["at once", "in the header", "in the content"])
def test_a_git_that_dies_while_it_tells_is_told(
    repository: Repository, instead: Callable[[str], Path], cut: int
) -> None:
    (repository.root / "a.md").write_text("a" * 500)
    blob = repository.tree(commit_paths(repository, ["a.md"], "one\n"))["a.md"]
    repository.run("repack", "-adq")  # else no git is asked
    instead(f'case "$*" in *--batch*) "$git" "$@" | head -c {cut}; exit 1 ;; esac')
    with pytest.raises(StoreError) as fault:
        list(repository.blobs([blob]))
    assert f"git ended before it had told the object {blob} / try again" in said(fault)


def test_every_git_runs_under_our_settings(
    repository: Repository, instead: Callable[[str], Path], tmp_path: Path
) -> None:
    blob = repository.tree(repository.head() or "")["memgit.toml"]
    repository.run("repack", "-adq")  # else no git is asked
    instead(f'printf "%s\\n" "$*" >>"{tmp_path}/calls"')
    list(repository.blobs([blob]))
    repository.config("user.name")
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 2
    for call in calls:
        assert " ".join(QUIET) in call


# ----------------------------------------------------------------------------------- committing


def test_only_the_named_paths_are_committed(repository: Repository, git: Run) -> None:
    root = repository.root
    (root / "a.md").write_text("a")
    (root / "staged.md").write_text("staged")
    (root / "loose.md").write_text("loose")
    git(root, "add", "staged.md")
    (root / "memgit.toml").write_text("format = 1\n# mine\n")
    made = commit_paths(repository, ["a.md"], "one\n\nbody\n")
    assert git(root, "show", "--name-only", "--format=%B", made).stdout == "one\n\nbody\n\n\na.md\n"
    assert git(root, "status", "--porcelain").stdout == (
        " M memgit.toml\nA  staged.md\n?? loose.md\n"
    )


@pytest.mark.parametrize(
    "path",
    ["-a.md", "a b/日本.md", "quote'\".md", "new\nline.md", "*.md", ":(top)a.md", "[a].md", "\\.md",
     "a/b/c/d.md", "ignored.md", "$(x).md", "#.md", "caf\udce9.md", "\t.md"],
)  # fmt: skip
def test_paths_of_any_name(repository: Repository, path: str) -> None:
    root = repository.root
    (root / ".gitignore").write_text("ignored.md\n")
    (root / "other.md").write_text("not me")
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("x")
    made = commit_paths(repository, [path], "one\n")
    assert repository.tree(made).keys() == {"memgit.toml", path}
    target.unlink()
    assert repository.tree(commit_paths(repository, [path], "gone\n")).keys() == {"memgit.toml"}


def test_nothing_changed_is_no_commit(repository: Repository) -> None:
    head = repository.head()
    assert commit_paths(repository, ["memgit.toml", "nowhere.md"], "one\n") == head
    assert commit_paths(repository, [], "one\n") == head


def test_the_first_commit_of_all(tmp_path: Path) -> None:
    opened = Repository.create(tmp_path / "new")
    assert commit_paths(opened, ["nowhere.md"], "nothing\n") == ""
    (opened.root / "a.md").write_text("a")
    made = commit_paths(opened, ["a.md"], "one\n")
    assert opened.head() == made
    assert opened.run("status", "--porcelain") == ""


def test_a_message_longer_than_a_command_line(repository: Repository, git: Run) -> None:
    (repository.root / "a.md").write_text("a")
    message = "one\n\n" + "Memgit-Memory: 名前\n" * 200_000
    commit_paths(repository, ["a.md"], message)
    assert git(repository.root, "log", "-1", "--format=%B").stdout.strip() == message.strip()


def test_settings_that_sign_ask_or_refuse(repository: Repository, sealed: Path, git: Run) -> None:
    root = repository.root
    settings = sealed / "gitconfig"
    settings.write_text(
        settings.read_text()
        + "[commit]\ngpgSign = true\ntemplate = nowhere\n[gpg]\nprogram = false\n"
        "[core]\nautocrlf = true\nhooksPath = nowhere\neditor = false\nfsmonitor = true\n"
        "[i18n]\ncommitEncoding = cp932\n[color]\nui = always\n[log]\nshowSignature = true\n"
    )
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction"):
        hook = root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
    (root / "a.md").write_bytes("日本\r\n".encode())
    made = commit_paths(repository, ["a.md"], "日本\n")
    assert list(repository.blobs([repository.tree(made)["a.md"]])) == ["日本\r\n".encode()]
    assert repository.run("log", "-1", "--format=%s %G?") == "日本 N"


def test_somebody_else_commits_meanwhile(
    repository: Repository, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository.root
    (root / "a.md").write_text("a")
    tree = commit_module._Commit._tree
    others: list[str] = []

    def tree_and_a_commit(self: commit_module._Commit, head: str | None) -> str:
        made = tree(self, head)
        if len(others) < 2:
            command = ["commit-tree", f"{head}^{{tree}}", "-p", str(head), "-m", "theirs"]
            others.append(git(root, *command).stdout.strip())
            git(root, "update-ref", "HEAD", others[-1])
        return made

    monkeypatch.setattr(commit_module._Commit, "_tree", tree_and_a_commit)
    made = commit_paths(repository, ["a.md"], "mine\n")
    assert git(root, "log", "--format=%s").stdout.split("\n")[:3] == ["mine", "theirs", "theirs"]
    assert repository.head() == made
    assert git(root, "status", "--porcelain").stdout == ""


# ------------------------------------------------------------------------ refusals change nothing


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_module, "PATIENCE", 0.1)


@pytest.fixture
def prepared(repository: Repository, git: Run) -> Repository:
    """A file to commit, and somebody's staged and unstaged work beside it."""
    (repository.root / "staged.md").write_text("staged")
    git(repository.root, "add", "staged.md")
    (repository.root / "memgit.toml").write_text("format = 1\n# mine\n")
    (repository.root / "a.md").write_text("a")
    return repository


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("lock", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
def test_a_lock_that_another_git_holds(prepared: Repository, lock: str) -> None:
    before = state(prepared.root)
    held = prepared.git_dir / lock
    held.write_bytes(b"")
    with pytest.raises(StoreError) as fault:
        commit_paths(prepared, ["a.md"], "one\n")
    assert "another git process is at work" in said(fault)
    assert state(prepared.root) == before
    assert held.exists()
    held.unlink()
    commit_paths(prepared, ["a.md"], "one\n")
    assert state(prepared.root)[1] != before[1]


def test_a_lock_is_waited_for(prepared: Repository) -> None:
    held = prepared.git_dir / "index.lock"
    held.write_bytes(b"")
    timer = threading.Timer(0.3, held.unlink)
    timer.start()
    started = time.monotonic()
    assert commit_paths(prepared, ["a.md"], "one\n") == prepared.head()
    assert time.monotonic() - started > 0.25
    timer.join()


def test_locks_of_the_dead_do_not_block(prepared: Repository) -> None:
    long_ago = time.time() - 60
    (prepared.git_dir / "index.lock").write_bytes(SIGNATURE)
    for name in ("HEAD.lock", "refs/heads/main.lock"):
        (prepared.git_dir / name).write_bytes(b"")
        os.utime(prepared.git_dir / name, (long_ago, long_ago))
    left = prepared.common_dir / "memgit/main/commit.1.aside"
    left.mkdir(parents=True)
    (left / "next.lock").write_bytes(b"")
    assert commit_paths(prepared, ["a.md"], "one\n") == prepared.head()
    assert not left.exists()
    assert [path.name for path in prepared.git_dir.rglob("*.lock")] == ["commit.lock"]


def test_without_a_name_and_address(
    prepared: Repository, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sealed / "gitconfig").write_text("[user]\nuseConfigOnly = true\n")
    before = state(prepared.root)
    with pytest.raises(StoreError) as fault:
        commit_paths(prepared, ["a.md"], "one\n")
    assert "git does not know your name and e-mail" in said(fault)
    assert "git config --global user.name" in said(fault)
    assert state(prepared.root) == before


def test_a_failure_after_the_index_was_written(
    prepared: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(prepared.root)

    def fail(*ignored: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(commit_module._Commit, "_moved", fail)
    with pytest.raises(KeyboardInterrupt):
        commit_paths(prepared, ["a.md"], "one\n")
    assert state(prepared.root) == before
    assert not (prepared.git_dir / "index.lock").exists()


@pytest.mark.parametrize(
    ("mark", "what"),
    [("MERGE_HEAD", "merge"), ("rebase-merge", "rebase"), ("rebase-apply", "rebase"),
     ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert"), ("BISECT_LOG", "bisect")],
)  # fmt: skip
def test_unfinished_business(prepared: Repository, mark: str, what: str) -> None:
    (prepared.git_dir / mark).write_text("")
    before = state(prepared.root)
    assert prepared.in_progress() == what
    with pytest.raises(StoreError, match=f"a {what} is in progress") as fault:
        commit_paths(prepared, ["a.md"], "one\n")
    assert said(fault)
    assert state(prepared.root) == before


def test_a_disk_that_cannot_link(prepared: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*ignored: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert commit_paths(prepared, ["a.md"], "one\n") == prepared.head()


def test_git_s_own_words_become_one_line(repository: Repository) -> None:
    with pytest.raises(StoreError) as fault:
        repository.run("log", "no-such-branch")
    assert said(fault).startswith("git log: ambiguous argument 'no-such-branch'")
    assert repository.run("log", "no-such-branch", check=False) == ""
