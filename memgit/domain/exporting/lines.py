"""Memories as JSON lines: one object for each, with all that is known of it; and read back.

The one rule: an object holds the whole memory and what happened to it, so that whoever has the line
needs neither the store nor its history.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from memgit.domain.exporting.places import Shelf
from memgit.domain.memory import DEFAULT, Memory, key_of
from memgit.domain.operations.history import Event, events
from memgit.domain.store import Store

Row = Mapping[str, Any]

_HALF = re.compile("[\ud800-\udfff]")
"""Half characters, which UTF-8 cannot hold and JSON can."""


def rows(store: Store, shelf: Shelf) -> Iterator[Row]:
    """An object for each memory, in the order of their paths."""
    happened = _histories(store, shelf.memories)
    before: dict[str, list[str]] = {}
    for one in shelf.memories:
        if one.superseded_by and (successor := shelf.called(one.superseded_by)):
            before.setdefault(successor.path, []).append(one.name)
    for one in shelf.memories:
        yield {
            "name": one.name,
            "type": one.type,
            "description": one.description,
            "path": one.path,
            "body": one.body,
            "labels": list(one.labels),
            "recorded": one.recorded,
            "sources": one.metadata.get("sources") or [],
            "superseded_by": one.superseded_by,
            "supersedes": before.get(one.path, []),
            "metadata": dict(one.metadata),
            "history": happened[one.path],
        }


def line(row: Row) -> str:
    """A row as one line of JSON, in characters that UTF-8 holds."""
    text = json.dumps(row, ensure_ascii=False)
    return _HALF.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n"


def memories_in(text: str) -> Iterator[tuple[int, Memory]]:
    """(number, memory) of each line that `line` wrote. Raises ValueError for another one."""
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                yield number, _memory(json.loads(row))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise ValueError(
                    f"line {number} is no memory of `memgit export --to jsonl`"
                ) from None


def _memory(row: Any) -> Memory:
    texts = {key: row[key] for key in ("path", "name", "body")}
    texts |= {key: row.get(key) or usual for key, usual in (("description", ""), ("type", DEFAULT))}
    metadata = row.get("metadata") or {}
    if not all(isinstance(text, str) for text in texts.values()) or not _names_a_file(row["path"]):
        raise TypeError
    return Memory(**texts, metadata=dict(metadata.items()))


def _names_a_file(path: str) -> bool:
    """Whether a path leads to anything but the folder that all stands in, as `/` and `.` do."""
    return bool(PurePosixPath(path.lstrip("/")).name)


def _histories(store: Store, memories: Sequence[Memory]) -> dict[str, list[Row]]:
    """What happened to each memory, by its path, oldest first, also under names it had before."""
    found: dict[str, list[Row]] = {one.path: [] for one in memories}
    if store.repository.head() is None:
        return found
    by_path = {one.path: one.path for one in memories}
    by_name = {key_of(one.name): one.path for one in memories}
    for event in events(store):
        told = {by_path[path] for path in _places(event) if path in by_path}
        told |= {by_name[key_of(name)] for name in event.memories if key_of(name) in by_name}
        for touched in event.commit.touched:
            if touched.path in by_path and touched.old_path:
                by_path.setdefault(touched.old_path, by_path[touched.path])
        operation = event.operation
        if operation and event.kind == "rename" and key_of(operation.to) in by_name:
            by_name.setdefault(key_of(operation.memories[0]), by_name[key_of(operation.to)])
        happened = _happened(event) if told else {}
        for path in told:
            found[path].append(happened)
    return {path: rows[::-1] for path, rows in found.items()}


def _places(event: Event) -> Iterator[str]:
    for touched in event.commit.touched:
        yield from filter(None, (touched.path, touched.old_path))


def _happened(event: Event) -> Row:
    told = event.operation
    said = {
        "commit": event.id,
        "time": event.commit.date,
        "operation": event.kind,
        "actor": event.actor,
        "subject": event.subject,
        "to": told.to if told else "",
        "because": told.because if told else "",
        "undoes": told.undoes if told else "",
    }
    return {key: value for key, value in said.items() if value}
