"""Bad input and bad luck: each told in one clear line, and nothing lost."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.remember import Wish, remember
from memgit.domain.store import Store
from memgit.prompt.table import BrokenTable, Table

Run = Callable[..., subprocess.CompletedProcess[str]]
Done = subprocess.CompletedProcess[str]

ROOT = Path(__file__).resolve().parent.parent


def told(done: Done, code: int = 3) -> str:
    """The one line that says what is wrong, after checking that it is one, with a hint."""
    assert done.returncode == code, done
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert lines[0].startswith("memgit: ")
    assert "Traceback" not in done.stderr
    assert len(lines) <= 2
    assert "" not in lines
    return done.stderr


def hook(store: Path, prompt: str) -> str:
    """What the prompt hook says, by the launcher that an agent starts."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "hooks/recall.py"), "--store", str(store)],
        input=json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": prompt}).encode(),
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stderr == b""
    return done.stdout.decode()


def head(store: Path) -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=store, capture_output=True, text=True, check=True
    ).stdout.strip()


# ------------------------------------------------------------------------------ the wrong place


@pytest.mark.parametrize("verb", [("list",), ("search", "x"), ("show", "x"), ("index",)])
def test_without_git(store: Path, memgit: Run, tmp_path: Path, verb: tuple[str, ...]) -> None:
    (tmp_path / "empty").mkdir()
    done = memgit("--store", store, *verb, env={"PATH": str(tmp_path / "empty")})
    assert told(done) == (
        "memgit: git is not installed or not on PATH\n  install git 2.31 or newer\n"
    )


@pytest.mark.parametrize("verb", [("list",), ("add", "--body", "x"), ("search", "x")])
def test_settings_of_git_that_it_cannot_read(
    store: Path, memgit: Run, tmp_path: Path, sealed: Path, verb: tuple[str, ...]
) -> None:
    (sealed / "gitconfig").write_text("[broken\n")
    done = memgit("--store", store, *verb, env={"TMPDIR": str(tmp_path)})
    assert "git does not run: bad config line 1 in file" in told(done)


@pytest.mark.parametrize("mode", ["quiet", "raise", "odd"])
def test_variables_for_gitpython_change_nothing(sample: Path, memgit: Run, mode: str) -> None:
    odd = {"GIT_PYTHON_GIT_EXECUTABLE": "/nowhere/git", "GIT_PYTHON_REFRESH": mode}
    done = memgit("--store", sample, "list", env=odd)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 2500])
