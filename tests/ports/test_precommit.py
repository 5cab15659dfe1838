"""pre-commit's configuration: one entry more, and not a character less."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from memgit.ports.precommit import HOOK, has_hook, others, with_entry, without_entry

ROOT = Path(__file__).resolve().parents[2]

ENTRY = """- repo: local
  hooks:
    - id: memgit-check
      entry: memgit check
"""
ITEM = {"repo": "local", "hooks": [{"id": "memgit-check", "entry": "memgit check"}]}

CAN = {
    "two spaces": "repos:\n  - repo: a\n    hooks:\n      - id: x\n",
    "no depth": "repos:\n- repo: a\n  hooks:\n  - id: x\n",
    "no last line end": "repos:\n  - repo: a\n    hooks: [{id: x}]",
    "comments": "# top\nrepos:  # all\n  # first\n  - repo: a  # why\n    hooks:\n"
    "      - id: x # last\n  # - repo: b\n\n# end\n",
    "more keys": "default_stages: [pre-commit]\nrepos:\n  - repo: a\n    hooks:\n      - id: x\n\n"
    "ci:\n  autofix_prs: false\n",
    "last value is a block": "repos:\n  - repo: local\n    hooks:\n      - id: x\n"
    "        entry: |\n          one\n          two\n\n\nexclude: x\n",
    "folded to the end": "repos:\n  - repo: local\n    hooks:\n      - id: x\n        files: >-\n"
    "          (a|\n          b)\n",
    "CRLF": "repos:\r\n  - repo: a\r\n    hooks:\r\n      - id: x\r\nci: {}\r\n",
    "byte order mark": "\ufeffrepos:\n  - repo: a\n    hooks:\n      - id: x\n",
    "Japanese": "repos: # 道具\n  - repo: 道具\n    hooks:\n      - id: 検査 # 毎回\n",
    "none yet": "repos: []\nci: {}\n",
    "document marks": "---\nrepos:\n  - repo: a\n    hooks:\n      - id: x\n...\n",
    "anchors": "repos:\n  - &a\n    repo: a\n    hooks: &h\n      - id: x\n",
}

CANNOT = {
    "empty": "",
    "no YAML": "repos: [\n",
    "a list": "- repo: a\n",
    "no list": "repos:\n  repo: a\n",
    "nothing there": "repos:\n",
    "in brackets": "repos: [{repo: a, hooks: [{id: x}]}]\n",
    "two documents": "repos: []\n---\nrepos: []\n",
    "unknown tag": "repos: !mine\n  - repo: a\n",
    "last one is an alias": "repos:\n  - &a {repo: a, hooks: [{id: x}]}\n  - *a\n",
}


@pytest.mark.parametrize("text", CAN.values(), ids=CAN)
def test_the_entry_is_added_and_nothing_else_changes(text: str) -> None:
    added = with_entry(text, ENTRY)

    assert added is not None
    before, after = yaml.safe_load(text), yaml.safe_load(added)
    assert after.pop("repos") == [*before.pop("repos"), ITEM]
    assert after == before
    text = text.replace("repos: []", "repos:")
    more = len(added) - len(text)
    assert any(added[:at] + added[at + more :] == text for at in range(len(text) + 1))
    assert added.count("\r\n") in (0, added.count("\n"))
    assert has_hook(added)


@pytest.mark.parametrize("text", CAN.values(), ids=CAN)
def test_the_entry_is_taken_out_again_to_the_byte(text: str) -> None:
    added = with_entry(text, ENTRY)
    assert added is not None
    assert without_entry(added, ENTRY) == text
    assert without_entry(added.replace("memgit check", "memgit check --json"), ENTRY) is None
    assert without_entry(text, ENTRY) is None


def test_an_entry_that_others_were_put_behind_is_not_as_it_was() -> None:
    added = with_entry(CAN["two spaces"], ENTRY)
    assert added is not None
    more = f"{added}  - repo: b\n    hooks:\n      - id: y\n"
    assert without_entry(more, ENTRY) is None


@pytest.mark.parametrize("text", CANNOT.values(), ids=CANNOT)
def test_where_it_is_not_safe_nothing_comes_out(text: str) -> None:
    assert with_entry(text, ENTRY) is None


def test_the_gate_is_known_wherever_it_comes_from() -> None:
    text = (
        "repos:\n  - repo: https://example.com/memgit\n    hooks: [{id: memgit-check}, {id: x}]\n"
    )

    assert has_hook(text)
    assert others(text) == ["x"]


@pytest.mark.parametrize("text", [*CANNOT.values(), "repos: [1, {hooks: 2}, {hooks: [3]}]"])
def test_what_is_no_configuration_has_no_hooks(text: str) -> None:
    assert not has_hook(text)


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("validate-config", ".pre-commit-config.yaml"),
        ("validate-manifest", ".pre-commit-hooks.yaml"),
    ],
)
def test_the_projects_own_files_are_valid(command: str, file: str) -> None:
    subprocess.run([sys.executable, "-m", "pre_commit", command, str(ROOT / file)], check=True)
    assert HOOK in (ROOT / file).read_text()
