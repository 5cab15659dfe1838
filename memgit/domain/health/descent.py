"""Which memories took the place of which, and which were made from which, as trees to read.

The one rule: every memory stands once, below the first that leads to it; circles end where they
would begin again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgit.domain.memory import key_of

REPLACES, MADE_INTO = "replaces", "made into"
"""How a memory relates to the one that it stands below: that one replaces it, or it came of it."""

DEEPEST = 20
"""Steps below its top that a tree goes; what would stand deeper is on top of one of its own."""

MOST = 60
"""Memories in all trees together; what is beyond is only counted."""


@dataclass(frozen=True)
class Node:
    """A memory in a tree; `relation` is "" for one on top. `labels` are what a reader is told."""

    name: str
    relation: str
    labels: Sequence[str]
    below: Sequence["Node"] = ()

    @property
    def size(self) -> int:
        """Memories in this tree."""
        return 1 + sum(node.size for node in self.below)


@dataclass(frozen=True)
class Descent:
    """Trees, the largest first, and how many memories are `left_out` of them."""

    trees: Sequence[Node]
    left_out: int
    supersessions: int
    derivations: int


def descent(records: Iterable[Mapping[str, Any]], most: int = MOST) -> Descent:
    """The trees of these records of the index. Names that lead nowhere are left out."""
    by_key: dict[str, Mapping[str, Any]] = {}
    for record in records:
        by_key.setdefault(key_of(record["name"]), record)
    for record in [*by_key.values()]:
        for alias in record["aliases"]:
            by_key.setdefault(key_of(alias), record)
    edges = _Edges(by_key)
    trees = sorted(edges.trees(), key=lambda tree: (-tree.size, tree.name))
    kept: list[Node] = []
    room = most
    for tree in trees:
        if room <= 0:
            break
        cut, room = _cut(tree, room)
        kept.append(cut)
    total = sum(tree.size for tree in trees)
    return Descent(
        kept, total - sum(tree.size for tree in kept), edges.supersessions, edges.derivations
    )


class _Edges:
    """Who stands below whom."""

    def __init__(self, by_key: Mapping[str, Mapping[str, Any]]) -> None:
        self._records = {record["path"]: record for record in by_key.values()}
        self._below: dict[str, list[tuple[str, str]]] = {}
        self._has_above: dict[str, None] = {}
        self.supersessions = self.derivations = 0
        for path, record in self._records.items():
            above = by_key.get(key_of(record["superseded_by"] or ""))
            if above and above["path"] != path:
                self.supersessions += 1
                self._put(above["path"], path, REPLACES)
            for word in record["derived_from"]:
                origin = by_key.get(key_of(word.strip("[] ").removesuffix(".md")))
                if origin and origin["path"] != path:
                    self.derivations += 1
                    self._put(origin["path"], path, MADE_INTO)

    def _put(self, above: str, below: str, relation: str) -> None:
        self._below.setdefault(above, []).append((below, relation))
        self._has_above[below] = None

    def trees(self) -> Iterator[Node]:
        """Each tree from its top, those of circles from wherever they are met."""
        seen: set[str] = set()
        tops = [path for path in self._below if path not in self._has_above]
        for path in dict.fromkeys((*tops, *self._below, *self._has_above)):
            if path not in seen:
                yield self._grown(path, "", seen)

    def _grown(self, path: str, relation: str, seen: set[str], depth: int = 0) -> Node:
        seen.add(path)
        record = self._records[path]
        below = []
        for child, how in self._below.get(path, ()):
            if child not in seen and depth < DEEPEST:
                below.append(self._grown(child, how, seen, depth + 1))
        return Node(record["name"], relation, record["labels"], below)


def _cut(tree: Node, room: int) -> tuple[Node, int]:
    """A tree with at most so many memories, and the room that is left."""
    room -= 1
    below = []
    for node in tree.below:
        if room <= 0:
            break
        kept, room = _cut(node, room)
        below.append(kept)
    return Node(tree.name, tree.relation, tree.labels, below), room
