"""Which memory folders of the agent no project reads as its own any more, and whose they are.

The one rule: a project is named only on evidence, which is told with it; where two speak, or none,
the memories are shown as unclear and left to the person.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from memgit.domain.examination.of_projects import (
    digest_of,
    first_cwd,
    memory_folders,
    memory_root,
    orphaned,
    taken_over,
)
from memgit.domain.memory import parse
from memgit.domain.native.repositories import Known, below
from memgit.domain.native.trail import Trail
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.ports.claude_code import projects_dir, slug_of

INDEX = "MEMORY.md"

SHARED, ELSEWHERE, GONE = "shared", "elsewhere", "gone"
"""How a folder stands: several projects write into it; the agent keeps the memories of its project
with another folder now; its project is not where it was."""

SHOWN = 3
"""Commits that a piece of evidence names."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Group:
    """Memories of one folder that belong together: to `project`, a folder, or to none known ("").

    `files` are paths below the memory folder, `new` those whose words the store has not taken over.
    """

    project: str
    files: tuple[str, ...]
    evidence: tuple[str, ...]
    new: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether the project's folder is on this machine."""
        return bool(self.project) and os.path.isdir(self.project)


@dataclass(frozen=True)
class Lost:
    """A memory folder that needs a person's eye: how it `stands`, why, and whose its memories are.

    `unclear` are those of which nothing tells whose they are; `whole` is set where all are of one.
    """

    folder: Path
    stands: str
    why: str
    groups: tuple[Group, ...]
    unclear: Group | None = None

    @property
    def whole(self) -> bool:
        """Whether all of the folder goes together, its index too."""
        return self.stands != SHARED


@dataclass
class _Agent:
    """The agent's folders: `sessions` are (transcript, where it started) by the slug under which
    that project's memories are kept.
    """

    roots: Sequence[Path]
    sessions: dict[str, list[tuple[Path, str]]] = field(default_factory=dict)
    started: dict[Path, list[str]] = field(default_factory=dict)

    @cached_property
    def projects(self) -> Mapping[str, list[str]]:
        """Slug → the projects that keep their memories under it, each once, without links."""
        return {
            slug: list(dict.fromkeys(_project(place) for _, place in found))
            for slug, found in self.sessions.items()
        }

    @cached_property
    def repositories(self) -> list[Known]:
        """Those that sessions worked in and that are there, and those below the roots."""
        known = [root for roots in self.projects.values() for root in roots if os.path.isdir(root)]
        places = dict.fromkeys((*known, *below(self.roots)))
        return [found for place in places if (found := Known.at(place))]


def look(store: Store, roots: Sequence[Path], progress: Progress) -> Iterator[Lost]:
    """The memory folders that are shared or that no project reads, each with whose it is.

    `roots` are folders below which repositories may have been moved. Raises UsageError for one that
    is none.
    """
    if none := next((root for root in roots if not os.path.isdir(root)), None):
        raise UsageError(f"{none}: no such folder", "name one that repositories lie below")
    agent = _Agent(roots)
    folders = memory_folders(projects_dir())
    for done, folder in enumerate(folders):
        progress(done, 2 * len(folders))
        for transcript in _transcripts(folder):
            if place := first_cwd(str(transcript)):
                slug = slug_of(memory_root(place))
                agent.sessions.setdefault(slug, []).append((transcript, place))
                agent.started.setdefault(folder, []).append(place)
    taken = taken_over(store)
    for done, folder in enumerate(folders):
        progress(len(folders) + done, 2 * len(folders))
        memory = folder / "memory"
        files = sorted(path.relative_to(memory).as_posix() for path in memory.rglob("*.md")
                       if path.name != INDEX and path.is_file())  # fmt: skip
        if files and (found := _judged(folder, files, agent)):
            yield _with_new(found, taken)


def _judged(folder: Path, files: list[str], agent: _Agent) -> Lost | None:
    """How a folder stands; None where one project that is there reads it."""
    projects = agent.projects.get(folder.name, [])
    sessions = agent.sessions.get(folder.name, [])
    told = {transcript: _project(place) for transcript, place in sessions}
    if len(projects) > 1:
        trail = Trail.of(folder.name, told.items())
        _take_origins(folder / "memory", files, {one.stem: told[one] for one in told}, trail)
        why = f"the paths of {len(projects)} projects give the same name: {', '.join(projects)}"
        return _told_apart(folder, files, projects, trail, why)
    started = list(dict.fromkeys(agent.started.get(folder, [])))
    why = orphaned(folder, agent.projects, started)
    if not why:
        return None
    there = [place for place in started if slug_of(place) == folder.name and os.path.isdir(place)]
    if there:
        root = memory_root(there[0])
        evidence = (f"its sessions started in {there[0]}, a work tree or folder of {root}",)
        return Lost(folder, ELSEWHERE, why, (Group(root, tuple(files), evidence),))
    own = dict.fromkeys(_transcripts(folder), "")
    trail = Trail.of(folder.name, {**own, **told}.items())
    return _found_again(folder, files, agent, trail, why)


