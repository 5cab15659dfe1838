"""Checks of the store itself: git, the work tree, the index, the log that recall leaves.

The one rule: they look and change nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memgit.domain.examination.finding import Finding, Scene, bad, ok, several, some, typed, warn
from memgit.domain.gates.names import cycle
from memgit.domain.gates.register import Entry, Register
from memgit.domain.gates.scope import File, Scope
from memgit.domain.indexing.index import VERSION, Index
from memgit.domain.memory import is_memory_path, parse
from memgit.domain.settings import FORMAT
from memgit.domain.store import Store
from memgit.ports.processes import run
from memgit.prompt.place import content

OLDEST_GIT = (2, 31)
LOG_DAYS = 7


def git(scene: Scene) -> Iterator[Finding]:
    """git is there, and new enough."""
    ended = run(["git", "--version"])
    found = re.search(rb"(\d+)\.(\d+)[.\w]*", ended.out)
    wanted = ".".join(map(str, OLDEST_GIT))
    if ended.status != 0 or not found:
        yield bad(f"git does not run ({ended.stopped or ended.status})", f"install git {wanted}")
    elif (int(found[1]), int(found[2])) < OLDEST_GIT:
        yield bad(f"git {found[0].decode()} is too old", f"install git {wanted} or newer")
    else:
        yield ok(f"git {found[0].decode()}")


def store(scene: Scene) -> Iterator[Finding]:
    """Where the store is, how it was found, and that its settings can be read."""
    store = scene.store
    if store is None:
        if scene.missing:
            make = "name a store with --store, or make one: `memgit init PATH`"
            yield bad(str(scene.missing), scene.missing.hint or make)
        return
    given = store.settings.format
    newest = "" if given >= FORMAT else f"{typed('migrate', '--dry-run', store=store)} shows more"
    if given > FORMAT:
        yield bad(store.newer, "pip install --upgrade memgit-tools")
    else:
        yield ok(f"{store.root}, {scene.way}; format {given} of {FORMAT}", newest)
    if not store.repository.head():
        yield warn("it has no commit yet", typed("add", "--body", "TEXT", store=store))
    if what := store.repository.in_progress():
        yield bad(
            f"a {what} is unfinished: nothing can be written",
            f"git {what} --continue, or git {what} --abort",
        )


def uncommitted(scene: Scene, store: Store) -> Iterator[Finding]:
    """Memories that an editor or an agent wrote and nobody committed."""
    rows = [row.path for row in store.repository.unsaved() if is_memory_path(row.path)]
    links = [path for path in rows if (store.root / path).is_symlink()]
    changed = [path for path in rows if path not in links]
    if links:
        count = "a symbolic link" if len(links) == 1 else f"{len(links)} symbolic links"
        yield warn(
            f"{count} named like a memory: none is read, recalled or saved: {some(links)}",
            "put the file itself in its place (cp -L), or another name",
        )
    if changed:
        yield warn(
            f"{several(len(changed), 'memory')} changed but not committed, so not recalled: "
            f"{some(changed)}",
            typed("save", store=store),
        )
    elif not links:
        yield ok("every memory is committed")


def readable(scene: Scene, store: Store) -> Iterator[Finding]:
    """Memories whose keys cannot be read: their description, type and labels count for nothing."""
    faults = [fault for path in store.paths() for fault in parse(path, store.content(path))[1]
              if fault.code == "frontmatter"]  # fmt: skip
    if not faults:
        return
    first, paths = faults[0], list(dict.fromkeys(fault.path for fault in faults))
    yield bad(
        f"the keys of {several(len(paths), 'memory')} cannot be read as they stand: {some(paths)}; "
        f"{first.path}:{first.line}: {first.message}",
        f"{typed('check', '--fix', store=store)} mends what has one meaning, and names the rest",
    )


def circles(scene: Scene, store: Store) -> Iterator[Finding]:
    """Memories that replace each other, so that none of them is current."""
    files = [File(path, store.content(path)) for path in store.paths()]
    # Without their bodies: what these share is no matter here, and costs.
    entries = [Entry.of(replace(file.memory, body="")) for file in files]
    found = list(cycle(Scope(files, Register(entries))))
    if found:
        yield warn(
            f"{several(len(found), 'reference')} between memories lead in a circle: {found[0].path}"
            f":{found[0].line}: {found[0].message}",
            "take the key out of the memory that holds today; "
            f"{typed('check', store=store)} names them all",
        )


def upstream(scene: Scene, store: Store) -> Iterator[Finding]:
    """How the branch stands to the one that it is exchanged with, as of the last fetch."""
    repository = store.repository
    branch = repository.branch()
    follows = branch and repository.config(f"branch.{branch}.merge")
    if not branch or not follows or not repository.head():
        return
    remote = repository.config(f"branch.{branch}.remote") or "."
    theirs = f"{remote}/{follows.removeprefix('refs/heads/')}".removeprefix("./")
    sync = typed("sync", store=store)
    status, counts, _ = repository.run_status(
        "rev-list", "--left-right", "--count", f"refs/heads/{branch}...{branch}@{{upstream}}"
    )
    if status:
        yield warn(f"{branch} follows {theirs}, which was never fetched", sync)
        return
    ours, others = map(int, counts.split())
    if ours and others:
        yield warn(
            f"{branch} and {theirs} went apart: {several(ours, 'commit')} here, "
            f"{several(others, 'commit')} there",
            f"{sync} brings both together",
        )
    elif others:
        yield warn(f"{several(others, 'commit')} of {theirs} not taken in yet", sync)
    elif ours:
        yield ok(f"{several(ours, 'commit')} not pushed to {theirs} yet", sync)
    else:
        yield ok(f"{branch} is where {theirs} was at the last fetch")


def index(scene: Scene, store: Store) -> Iterator[Finding]:
    """Index and recall table are whole and tell of the commit that is checked out."""
    index = Index(store)
    rebuild = typed("index", "--rebuild", store=store)
    head = index.head()
    if broken := index.damage():
        yield bad(f"the index is damaged: {some(broken)}", rebuild)
        return
    if not head:
        yield bad("there is no index yet, so nothing is recalled", rebuild)
        return
    if head.get("version") != VERSION or head.get("weights") != dict(store.settings.weights):
        yield bad("the index was made by another version or with other weights", rebuild)
        return
    commit = store.repository.head()
    if head["commit"] != commit:
        told, now = (str(c or "no commit")[:12] for c in (head["commit"], commit))
        yield bad(
            f"the index tells of {told}, checked out is {now}", rebuild.removesuffix(" --rebuild")
        )
        return
    parts = several(len(head["segments"]), "segment")
    yield ok(f"{several(head['memories'], 'memory')} at {str(commit)[:12]}, in {parts}")


def log(scene: Scene, store: Store) -> Iterator[Finding]:
    """What went wrong in recall lately: it never tells the agent, only this file."""
    path = store.derived / "recall.log"
    try:
        lines = content(str(path)).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        yield ok("recall has noted no fault")
        return
    except OSError as fault:
        yield bad(f"recall cannot note its faults: {fault}", f"take {path} away")
        return
    since = scene.now - timedelta(days=LOG_DAYS)
    recent = [line for line in lines if (_when(line) or scene.now) >= since]
    if not recent:
        yield ok(f"recall has noted no fault in {LOG_DAYS} days")
        return
    kinds = Counter(line.partition(" ")[2].partition(":")[0] for line in recent)
    counts = ", ".join(f"{number} × {kind}" for kind, number in kinds.most_common(3))
    yield warn(
        f"recall was silent because of a fault, in {LOG_DAYS} days: {counts}; the last: "
        f"{recent[-1][:160]}",
        f"{typed('index', '--rebuild', store=store)} if it names the table; all: {path}",
    )


def _when(line: str) -> datetime | None:
    try:
        return datetime.strptime(line[:20], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
