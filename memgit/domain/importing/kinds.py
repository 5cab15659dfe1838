"""The type of a memory that comes without one.

The one rule: what the file itself says goes. Without a type it is `project`, as every other memory;
it is `reference` only where its name, the heading on its first line or a folder that it lies in is
one of the words below, whole. No text is weighed, and nothing ever becomes `user` or `feedback`:
those are rules, and only a person can tell whether it is one.
"""

from dataclasses import replace
from pathlib import PurePosixPath

from memgit.domain.memory import Memory, slug

SERENA = (
    "project-overview", "suggested-commands", "code-style", "code-style-conventions",
    "code-style-and-conventions", "style-and-conventions", "style-conventions",
    "coding-conventions", "codebase-structure", "project-structure", "tech-stack",
    "task-completion", "task-completion-checklist", "what-to-do-when-task-is-completed",
    "what-to-do-when-a-task-is-completed",
)  # fmt: skip
"""What Serena calls the memories of its onboarding."""

DOCUMENTS = (
    "architecture", "architecture-overview", "system-architecture", "api-reference", "reference",
    "glossary", "アーキテクチャ", "用語集", "リファレンス",
)  # fmt: skip
"""What people call documents to look things up in."""

FOLDERS = ("reference", "references")
"""Folders that say what lies in them."""

_NAMES = frozenset((*SERENA, *DOCUMENTS))


def with_kind(memory: Memory) -> Memory:
    """The memory; `reference` where it has no type of its own and says plainly that it is one."""
    if "type" in memory.metadata or not _is_reference(memory):
        return memory
    return replace(memory, type="reference")


def _is_reference(memory: Memory) -> bool:
    place = PurePosixPath(memory.path)
    if any(folder.casefold() in FOLDERS for folder in place.parts[:-1]):
        return True
    if slug(memory.name) in _NAMES or slug(place.stem) in _NAMES:
        return True
    first = memory.body.lstrip().partition("\n")[0]
    return first.startswith("# ") and slug(first.removeprefix("# ")) in _NAMES
