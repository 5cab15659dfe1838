"""Memories that two sides of a merge made under one name: both are kept, each under its own.

The one rule: what is ours and nobody has yet gets the other name; what came stays as it is.
"""

from memgit.domain.memory import is_memory_path, key_of, parse
from memgit.domain.operation import Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.renaming import rename
from memgit.domain.store import Store

WHY = "another memory of this name came from the other side"


def keep_both(store: Store, base: str, theirs: str) -> list[tuple[str, str]]:
    """Rename each memory that both sides added at one path, saying different things.

    Returns (old, new) names. Those that say the same are left to the merge.
    """
    old, new = store.repository.tree(base), store.repository.tree(theirs)
    head = store.repository.head()
    ours = store.repository.tree(head) if head else {}
    added = (path for path in ours if is_memory_path(path) and path not in old)
    torn = [path for path in added if new.get(path, ours[path]) != ours[path]]
    done = []
    for path in torn:
        mine, other = store.repository.blobs([ours[path], new[path]])
        if parse(path, mine)[0].body.strip() == parse(path, other)[0].body.strip():
            continue
        name = parse(path, mine)[0].name
        free = _free(store, path, name, new)
        rename(store, path, free, Provenance(because=WHY))
        done.append((name, free))
    return done


def _free(store: Store, path: str, name: str, theirs: dict[str, str]) -> str:
    """The name with the first number that no memory of either side has."""
    stems = (other.rpartition("/")[2].rpartition(".")[0] for other in theirs)
    taken = {key_of(stem) for stem in stems if stem}
    for entry in Catalogue(store):
        taken.update(map(key_of, (entry.name, *entry.aliases)))
    number = 2
    while key_of(f"{name}-{number}") in taken:
        number += 1
    return f"{name}-{number}"
