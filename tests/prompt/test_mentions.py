"""A memory that is called by its name comes, whatever the gate would say; nothing else does."""

from pathlib import Path

import pytest

from memgit.prompt.recall import hits

from .made import Git, memory, opened, recalled, table_of

FILES = {
    "ops/staging-database.md": memory("Staging is reached on port 6432", name="staging-database"),
    "rules/no-deploy-on-friday.md": memory("No deploy on Fridays", name="no-deploy-on-friday"),
    "rules/code-review.md": memory("How a review is done", name="code-review"),
    "当番表.md": memory("障害当番は一週間交代", name="当番表"),
    "a/README.md": memory("About a", name="about-a"),
    "b/README.md": memory("About b", name="about-b"),
    "c/README.md": memory("About c", name="about-c"),
    "export__notes__lesson.mdc.md": memory("A lesson", name="export__notes__lesson.mdc"),
}


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("@staging-database", ["staging-database"]),
        ("see @staging-database.", ["staging-database"]),
        ("see staging-database.md, please", ["staging-database"]),
        ("see `ops/staging-database.md`!", ["staging-database"]),
        ("@Staging_Database.MD", ["staging-database"]),
        ("/code-review this branch", ["code-review"]),
        ("/plugin:code-review", ["code-review"]),
        ("当番表.mdを見て", ["当番表"]),
        ("これはstaging-database.mdに書いて", ["staging-database"]),
        ("@lesson.mdc", ["export__notes__lesson.mdc"]),
        ("b/README.md", ["about-b"]),
        ("code-review.md and staging-database.md", ["code-review", "staging-database"]),
    ],
)
def test_a_name_brings_its_memory(store: Path, git: Git, prompt: str, names: list[str]) -> None:
    assert recalled(table_of(store, git, FILES), prompt) == names


@pytest.mark.parametrize(
    "prompt",
    [
        "README.md",  # three have it
        "/compact",
        "person@code-review.example",
        "https://example.org/code-review.md",
        "@types/node",
        "lesson",
        "@",
        ".md",
    ],
)
def test_what_names_no_memory_brings_none(store: Path, git: Git, prompt: str) -> None:
    assert recalled(table_of(store, git, FILES), prompt) == []


def test_a_named_memory_is_shown_from_its_first_telling_line(store: Path, git: Git) -> None:
    from memgit.prompt.recall import context

    table = table_of(store, git, {"x.md": memory("About", "# Heading\n\nFirst.\n\nSecond.")})
    assert "| First.\n  | Second." in context(hits(table, "@x", 2), "/s", 2400, 0.0)[1]


def test_a_memory_that_is_gone_is_not_brought(store: Path, git: Git) -> None:
    table_of(store, git, FILES)
    git(store, "rm", "--quiet", "ops/staging-database.md")
    git(store, "commit", "--quiet", "--message=gone")
    assert recalled(opened(store), "@staging-database") == []
