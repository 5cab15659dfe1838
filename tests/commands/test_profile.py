"""`memgit profile`: what a person types, and what he is told."""

import json
from pathlib import Path

from tests.conftest import Run


def test_a_life_of_a_profile(store: Path, memgit: Run) -> None:
    def profile(*words: str) -> str:
        done = memgit("--store", store, "profile", *words)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    (store / "memgit.toml").write_text("format = 1\n[profile]\nlines = 2\n")
    assert profile("list") == "0 of 2 lines, 0 of 1,400 units\n"
    assert profile("add", "Times", "are", "UTC.").startswith("profile add: - Times are UTC. in ")
    profile("add", "Mio とは日本語で話す")
    made_room = profile("add", "Reviews are in English.")
    assert "  made room, and is now the memory times-are-utc: - Times are UTC.\n" in made_room
    assert profile("list").splitlines() == [
        "  1 - Reviews are in English.",
        "  2 - Mio とは日本語で話す",
        "2 of 2 lines, 40 of 1,400 units",
    ]
    assert profile("add", "Reviews are in English.") == "it stands so already\n"
    profile("move", "2", "1")
    gone = profile("remove", "Reviews")
    assert "kept as reviews-are-in-english, retired" in gone
    assert json.loads(profile("list", "--json"))["lines"] == ["- Mio とは日本語で話す"]
    found = memgit("--store", store, "search", "UTC")
    assert "times-are-utc.md" in found.stdout
    undone = memgit("--store", store, "undo")
    assert undone.returncode == 0, undone.stderr
    assert "Reviews" in profile("list")


def test_a_long_line_is_kept_as_a_memory_and_that_is_told(store: Path, memgit: Run) -> None:
    done = memgit("--store", store, "profile", "add", "--json", "long words " * 200)
    told = json.loads(done.stdout)
    assert told["commit"]
    assert len(told["moved"]) == 1
    shown = memgit("--store", store, "profile", "add", "other words " * 200)
    assert "longer than the profile: kept as the memory other-words-" in shown.stdout


def test_hand_edits_beyond_the_cap_are_shown_as_such(store: Path, memgit: Run) -> None:
    (store / "PROFILE.md").write_text("".join(f"- line {n}\n" for n in range(16)))
    shown = memgit("--store", store, "profile", "list").stdout.splitlines()
    assert shown[14] == "--- no room from here on: 2 are not given ---"
    assert shown[15] == " 15 - line 14"


def test_usage(store: Path, memgit: Run) -> None:
    for words in (("add", "  "), ("remove", "7"), ("move", "x", "1"), ("move", "1"), ("add",)):
        assert memgit("--store", store, "profile", *words).returncode == 2
