"""`memgit init`: a store out of nothing, or out of what is there, with nothing lost."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memgit.cli import main
from memgit.domain.settings import FORMAT, WEIGHTS, Recall, Settings
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.precommit import FILE as CONFIG
from memgit.ports.shipped import shipped

Run = Callable[..., subprocess.CompletedProcess[str]]

LAID = {path.name for path in shipped("templates").iterdir() if path.is_file()}


@pytest.fixture
def project(tmp_path: Path, git: Run) -> Path:
    """A person's repository with one commit."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "code.py").write_text("print()\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=code")
    return folder


def _everything(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes; of git's own, what can be told apart from outside."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("index", "index.lock")
    }


def _commits(folder: Path, git: Run) -> list[str]:
    return git(folder, "log", "--format=%s").stdout.splitlines()


def _committed(folder: Path, git: Run) -> set[str]:
    """The paths of the last commit's change."""
    listed = git(folder, "show", "--name-only", "--format=", "-z", "HEAD").stdout
    return set(filter(None, listed.split("\0")))


def _refused(done: subprocess.CompletedProcess[str], status: int, *words: str) -> None:
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    said = done.stderr.splitlines()
    assert len(said) == 2, said
    assert said[0].startswith("memgit: ")
    assert said[1].startswith("  ")
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("name", ["memory", "a b/日本", "it's $HOME"])
def test_a_new_store(name: str, tmp_path: Path, git: Run, memgit: Run) -> None:
    done = memgit("init", name)

    store = tmp_path / name
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{store} is a store\n")
    assert "Next" in done.stdout
    assert _committed(store, git) == LAID
    assert git(store, "status", "--porcelain").stdout == ""
    message = git(store, "log", "-1", "--format=%B").stdout
    assert "Memgit-Operation: init" in message
    head = json.loads((store / ".git" / "memgit" / "main" / "table" / "head.json").read_text())
    assert head["commit"] == git(store, "rev-parse", "HEAD").stdout.strip()
    assert memgit("add", "--body", "Use tabs.", cwd=store).returncode == 0


def test_the_gate_stands_before_each_commit(tmp_path: Path, git: Run, memgit: Run) -> None:
    memgit("init", "memory")
    store = tmp_path / "memory"
    (store / "broken.md").write_text("---\nname: [\n---\ntext\n")
    git(store, "add", "--all")
    poor = {**os.environ, "PATH": "/usr/bin:/bin"}

    with pytest.raises(subprocess.CalledProcessError) as raised:
        git(store, "commit", "--quiet", "--message=broken", env=poor)

    assert "broken.md:" in raised.value.stderr + raised.value.stdout
    (store / "broken.md").write_text("---\nname: mended\n---\ntext\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=mended", env=poor)
    git(store, "commit", "--quiet", "--allow-empty", "--message=none", env={**poor, "SKIP": "x"})


def test_the_gate_is_found_by_pre_commit_itself(tmp_path: Path, git: Run, memgit: Run) -> None:
    memgit("init", "memory")
    store = tmp_path / "memory"
    run = [sys.executable, "-m", "pre_commit"]
    poor = {**os.environ, "PATH": "/usr/bin:/bin"}
    subprocess.run([*run, "install"], cwd=store, check=True, capture_output=True)
    (store / "fine.md").write_text("---\nname: fine\n---\ntext\n")
    git(store, "add", "--all")

    git(store, "commit", "--quiet", "--message=fine", env=poor)

    (store / "broken.md").write_text("---\nname: [\n---\ntext\n")
    git(store, "add", "--all")
    with pytest.raises(subprocess.CalledProcessError):
        git(store, "commit", "--quiet", "--message=broken", env=poor)


def test_twice_changes_nothing_and_says_so(tmp_path: Path, memgit: Run) -> None:
    memgit("init", "memory")
    before = _everything(tmp_path / "memory")

    done = memgit("init", "memory")

    assert done.stdout == f"{tmp_path / 'memory'} is a store; nothing to do\n"
    assert _everything(tmp_path / "memory") == before


def test_a_clone_gets_hooks_and_an_index(tmp_path: Path, git: Run, memgit: Run) -> None:
    memgit("init", "memory")
    git(tmp_path, "clone", "--quiet", "memory", "clone")

    done = memgit("init", cwd=tmp_path / "clone")

    assert "committed" not in done.stdout
    assert (tmp_path / "clone" / ".git" / "hooks" / "post-commit").exists()
    assert len(_commits(tmp_path / "clone", git)) == 1


