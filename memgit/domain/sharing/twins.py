"""Memories that two sides of a merge made under one name: both are kept, each under its own.

The one rule: what is ours and nobody has yet gets the other name; what came stays as it is.
"""

from collections.abc import Mapping, Sequence

from memgit.domain.memory import is_memory_path, key_of, parse
from memgit.domain.operation import Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.renaming import rename
from memgit.domain.store import Store

WHY = "another memory of this name came from the other side"


def twins(store: Store, ours: str, base: str, theirs: str) -> set[str]:
    """The paths at which both sides added a memory since `base`, each saying something else."""
    old, mine, other = map(store.repository.tree, (base, ours, theirs))
    both = [path for path in mine if is_memory_path(path) and path in other and path not in old]
    contents = [store.repository.blobs([tree[path] for path in both]) for tree in (mine, other)]
    return {path for path, *two in zip(both, *contents, strict=True)
            if len({parse(path, data)[0].body.strip() for data in two}) > 1}  # fmt: skip


def keep_both(store: Store, paths: Sequence[str], theirs: str) -> list[tuple[str, str]]:
    """Rename our memories at these paths. Returns (old, new) names."""
    taken = store.repository.tree(theirs)
    done = []
    for path in paths:
        name = store.read(path).name
        free = _free(store, name, taken)
        rename(store, path, free, Provenance(because=WHY))
        done.append((name, free))
    return done


def _free(store: Store, name: str, theirs: Mapping[str, str]) -> str:
    """The name with the first number that no memory of either side has."""
    stems = (other.rpartition("/")[2].rpartition(".")[0] for other in theirs)
    taken = {key_of(stem) for stem in stems if stem}
    for entry in Catalogue(store):
        taken.update(map(key_of, (entry.name, *entry.aliases)))
    number = 2
    while key_of(f"{name}-{number}") in taken:
        number += 1
    return f"{name}-{number}"
