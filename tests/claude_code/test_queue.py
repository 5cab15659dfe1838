"""Sessions of the real CLI are harvested: whatever ends them, once, and none of our own.

The hooks are those that `memgit install claude-code --harvest` writes; the worker that they start
asks the same CLI.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.queue.jobs import Queue
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import sessions
from memgit.domain.transcripts.turns import turns
from memgit.prompt.jobs import QUIET
from tests.conftest import Run

from .cli import Claude
from .messages_api import ASKS_FOR_SUMMARY, Request
from .replies import Reply, structured, text, tool_use
from .session import end
from .terminal import Terminal
from .test_recall import until

RULE = "From now on, never squash merge in this repository: we need the bisect history."
OTHER = "Which port is staging on?"
HEARD = {RULE: "Understood.", OTHER: "Dunno."}
HARVESTS = "You read the record of a finished session"
KNOWN = "MEMORIES OF THE STORE"


def reply(request: Request) -> Reply:
    """A session is answered; a harvest finds the rule, where it stands in the record."""
    if HARVESTS not in request.system:
        return text(HEARD[OTHER if OTHER in request.text else RULE])
    memory = {
        "type": "feedback", "name": "never-squash-merge",
        "description": "Never squash merge in this repository",
        "text": "Never squash merge in this repository: we need the bisect history.",
        "quotes": [{"turn": 1, "by": "user", "words": RULE}], "mentions": 1, "state": "holds",
        "known": "", "relation": "new", "confidence": 0.95, "topics": ["git"],
    }  # fmt: skip
    return structured({"memories": [memory] if RULE in _record(request) else []})


def _record(request: Request) -> str:
    return request.text.partition(KNOWN)[0]


@pytest.fixture
def harvesting(claude: Claude, memgit: Run, store: Path, git: Run) -> Store:
    """An empty store, with the CLI connected to it so that sessions are harvested."""
    environment = {name: claude.env[name] for name in ("HOME", "CLAUDE_CONFIG_DIR")}
    environment["XDG_CONFIG_HOME"] = str(claude.home / ".config")
    done = memgit("--store", store, "install", "claude-code", "--harvest", env=environment)
    assert done.returncode == 0, done.stderr
    git(store, "config", "user.name", "Test Person")
    git(store, "config", "user.email", "person@example.com")
    claude.env["MEMGIT_ALLOW_KEY"] = "1"  # the key is a dummy, the host the test's own
    claude.api.default = reply
    return Store.at(store)


@pytest.fixture
def by_plugin(
    claude: Claude, store: Path, plugin: Callable[..., None], git: Run
) -> Callable[..., Store]:
    """`by_plugin(*options)`: the same by our plugin alone, installed with these options."""

    def install(*options: str) -> Store:
        plugin(store, *options)
        git(store, "config", "user.name", "Test Person")
        git(store, "config", "user.email", "person@example.com")
        claude.env["MEMGIT_ALLOW_KEY"] = "1"
        claude.api.default = reply
        return Store.at(store)

    return install


def harvests(claude: Claude) -> list[Request]:
    """What the worker asked."""
    return [request for request in claude.api.requests if HARVESTS in request.system]


def jobs(store: Store) -> list[Any]:
    return Queue(store).jobs()


def ask(terminal: Terminal, prompt: str) -> None:
    """Type a prompt and see the answer."""
    terminal.type(prompt)
    terminal.wait_for(lambda: HEARD[prompt] in terminal.screen)


def leave(terminal: Terminal) -> None:
    terminal.type("/exit")
    assert terminal.wait_for_exit() == 0


def test_a_session_that_ends_is_harvested_by_a_worker_that_outlives_it(
    claude: Claude, harvesting: Store
) -> None:
    (claude.project / "CLAUDE.md").write_text("the project's own instructions")
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        leave(terminal)
    assert until(lambda: harvests(claude) and not jobs(harvesting))
    (asked,) = harvests(claude)
    assert set(asked.tools) <= {"StructuredOutput", "DeferredToolPlaceholder"}
    assert "own instructions" not in asked.text + asked.system
    assert asked.count_contexts() == 0
    (transcript,) = sessions(claude.config / "projects")  # the harvest itself left none
    (turn,) = turns(transcript)
    written = (harvesting.root / "never-squash-merge.md").read_text("utf-8")
    assert turn.session in written
    assert turn.digest in written


def test_a_session_of_a_program_is_not_harvested(claude: Claude, harvesting: Store) -> None:
    assert claude.run(RULE).answer == HEARD[RULE]
    with claude.session() as session:
        session.say(RULE)
    assert jobs(harvesting) == []
    assert not (harvesting.derived / "harvest.worker").exists()
    assert harvests(claude) == []


def test_what_clear_ends_is_harvested_and_so_is_what_comes_after(
    claude: Claude, harvesting: Store
) -> None:
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        terminal.type("/clear")
        assert until(lambda: harvests(claude))
        ask(terminal, OTHER)
        leave(terminal)
    assert until(lambda: len(harvests(claude)) == 2 and not jobs(harvesting))
    first, second = map(_record, harvests(claude))
    assert RULE in first
    assert OTHER not in first
    assert RULE not in second
    assert OTHER in second


def test_a_compaction_harvests_what_is_over_and_puts_no_word_into_its_prompt(
    claude: Claude, harvesting: Store
) -> None:
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        ask(terminal, OTHER)
        terminal.type("/compact")
        assert until(lambda: harvests(claude))
        (first,) = map(_record, harvests(claude))
        assert RULE in first
        assert OTHER not in first  # the agent may still be at it
        (summary,) = (one for one in claude.api.requests if ASKS_FOR_SUMMARY in one.text)
        assert "Additional Instructions:" not in summary.text
        leave(terminal)
    assert until(lambda: len(harvests(claude)) == 2 and not jobs(harvesting))
    second = _record(harvests(claude)[-1])
    assert OTHER in second
    assert RULE not in second


def test_a_session_that_is_killed_is_harvested_when_another_one_starts(
    claude: Claude, harvesting: Store
) -> None:
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        assert until(lambda: [job.event for job in jobs(harvesting)] == ["Stop"])
        end(terminal._process)  # SIGKILL: no hook runs
    assert harvests(claude) == []
    _let_time_pass(claude, harvesting)
    with Terminal(claude) as terminal:
        assert until(lambda: harvests(claude))
        leave(terminal)
    assert until(lambda: not jobs(harvesting))
    assert (harvesting.root / "never-squash-merge.md").exists()


def test_a_forked_session_is_harvested_without_what_it_copied(
    claude: Claude, harvesting: Store
) -> None:
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        leave(terminal)
    assert until(lambda: harvests(claude) and not jobs(harvesting))
    (transcript,) = claude.transcripts()
    with Terminal(claude, "--resume", transcript.stem, "--fork-session") as terminal:
        ask(terminal, OTHER)
        leave(terminal)
    assert until(lambda: len(harvests(claude)) == 2 and not jobs(harvesting))
    fork = claude.transcripts()[-1]
    assert [turn.prompt for turn in turns(fork)] == [RULE, OTHER]
    first, second = map(_record, harvests(claude))
    assert RULE in first
    assert RULE not in second
    assert OTHER in second


def test_the_plugin_harvests_on_wish(claude: Claude, by_plugin: Callable[..., Store]) -> None:
    store = by_plugin("--config", "harvest=true")
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        leave(terminal)
    assert until(lambda: harvests(claude) and not jobs(store))
    assert (store.root / "never-squash-merge.md").exists()


def test_the_plugin_harvests_nothing_otherwise(
    claude: Claude, by_plugin: Callable[..., Store]
) -> None:
    store = by_plugin()
    with Terminal(claude) as terminal:
        ask(terminal, RULE)
        leave(terminal)
    assert jobs(store) == []
    assert not (store.derived / "queue").exists()


def test_what_a_person_types_while_a_tool_runs_is_a_remark(claude: Claude) -> None:
    claude.api.default = lambda request: (
        text("Understood.")
        if "tool_result" in str(request.messages)
        else tool_use("Bash", command="sleep 4", description="wait")
    )
    with Terminal(claude, "--permission-mode", "default", "--allowedTools=Bash") as terminal:
        terminal.type("first")
        assert until(lambda: claude.api.requests)
        time.sleep(1)  # nothing that is shown tells that the tool runs
        terminal.type("also-add-a-test")
        terminal.wait_for(lambda: "Understood." in terminal.screen)
        leave(terminal)
    (transcript,) = claude.transcripts()
    (turn,) = turns(transcript)
    assert turn.typed == ("first", "also-add-a-test")
    assert [step.tool for step in turn.steps] == ["Bash", ""]


def _let_time_pass(claude: Claude, store: Store) -> None:
    """As if the last session had been silent for long."""
    then = time.time() - QUIET - 1
    (transcript,) = claude.transcripts()
    os.utime(transcript, (then, then))
    for path in Queue(store).folder.iterdir():
        path.write_text(json.dumps({**json.loads(path.read_text()), "due": int(then)}))