def test_a_repository_is_adopted_with_none_of_the_persons_work(
    project: Path, git: Run, memgit: Run
) -> None:
    (project / "staged.md").write_text("staged\n")
    (project / "PROFILE.md").write_text("- mine\r\n")
    git(project, "add", "staged.md")
    (project / "code.py").write_text("changed\n")
    before = git(project, "status", "--porcelain").stdout

    done = memgit("init", ".", cwd=project)

    assert done.returncode == 0, done.stderr
    assert _committed(project, git) == LAID - {"PROFILE.md", ".gitattributes"}
    assert git(project, "status", "--porcelain").stdout == before
    assert (project / "PROFILE.md").read_bytes() == b"- mine\r\n"


def test_a_first_commit_still_to_come(tmp_path: Path, git: Run, memgit: Run) -> None:
    git(tmp_path, "init", "--quiet", "fresh")
    (tmp_path / "fresh" / "mine.md").write_text("mine\n")
    git(tmp_path / "fresh", "add", "mine.md")

    done = memgit("init", "fresh")

    assert done.returncode == 0, done.stderr
    assert git(tmp_path / "fresh", "status", "--porcelain").stdout == "A  mine.md\n"


def test_a_folder_of_files_without_a_repository(tmp_path: Path, git: Run, memgit: Run) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "memgit.toml").write_text("format = 1 # mine\n")
    (folder / CONFIG).write_text("repos: []\n")
    (folder / "one.md").write_text("one\n")

    done = memgit("init", cwd=folder)

    assert "memories not committed yet: 1" in done.stdout
    assert _committed(folder, git) == LAID
    assert git(folder, "show", "HEAD:memgit.toml").stdout == "format = 1 # mine\n"
    assert "memgit-check" in git(folder, "show", f"HEAD:{CONFIG}").stdout


def test_a_linked_folder(tmp_path: Path, git: Run, memgit: Run) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    assert memgit("init", "link").returncode == 0
    assert memgit("init", cwd=tmp_path / "link").stdout.endswith("nothing to do\n")
    assert _commits(tmp_path / "real", git) == ["init: what a store needs"]


def test_a_shallow_clone(project: Path, git: Run, memgit: Run) -> None:
    git(project, "commit", "--quiet", "--allow-empty", "--message=second")
    git(project.parent, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")

    assert memgit("init", "shallow").returncode == 0
    assert len(_commits(project.parent / "shallow", git)) == 2


# The configuration of pre-commit.

THEIRS = """# What the team agreed on.
repos:
  - repo: local
    hooks:
      - id: theirs  # first of all
        name: theirs
        entry: "true"
        language: system
# The end.
"""


def test_the_gate_joins_a_configuration_that_is_there(project: Path, git: Run, memgit: Run) -> None:
    (project / CONFIG).write_text(THEIRS)
    git(project, "add", CONFIG)
    git(project, "commit", "--quiet", "--message=configuration")

    done = memgit("init", ".", cwd=project)

    added = (project / CONFIG).read_text()
    assert [line for line in THEIRS.splitlines() if line not in added.splitlines()] == []
    assert added.index("theirs  # first") < added.index("memgit-check") < added.index("# The end.")
    assert CONFIG in _committed(project, git)
    assert "its other hooks run at commits too: theirs" in done.stdout
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", CONFIG], cwd=project, check=True
    )


def test_uninstall_takes_the_gate_out_of_a_configuration_that_was_there(
    project: Path, git: Run, memgit: Run
) -> None:
    (project / CONFIG).write_text(THEIRS)
    git(project, "add", CONFIG)
    git(project, "commit", "--quiet", "--message=configuration")
    memgit("init", ".", cwd=project)

    done = memgit("uninstall", cwd=project)

    assert f"{CONFIG}: put back as it was\n" in done.stdout
    assert (project / CONFIG).read_text() == THEIRS
    assert git(project, "status", "--porcelain", CONFIG).stdout == ""
    assert git(project, "log", "-1", "--format=%s").stdout.startswith("uninstall: ")
    assert "no hooks of memgit" in memgit("uninstall", cwd=project).stdout
    memgit("init", ".", cwd=project)
    assert "memgit-check" in (project / CONFIG).read_text()


def test_uninstall_leaves_a_configuration_in_the_making_to_the_person(
    project: Path, git: Run, memgit: Run
) -> None:
    (project / CONFIG).write_text(THEIRS)
    memgit("init", ".", cwd=project)
    head = git(project, "rev-parse", "HEAD").stdout

    assert "left for you to commit" in memgit("uninstall", cwd=project).stdout
    assert (project / CONFIG).read_text() == THEIRS
    assert git(project, "rev-parse", "HEAD").stdout == head


