"""Tasks that a draft's steps run, looked up in the projects that its sessions ran in.

The one rule: a task is missing only where all that defines the tasks there can be read: what
includes other files, makes names up by a pattern, or keeps tasks as programs is let alone.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memgit.domain.claims.probing.manifests import task_files, tasks
from memgit.domain.claims.root import Root, opened
from memgit.errors import StoreError

_RUNS = {"make": ("make",), "just": ("just",), "mise": ("mise", "run"), "npm": ("npm", "run"),
         "pnpm": ("pnpm", "run")}  # fmt: skip
"""Program → the words before a task's name."""

_MORE = {
    "make": re.compile(r"^[ \t]*[-s]?include\b|^[^\t#\n]*[%$][^=\n]*:|^\.DEFAULT\b", re.MULTILINE),
    "just": re.compile(r"^(?:import|mod)\b|^set[ \t]+fallback\b", re.MULTILINE),
    "mise": re.compile(r"\btask_config\b|\btask_templates\b"),
}
"""What says that a file does not tell all tasks."""

_ELSEWHERE = {
    "make": (),
    "mise": ("mise.local.toml", ".mise.local.toml", "mise-tasks", ".mise-tasks", "mise/tasks",
             ".mise/tasks", ".config/mise/tasks", ".config/mise.toml"),
}  # fmt: skip
"""Where further tasks may be."""

_ELSEWHERE_OPTIONS = frozenset((
    "-f", "-C", "--file", "--directory", "--makefile", "--prefix", "--justfile", "-d",
    "--working-directory", "-g", "--global-justfile", "--set",
))  # fmt: skip
"""Options with which the tasks are those of another file, or whose value looks like a task."""


def roots(projects: Sequence[Path]) -> list[Root]:
    """The projects as they can be looked into, each once."""
    found: dict[Path, Root] = {}
    for folder in projects:
        with suppress(StoreError):
            root = opened(folder)
            found.setdefault(root.folder, root)
    return list(found.values())


def missing(name: str, words: Sequence[str], projects: Sequence[Root]) -> str:
    """The task that a command of this name runs and none of these projects has; "" where one has
    it, or it cannot be told.
    """
    said = tuple(name.split())
    runs = _RUNS.get(said[0] if said else "")
    if not runs or said[: len(runs)] != runs or len(said) != len(runs) + 1:
        return ""
    if _ELSEWHERE_OPTIONS.intersection(word.partition("=")[0] for word in words):
        return ""
    program, task = said[0], said[-1]
    known = [tasks(program, root) for root in projects]
    if not known or any(found is None or task in found for found in known):
        return ""
    return "" if any(_has_more(program, task, root) for root in projects) else task


def _has_more(program: str, task: str, root: Root) -> bool:
    pattern = _MORE.get(program)
    if pattern and any(pattern.search(text) for _, text in task_files(program, root)):
        return True
    places = (*_ELSEWHERE.get(program, ()), *((task,) if program == "make" else ()))
    if program == "mise" and (Path.home() / ".config" / "mise").exists():
        return True
    return any((root.folder / place).exists() for place in places)
