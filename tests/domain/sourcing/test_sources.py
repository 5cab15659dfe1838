"""What a memory rests on: sessions and files, also where they moved or are gone."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memgit.domain.memory import Memory, render
from memgit.domain.sourcing.looking_up import CHANGED, GONE, MOVED, QUOTED, UNCHANGED, Sources
from memgit.domain.sourcing.source import Source, of_place, sources_of
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import turns

Run = Callable[..., CompletedProcess[str]]

SAID = "The rate limit is 600 requests a minute.\nAsk the gateway team before you raise it."


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A transcript of one turn, in a folder of projects."""
    path = tmp_path / "projects" / "-shop" / "11112222-aaaa.jsonl"
    path.parent.mkdir(parents=True)
    record = {"type": "user", "uuid": "turn-1", "sessionId": "11112222-aaaa", "cwd": "/shop",
              "timestamp": "2026-03-02T09:00:00Z",
              "message": {"role": "user", "content": SAID}}  # fmt: skip
    path.write_text(json.dumps(record) + "\n")
    return path


def memory(*sources: object, name: str = "limits", **more: object) -> Memory:
    made = Memory(f"{name}.md", name, "The rate limit", "project", "600 a minute\n")
    return made.with_metadata(sources=list(sources), **more)


def of_session(session: Path) -> dict[str, str]:
    turn = next(turns(session))
    return {"quote": "The rate limit is 600 requests a minute.", "role": "user",
            "session": turn.session, "turn": turn.id, "sha256": turn.digest}  # fmt: skip


def test_a_turn_is_found_with_all_that_was_said(store: Path, session: Path) -> None:
    found = Sources(Store.at(store), session.parents[1]).of(memory(of_session(session)))
    assert [(one.state, one.words) for one in found] == [(UNCHANGED, SAID)]


def test_a_session_that_is_gone_leaves_its_quote(store: Path, session: Path) -> None:
    source = of_session(session)
    session.unlink()
    one = Sources(Store.at(store), session.parents[1]).of(memory(source))[0]
    assert (one.state, one.words) == (GONE, source["quote"])


def test_a_turn_that_says_something_else_is_told(store: Path, session: Path) -> None:
    source = of_session(session)
    session.write_text(session.read_text().replace("600", "900"))
    one = Sources(Store.at(store), session.parents[1]).of(memory(source))[0]
    assert (one.state, one.words) == (CHANGED, source["quote"])


@pytest.mark.parametrize("name", ["../../x", "*", "[a]", "a/b"])
def test_a_session_is_a_name_and_no_path(store: Path, session: Path, name: str) -> None:
    source = {**of_session(session), "session": name}
    assert Sources(Store.at(store), session.parents[1]).of(memory(source))[0].state == GONE


def test_a_file_is_read_at_its_blob_wherever_it_is_today(
    store: Path, git: Run, memgit: Run
) -> None:
    (store / "docs").mkdir()
    (store / "docs" / "limits.txt").write_text("a\nlimit: 600\nb\n")
    (store / "limits.md").write_bytes(render(Memory("limits.md", "limits", "x", body="y\n")))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=docs")
    done = memgit("source", "limits", "--add", "docs/limits.txt:2", cwd=store)
    assert done.returncode == 0, done.stderr

    def state() -> tuple[str, str]:
        opened = Store.at(store)
        one = Sources(opened, store / "none").of(opened.read("limits.md"))[0]
        return one.state, one.words

    assert state() == (UNCHANGED, "limit: 600")
    git(store, "mv", "docs/limits.txt", "moved.txt")
    git(store, "commit", "--quiet", "--message=moved")
    assert state() == (MOVED, "limit: 600")
    (store / "docs").mkdir(exist_ok=True)
    (store / "docs" / "limits.txt").write_text("limit: 900\n")
    git(store, "rm", "--quiet", "moved.txt")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=changed")
    assert state() == (CHANGED, "limit: 600")
    git(store, "rm", "--quiet", "docs/limits.txt")
    git(store, "commit", "--quiet", "--message=gone")
    assert state() == (GONE, "limit: 600")
    shown = memgit("source", "limits", cwd=store)
    assert "docs/limits.txt:2-2" in shown.stdout
    assert "no longer in the tree; read from history" in shown.stdout
    assert "  | limit: 600" in shown.stdout
    again = memgit("source", "limits", "--json", cwd=store)
    assert json.loads(again.stdout)["sources"][0]["quote"] == "limit: 600"


def test_what_a_memory_is_derived_from_is_walked(store: Path, git: Run) -> None:
    first = memory("“seven pens” was said", name="pens")
    for one in (first, memory("“nine nibs” was said", name="nibs", derived_from=["pens", "total"])):
        (store / one.path).write_bytes(render(one))
    total = memory(name="total", derived_from=["nibs"])
    (store / total.path).write_bytes(render(total))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=a chain, and a circle")
    found = Sources(Store.at(store), store / "none").of(total)
    assert [(one.of, one.state) for one in found] == [("nibs", QUOTED), ("pens", QUOTED)]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("docs/a.md:3-9", Source(path="docs/a.md", lines=(3, 9))),
        ("docs/a.md:9", Source(path="docs/a.md", lines=(9, 9))),
        ("a.md", Source(path="a.md")),
        ("the person said so", Source(quote="the person said so")),
        ("docs/a.md:9-3", Source(path="docs/a.md", lines=(9, 9))),
    ],
)
def test_places_as_people_write_them(text: str, source: Source) -> None:
    assert of_place(text) == source


def test_sources_of_any_shape_are_read() -> None:
    given = memory("docs/a.md:3", {"path": "b.py", "lines": "1-2", "blob": "not hex"}, {}, 7)
    assert [one.place for one in sources_of(given)] == [
        "docs/a.md:3-3",
        "b.py:1-2",
        "quoted",
        "quoted",
    ]
    assert list(sources_of(Memory("a.md", "a"))) == []


def test_a_memory_without_sources_says_so(memgit: Run, store: Path, git: Run) -> None:
    (store / "a.md").write_bytes(render(Memory("a.md", "a", "x", body="y\n")))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=a")
    shown = memgit("source", "a", cwd=store)
    assert (shown.returncode, shown.stdout) == (1, "a names no source\n")


def test_a_secret_is_not_quoted(memgit: Run, store: Path, git: Run) -> None:
    (store / "a.md").write_bytes(render(Memory("a.md", "a", "x", body="y\n")))
    (store / "key.txt").write_text("AKIA" + "Q3EGRIX7WVN5TZ2P\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=a")
    refused = memgit("source", "a", "--add", "key.txt:1", cwd=store)
    assert refused.returncode == 3
    assert "secret" in refused.stderr
