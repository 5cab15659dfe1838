"""Silence is the usual answer: what a person types between two questions needs no memory."""

import itertools
from pathlib import Path

import pytest

from memgit.domain.demonstration import QUESTIONS
from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.prompt.table import Table

from .made import Git, memory, opened, recalled, table_of

TRACE = """Traceback (most recent call last):
  File "/app/booking/worker.py", line 88, in handle
    seat = hold.take(message.seat)
  File "/app/booking/hold.py", line 31, in take
    raise SeatTaken(seat)
booking.hold.SeatTaken: seat 12A on sakamori-0930"""

NEEDS_NOTHING = [
    "ok じゃあ進めて",
    "はい、お願いします",
    "yes do that",
    "continue",
    "👍",
    "commit this",
    "https://github.com/nagimaru/nagimaru-ops/pull/412",
    "/compact",
    "[Image #1]",
    TRACE,
    "push",
    "tests?",
    "commit",
    "erro",
    "ok, looks good, go ahead and commit",
    "commit and push",
    "it still fails, try again",
    "続けて",
    "ありがとう、完璧です",
    "好的，继续",
    "pode continuar",
    "?",
    "",
]


@pytest.fixture
def table(indexed: Path) -> Table:
    return opened(indexed)


@pytest.mark.parametrize("prompt", NEEDS_NOTHING)
def test_small_talk_and_pastes_bring_nothing(table: Table, prompt: str) -> None:
    assert recalled(table, prompt) == []


@pytest.mark.parametrize("prompt", NEEDS_NOTHING)
def test_small_talk_brings_nothing_from_a_store_of_chores_either(
    store: Path, git: Git, prompt: str
) -> None:
    """Rules about the very words of small talk are the hardest store for it."""
    table = table_of(store, git, CHORES)
    assert recalled(table, prompt) == []


CHORES = {
    "commits.md": memory("Commit messages are written in English, one line", "Say why, not what."),
    "reviews.md": memory("A reviewer answers within a day", "Open the pull request as a draft."),
    "tests.md": memory("Tests run without the network", "Use the recorded answers."),
    "pushing.md": memory("Nobody pushes to main after six", "Wait for the morning."),
    "errors.md": memory("Errors are logged once, where they are handled", "Never twice."),
}


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.expected])
def test_a_question_is_answered(table: Table, question: object) -> None:
    assert recalled(table, question.prompt)[:1] == [question.expected]  # type: ignore[attr-defined]


MEMORY = {
    f"{name}.md": memory(about, body)
    for name, about, body in [
        ("memory-files", "A memory is a markdown file in the store", "Every memory is a file."),
        ("memory-index", "MEMORY.md lists every memory of the store", "The index is generated."),
        ("memory-recall", "Recall injects a memory for a prompt", "The hook reads the table."),
        ("memory-labels", "A memory is labelled, never deleted", "Superseded memories stay."),
        ("memory-budget", "The memory profile has a budget", "The weakest memory moves out."),
        ("memory-dates", "A memory of a project decays", "The half-life is 150 days."),
        ("memory-hooks", "The memory hooks run after a commit", "They rebuild the memory index."),
        ("memory-names", "A memory has a unique name in the store", "Names are memory slugs."),
    ]
}
"""A store about memory itself: its own subject stands in every prompt and in every memory."""

ABOUT_MEMORY = [
    "the memory tests are red again",
    "rename the memory module",
    "let's work on the memory store today",
    "does the memory feature have docs?",
    "memory is working now, nice",
]


def test_a_store_about_memory_does_not_bring_itself_up(store: Path, git: Git) -> None:
    table = table_of(store, git, MEMORY)
    assert [prompt for prompt in ABOUT_MEMORY if recalled(table, prompt)] == []
    assert recalled(table, "what is the half-life after which a project decays?")[:1] == [
        "memory-dates"
    ]


def test_a_small_store_is_not_brought_up_whole(store: Path, git: Git) -> None:
    table = table_of(store, git, CHORES)
    asked = "who has to answer when a pull request waits for a reviewer, and within which time?"
    assert recalled(table, asked, limit=3)[:1] == ["reviews"]
    assert len(recalled(table, asked, limit=3)) <= 2


def test_a_stuffed_memory_does_not_win_unrelated_prompts(indexed: Path, git: Git) -> None:
    """The words of small talk and of every other memory's description, many times."""
    asked = [question.prompt for question in QUESTIONS]
    others = ["add a dark theme switch", "the login form accepts an empty password", *NEEDS_NOTHING]
    about = [record["description"] for record in Index(Store.at(indexed)).records()]
    words = " ".join(sorted({word for text in about + NEEDS_NOTHING for word in text.split()}))
    before = {prompt: recalled(opened(indexed), prompt) for prompt in asked + others}
    stuffed = memory("deploy staging port booking worker friday key", f"{words}\n" * 12)
    table = table_of(indexed, git, {"all.md": stuffed})
    after = {prompt: recalled(table, prompt) for prompt in asked + others}
    assert [prompt for prompt, names in after.items() if names[:1] == ["all"]] == []
    assert {prompt: names[:1] for prompt, names in after.items()} == {
        prompt: names[:1] for prompt, names in before.items()
    }


def test_the_same_prompt_has_the_same_answer(indexed: Path, hook: object) -> None:
    from .conftest import prompt, said

    texts = [q.prompt for q in QUESTIONS if q.expected]
    answers = [
        [said(hook("recall", indexed, prompt(text, session=""))) for text in texts]  # type: ignore[operator]
        for _ in range(3)
    ]
    assert all(answers[0])
    assert all(one == other for one, other in itertools.pairwise(answers))


@pytest.mark.parametrize("text", ["ok じゃあ進めて", "yes do that", "commit this", "👍"])
def test_silence_after_a_turn_rich_in_subjects(indexed: Path, hook: object, text: str) -> None:
    from .conftest import PORT, prompt, said

    assert said(hook("recall", indexed, prompt(PORT)))  # type: ignore[operator]
    assert said(hook("recall", indexed, prompt(text))) == ""  # type: ignore[operator]
