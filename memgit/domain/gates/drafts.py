"""Gates on drafts of skills: what `memgit skills check` looks at, at each commit.

The one rule: a commit reads no transcript. What the index of sessions knows counts; what it does
not know is told, and stops nothing but promoting.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memgit.domain.gates.scope import Scope
from memgit.errors import Fault

if TYPE_CHECKING:
    from memgit.domain.skills.draft import Draft

FOLDER = "drafts/skills/"
_RECORD = "promoted-"


def draft(scope: Scope) -> Iterator[Fault]:
    """Drafts that are not inert, hide something, or say what is known to be false."""
    for file in scope.beside:
        name = file.path.rpartition("/")[2]
        if file.path.startswith(FOLDER) and name != "SKILL.md" and not name.startswith(_RECORD):
            yield Fault(file.path, 1, "draft", "a draft is one file, SKILL.md")
    if _drafts(scope):
        from memgit.domain.skills.gates.table import STORE, TEXT

        yield from _judged(scope, "draft", TEXT, STORE)


def draft_here(scope: Scope) -> Iterator[Fault]:
    """Drafts whose sessions, programs or paths are not on this machine."""
    if _drafts(scope):
        from memgit.domain.skills.gates.table import HERE

        yield from _judged(scope, "draft-here", HERE)


def _drafts(scope: Scope) -> "list[Draft]":
    if not any(file.path.startswith(FOLDER) for file in scope.beside):
        return []  # most commits hold none, and need not wait for what reads them
    from memgit.domain.skills.draft import Draft, is_draft_path

    return [Draft.parse(file.path, file.data) for file in scope.beside
            if is_draft_path(file.path)]  # fmt: skip


def _judged(scope: Scope, code: str, *looks_at: str) -> Iterator[Fault]:
    from memgit.domain.sessions.index import FILE, SessionIndex
    from memgit.domain.skills.checking import scene_of
    from memgit.domain.skills.gates.scene import Scene
    from memgit.domain.skills.gates.table import judge

    store = scope.store
    index = SessionIndex.of(store) if store and (store.derived / FILE).is_file() else None
    scene = scene_of(store, index) if store else Scene()
    try:
        for one in _drafts(scope):
            for fault in judge(one, scene, *looks_at):
                yield Fault(one.path, fault.line, code, f"({fault.code}) {fault.message}")
    finally:
        if index:
            index.close()