def _transcripts(folder: Path) -> list[Path]:
    """The agent's files in a folder; whoever opens a pipe waits for it."""
    return sorted(path for path in folder.glob("*.jsonl") if path.is_file())


def _project(place: str) -> str:
    return os.path.realpath(memory_root(place))


def _take_origins(
    memory: Path, files: Sequence[str], projects: Mapping[str, str], trail: Trail
) -> None:
    """Add what memories say of the session that wrote them, which tells of subagents' as well."""
    for file in files:
        with suppress(OSError):
            read = parse(file, (memory / file).read_bytes())[0]
            session = str(read.metadata.get("originSessionId"))
            if session in projects:
                trail.wrote.setdefault(file, set()).add(projects[session])


def _told_apart(
    folder: Path, files: list[str], projects: Sequence[str], trail: Trail, why: str
) -> Lost:
    """The memories of a shared folder by the project whose sessions alone wrote them."""
    by: dict[str, list[str]] = {project: [] for project in projects}
    unclear: list[str] = []
    for file in files:
        writers = trail.wrote.get(file, set())
        (by[next(iter(writers))] if len(writers) == 1 else unclear).append(file)
    groups = [
        Group(project, tuple(found), ("only sessions that started there wrote them",))
        for project, found in by.items()
        if found
    ]
    both = [file for file in unclear if trail.wrote.get(file)]
    told = [f"sessions of several projects wrote {', '.join(both)}"] if both else []
    if len(both) < len(unclear):
        told.append("no transcript that is left tells who wrote "
                    + ", ".join(file for file in unclear if file not in both))  # fmt: skip
    rest = Group("", tuple(unclear), tuple(told)) if unclear else None
    return Lost(folder, SHARED, why, tuple(groups), rest)


def _found_again(folder: Path, files: list[str], agent: _Agent, trail: Trail, why: str) -> Lost:
    """The repository that a folder's sessions worked in, wherever that is by now."""
    for told in (_by_commits(agent.repositories, trail), _by_remotes(agent.repositories, trail)):
        firsts = {one.first for one, _ in told}
        evidence = tuple(says for _, says in told)
        if len(firsts) == 1:
            found = told[0][0]
            same = f"their histories begin with the same commit {found.first[:12]}"
            evidence += (same,) * (len(told) > 1)
            return Lost(folder, GONE, why, (Group(found.path, tuple(files), evidence),))
        if firsts:
            return Lost(folder, GONE, why, (), Group("", tuple(files), evidence))
    nothing = "no repository that is known here holds a commit or a remote that its sessions name"
    return Lost(folder, GONE, why, (Group("", tuple(files), (nothing,)),))


def _by_commits(repositories: Sequence[Known], trail: Trail) -> list[tuple[Known, str]]:
    """The repositories that hold commits which the sessions name, each with how that is told."""
    found = [(one, one.has(trail.ids)) for one in repositories if trail.ids]
    return [(one, _commits(one, ids)) for one, ids in found if ids]


def _commits(one: Known, ids: Sequence[str]) -> str:
    count = "a commit" if len(ids) == 1 else f"{len(ids)} commits"
    return f"{one.path} has {count} that its sessions name: {', '.join(ids[:SHOWN])}"


def _by_remotes(repositories: Sequence[Known], trail: Trail) -> list[tuple[Known, str]]:
    """The repositories that have a remote which the sessions name."""
    found = [(one, one.remotes & trail.addresses.keys()) for one in repositories]
    return [(one, f"{one.path} has a remote that its sessions name: {min(names)}")
            for one, names in found if names]  # fmt: skip


def _with_new(lost: Lost, taken: set[str]) -> Lost:
    def counted(group: Group) -> Group:
        new = [file for file in group.files
               if digest_of(lost.folder / "memory" / file) not in taken]  # fmt: skip
        return Group(group.project, group.files, group.evidence, tuple(new))

    unclear = counted(lost.unclear) if lost.unclear else None
    return Lost(lost.folder, lost.stands, lost.why, tuple(map(counted, lost.groups)), unclear)
