"""Memories that hold on one branch of a project only, until that is merged.

The one rule: such a memory is recalled like any other, and says what it is: a label tells the
branch. Nothing but `promote` takes the label away, and only where git shows that it was merged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, is_memory_path, parse
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports import branches
from memgit.ports.git import Repository

KEY = "scope"
"""The key of a memory below which `project`, `branch`, and a commit of that branch stand."""

COMMIT, START = "commit", "start"
"""A commit of the branch; where it had none of its own yet, the one that it started from."""


@dataclass(frozen=True)
class Left:
    """A memory that keeps its scope, and why."""

    name: str
    why: str


def tie(store: Store, name: str, folder: Path, by: Provenance = BY_THE_USER) -> Changed:
    """Let a memory hold for the branch that is checked out in a project's folder.

    Raises StoreError where that is no project's branch, or the one that others are merged into.
    """
    project = _project(store, folder)
    scope = _scope(project)

    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(name)
        told = f"{entry.name} to branch {scope['branch']} of {scope['project']}"
        operation = Operation.of("scope", told, (entry.name,), by, to=scope["branch"])
        data = catalogue.content(entry.path)
        tied = with_keys(entry.path, data, {KEY: scope})
        note = f"{entry.name} is tied to branch {scope['branch']} already" if tied == data else ""
        return Plan(operation, {entry.path: tied}, note=note)

    return change(store, plan)


def promote(store: Store, folder: Path, by: Provenance = BY_THE_USER) -> tuple[Changed, list[Left]]:
    """Let the memories of a project's merged branches hold for all, in one commit; and those left.

    `commit` is None where no branch was merged that a memory is tied to.
    """
    project = _project(store, folder)
    about = branches.identity(project)
    left: list[Left] = []

    def plan(catalogue: Catalogue) -> Plan:
        left.clear()
        found = list(_tied(store, catalogue, about))
        verdicts = {memory.path: _why_not(project, memory.metadata[KEY]) for memory in found}
        ready = [memory for memory in found if not verdicts[memory.path]]
        left.extend(Left(memory.name, why) for memory in found if (why := verdicts[memory.path]))
        names = [memory.name for memory in ready]
        merged = dict.fromkeys(str(memory.metadata[KEY]["branch"]) for memory in ready)
        subject = f"{', '.join(names)} (merged: {', '.join(merged)})"
        files = {memory.path: with_keys(memory.path, catalogue.content(memory.path), {KEY: None})
                 for memory in ready}  # fmt: skip
        note = f"no memory is tied to a merged branch of {about}"
        operation = Operation.of("promote", subject, names, by, to=about)
        return Plan(operation, files, note="" if ready else note)

    return change(store, plan), left


def _project(store: Store, folder: Path) -> Repository:
    project = Repository(folder)
    if project.common_dir == store.repository.common_dir:
        raise StoreError(
            f"{folder}: that is the store itself, not a project",
            "stand in the project, or name it with --project",
        )
    return project


def _scope(project: Repository) -> dict[str, str]:
    branch = project.branch()
    if branch is None:
        raise StoreError(f"{project.root}: no branch is checked out", "switch to the one you mean")
    main = branches.main_branches(project)
    if any(ref.removeprefix("refs/heads/") == branch for ref in main):
        raise StoreError(
            f"{project.root}: {branch} is what other branches are merged into",
            "a memory without a scope holds there; switch to the branch that you mean",
        )
    scope = {"project": branches.identity(project), "branch": branch}
    if head := project.head():
        own = not any(branches.is_in(project, head, ref) for ref in main)
        scope[COMMIT if own else START] = head
    return scope


def _tied(store: Store, catalogue: Catalogue, project: str) -> Iterator[Memory]:
    """The memories that are tied to a branch of this project, written ones among them."""
    rows = Index(store).records()
    paths = {row["path"] for row in rows if _is_told(row["labels"])}
    paths.update(row.path for row in store.repository.unsaved() if is_memory_path(row.path))
    for path in sorted(paths):
        if catalogue.at(path):
            memory = parse(path, catalogue.content(path))[0]
            if memory.branch and memory.metadata[KEY].get("project") == project:
                yield memory


def _is_told(labels: Iterable[str]) -> bool:
    return any(label.startswith("unmerged") for label in labels)


def _why_not(project: Repository, scope: dict[str, Any]) -> str:
    """Why a branch does not count as merged; "" where it does."""
    branch, start = str(scope["branch"]), str(scope.get(START) or "")
    last = branches.tip(project, branch)
    tip = last or branches.commit(project, str(scope.get(COMMIT) or ""))
    if tip is None:
        return f"branch {branch} is not here any more, and nothing tells whether it was merged"
    if tip == start:
        return f"branch {branch} has no commit of its own yet"
    main = branches.main_branches(project)
    if any(branches.is_merged(project, tip, ref) for ref in main):
        return ""
    gone = "" if last else " and is not here any more"
    return f"branch {branch} is not merged{gone}"
