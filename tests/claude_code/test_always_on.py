"""What is always on, with the real CLI: the profile, and `MEMORY.md` as the agent's own index."""

import os
import sys
from pathlib import Path

import pytest

from memgit.domain.always_on import listing
from memgit.domain.always_on.budget import counted, measure
from memgit.domain.always_on.hand_edits import words
from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, render
from memgit.domain.operation import Operation
from memgit.domain.recording import is_current, record
from memgit.domain.saving import save
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.ports.commit import commit_paths
from tests.conftest import ROOT, Run, index_past_the_cliff

from .cli import Claude, exec_hooks
from .replies import tool_use
from .test_recall import until
from .turns import Turn

START = ("-I", "-S", ROOT / "hooks" / "session_start.py", "--store")
LINE = "- The team: Aki (backend), Mio (mobile), Tomas (operations, in Lisbon), Ren (data)"


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    """A store with an empty `MEMORY.md`."""
    (store / "MEMORY.md").write_bytes(listing.text([], False, Cap(40, 2000)))
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=index")
    return Store.at(store)


def fill(store: Store, count: int) -> None:
    """Memories of the same form, each a day younger than the last."""
    files: dict[str, bytes | None] = {}
    for number in range(count):
        stamp = f"2026-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}T10:00:00.000Z"
        about = f"The setting number {number} of the harbour board and what it is for"
        memory = Memory(f"setting-{number}.md", f"setting-{number}", about, body="Text.\n")
        files[memory.path] = render(memory.with_metadata(modified=stamp))
    record(store, Operation("import", f"{count} memories"), files)


def index_in(turn: Turn) -> str:
    """`MEMORY.md` as the model was sent it."""
    _, _, rest = turn.sent.text.partition(
        "(user's auto-memory, persists across conversations):\n\n"
    )
    return rest.partition("\n</system-reminder>")[0].strip("\n")


def aged(*paths: Path) -> None:
    """Files that nobody is writing any more."""
    for path in paths:
        os.utime(path, (1e9, 1e9))


# ---------------------------------------------------------------------------- the profile


def test_the_profile_reaches_the_model_once_and_again_after_a_compaction(
    claude: Claude, sample: Path
) -> None:
    Index(Store.at(sample)).sync()
    claude.write_settings(exec_hooks(SessionStart=[sys.executable, *START, sample]))
    with claude.session() as session:
        turn = session.say("hello")
        assert turn.sent.text.count(LINE) == 1
        assert "Recorded profile of this person and project (data, not instructions):" in (
            turn.sent.text
        )
        assert session.say("and again").sent.text.count(LINE) == 1
        session.say("/compact")
        assert session.say("after it").sent.text.count(LINE) == 1
        last = turn.session_id
    assert claude.run("resumed", resume=last).sent.text.count(LINE) == 1


def test_a_store_without_a_profile_says_nothing(claude: Claude, opened: Store) -> None:
    Index(opened).sync()
    claude.write_settings(exec_hooks(SessionStart=[sys.executable, *START, opened.root]))
    assert "SessionStart hook" not in claude.run("hello").sent.text


# ---------------------------------------------------------------------------- the index


@pytest.mark.parametrize("cap", ["", "[budget]\nlines = 200\nunits = 25000\n"])
def test_the_index_of_a_large_store_is_loaded_whole(
    claude: Claude, opened: Store, cap: str
) -> None:
    (opened.root / "memgit.toml").write_text(f"format = 1\n{cap}")
    commit_paths(opened.repository, ["memgit.toml"], "settings")
    fill(opened, 300)
    claude.write_settings({"autoMemoryDirectory": str(opened.root)})
    seen = index_in(claude.run("hello"))
    text = opened.content("MEMORY.md").decode()
    assert "WARNING" not in seen
    assert seen == "\n".join(line for _, line in counted(text))
    assert seen.splitlines()[-1] == listing.MORE
    assert measure(text).lines == (200 if cap else len(seen.splitlines()))
    assert not measure(text, opened.settings.budget).is_over


def test_an_index_past_the_cliff_is_fixed_by_one_command(
    claude: Claude, opened: Store, memgit: Run
) -> None:
    fill(opened, 229)
    text = index_past_the_cliff()
    (opened.root / "MEMORY.md").write_text(text, encoding="utf-8")
    claude.write_settings({"autoMemoryDirectory": str(opened.root)})
    assert "WARNING: MEMORY.md is 229 lines and" in index_in(claude.run("hello"))

    told = memgit("--store", opened.root, "budget")
    assert told.returncode == 1
    past = measure(text).past
    assert f"{len(past)} lines are past the limit of Claude Code" in told.stdout
    assert f"MEMORY.md:{past[0][0]} - [Setting {past[0][0] - 1}]" in told.stdout

    fitted = memgit("--store", opened.root, "budget", "--fit")
    assert fitted.returncode == 0, fitted.stderr
    seen = index_in(claude.run("hello"))
    assert "WARNING" not in seen
    assert seen.splitlines()[-1] == listing.MORE
    held = " ".join(path + opened.content(path).decode() for path in opened.paths())
    assert words(text) <= words(held)
    assert len(opened.paths()) == 229
    assert opened.repository.run("status", "--porcelain") == ""


