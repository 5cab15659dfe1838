"""`memgit show`: one memory, whole, with its labels."""

import time

import click

from memgit.commands._help import examples
from memgit.commands._words import MEMORY
from memgit.domain.claims.checked import blob_of
from memgit.domain.indexing.index import Index
from memgit.domain.memory import Memory, key_of
from memgit.domain.store import Store
from memgit.errors import StoreError, did_you_mean
from memgit.output import paging, progress
from memgit.prompt.checked import day_of, load, told
from memgit.prompt.show import plain


@click.command(epilog=examples("memgit show deploy"))
@click.argument("name", type=MEMORY)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def show(store: str | None, name: str, as_json: bool) -> None:
    """Print the memory NAME (a name, or a path in the store)."""
    opened = Store.find(store)
    memory = opened.read(_path(opened, name))
    held = _checked(opened, memory)
    with paging(as_json) as shown:
        shown.value(
            {
                "name": memory.name,
                "path": memory.path,
                "type": memory.type,
                "description": memory.description,
                "labels": memory.labels,
                "checked": held,
                "metadata": {
                    k: v for k, v in memory.metadata.items() if k not in ("node_type", "type")
                },
                "body": memory.body,
            },
            lambda: _text(memory, held),
        )


def _path(store: Store, name: str) -> str:
    """The path of the memory that goes by `name`, committed or only written."""
    index = Index(store)
    with progress("indexing") as told:
        index.sync(told)
    paths = store.paths()
    if name in paths:
        return name
    called = [record for record in index.named(name) if record["path"] in paths]
    exactly = [record for record in called if record["name"] == name]
    found = [record["path"] for record in (exactly or called)]
    found = found or [path for path in paths if key_of(path) == key_of(name)]
    found = found or _only_written(store, index, paths, name)
    key = key_of(name)
    found = found or [r["path"] for r in index.records() if key in map(key_of, r["aliases"])]
    if len(found) == 1:
        return str(found[0])
    if found:
        places = ", ".join(found)
        raise StoreError(f"{len(found)} memories are named {name}: {places}", "say which path")
    meant = did_you_mean(name, [record["name"] for record in index.records()])
    raise StoreError(f"no memory is named {name}", meant or "`memgit search` looks in texts")


def _only_written(store: Store, index: Index, paths: list[str], name: str) -> list[str]:
    """The memories of this name that no commit has yet."""
    committed = {record["path"] for record in index.records()}
    written = (store.read(path) for path in paths if path not in committed)
    return [memory.path for memory in written if key_of(memory.name) == key_of(name)]


def _checked(store: Store, memory: Memory) -> str:
    """When the claims of a memory, as its file is now, were last seen to hold; "" if ever."""
    blob = blob_of(store.content(memory.path), store.repository.head() or "")
    return told(day_of(load(str(store.derived)), blob), time.time())


def _text(memory: Memory, held: str) -> str:
    lines = [f"{plain(memory.name)} ({plain(memory.type)}, {plain(memory.path)})"]
    lines += [f"! {plain(label)}" for label in memory.labels]
    lines += [held] if held else []
    lines += [plain(memory.description)] if memory.description else []
    for key in ("topics", "aliases", "derived_from"):
        if words := memory.words(key):
            lines.append(f"{key.replace('_', ' ')}: {plain(', '.join(words))}")
    return "\n".join([*lines, "", memory.body.strip("\n")])
