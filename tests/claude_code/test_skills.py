"""Skills with the real CLI: a draft never reaches the model, a promoted one is listed to it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.skills.gates.text import taken
from memgit.ports.claude_commands import commands_of
from tests.conftest import Run
from tests.made_sessions import releases

from .cli import Claude
from .terminal import Terminal
from .turns import read_records

NAME = "sync-then-push"
WORDS = "Goes through git fetch, git rebase, git push in this order"

Memgit = Callable[..., str]


@pytest.fixture
def memgit_of(claude: Claude, memgit: Run, store: Path) -> Memgit:
    """`memgit` in the store as the person who runs this Claude Code runs it."""

    def run(*arguments: str | Path) -> str:
        environment = {name: claude.env[name] for name in ("HOME", "CLAUDE_CONFIG_DIR")}
        done = memgit("--store", store, *arguments, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def draft(claude: Claude, memgit_of: Memgit, store: Path, tmp_path: Path) -> Path:
    """A draft in the store, made from sessions that lie elsewhere; the store is the memory."""
    releases(tmp_path / "recorded", cwd=str(claude.project))
    memgit_of("skills", "draft", "git-fetch-rebase-push", "--name", NAME,
              "--transcripts", tmp_path / "recorded")  # fmt: skip
    memgit_of("install", "claude-code")
    return store / "drafts" / "skills" / NAME / "SKILL.md"


def promoted(memgit_of: Memgit) -> None:
    digest = json.loads(memgit_of("skills", "check", NAME, "--json"))["digest"]
    memgit_of("skills", "promote", NAME, "--read", digest)


def test_a_draft_is_never_sent_and_a_promoted_skill_is(
    claude: Claude, memgit_of: Memgit, draft: Path, store: Path
) -> None:
    for cwd in (claude.project, store, draft.parent):
        turn = claude.run("push the release branch with git fetch and git rebase", cwd=cwd)
        assert turn.returncode == 0, turn.stderr
        assert WORDS not in turn.sent.text
        assert NAME not in turn.sent.text.replace(str(draft.parent), "")
    promoted(memgit_of)
    turn = claude.run("push the release branch")
    assert NAME in turn.sent.text
    assert WORDS in turn.sent.text
    memgit_of("skills", "demote", NAME)
    assert WORDS not in claude.run("push the release branch").sent.text


def test_a_draft_that_somebody_copies_as_it_is_stays_inert(claude: Claude, draft: Path) -> None:
    there = claude.config / "skills" / NAME / "SKILL.md"
    there.parent.mkdir(parents=True)
    there.write_bytes(draft.read_bytes())
    assert WORDS not in claude.run("push the release branch").sent.text


def test_what_a_person_calls_is_counted(
    claude: Claude, memgit_of: Memgit, draft: Path, messages_api: object
) -> None:
    promoted(memgit_of)
    with Terminal(claude) as terminal:
        terminal.type(f"/{NAME} ")
        terminal.wait_for(lambda: "OK." in terminal.screen)
        terminal.type("/exit")
        assert terminal.wait_for_exit() == 0
    assert any(
        NAME in str(record) for path in claude.transcripts() for record in read_records(path)
    )
    (row,) = map(json.loads, memgit_of("skills", "report", "--json").splitlines())
    assert (row["state"], row["used"]) == ("promoted", 1)


def test_it_tells_its_own_commands_where_no_model_can_be_asked(claude: Claude) -> None:
    told = commands_of(claude.cli)
    assert told
    assert {"compact", "context", "code-review"} <= set(told) & taken()