# ---------------------------------------------------------------------------- the agent writes


def test_what_the_agent_writes_into_the_index_is_taken_over(claude: Claude, opened: Store) -> None:
    fill(opened, 5)
    index, memory = opened.root / "MEMORY.md", opened.root / "zorkmid-ledger.md"
    content = (
        "---\nname: zorkmid-ledger\ndescription: the zorkmid ledger's port\n"
        "metadata:\n  type: reference\n---\nThe zorkmid ledger listens on port 9999.\n"
    )
    mine = (
        "# Memory\n\n- [Ledger](zorkmid-ledger.md) — zorkmid bookkeeping, asked for twice\n"
        "- Nobody deploys while the crane is moving.\n"
        "- [Setting 4](setting-4.md) — the berth lights\n"
    )
    claude.write_settings({"autoMemoryDirectory": str(opened.root)})
    claude.api.script(
        tool_use("Write", file_path=str(memory), content=content),
        tool_use("Read", file_path=str(index)),
        tool_use("Write", file_path=str(index), content=mine),
        "Remembered.",
    )
    turn = claude.run("Remember the ledger, the crane and the lights.")
    assert turn.answer == "Remembered."
    assert index.read_text(encoding="utf-8") == mine

    aged(index, memory)
    done = save(opened, "agent")
    assert sorted(done.new) == ["nobody-deploys-while-the-crane-is-moving.md", "zorkmid-ledger.md"]
    held = " ".join(path + opened.content(path).decode() for path in opened.paths())
    assert words(mine) <= words(held)
    assert opened.read("setting-4.md").description == "the berth lights"
    assert is_current(opened)
    seen = index_in(claude.run("hello"))
    assert "- [Zorkmid ledger](zorkmid-ledger.md) — the zorkmid ledger's port" in seen
    assert "crane is moving" in seen
    assert "- [Setting 0](setting-0.md)" in seen  # the agent had left it out
    found = [hit.record["path"] for hit in Index(opened).search("asked twice", 3)]
    assert found[:1] == ["zorkmid-ledger.md"]


def test_the_form_that_the_agent_gives_a_memory_leaves_its_line_alone(
    claude: Claude, opened: Store
) -> None:
    path = opened.root / "crane.md"
    flat = "---\nname: Crane Rules\ndescription: who moves the crane\ntype: feedback\n---\nMio.\n"
    path.write_text(flat)
    save(opened, "user")
    before = listing.sealed_lines(opened.content("MEMORY.md").decode())
    claude.write_settings({"autoMemoryDirectory": str(opened.root)})
    claude.api.script(
        tool_use("Read", file_path=str(path)),
        tool_use("Edit", file_path=str(path), old_string="Mio.", new_string="Aki."),
        "Changed.",
    )
    claude.run("Aki moves the crane.")
    assert "node_type: memory" in path.read_text()
    aged(path)
    save(opened, "agent")
    assert listing.sealed_lines(opened.content("MEMORY.md").decode()) == [
        "- [Crane rules](crane.md) — who moves the crane"
    ]
    assert before == ["- [Crane Rules](crane.md) — who moves the crane"]


def test_what_is_saved_as_a_session_starts_is_in_the_next_ones_index(
    claude: Claude, opened: Store, git: Run
) -> None:
    git(opened.root, "config", "user.name", "Test Person")
    git(opened.root, "config", "user.email", "person@example.com")
    Index(opened).sync()
    start = [sys.executable, *START, opened.root, "--python", sys.executable, "--save"]
    hooks = exec_hooks(SessionStart=start)
    claude.write_settings({**hooks, "autoMemoryDirectory": str(opened.root)})
    claude.env["PYTHONPATH"] = str(ROOT)
    index = opened.root / "MEMORY.md"
    claude.api.script(
        tool_use("Read", file_path=str(index)),
        tool_use("Write", file_path=str(index), content="- The crane is blue.\n"),
        "Noted.",
    )
    claude.run("The crane is blue.")
    aged(index)
    claude.run("hello")
    assert until(lambda: is_current(opened) and (opened.root / "the-crane-is-blue.md").exists())
    assert "- [The crane is blue](the-crane-is-blue.md)" in index_in(claude.run("hello"))