def test_a_path_longer_than_any(store: Path, memgit: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert "File name too long" in told(memgit("--store", path, "list"))
    assert "File name too long" in told(memgit("list", env={"MEMGIT_REPO": str(path)}))
    assert "File name too long" in told(memgit("init", path), code=2)


def test_a_path_in_a_circle_or_of_nobody(store: Path, memgit: Run, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    assert "no such folder" in told(memgit("--store", tmp_path / "circle", "list"))
    assert "circle: " in told(memgit("init", tmp_path / "circle"), code=2)
    assert "no such person's home" in told(memgit("init", "~nobody-of-this-name/x"))
    assert "no such person's home" in told(
        memgit("--store", store, "import", "~nobody-of-this-name/x")
    )


def test_a_bare_repository(store: Path, memgit: Run, tmp_path: Path, git: Run) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(store), "bare.git")
    done = memgit("--store", tmp_path / "bare.git", "list")
    assert "a bare repository has no files to remember in\n  clone it" in told(done)


def test_no_repository_and_no_store(memgit: Run, tmp_path: Path, git: Run) -> None:
    (tmp_path / "plain").mkdir()
    git(tmp_path, "init", "--quiet", "repository")
    assert "not a git repository\n  make it a store" in told(
        memgit("--store", tmp_path / "plain", "list")
    )
    assert "a repository, but not a store" in told(
        memgit("--store", tmp_path / "repository", "list")
    )
    assert "no such folder" in told(memgit("--store", tmp_path / "gone", "list"))
    assert "no store found\n  stand in one" in told(memgit("list", cwd=tmp_path / "plain"))


def test_settings_that_are_none(store: Path, memgit: Run) -> None:
    (store / "memgit.toml").write_text("format = \n")
    assert "memgit.toml: " in told(memgit("--store", store, "list"))
    (store / "memgit.toml").write_text("format = 99\n")
    assert "this memgit knows" in told(memgit("--store", store, "add", "--body", "words"))


def test_a_folder_with_a_space_and_other_letters(sample: Path, memgit: Run, tmp_path: Path) -> None:
    store = tmp_path / "a b" / "日本 'quoted'"
    store.parent.mkdir()
    sample.rename(store)
    assert memgit("add", "--name", "x", "--body", "words", cwd=store).returncode == 0
    assert "x" in memgit("search", "words", cwd=store).stdout
    assert "staging-database" in hook(store, "which port is staging postgres on?")


def test_a_store_behind_a_link(sample: Path, memgit: Run, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(sample)
    assert memgit("--store", tmp_path / "link", "add", "--body", "linked words").returncode == 0
    assert "linked-words" in memgit("--store", sample, "list").stdout
    assert "staging-database" in hook(tmp_path / "link", "which port is staging postgres on?")


def test_a_shallow_clone(sample: Path, memgit: Run, tmp_path: Path, git: Run) -> None:
    git(sample, "commit", "--quiet", "--allow-empty", "--message=two")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{sample}", "shallow")
    assert memgit("add", "--body", "words", cwd=tmp_path / "shallow").returncode == 0
    assert len(memgit("list", cwd=tmp_path / "shallow").stdout.splitlines()) == 38


def test_no_commit_yet(memgit: Run, tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet", "new")
    (tmp_path / "new/memgit.toml").touch()
    (tmp_path / "new/a.md").write_text("only written\n")
    new = tmp_path / "new"
    assert memgit("list", cwd=new).stdout == ""
    assert memgit("search", "written", cwd=new).returncode == 1
    assert "only written" in memgit("show", "a", cwd=new).stdout
    assert hook(new, "only written?") == ""


def test_a_commit_inside_a_hook_of_another_repository(
    store: Path, tmp_path: Path, git: Run
) -> None:
    other = tmp_path / "other"
    git(tmp_path, "init", "--quiet", "other")
    for name in ("pre-commit", "post-commit"):
        file = other / ".git/hooks" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(
            f"#!/bin/sh\n'{sys.executable}' -m memgit --store '{store}' add --body 'from {name}'\n"
        )
        file.chmod(0o755)
    (other / "a.txt").write_text("a")
    (other / "b.txt").write_text("b")
    git(other, "add", "a.txt", "b.txt")
    git(other, "commit", "--quiet", "--message=theirs", "--date=2001-01-01T00:00:00Z", "a.txt")
    assert git(other, "show", "--name-only", "--format=%s").stdout == "theirs\n\na.txt\n"
    assert git(other, "status", "--porcelain").stdout == "A  b.txt\n"
    log = git(store, "log", "--format=%s %ad", "--date=format:%Y").stdout.splitlines()
    assert [line.rpartition(" ")[0] for line in log[:2]] == [
        "add: from-post-commit", "add: from-pre-commit",
    ]  # fmt: skip
    assert not any(line.endswith("2001") for line in log[:2])
    assert git(store, "status", "--porcelain").stdout == ""


# ------------------------------------------------------------------------------------- large


def test_five_megabytes(store: Path, memgit: Run) -> None:
    random = Random(1)
    words = [f"word{number}" for number in range(5000)]
    text = "# A needle\n\n" + "\n".join(
        " ".join(random.choices(words, k=12)) for _ in range(48_000)
    )  # fmt: skip
    assert len(text) > 5_000_000
    started = time.monotonic()
    about = ("--name", "large", "--description", "needle in a haystack")
    done = memgit("--store", store, "add", *about, stdin=text)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - started < 60
    assert (store / "large.md").read_text().endswith(text[-100:] + "\n")
    shown = memgit("--store", store, "search", "needle", "--json").stdout
    assert json.loads(shown)["name"] == "large"
    assert len(shown) < 2000
    assert len(hook(store, "where is the needle in the haystack?")) < 10_000


# ------------------------------------------------------------------------------------ the disk


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """A small disk of its own in `folder`; skips where nobody lets us mount one."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", *options, "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a disk is not allowed here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


def fill_up(folder: Path) -> Path:
    """A file that takes all room that is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def kept(done: Done) -> str:
    found = re.search(r"your text is kept: memgit import (.+)", done.stderr)
    assert found, done.stderr
    return Path(found[1]).read_text()


def test_a_full_disk(sample: Path, memgit: Run, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "-o", "size=24m") as disk:
        store = shutil.copytree(sample, disk / "store", symlinks=True)
        assert memgit("--store", store, "add", "--body", "before").returncode == 0
        before = (head(store), sorted(path.name for path in store.iterdir()))
        filler = fill_up(disk)
        done = memgit("--store", store, "add", "--name", "mine", stdin="my words")
        assert "No space left" in told(done) or "the disk is full" in told(done)
        assert kept(done).endswith("\nmy words\n")
        assert (head(store), sorted(path.name for path in store.iterdir())) == before
        assert not list(store.rglob("*.lock"))[2:], "only locks of ours, which end with us"
        assert "staging-database" in hook(store, "which port is staging postgres on?")
        assert memgit("--store", store, "search", "staging").returncode == 0
        done = memgit("--store", store, "index", "--rebuild")
        assert "recall answers from the last one" in told(done)
        assert "staging-database" in hook(store, "which port is staging postgres on?")
        filler.unlink()
        assert (
            memgit("--store", store, "add", "--name", "mine", "--body", "my words").returncode == 0
        )
        assert "mine" in memgit("--store", store, "search", "my words").stdout


def test_a_disk_that_is_full_at_any_moment(store: Path, tmp_path: Path) -> None:
    """The commit is there whole or not at all, however much room there is."""
    with mounted(tmp_path / "disk", "-o", "size=2m") as disk:
        clean = shutil.copytree(store, disk / "store")
        remember(Store.at(clean), Wish("first words"))
        filler = fill_up(disk)
        outcomes = set()
        for room in range(0, 120_000, 6_000):
            size = filler.stat().st_size
            os.truncate(filler, size - room)
            before = head(clean)
            try:
                done = remember(Store.at(clean), Wish(f"words {room} " + "x" * 2000))
            except Exception as fault:
                outcomes.add(type(fault).__name__)
                assert head(clean) == before
            else:
                outcomes.add("done")
                assert head(clean) == done.commit
            command = ["git", "--no-optional-locks", "status", "--porcelain"]
            status = subprocess.run(
                command, cwd=clean, capture_output=True, text=True, check=True
            ).stdout
            assert status == ""
            filler = fill_up(disk)
        assert outcomes == {"done", "StoreError"}
        filler.unlink()
        assert len(Index(Store.at(clean)).records()) >= 2


def test_a_disk_that_only_reads(sample: Path, memgit: Run, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "-o", "size=64m") as disk:
        store = shutil.copytree(sample, disk / "store", symlinks=True)
        assert memgit("--store", store, "index").returncode == 0
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, capture_output=True)
        for verb in (("list",), ("search", "staging"), ("show", "deploy"), ("index",)):
            assert memgit("--store", store, *verb).returncode == 0
        assert "staging-database" in hook(store, "which port is staging postgres on?")
        done = memgit("--store", store, "add", "--body", "my words")
        assert "Read-only file system" in told(done)
        assert kept(done).endswith("\nmy words\n")
        done = memgit("--store", store, "index", "--rebuild")
        assert "Read-only file system" in told(done)


def test_a_read_only_disk_whose_index_is_behind(
    sample: Path, memgit: Run, tmp_path: Path, git: Run
) -> None:
    with mounted(tmp_path / "disk", "-o", "size=64m") as disk:
        store = shutil.copytree(sample, disk / "store", symlinks=True)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, capture_output=True)
        assert "Read-only file system" in told(memgit("--store", store, "list"))
        assert hook(store, "which port is staging postgres on?") == ""


# ------------------------------------------------------------------------------- many at once


def shell(line: str, store: Path) -> subprocess.CompletedProcess[str]:
    """What `sh` says of a line in which `$memgit` is the command on this store."""
    called = shlex.join([sys.executable, "-m", "memgit", "--store", str(store)])
    return subprocess.run(
        ["sh", "-c", line.replace("$memgit", called)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("verb", ["list", "list --json", "search token", "log"])
def test_a_stdout_that_takes_nothing(sample: Path, verb: str) -> None:
    done = shell(f"$memgit {verb} >/dev/full", sample)
    assert (done.returncode, done.stderr) == (3, "memgit: stdout: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_stderr_that_takes_nothing(sample: Path) -> None:
    assert shell("$memgit frobnicate 2>/dev/full", sample).returncode == 2
    assert shell("$memgit show nowhere 2>/dev/full", sample).returncode in (1, 2, 3)
    assert shell("$memgit list 2>/dev/full", sample).returncode == 0


def test_streams_that_are_closed(store: Path) -> None:
    for number, closed in enumerate((">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-"), 1):
        done = shell(f"$memgit add --name one-{number} --body 'a text of its own' {closed}", store)
        assert done.returncode == 0, closed
        assert done.stdout == ("" if ">&- " in closed or closed == ">&-" else done.stdout)
        assert "Traceback" not in done.stderr
        assert (store / f"one-{number}.md").read_text().endswith("\na text of its own\n")
    assert shell("$memgit list >&-", store).returncode == 0


def test_a_reader_that_has_seen_enough(store: Path, git: Callable[..., Done]) -> None:
    for number in range(300):
        (store / f"note-{number}.md").write_text(f"# note {number}\n" + "many words " * 20)
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=many")
    Index(Store.at(store)).sync()
    done = shell("{ $memgit list --json; echo $? >&2; } | head -n 1", store)
    assert done.stderr == "0\n"
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("slow", ["click", "memgit.output", "memgit.commands.list"])
def test_an_interruption_while_modules_are_loaded(store: Path, tmp_path: Path, slow: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {slow!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "memgit", "--store", str(store), "list"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.strip() in ("", "memgit: stopped")


def test_two_committers_in_two_work_trees(
    store: Path, tmp_path: Path, git: Run, memgit: Run
) -> None:
    git(store, "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    loop = (
        "import sys\nfrom pathlib import Path\nfrom memgit.domain.indexing.index import Index\n"
        "from memgit.domain.remember import Wish, remember\nfrom memgit.domain.store import Store\n"
        "for number in range(8):\n"
        "    store = Store.at(Path(sys.argv[1]))\n"
        "    remember(store, Wish(f'words {number}'))\n    Index(store).sync()\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", loop, str(root)], stderr=subprocess.PIPE)
        for root in (store, tmp_path / "linked")
        for _ in range(2)
    ]
    for process in started:
        assert process.communicate(timeout=120)[1] == b""
        assert process.returncode == 0
    for root in (store, tmp_path / "linked"):
        assert git(root, "status", "--porcelain").stdout == ""
        assert git(root, "rev-list", "--count", "HEAD").stdout == "17\n"
        opened = Store.at(root)
        assert len(Index(opened).records()) == 16
        assert Table(str(Index(opened).table)).memories == 16


def strike(store: Path, number: int, delay: float, whole_group: bool) -> bool:
    """Start an add in a process of its own and kill it after `delay`; whether it had ended well."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.close(reader)
        os.write(writer, b".")
        code = 1
        try:
            opened = Store.at(store)
            done = remember(opened, Wish(f"struck {number}", f"m{number}"))
            os.write(writer, done.commit.encode())
            Index(opened).sync()
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    os.read(reader, 1)
    time.sleep(delay)
    target = os.killpg if whole_group else os.kill
    target(child, signal.SIGKILL)
    os.waitpid(child, 0)
    acknowledged = os.read(reader, 100)
    os.close(reader)
    return bool(acknowledged)


def kill_at_random(store: Path, times: int, seed: int) -> None:
    """Adds killed at any moment: what was acknowledged is there, and the next command works."""
    random = Random(seed)
    opened = Store.at(store)
    for name in ("first", "second"):
        started = time.monotonic()
        remember(opened, Wish("words", name))
        Index(opened).sync()
    usual = time.monotonic() - started
    promised = {"first.md", "second.md"}
    for number in range(times):
        delay = random.uniform(0.0, 1.3 * usual)
        if strike(store, number, delay, whole_group=random.random() < 0.5):
            promised.add(f"m{number}.md")
        try:
            Table(str(Index(opened).table))
        except BrokenTable as fault:
            raise AssertionError("a prompt would have had no answer") from fault
        if random.random() < 0.4:
            remember(Store.at(store), Wish("the next command", f"next{number}"))
            promised.add(f"next{number}.md")
    remember(Store.at(store), Wish("the last command", "last"))
    synced = Index(Store.at(store)).sync()
    commit = head(store)
    assert synced.commit == commit
    assert promised <= set(opened.repository.tree(commit))
    subprocess.run(["git", "fsck", "--strict"], cwd=store, check=True, capture_output=True)
    status = subprocess.run(
        ["git", "status", "--porcelain", "-z"],
        cwd=store,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    left = {row[3:] for row in status.split("\0") if row}
    assert all(re.fullmatch(r"m\d+\.md|\.memgit-\d+-0\.(new|kept)", path) for path in left), left
    for path in left & set(opened.paths()):
        assert "struck" in opened.read(path).body
    grown = Index(Store.at(store)).records()
    Index(Store.at(store)).sync(anew=True)
    assert Index(Store.at(store)).records() == grown


def test_kills_at_random_moments(store: Path) -> None:
    kill_at_random(store, 15, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 4))
def test_a_hundred_kills_at_random_moments(store: Path, seed: int) -> None:
    kill_at_random(store, 100, seed)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("lst", "Did you mean list?"), ("Serach", "Did you mean search?"), ("xyzzy", "'xyzzy'.\n")],
)
def test_a_verb_that_is_none_names_those_near(memgit: Run, typed: str, said: str) -> None:
    done = memgit(typed)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"No such command '{typed}'." in done.stderr
    assert said in done.stderr
    assert ("Did you mean" in done.stderr) == said.startswith("Did")
