"""`memgit verify` and `memgit trust`, as a person runs them."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def put(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def harbor(tmp_path: Path, git: Run) -> Path:
    folder = tmp_path / "harbor"
    git(tmp_path, "init", "--quiet", str(folder))
    put(folder, {"ops/rotate.py": "x\n", "src/app.py": "y\n"})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=first")
    (folder / "tools").mkdir()
    git(folder, "mv", "ops/rotate.py", "tools/rotate.py")
    git(folder, "commit", "--quiet", "--message=second")
    return folder


@pytest.fixture
def trusted(store: Path, git: Run, memgit: Run) -> Path:
    put(store, {
        "rotation.md": "---\nname: rotation\ndescription: how keys of the harbour are rotated\n"
                       "metadata:\n  unverified: I doubt it\n---\n\n"
                       "Keys are rotated by `ops/rotate.py`.\n",
        "start.md": "---\nname: start\ndescription: where the harbour application starts\n---\n\n"
                    "The harbour application starts in `src/app.py`.\n",
        "state.md": "---\nname: state\n---\n\nPR #12 is open.\n",
    })  # fmt: skip
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=memories")
    assert memgit("trust", "--store", store).returncode == 0
    return store


def test_from_a_claim_to_its_label_and_back(
    trusted: Path, harbor: Path, memgit: Run, git: Run
) -> None:
    done = memgit("verify", "--store", trusted, "--root", harbor)
    assert done.returncode == 1
    assert "rotation.md:8: `ops/rotate.py` not found (moved to tools/rotate.py?)" in done.stdout
    assert "1 state that passes (open, closed) was not taken for a claim" in done.stdout
    assert "label: rotation unverified" in done.stderr
    assert "1 edit waits" in done.stderr
    shown = memgit("show", "rotation", "--store", trusted).stdout
    assert "! unverified: I doubt it" in shown
    assert "! unverified: `ops/rotate.py` not found, checked " in shown
    assert "(moved to `tools/rotate.py`?)" in shown
    assert "checked today" in memgit("show", "start", "--store", trusted).stdout
    log = git(trusted, "log", "-1", "--format=%B").stdout
    assert "Memgit-Actor: verify" in log
    recalled = memgit("recall", "--store", trusted, "--prompt", "@rotation how?").stdout
    assert "unverified: `ops/rotate.py` not found, checked " in recalled
    recalled = memgit("recall", "--store", trusted, "--prompt", "@start where?").stdout
    assert "; checked today)" in recalled

    put(harbor, {"ops/rotate.py": "x\n"})
    again = memgit("verify", "--store", trusted, "--root", harbor, "rotation")
    assert (again.returncode, "unlabel: rotation" in again.stderr) == (0, True)
    shown = memgit("show", "rotation", "--store", trusted).stdout
    assert "! unverified: I doubt it" in shown
    assert "not found" not in shown


def test_a_look_without_the_project_takes_no_label_away(
    trusted: Path, harbor: Path, memgit: Run, git: Run
) -> None:
    put(harbor, {"bin/rotatekeys": "x\n", "docs/old plan.md": "x\n", "gone.md": "x\n"})
    git(harbor, "add", "--all")
    git(harbor, "commit", "--quiet", "--message=third")
    git(harbor, "rm", "--quiet", "-r", "bin", "docs", "gone.md")
    git(harbor, "commit", "--quiet", "--message=fourth")
    put(trusted, {"keys.md": "Run `bin/rotatekeys`, see `docs/old plan.md` and `gone.md`.\n"})
    git(trusted, "add", "--all")
    git(trusted, "commit", "--quiet", "--message=keys")
    memgit("verify", "--store", trusted, "--root", harbor)
    labelled = memgit("show", "keys", "--store", trusted).stdout
    assert labelled.count("! unverified") == 3
    head = git(trusted, "rev-parse", "HEAD").stdout
    assert "unlabel" not in memgit("verify", "--store", trusted).stderr
    assert git(trusted, "rev-parse", "HEAD").stdout == head
    put(trusted, {"keys.md": (trusted / "keys.md").read_text().replace("`bin/rotatekeys`", "it")})
    git(trusted, "commit", "--quiet", "--all", "--message=mended")
    assert "unlabel: keys" in memgit("verify", "--store", trusted).stderr
    assert memgit("show", "keys", "--store", trusted).stdout.count("! unverified") == 2


def test_json_is_one_object_a_line(trusted: Path, harbor: Path, memgit: Run) -> None:
    done = memgit("verify", "--store", trusted, "--root", harbor, "--json", "--dry-run")
    found = {(row["type"], row["mention"]): row for row in rows(done)}
    row = found["verdict", "ops/rotate.py"]
    assert {"type", "memory", "line", "mention", "probe", "args", "verdict", "moved_to",
            "checked"} <= set(row)  # fmt: skip
    assert (row["memory"], row["line"], row["probe"]) == ("rotation", 8, "path_exists")
    assert (row["verdict"], row["moved_to"]) == ("refuted", "tools/rotate.py")
    assert row["args"] == {"path": "ops/rotate.py"}
    assert found["verdict", "src/app.py"]["moved_to"] is None
    assert "open is a mood" in str(found["refusal", "PR #12"]["reason"])


def test_a_dry_run_writes_nothing(trusted: Path, harbor: Path, memgit: Run, git: Run) -> None:
    head = git(trusted, "rev-parse", "HEAD").stdout
    memgit("verify", "--store", trusted, "--root", harbor, "--dry-run")
    assert git(trusted, "rev-parse", "HEAD").stdout == head
    assert git(trusted, "status", "--porcelain").stdout == ""
    derived = trusted / ".git/memgit/main"
    assert not (derived / "verdicts.jsonl").exists()
    assert not (derived / "checked").exists()


def test_stale_tells_only_what_was_looked_up_now(trusted: Path, harbor: Path, memgit: Run) -> None:
    memgit("verify", "--store", trusted, "--root", harbor)
    done = memgit("verify", "--store", trusted, "--root", harbor, "--stale", "--json")
    assert [row for row in rows(done) if row["type"] == "verdict"] == []
    assert done.returncode == 0


def test_a_store_that_nobody_trusts_says_so(store: Path, harbor: Path, memgit: Run) -> None:
    put(store, {"a.md": "`ops/rotate.py`\n"})
    done = memgit("verify", "--store", store, "--root", harbor, "--json")
    assert "not trusted yet" in done.stderr
    assert "memgit trust" in done.stderr
    assert [row["verdict"] for row in rows(done)] == ["unknown"]
    taken = memgit("trust", "--store", store, "--remove", "--json")
    assert rows(taken)[0]["trusted"] is False


def test_a_store_that_init_made_is_trusted(tmp_path: Path, memgit: Run, harbor: Path) -> None:
    memgit("init", tmp_path / "new")
    put(tmp_path / "new", {"a.md": "`ops/rotate.py`\n"})
    done = memgit("verify", "--store", tmp_path / "new", "--root", harbor, "--dry-run")
    assert (done.returncode, done.stderr) == (1, "")
    put(tmp_path / "found", {"a.md": "`ops/rotate.py`\n"})
    memgit("init", tmp_path / "found")
    done = memgit("verify", "--store", tmp_path / "found", "--root", harbor, "--dry-run")
    assert "not trusted yet" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--root", "nowhere"), "no such folder"),
        (("nobody",), "no memory is named nobody"),
    ],
)
def test_bad_input_is_one_line(
    trusted: Path, memgit: Run, words: tuple[str, ...], said: str
) -> None:
    done = memgit("verify", "--store", trusted, *words)
    assert done.returncode in (2, 3)
    assert said in done.stderr
    assert done.stderr.count("\n") <= 2


def test_a_memory_that_is_edited_while_it_is_looked_up_keeps_its_words(
    trusted: Path, harbor: Path, tmp_path: Path, git: Run
) -> None:
    """The file changes between the reading and the label: the person's words stand, unlabelled."""
    program = (
        "import sys, pathlib\n"
        "from memgit.commands import verify\n"
        "real = verify._write\n"
        "def write(store, *rest):\n"
        "    pathlib.Path(store.root, 'rotation.md').write_text('My own words.\\n')\n"
        "    real(store, *rest)\n"
        "verify._write = write\n"
        "from memgit.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "verify", "--store", trusted, "--root", harbor],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert "rotation was edited meanwhile; its verdicts were dropped" in done.stderr
    assert (trusted / "rotation.md").read_text() == "My own words.\n"


def test_ended_half_way_it_goes_on_where_it_was(
    trusted: Path, harbor: Path, memgit: Run, tmp_path: Path
) -> None:
    put(trusted, {f"more/{n}.md": f"`src/never{n}.py`\n" for n in range(30)})
    program = (
        "import sys, time\n"
        "from memgit.domain.claims import journal\n"
        "real = journal.Journal.note\n"
        "def note(self, one):\n"
        "    real(self, one)\n"
        "    time.sleep(0.2)\n"
        "journal.Journal.note = note\n"
        "from memgit.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, "verify", "--store", str(trusted), "--root", str(harbor)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    file = trusted / ".git/memgit/main/verdicts.jsonl"
    until = time.monotonic() + 30
    while time.monotonic() < until and not (file.exists() and file.read_bytes().count(b"\n") > 3):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert (running.returncode, "stopped" in said) == (130, True)
    known = file.read_bytes().count(b"\n")
    assert 3 < known < 30
    done = memgit("verify", "--store", trusted, "--root", harbor, "--stale", "--json")
    asked = [row for row in rows(done) if row["type"] == "verdict"]
    assert len(asked) == 32 - known
    assert "unverified" in (trusted / "more/0.md").read_text()
