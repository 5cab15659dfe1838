"""Pairs of memories that contradict each other, or only seem to, and a model that is wrong of half.

The one rule: the pairs and what should become of them are written by hand beside this file; nothing
of them is known to a guard, and the model is a script that is called one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.domain.memory import Memory, render

FILE = Path(__file__).with_name("contradictions.txt")

REPLACEMENT = "replacement"
"""The kind of a pair whose younger memory should take the place of the older one."""

HELD_OUT = "## held out"

ORIGIN = "user"
"""Who wrote a memory of which the file does not say it."""


@dataclass(frozen=True)
class Pair:
    """Two memories, and of what kind the pair is; `number` counts from 0 within the file."""

    number: int
    kind: str
    language: str
    old: Memory
    new: Memory
    is_held_out: bool = False
    """Whether it was written after the guards, and not looked at when they were changed."""

    @property
    def replaces(self) -> bool:
        """Whether the younger one should take the place of the older one."""
        return self.kind == REPLACEMENT

    @property
    def is_lied_about(self) -> bool:
        """Whether the scripted model is wrong of it: of every second pair of each kind."""
        return self.number % 2 == 1

    @property
    def names(self) -> frozenset[str]:
        """The names of both."""
        return frozenset((self.old.name, self.new.name))


def pairs(path: Path = FILE) -> list[Pair]:
    """Every pair of the file, in its order."""
    found: list[Pair] = []
    head: tuple[str, str] | None = None
    memories: list[Memory] = []
    is_held_out = False
    for line, body in _entries(path.read_text(encoding="utf-8")):
        if line.startswith(HELD_OUT):
            is_held_out = True
            continue
        if line.startswith("#"):
            head = (line.split()[1], line.split()[2])
            memories = []
            continue
        memories.append(_memory(line, body))
        if head and len(memories) == 2:
            old, new = memories
            found.append(Pair(len(found), *head, old, new, is_held_out))
    return found


def files(every: Iterable[Pair]) -> dict[str, bytes]:
    """The pairs as the files of a store, by path."""
    return {one.path: render(one) for pair in every for one in (pair.old, pair.new)}


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """(first line, the lines below it) of each heading and each memory."""
    start = text.index("\n\n") if text.startswith("#") else 0
    while text[start:].lstrip().startswith("# ") and not _is_head(text[start:].lstrip()):
        start = text.index("\n", start + 1)
    first = ""
    below: list[str] = []
    for line in text[start:].splitlines():
        if _is_head(line) or line.startswith(("old ", "new ", HELD_OUT)):
            if first:
                yield first, "\n".join(below).strip()
            first, below = line, []
        else:
            below.append(line)
    yield first, "\n".join(below).strip()


def _is_head(line: str) -> bool:
    words = line.split("\n")[0].split()
    return len(words) == 3 and words[0] == "#" and words[2] in ("en", "ja")


def _memory(line: str, body: str) -> Memory:
    told = [part.strip() for part in line.partition(" ")[2].split("|")]
    name, kind, day, topics, origin = (*told, ORIGIN)[:5]
    metadata: dict[str, Any] = {"node_type": "memory", "type": kind}
    if topics:
        metadata["topics"] = [topic.strip() for topic in topics.split(",")]
    metadata |= {"origin": origin, "modified": f"{day}T09:00:00.000Z"}
    return Memory(f"{name}.md", name, "", kind, f"{body}\n", metadata)
