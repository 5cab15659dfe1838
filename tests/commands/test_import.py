"""`memgit import`, as a person types it."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory folder as Claude Code leaves it, after some months."""
    folder = tmp_path / "memory"
    folder.mkdir()
    files = {
        "MEMORY.md": "# Memory Index\n- [Seats](seats.md) — held for 12 minutes\n"
        "- [Lost](lost.md) — the zanzibar server is read-only\n- 本番は木曜だけ\n",
        "seats.md": "# Seats\n\nA seat is held.\n",
        "review.md": "---\nname: How reviews go\ndescription: two people\ntype: feedback\n---\nx\n",
        "broken.md": "---\nname: [\n---\nstill here\n",
        "empty.md": "",
        "picture.md": "\x89PNG\0\0",
        "list.csv": "a,b\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "latin.md").write_bytes("déjà vu\n".encode("latin-1"))
    return folder


def test_what_was_taken_and_what_was_left_is_printed(
    memgit: Run, store: Path, memory: Path, git: Run
) -> None:
    done = memgit("--store", store, "import", memory)
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.splitlines()
    assert last.startswith("imported 6 new memories in ")
    assert f"{memory}/empty.md: empty" in lines
    assert f"{memory}/picture.md: binary" in lines
    assert f"{memory}/latin.md: read as cp1252, written as UTF-8" in lines
    assert f"{memory}: 1 file not in markdown" in lines
    assert any(line.startswith(f"{memory}/broken.md: its frontmatter") for line in lines)
    assert git(store, "status", "--short").stdout == ""
    again = memgit("--store", store, "import", memory)
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "nothing new to import")


def test_everything_can_be_found_by_its_own_words(memgit: Run, store: Path, memory: Path) -> None:
    memgit("--store", store, "import", memory)
    asked = {
        "zanzibar": "lost",
        "本番 木曜": "本番は木曜だけ",
        "held minutes": "seats",
        "déjà": "latin",
        "still": "broken",
    }
    for words, name in asked.items():
        done = memgit("--store", store, "search", words, "--json")
        assert json.loads(done.stdout.splitlines()[0])["name"] == name, done.stdout


def test_json(memgit: Run, store: Path, memory: Path) -> None:
    done = json.loads(memgit("--store", store, "import", "--json", memory).stdout)
    assert len(done["commit"]) == 40
    assert {"name": "seats", "path": "seats.md", "source": f"{memory}/seats.md", "new": True} in (
        done["memories"]
    )
    assert {"path": f"{memory}/empty.md", "reason": "empty"} in done["skipped"]
    again = json.loads(memgit("--store", store, "import", "--json", memory).stdout)
    assert again["commit"] is None
    assert again["memories"] == []
    assert {"path": f"{memory}/seats.md", "reason": "already there as seats"} in again["skipped"]


def test_the_result_passes_the_gates(memgit: Run, store: Path, memory: Path) -> None:
    (memory / "broken.md").unlink()
    memgit("--store", store, "import", memory)
    done = memgit("--store", store, "check")
    assert (done.returncode, done.stdout) == (0, "")


def test_a_path_that_is_not_there(memgit: Run, store: Path, tmp_path: Path) -> None:
    done = memgit("--store", store, "import", tmp_path / "none")
    assert done.returncode == 2
    assert done.stderr.startswith(f"memgit: {tmp_path}/none: No such file or directory\n")


def test_a_source_is_recorded_from_the_home_folder_on(
    memgit: Run, git: Run, store: Path, sealed: Path
) -> None:
    (sealed / "notes" / "a b").mkdir(parents=True)
    (sealed / "notes" / "a b" / "deploy.md").write_text("# Deploy\n\nThe other one.\n")
    (sealed / "notes" / "deploy.md").write_text("# Deploy\n\nWith `make ship`.\n")
    assert memgit("import", sealed / "notes", "--store", store).returncode == 0
    assert "path: ~/notes/deploy.md" in (store / "deploy.md").read_text()
    message = git(store, "log", "-1", "--format=%B").stdout
    assert "\nfrom ~/notes\n" in message
    assert "~/notes/a b/deploy.md: named a-b-deploy" in message
    assert str(sealed) not in message
    again = memgit("import", sealed / "notes", "--store", store)
    assert "already there" in again.stdout + again.stderr


def test_a_dry_run_tells_what_would_come_and_changes_nothing(
    store: Path, tmp_path: Path, memgit: Run, git: Run
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tabs.md").write_text("Indent with tabs.\n")
    (notes / "photo.png").write_bytes(b"\x89PNG")
    (store / "MEMORY.md").write_text("# Memory\n\n- a line by hand\n")
    before = git(store, "rev-parse", "HEAD").stdout, git(store, "status", "--porcelain").stdout
    shown = memgit("--store", store, "import", "--dry-run", notes)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"{notes}/tabs.md -> tabs.md" in shown.stdout
    assert "1 new, 0 changed" in shown.stdout
    assert "nothing was changed" in shown.stdout
    told = json.loads(memgit("--store", store, "import", "--dry-run", "--json", notes).stdout)
    assert told["dry_run"] is True
    assert told["commit"] is None
    assert [one["name"] for one in told["memories"]] == ["tabs"]
    after = git(store, "rev-parse", "HEAD").stdout, git(store, "status", "--porcelain").stdout
    assert after == before
    done = json.loads(memgit("--store", store, "import", "--json", notes).stdout)
    assert [one["path"] for one in done["memories"]] == [one["path"] for one in told["memories"]]
    again = memgit("--store", store, "import", "--dry-run", notes)
    assert "already there as tabs" in again.stdout
