"""Renaming a memory: its name and file change, and everything that refers to it follows.

The one rule: the old name stays an alias, so that what no one could rewrite still finds it.
"""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from memgit.domain.importing.placing import name_from
from memgit.domain.links import relinked
from memgit.domain.memory import Memory, decode, is_memory_path, key_of, parse, split
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.cascading import KEY, Reason, value_of
from memgit.domain.operations.catalogue import Catalogue, Entry
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import encoded, with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError


def rename(store: Store, old: str, new: str, by: Provenance = BY_THE_USER) -> Changed:
    """Give a memory another name, and its file with it, in the folder where it is.

    Links, `superseded_by`, `derived_from` and reasons in other memories follow in the same commit.
    Raises UsageError for what is no name, StoreError for one that is taken.
    """
    if not new or name_from(new) != new:
        proposal = name_from(new) or "a-name-of-words"
        raise UsageError(f"{new!r} is not a name", f"a name is like {proposal}")

    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(old)
        if entry.name == new:
            note = f"{new} is its name already"
            return Plan(Operation.of("rename", new, (new,), by, to=new), {}, note=note)
        path = _path(catalogue, entry, new)
        files: dict[str, bytes | None] = {path: _own(catalogue, entry, new)}
        if path != entry.path:
            files[entry.path] = None
        others = _others(catalogue, entry, new)
        files.update(others)
        names = [found.name for path in others if (found := catalogue.at(path))]
        operation = Operation.of(
            "rename", f"{entry.name} to {new}", (entry.name, new, *names), by, to=new
        )
        return Plan(operation, files, moved={path: entry.path})

    return change(store, plan)


def _path(catalogue: Catalogue, entry: Entry, new: str) -> str:
    """The file of the new name. Raises StoreError where name or file are another memory's."""
    named = catalogue.called(new)
    for other in catalogue:
        words = (other.name, *other.aliases)
        if other != entry and key_of(new) in map(key_of, words):
            raise StoreError(
                f"{new} is taken by {other.path}",
                f"choose another name, or `memgit supersede {entry.name} --by {other.name}`"
                if named
                else "choose another name",
            )
    here = PurePosixPath(entry.path)
    path = here.with_name(f"{new}{here.suffix}").as_posix()
    if key_of(path) == key_of(entry.path):
        return entry.path  # on some disks these two are one file
    taken = any(key_of(other.path) == key_of(path) for other in catalogue)
    if taken or (catalogue.store.root / path).exists() or not is_memory_path(path):
        raise StoreError(f"{path} cannot be its file: there is one", "choose another name")
    return path


def _own(catalogue: Catalogue, entry: Entry, new: str) -> bytes:
    """The memory's own file under its new name."""
    aliases = [word for word in entry.aliases if key_of(word) != key_of(new)]
    if key_of(entry.name) not in map(key_of, (*aliases, new)):
        aliases.append(entry.name)
    keys = {"name": new, "aliases": aliases or None}
    data = with_keys(entry.path, catalogue.content(entry.path), keys)
    return followed(entry.path, data, entry, new)


def _others(catalogue: Catalogue, entry: Entry, new: str) -> dict[str, bytes]:
    """The files of other memories in which the old name stands."""
    found = {}
    for other in catalogue:
        if other == entry:
            continue
        data = catalogue.content(other.path)
        following = followed(other.path, data, entry, new)
        if following != data:
            found[other.path] = following
    return found


def followed(path: str, data: bytes, entry: Entry, new: str) -> bytes:
    """The file at `path` with its references to a memory saying the new name of that.

    `entry` is the memory as it was: its old name, and the path that it had.
    """
    memory = parse(path, data)[0]
    means = _meaning(entry)
    keys = _references(memory, means, entry.name, new)
    if keys:
        data = with_keys(path, data, keys)
    body = relinked(memory.body, means, new) if "[[" in memory.body else memory.body
    if body == memory.body:
        return data
    text, encoding = decode(data)
    return encoded(path, text[: len(text) - len(split(text)[1])] + body, data, encoding)


def _meaning(entry: Entry) -> Callable[[str], bool]:
    called = {key_of(entry.name), key_of(entry.path.rpartition(".")[0]), key_of(entry.path)}
    return lambda word: key_of(word.strip("[] ").removesuffix(".md")) in called


def _references(memory: Memory, means: Callable[[str], bool], old: str, new: str) -> dict[str, Any]:
    """The keys of a frontmatter that name the memory, with the new name in them."""
    changes: dict[str, Any] = {}
    if memory.superseded_by and means(memory.superseded_by):
        changes["superseded_by"] = new
    for key in ("superseded_by", "derived_from"):
        words = memory.words(key)
        if any(map(means, words)):
            renamed = [new if means(word) else word for word in words]
            changes[key] = renamed[0] if isinstance(memory.metadata[key], str) else renamed
    told = memory.reasons(KEY)
    parsed = [Reason.parse(text) for text in told]
    kept = [str(one.renamed(old, new)) if one else text
            for one, text in zip(parsed, told, strict=True)]  # fmt: skip
    if kept != list(told):
        changes[KEY] = value_of(kept)
    return changes