def test_uninstall_tells_of_a_gate_that_somebody_changed(project: Path, memgit: Run) -> None:
    (project / CONFIG).write_text(THEIRS)
    memgit("init", ".", cwd=project)
    changed = (project / CONFIG).read_text().replace("name: memgit check", "name: memories")
    (project / CONFIG).write_text(changed)

    done = memgit("uninstall", cwd=project)

    assert f"{CONFIG}: memgit-check stays, because it is not as memgit wrote it" in done.stdout
    assert done.stdout.count(CONFIG) == 1
    assert (project / CONFIG).read_text() == changed


def test_a_configuration_in_the_making_is_left_to_the_person(
    project: Path, git: Run, memgit: Run
) -> None:
    (project / CONFIG).write_text(THEIRS)

    done = memgit("init", ".", cwd=project)

    assert "left for you to commit" in done.stdout
    assert CONFIG not in _committed(project, git)
    assert "memgit-check" in (project / CONFIG).read_text()
    assert memgit("init", cwd=project).stdout.endswith("nothing to do\n")


@pytest.mark.parametrize("content", [b"repos: [\n", b"\xff\xfe\0", "link"])
def test_a_configuration_that_cannot_be_changed_is_not(
    content: bytes | str, project: Path, memgit: Run
) -> None:
    if isinstance(content, str):
        (project / "elsewhere.yaml").write_text(THEIRS)
        (project / CONFIG).symlink_to("elsewhere.yaml")
    else:
        (project / CONFIG).write_bytes(content)

    done = memgit("init", ".", cwd=project)

    assert done.returncode == 0
    assert "by hand" in done.stdout
    assert "id: memgit-check" in done.stdout
    if isinstance(content, bytes):
        assert (project / CONFIG).read_bytes() == content
    else:
        assert (project / "elsewhere.yaml").read_text() == THEIRS


# What is refused, with nothing changed.


def test_a_project_does_not_become_a_store_by_accident(
    project: Path, memgit: Run, tmp_path: Path
) -> None:
    before = _everything(project)
    (project / "src").mkdir()

    _refused(memgit("init", cwd=project), 2, "`memgit init .`")
    _refused(memgit("init", cwd=project / "src"), 2, f"`memgit init {project}`")
    _refused(memgit("init", ".", cwd=project / "src"), 2, "inside the repository", "git init")
    _refused(memgit("init", "new", cwd=project), 2, "inside the repository", "git init")
    _refused(memgit("init", cwd=tmp_path, env={"HOME": str(tmp_path)}), 2, "home")
    assert _everything(project) == before
    assert not (tmp_path / ".git").exists()


def test_inside_a_store_it_is_that_store(tmp_path: Path, memgit: Run) -> None:
    memgit("init", "memory")
    (tmp_path / "memory" / "sub").mkdir()

    done = memgit("init", cwd=tmp_path / "memory" / "sub")

    assert done.stdout == f"{tmp_path / 'memory'} is a store; nothing to do\n"


def test_a_detached_head(project: Path, git: Run, memgit: Run) -> None:
    git(project, "checkout", "--quiet", "--detach")
    before = _everything(project)

    _refused(memgit("init", ".", cwd=project), 3, "detached", "git switch")

    assert _everything(project).keys() - before.keys() <= {".git/memgit/lock"}


def test_a_rebase_in_progress(project: Path, git: Run, memgit: Run) -> None:
    git(project, "commit", "--quiet", "--allow-empty", "--message=second")
    git(project, "-c", "sequence.editor=sed -i s/pick/edit/", "rebase", "--quiet", "-i", "HEAD~1")

    _refused(memgit("init", ".", cwd=project), 3, "a rebase is in progress", "--abort")

    assert not (project / "memgit.toml").exists()


def test_a_bare_repository(tmp_path: Path, git: Run, memgit: Run) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    before = _everything(tmp_path)

    _refused(memgit("init", "bare.git"), 3, "bare repository", "clone it")

    assert _everything(tmp_path) == before


def test_no_git(tmp_path: Path, memgit: Run) -> None:
    _refused(memgit("init", "memory", env={"PATH": str(tmp_path)}), 3, "git is not installed")

    assert not (tmp_path / "memory").exists()


def test_a_file(tmp_path: Path, memgit: Run) -> None:
    (tmp_path / "file").write_text("mine")

    _refused(memgit("init", "file"), 2, "not a folder")
    _refused(memgit("init", "file/below"), 3, "file")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("there", ["project", "new"])
