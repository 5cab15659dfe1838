"""Nothing is said twice: not for one prompt by two hooks, not in one session by two prompts."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memgit.prompt.session import SAME_PROMPT, Session

from .conftest import Hook, Run, derived, log, prompt, said, words

OTHER = "ステージングのDB接続、ポートは何番だっけ?"


def at_once(store: Path, event: dict[str, object], number: int = 2) -> list[bytes]:
    """What hooks that are started for one event at the same time print."""
    data = json.dumps(event).encode()
    pipe = subprocess.PIPE
    command = words("recall", store)
    hooks = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) for _ in range(number)]
    with ThreadPoolExecutor(number) as pool:
        done = list(pool.map(lambda process: process.communicate(data, timeout=30), hooks))
    assert [process.returncode for process in hooks] == [0] * number
    assert [err for _, err in done] == [b""] * number
    return [out for out, _ in done]


@pytest.mark.parametrize("with_id", [True, False])
def test_of_two_hooks_for_one_prompt_one_speaks(indexed: Path, with_id: bool) -> None:
    answered = 0
    for number in range(50):
        named = {"prompt_id": f"p-{number}"} if with_id else {}
        answers = at_once(indexed, prompt(session=f"s-{number}", **named))
        assert sum(map(bool, answers)) <= 1
        answered += sum(map(bool, answers))
    assert answered + log(indexed).count("TooLate") >= 50  # a busy machine may keep one silent
    assert answered >= 25


def test_many_hooks_in_a_new_session_make_its_file_together(indexed: Path) -> None:
    for number in range(5):
        assert sum(map(bool, at_once(indexed, prompt(session=f"s-{number}"), 8))) <= 1
    assert set(log(indexed).split()) & {"FileExistsError:", "FileNotFoundError:"} == set()


def test_the_same_memory_is_said_once_in_a_session(indexed: Path, hook: Hook) -> None:
    assert "staging-database" in said(hook("recall", indexed, prompt(prompt_id="1")))
    assert said(hook("recall", indexed, prompt(prompt_id="2"))) == ""
    assert said(hook("recall", indexed, prompt(OTHER, prompt_id="3"))) == ""
    assert "staging-database" in said(hook("recall", indexed, prompt(session="s-2", prompt_id="4")))


def test_a_memory_that_changed_is_said_again_and_a_moved_one_is_not(
    indexed: Path, hook: Hook, memgit: Run, git: Run
) -> None:
    assert said(hook("recall", indexed, prompt(prompt_id="1")))
    git(indexed, "mv", "ops/staging-database.md", "staging-database.md")
    git(indexed, "commit", "--quiet", "--message=moved")
    memgit("--store", indexed, "index")
    assert said(hook("recall", indexed, prompt(prompt_id="2"))) == ""
    path = indexed / "staging-database.md"
    path.write_text(path.read_text("utf-8").replace("port 6432", "port 6433"), "utf-8")
    git(indexed, "commit", "--quiet", "--all", "--message=changed")
    memgit("--store", indexed, "index")
    assert "6433" in said(hook("recall", indexed, prompt(prompt_id="3")))
    assert said(hook("recall", indexed, prompt(prompt_id="4"))) == ""


def test_a_session_without_an_id_has_no_memory(indexed: Path, hook: Hook) -> None:
    for session in ("", "///", "日本"):
        assert said(hook("recall", indexed, prompt(session=session)))
        assert said(hook("recall", indexed, prompt(session=session)))
    assert not (derived(indexed) / "sessions").exists()


@pytest.mark.parametrize("session", ["../../../escape", "a/b", "x" * 500, "sp ace", "n\0ul"])
def test_a_session_id_is_never_a_path(indexed: Path, hook: Hook, session: str) -> None:
    assert said(hook("recall", indexed, prompt(session=session, prompt_id="1")))
    assert said(hook("recall", indexed, prompt(session=session, prompt_id="2"))) == ""
    (note,) = (derived(indexed) / "sessions").iterdir()
    assert note.is_file()


@pytest.mark.parametrize(
    "noise",
    [b"\xff\xfe\n", b"claim\n", b"claim 1 2\n", b"shown\n", b"\n\n\0\0", b"claim x y z", b"forge"],
)
def test_a_damaged_note_silences_nothing(indexed: Path, hook: Hook, noise: bytes) -> None:
    note = derived(indexed) / "sessions" / "s-1"
    note.parent.mkdir()
    note.write_bytes(noise)
    assert said(hook("recall", indexed, prompt(prompt_id="1")))
    with note.open("ab") as file:
        file.write(noise)
    assert said(hook("recall", indexed, prompt(prompt_id="2"))) == ""


# ---------------------------------------------------------------------------- the note itself


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "memgit" / "main").mkdir(parents=True)
    return Session(str(tmp_path / "memgit" / "main"), "s")


def test_a_prompt_without_an_id_is_another_one_after_a_while(session: Session) -> None:
    second = 1_000_000_000
    later = SAME_PROMPT * 1_000_000 + 1_000_000
    assert session.claim("which port?", 100 * second)
    assert not session.claim("which port?", 101 * second)
    assert session.claim("which branch?", 101 * second)
    assert session.claim("which port?", 100 * second + later)
    assert not session.claim("which port?", 101 * second + later)
    assert session.claim("which port?", 100 * second + 2 * later)


def test_a_clock_that_was_set_back_silences_nothing(session: Session) -> None:
    assert session.claim("which port?", 10**18)
    assert session.claim("which port?", 10**18 - 3600 * 10**9)


def test_a_long_prompt_is_told_from_another_by_its_start_and_length(session: Session) -> None:
    assert session.claim("a" * 10_000_000, 10**18)
    assert session.claim("a" * 10_000_001, 10**18 + 1)
    assert not session.claim("a" * 10_000_000, 10**18 + 2)


def test_what_was_shown_is_forgotten_up_to_there(session: Session) -> None:
    session.forget()
    assert session.shown() == set()
    session.add(["1", "2"])
    session.forget()
    session.add(["3"])
    assert session.shown() == {"3"}
    assert session.fault is None


def test_where_nothing_can_be_written_every_claim_holds(tmp_path: Path) -> None:
    session = Session(str(tmp_path / "gone" / "memgit" / "main"), "s")
    assert session.claim("1", 1)
    assert session.claim("1", 1)
    session.add(["1"])
    assert session.shown() == set()
    assert isinstance(session.fault, FileNotFoundError)
    assert not (tmp_path / "gone").exists()
