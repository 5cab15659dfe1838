"""Checks of the agent's own memory folders: `<config>/projects/<slug>/memory`.

The agent makes a slug by putting `-` for each character that is not an ASCII letter or digit. So
different projects can share a folder, and a project that moved leaves its folder behind.

The one rule: a project is named only on evidence, a transcript or a folder that is there, and the
work is bounded: the first lines of a few transcripts, the folders on the way to a project.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from memgit.domain.examination.finding import Finding, Scene, bad, ok, several, some, typed, warn
from memgit.domain.importing.arrival import digest
from memgit.domain.store import Store
from memgit.ports.claude_code import projects_dir, slug_of

TRANSCRIPTS = 12
"""The newest transcripts of a project that are looked into."""

FIRST = 65_536
"""Bytes of a transcript that are read to learn where its session started."""

FOLDERS = 400
"""Folders that are read in the search for one project."""

Roots = Mapping[str, Sequence[str]]
"""Slug → the projects that keep their memories under it, as transcripts tell."""


def projects(scene: Scene) -> Iterator[Finding]:
    """Memory folders that several projects share, or that no project reads any more."""
    folders = memory_folders(projects_dir())
    started = {folder: _started_in(folder) for folder in folders}
    roots: dict[str, list[str]] = {}
    for place in dict.fromkeys(place for places in started.values() for place in places):
        root = memory_root(place)
        if root not in roots.setdefault(slug_of(root), []):
            roots[slug_of(root)].append(root)
    fine = 0
    taken = cache(lambda: taken_over(scene.store))
    for folder in folders:
        files = [path for path in (folder / "memory").rglob("*.md") if path.name != "MEMORY.md"]
        if not files:
            continue
        if finding := shared(folder, len(files), roots):
            yield finding
        elif why := orphaned(folder, roots, started[folder]):
            if count := sum(digest_of(file) not in taken() for file in files):
                memory = folder / "memory"
                says = f"{several(count, 'memory')} in {memory} left behind: {why}"
                yield warn(says, typed("import", memory))
        else:
            fine += 1
    if fine:
        yield ok(
            f"{several(fine, 'memory folder')} of the agent, each of one project that is there"
        )


def shared(folder: Path, count: int, roots: Roots) -> Finding | None:
    """More than one project keeps its memories in this folder."""
    different = {os.path.realpath(root): root for root in roots.get(folder.name, ())}
    if len(different) < 2:
        return None
    says = (
        f"{several(count, 'memory')} of {len(different)} projects in one folder, because "
        f"their paths give the same name {folder.name}: {some(sorted(different.values()))}"
    )
    do = f"{typed('doctor', '--repair-native')} tells them apart, and takes them into a store"
    there = sum(map(os.path.isdir, different))
    return bad(says, do) if there > 1 else warn(says, do)


def orphaned(folder: Path, roots: Roots, started: Sequence[str]) -> str:
    """Why no project that is there keeps its memories in this folder; "" where one does."""
    known = roots.get(folder.name, ())
    if any(map(os.path.isdir, known)):
        return ""
    here = [place for place in started if slug_of(place) == folder.name and os.path.isdir(place)]
    if not here and not known:
        here = _search(folder.name)
    if any(slug_of(memory_root(place)) == folder.name for place in here):
        return ""
    if here:
        return f"the agent now keeps those of {here[0]} with {memory_root(here[0])}"
    if known:
        return f"its project {some(list(known))} is no longer there"
    return "no folder on this machine fits its name"


def taken_over(store: Store | None) -> set[str]:
    """Digests of what memories of the store were imported from."""
    memories = [store.read(path) for path in store.paths()] if store else []
    listed = [memory.metadata.get("sources") for memory in memories]
    sources = [source for rows in listed if isinstance(rows, list) for source in rows]
    return {str(source.get("sha256")) for source in sources if isinstance(source, dict)}


def digest_of(file: Path) -> str:
    """The digest of a file by which an import knows it; "" where it cannot be read."""
    try:
        return digest(file.read_bytes())
    except OSError:
        return ""


def memory_root(place: str) -> str:
    """Where the agent keeps the memories of sessions in `place`: at its main work tree.

    The place itself where it is in no repository, or not there any more.
    """
    path = Path(place)
    if not path.is_dir():
        return place
    for folder in (path, *path.parents):
        pointer = folder / ".git"
        if pointer.is_dir():
            return str(folder)
        if pointer.is_file():
            return str(_main_tree(folder, pointer) or folder)
    return place


def _main_tree(folder: Path, pointer: Path) -> Path | None:
    """The main work tree of the linked one at `folder`; None for a submodule or a broken link."""
    try:
        git_dir = folder / pointer.read_text("utf-8").strip().removeprefix("gitdir:").strip()
        common = (git_dir / (git_dir / "commondir").read_text("utf-8").strip()).resolve()
    except (OSError, UnicodeDecodeError):
        return None
    return common.parent if common.name == ".git" else None


def memory_folders(projects: Path) -> list[Path]:
    """The folders of all projects, whether a memory is in them or not."""
    try:
        with os.scandir(projects) as entries:
            return sorted(Path(entry.path) for entry in entries if entry.is_dir())
    except OSError:
        return []


def _started_in(folder: Path) -> list[str]:
    """The folders in which the sessions of a project's newest transcripts started."""
    with os.scandir(folder) as entries:
        found = [(entry.stat().st_mtime, entry.path) for entry in entries
                 if entry.name.endswith(".jsonl") and entry.is_file()]  # fmt: skip
    newest = sorted(found, reverse=True)[:TRANSCRIPTS]
    return list(dict.fromkeys(place for _, path in newest if (place := first_cwd(path))))


def first_cwd(transcript: str) -> str:
    """The first `cwd` of a transcript; "" where its first lines tell none."""
    try:
        with open(transcript, "rb") as file:
            left = FIRST
            while left > 0 and (line := file.readline(left)):
                left -= len(line)
                if b'"cwd"' in line and (place := _cwd(line)):
                    return place
    except OSError:
        pass
    return ""


def _cwd(line: bytes) -> str:
    try:
        place = json.loads(line)["cwd"]
        name = os.fsencode(place)
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return place if name.startswith(b"/") and b"\0" not in name else ""


def _search(slug: str) -> list[str]:
    """Folders on this machine with this slug: only those on the way there are read."""
    found = []
    waiting = [os.sep]
    for _ in range(FOLDERS):
        if not waiting:
            break
        for place in _subfolders(waiting.pop()):
            own = slug_of(place)
            if own == slug:
                found.append(place)
            if slug.startswith(f"{own}-") or (len(own) > 200 and own[:200] == slug[:200]):
                waiting.append(place)
    return found


def _subfolders(place: str) -> list[str]:
    try:
        with os.scandir(place) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
