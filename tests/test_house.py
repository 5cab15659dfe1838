"""The shape of the house: rooms, arrows, names, and words that must not stand in it."""

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memgit.cli import UNLISTED, VERBS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "memgit"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAY_IMPORT = {
    "cli": {"commands", "errors", "output"},
    "commands": {
        "commands",
        "passes",
        "evaluation",
        "pages",
        "domain",
        "ports",
        "prompt",
        "errors",
        "output",
    },
    "passes": {"passes", "domain", "ports", "errors"},
    "evaluation": {"evaluation", "pages", "domain", "ports", "prompt", "errors"},
    "pages": {"pages", "domain", "ports", "errors", "output"},
    "domain": {"domain", "ports", "prompt", "errors"},
    "ports": {"ports", "errors"},
    "prompt": {"prompt"},
    "output": {"ports", "errors"},
    "errors": set(),
}
"""Room → rooms that it may import. Arrows run one way; a room may look into itself."""

OUTSIDE = {
    "anthropic": "memgit/ports/model/api.py",
    "click": "cli and commands",
    "detect_secrets": "memgit/ports/detector.py",
    "filelock": "memgit/ports/lock.py",
    "frontmatter": "memgit/ports/frontmatter.py",
    "git": "memgit/ports/git_process.py",
    "langchain_classic": "memgit/evaluation/reclaim/adapters.py",
    "langchain_core": "memgit/evaluation/reclaim/adapters.py",
    "jsonschema": "memgit/ports/model/fitting.py",
    "mcp": "memgit/ports/mcp_server.py",
    "mem0": "memgit/evaluation/reclaim/adapters.py",
    "mistune": "memgit/ports/markdown.py",
    "pygal": "memgit/ports/charts.py",
    "rich": "memgit/output.py and memgit/ports/progress_bar.py",
    "whoosh": "memgit/ports/search.py and memgit/ports/search_model.py"
    " and memgit/ports/plain_search.py",
    "wordfreq": "memgit/evaluation/background.py",
    "yaml": "memgit/ports/frontmatter.py and memgit/ports/precommit.py",
}
"""Package → the one place that may import it; two where one is what the other is compared with."""


def room(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Modules imported anywhere in a file, but for those only the type checker sees."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if node in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "memgit.prompt":
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_arrows_run_one_way(path: Path) -> None:
    here = room(path)
    if here in ("__init__", "__main__"):
        return
    for module in imports(path):
        if module.startswith("memgit."):
            assert module.split(".")[1] in MAY_IMPORT[here], f"{path.name} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_outside_thing_has_one_door(path: Path) -> None:
    place = path.relative_to(ROOT).as_posix()
    for module in imports(path):
        package = module.split(".")[0]
        if package in ("memgit", *sys.stdlib_module_names):
            continue
        door = OUTSIDE.get(package, "nowhere")
        assert place in door.split(" and ") or (
            package == "click" and room(path) in ("cli", "commands")
        ), f"{place} imports {package}, whose door is {door}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is_and_stays_readable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), f"{path.name} has no docstring"
    assert text.count("\n") <= 320, f"{path.name} is {text.count(chr(10))} lines long"


def test_every_verb_has_its_file_and_every_file_its_verb() -> None:
    stems = (path.stem.rstrip("_") for path in (PACKAGE / "commands").glob("[a-z]*.py"))
    assert {stem.replace("_", "-") for stem in stems} == {*VERBS, *UNLISTED}


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_help_with_an_example(verb: str, memgit: object) -> None:
    shown = memgit(verb, "--help")  # type: ignore[operator]
    assert shown.returncode == 0
    assert "Example" in shown.stdout
    assert f"memgit {verb}" in shown.stdout


def test_no_left_over_markers_and_no_machine_of_ours() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    markers = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "/wo" + "rk/", "/ro" + "ot/", "/far" + "m/"]
    found = []
    for name in listed.splitlines():
        path = ROOT / name
        if path.suffix not in (".py", ".md", ".toml", ".yaml", ".json", ".lock", ""):
            continue
        if name.startswith(("tests/", "sample-store/")) or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{name}: {marker}" for marker in markers if marker in text]
    assert found == []


@pytest.mark.parametrize("arguments", [("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)])
def test_checkers_are_content(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_docs_say_to_measure_with_is_there() -> None:
    """The files of their test commands, and for each word after `-k` a test."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    said = " ".join(" ".join(path.read_text(encoding="utf-8") for path in pages).split())
    commands = re.findall(r"`(?:\w+=\S+ )?python -m pytest ([^`]+)`", said)
    assert len(commands) >= 3
    for command in map(shlex.split, commands):
        paths = [ROOT / word for word in command if word.startswith("tests")]
        files = [
            file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))
        ]
        names = re.findall(r"def (test_\w+)", "".join(map(Path.read_text, files)))
        chosen = command[command.index("-k") + 1].split(" or ") if "-k" in command else [""]
        assert names, command
        assert all(any(word in name for name in names) for word in chosen), command
        if "-m" in command and command[command.index("-m") + 1] == "slow":
            assert any("pytest.mark.slow" in file.read_text() for file in files), command
