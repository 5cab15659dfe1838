"""Tasks of projects that drafts name: missing only where all of them can be read."""

from pathlib import Path

import pytest

from memgit.domain.skills.command_name import name_of
from memgit.domain.skills.gates.tasks import missing, roots
from memgit.domain.skills.shell_line import commands

MAKE = {"Makefile": "test: build\n\tpytest\nbuild:\n\ttrue\n"}
MISE = {"mise.toml": '[tasks.lint]\nrun = "ruff"\nalias = "l"\n[tasks]\n"test:ci" = "pytest"\n'}
JUST = {"justfile": "set shell := ['sh']\nalias c := check\ncheck e='a:b': lint\n  ruff\n@lint:\n"}
NPM = {"package.json": '{"scripts": {"build": "vite build"}}'}


def told(line: str, folder: Path, files: dict[str, str]) -> str:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    (command,) = commands(line)
    name = name_of(command)
    assert name
    return missing(name[0], [word.text for word in command.words], roots([folder, folder]))


@pytest.mark.parametrize(
    ("line", "files", "task"),
    [("make deploy", MAKE, "deploy"), ("make -j4 deploy", MAKE, "deploy"),
     ("mise run deploy", MISE, "deploy"), ("mise run test:all", MISE, "test:all"),
     ("npm run deploy -- --prod", NPM, "deploy"), ("pnpm run deploy", NPM, "deploy"),
     ("just deploy prod", JUST, "deploy"), ("just env=b release-all", JUST, "release-all"),
     ("just shell", JUST, "shell"), ("make release-all", MAKE, "release-all"),
     ("make V=1 release-2", MAKE, "release-2"), ("npm run testE2E", NPM, "testE2E")],
)  # fmt: skip
def test_a_task_that_the_project_lacks_is_told(
    line: str, files: dict[str, str], task: str, tmp_path: Path
) -> None:
    assert told(line, tmp_path, files) == task


@pytest.mark.parametrize(
    ("line", "files"),
    [("make test", MAKE), ("make", MAKE), ("mise run lint", MISE), ("mise run l", MISE),
     ("mise run test:ci", MISE), ("npm run build", NPM), ("npm install", NPM), ("git push", MAKE),
     ("make deploy", {"web/Makefile": "deploy:\n"}), ("just check", JUST), ("just c", JUST),
     ("just lint", JUST), ("just", JUST), ("make release-all", {"Makefile": "release-all:\n"})],
)  # fmt: skip
def test_one_that_it_has_is_not(line: str, files: dict[str, str], tmp_path: Path) -> None:
    assert told(line, tmp_path, files) == ""


@pytest.mark.parametrize(
    ("line", "files"),
    [("make deploy", NPM), ("make deploy", {"Makefile": "include more.mk\ntest:\n"}),
     ("make deploy", {"Makefile": "test:\n%:\n\ttrue\n"}),
     ("make deploy", {"Makefile": "test:\n$(ALL): x\n"}), ("make -f other.mk deploy", MAKE),
     ("mise run deploy", {**MISE, "mise-tasks/deploy": "#!/bin/sh\n"}),
     ("mise run deploy", {"mise.toml": MISE["mise.toml"] + "[task_config]\nincludes = []\n"}),
     ("just deploy", MAKE), ("just --set a b deploy", JUST), ("just -d /x deploy", JUST),
     ("just deploy", {"justfile": "import 'more.just'\nlint:\n"}),
     ("just deploy", {"justfile": "mod deploy\nlint:\n"}),
     ("just --justfile=other deploy", JUST),
     ("npm run build", MAKE), ("npm run build", {"package.json": "{broken"})],
)  # fmt: skip
def test_where_not_all_can_be_read_nothing_is_said(
    line: str, files: dict[str, str], tmp_path: Path
) -> None:
    assert told(line, tmp_path, files) == ""


def test_without_a_project_nothing_is_said(tmp_path: Path) -> None:
    (command,) = commands("make deploy")
    assert missing("make deploy", [word.text for word in command.words], []) == ""
