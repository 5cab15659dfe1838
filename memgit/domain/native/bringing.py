"""Taking the memories of one group over: an import like any other, below a folder of the store that
is called as their project is.

The one rule: one commit for each group, so that each can be undone alone.
"""

from pathlib import Path

from memgit.domain.importing.placing import name_from
from memgit.domain.importing.taking_over import Imported, import_memories
from memgit.domain.memory import slug
from memgit.domain.native.belonging import Group, Lost
from memgit.domain.store import Store


def bring(store: Store, lost: Lost, group: Group) -> Imported:
    """Import a group of a memory folder; of a folder that is one project's, its index too."""
    memory = lost.folder / "memory"
    given = [memory] if lost.whole else [memory / file for file in group.files]
    return import_memories(store, given, below=below(lost, group))


def below(lost: Lost, group: Group) -> str:
    """The folder of the store in which a group's memories are put."""
    if group.project:
        return name_from(Path(group.project).name) or "memory"
    return slug(lost.folder.name) or "memory"
