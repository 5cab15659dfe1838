"""`memgit budget`: both gauges, the lines past a limit, and the one command that fits them."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from memgit.domain.always_on import listing
from memgit.domain.always_on.hand_edits import words
from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, render
from memgit.domain.operation import Operation
from memgit.domain.recording import record
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.prompt.ledger import FILE as LEDGER
from tests.conftest import Run, index_past_the_cliff


@pytest.fixture
def cliff(store: Path, git: Run) -> Store:
    """A store of 229 memories whose hand-written `MEMORY.md` is past every limit."""
    (store / "MEMORY.md").write_bytes(listing.text([], False, Cap(40, 2000)))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=index")
    opened = Store.at(store)
    files: dict[str, bytes | None] = {}
    for number in range(229):
        kind = "feedback" if number in (3, 7) else "project"
        memory = Memory(f"setting-{number}.md", f"setting-{number}", "", kind, f"Value {number}.\n")
        stamp = f"2026-{number // 28 + 1:02}-{number % 28 + 1:02}T10:00:00.000Z"
        files[memory.path] = render(memory.with_metadata(modified=stamp))
    record(opened, Operation("import", "229 memories"), files)
    (store / "MEMORY.md").write_text(index_past_the_cliff(), encoding="utf-8")
    git(store, "commit", "--quiet", "--all", "--message=by hand")
    return opened


def test_the_sample_store_fits(sample: Path, memgit: Run) -> None:
    shown = memgit("--store", sample, "budget")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[:2] == [
        "MEMORY.md, Claude Code          lines  ━━━                       36 of 200   18%",
        "                                units  ━━━                 4,500 of 25,000   18%",
    ]
    assert "not what follows" not in shown.stdout


def test_lines_past_the_cliff_are_named(cliff: Store, memgit: Run) -> None:
    shown = memgit("--store", cliff.root, "budget")
    assert shown.returncode == 1
    assert "229 of 200" in shown.stdout
    assert "43 lines are past the limit of Claude Code:" in shown.stdout
    assert "MEMORY.md:187 - [Setting 186](setting-186.md)" in shown.stdout
    assert "`memgit budget --fit` brings it within; nothing is lost" in shown.stdout
    assert max(map(cell_len, shown.stdout.splitlines())) <= 80
    told = json.loads(memgit("--store", cliff.root, "budget", "--json").stdout)
    assert told["over"] is True
    assert told["current"] is False
    first = told["limits"][0]
    assert (first["file"], first["lines"], first["most_lines"]) == ("MEMORY.md", 229, 200)
    assert [past["line"] for past in first["past"]] == list(range(187, 230))


def test_one_command_fixes_it_and_nothing_is_lost(cliff: Store, memgit: Run, git: Run) -> None:
    before = cliff.content("MEMORY.md").decode()
    done = memgit("--store", cliff.root, "budget", "--fit", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["over"] is False
    assert told["current"] is True
    demoted = told["fitted"]["demoted"]
    assert len(demoted) == 229 - len(lines(cliff)) + 1  # the last line says that there are more
    assert "setting-0" in demoted
    assert not {"setting-3", "setting-7", "setting-228", "setting-227"} & set(demoted)
    message = git(cliff.root, "log", "-1", "--format=%B").stdout
    assert message.startswith(f"demote: {len(demoted)} lines of MEMORY.md\n")
    assert message.count("Memgit-Demoted: ") == len(demoted)
    assert git(cliff.root, "status", "--porcelain").stdout == ""
    held = " ".join(path + cliff.content(path).decode() for path in cliff.paths())
    assert words(before) <= words(held)
    assert len(cliff.paths()) == 229
    assert Index(cliff).search("note0x", 1)[0].record["path"] == "setting-0.md"
    again = memgit("--store", cliff.root, "budget", "--fit")
    assert "all was within its limits already" in again.stdout
    undone = memgit("--store", cliff.root, "undo")
    assert undone.returncode == 0, undone.stderr


def test_what_is_in_use_stays(cliff: Store, memgit: Run, git: Run) -> None:
    memgit("--store", cliff.root, "budget", "--fit")
    (cliff.derived / LEDGER).write_text(
        "".join(f"{1796000000 + n} s{n} b{n} setting-42.md\n" for n in range(3))
        + "1796000000 s1 b1 setting-43.md\n"
    )
    told = json.loads(memgit("--store", cliff.root, "budget", "--fit", "--json").stdout)
    assert told["fitted"]["used"] == ["setting-42"]
    assert len(told["fitted"]["demoted"]) == 1
    assert "used: 2026-11-30" in cliff.content("setting-42.md").decode()
    assert any("(setting-42.md)" in line for line in lines(cliff))
    assert memgit("--store", cliff.root, "undo").returncode == 0
    assert not any("(setting-42.md)" in line for line in lines(cliff))


def test_near_a_limit_there_is_a_warning(store: Path, memgit: Run) -> None:
    (store / "PROFILE.md").write_text("- a line\n" * 12)
    shown = memgit("--store", store, "budget")
    assert shown.returncode == 0
    assert "PROFILE.md is 86% full; its last lines go first" in shown.stdout


def test_a_profile_over_its_cap_is_fitted(store: Path, memgit: Run) -> None:
    (store / "PROFILE.md").write_text("".join(f"- 二十行の{n}番目\n" for n in range(20)))
    shown = memgit("--store", store, "budget")
    assert shown.returncode == 1
    assert "PROFILE.md:15 - 二十行の14番目" in shown.stdout
    assert memgit("--store", store, "budget", "--fit").returncode == 0
    assert (store / "PROFILE.md").read_text("utf-8").count("\n") == 14
    assert len(Store.at(store).paths()) == 6


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("- a\n" * 201, 1, "MEMORY.md:201 - a"),
        ("x" * 25_001, 1, "MEMORY.md:1 its first 25,000 units are loaded"),
        ("- a\n" * 170, 0, "MEMORY.md is 85% of what Claude Code loads"),
        ("", 0, "0 of 200"),
    ],
)
def test_any_file_is_measured(
    memgit: Run, tmp_path: Path, text: str, status: int, said: str
) -> None:
    (tmp_path / "MEMORY.md").write_text(text)
    shown = memgit("budget", tmp_path / "MEMORY.md")
    assert shown.returncode == status
    assert said in shown.stdout


def test_a_file_is_not_fitted(memgit: Run, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("- a\n")
    refused = memgit("budget", "--fit", tmp_path / "x.md")
    assert refused.returncode == 2
    assert "leave out FILE" in refused.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[budget]\nlines = 201\n", "budget.lines is 201, not within 0"),
        ("[budget]\nwords = 1\n", "unknown setting budget.words"),
        ("[profile]\nunits = 9001\n", "profile.units is 9001, not within 0"),
    ],
)
def test_settings_beyond_their_bounds_are_refused(
    store: Path, memgit: Run, settings: str, said: str
) -> None:
    (store / "memgit.toml").write_text(f"format = 1\n{settings}")
    refused = memgit("--store", store, "budget")
    assert refused.returncode == 3
    assert said in refused.stderr


def lines(store: Store) -> list[str]:
    """The lines of `MEMORY.md`, which is as memgit made it."""
    found = listing.sealed_lines(store.content("MEMORY.md").decode())
    assert found is not None
    return found