def test_git_does_not_know_the_person(
    there: str, sealed: Path, project: Path, tmp_path: Path, memgit: Run
) -> None:
    (sealed / "gitconfig").write_text("[user]\n  useConfigOnly = true\n")
    before = _everything(tmp_path)

    _refused(memgit("init", f"{there}/" if there == "project" else "a/new"), 3, "user.name")

    assert _everything(tmp_path).keys() - before.keys() <= {"project/.git/memgit/lock"}
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("there", ["project", "folder"])
def test_a_folder_that_cannot_be_written(
    there: str, project: Path, tmp_path: Path, git: Run
) -> None:
    folder = project if there == "project" else tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    before = _everything(folder)
    closed = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for path in closed:
        path.chmod(0o555)
    words = [sys.executable, "-m", "memgit", "init", str(folder)]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root may write everywhere, and setpriv is not here to forbid it")
        words = ["setpriv", "--bounding-set=-dac_override", *words]

    done = subprocess.run(words, capture_output=True, text=True)

    for path in closed:
        path.chmod(0o755)
    _refused(done, 3, "denied")
    assert _everything(folder) == before


# What is laid down.


def test_the_shipped_settings_show_the_defaults(tmp_path: Path) -> None:
    text = (shipped("templates") / "memgit.toml").read_text()
    open_text = "\n".join(
        line.removeprefix("# ") for line in text.splitlines() if " = " in line or "[" in line
    )
    (tmp_path / "memgit.toml").write_text(open_text)

    assert tomllib.loads(text) == {"format": FORMAT}
    assert tomllib.loads(open_text)["weights"] == WEIGHTS
    assert tomllib.loads(open_text)["recall"] == vars(Recall())
    loaded = Settings.load(tmp_path)
    assert list(loaded.projects) == ["github.com/you/project"]  # an example: there is no default
    assert replace(loaded, projects={}) == Settings(format=FORMAT)


def test_the_shipped_configuration_names_no_machine() -> None:
    path = shipped("templates") / CONFIG

    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", str(path)], check=True)
    assert "/home" not in path.read_text()
    assert "python" not in path.read_text()


def test_memories_keep_their_bytes_and_lists_merge(tmp_path: Path, git: Run, memgit: Run) -> None:
    memgit("init", "memory")
    store = tmp_path / "memory"
    git(store, "config", "--global", "core.autocrlf", "input")
    (store / "crlf.md").write_bytes(b"one\r\ntwo\r\n")
    for branch, line in (("other", "- [a](a.md)\n"), ("main", "- [b](b.md)\n")):
        git(store, "switch", "--quiet", *(["-c"] if branch == "other" else []), branch)
        (store / "MEMORY.md").write_text(line)
        git(store, "add", "--all")
        git(store, "commit", "--quiet", "--no-verify", f"--message={branch}")

    git(store, "merge", "--quiet", "--no-edit", "other")

    blob = subprocess.run(["git", "show", "HEAD:crlf.md"], cwd=store, capture_output=True).stdout
    assert blob == b"one\r\ntwo\r\n"
    merged = git(store, "show", "HEAD:MEMORY.md").stdout  # made anew by the hook behind the merge
    assert "(a.md)" in merged
    assert "(b.md)" in merged


# ---------------------------------------------------------------------------- several at once


def test_six_that_begin_one_store_make_one(tmp_path: Path, git: Run) -> None:
    for number in range(3):
        folder = tmp_path / f"store-{number}" / "deep"
        words = [sys.executable, "-m", "memgit", "init", str(folder)]
        started = [
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for _ in range(6)
        ]
        for process in started:
            said, _ = process.communicate(timeout=60)
            assert process.returncode == 0, said
        assert git(folder, "log", "--format=%s").stdout == "init: what a store needs\n"
        assert git(folder, "status", "--porcelain").stdout == ""


def test_a_store_that_another_process_began_meanwhile_is_not_removed(
    tmp_path: Path, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(store: Store, fresh: bool) -> None:
        assert fresh
        git(store.root, "commit", "--quiet", "--allow-empty", "--message=theirs")
        raise StoreError("ours could not be made")

    monkeypatch.setattr("memgit.commands.init.adopt", fail)
    with pytest.raises(SystemExit) as ended:
        main(["init", str(tmp_path / "new" / "store")])
    assert ended.value.code == 3
    assert git(tmp_path / "new" / "store", "log", "--format=%s").stdout == "theirs\n"


def test_a_repository_that_was_begun_and_never_made_is_made(
    tmp_path: Path, memgit: Run, git: Run
) -> None:
    (tmp_path / "store" / ".git").mkdir(parents=True)
    assert memgit("init", tmp_path / "store").returncode == 0
    assert git(tmp_path / "store", "status", "--porcelain").stdout == ""
