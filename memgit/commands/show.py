"""`memgit show`: one memory, whole, with its labels."""

import click

from memgit.domain.index import Index
from memgit.domain.memory import Memory
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.output import printer


@click.command(epilog="Example: memgit show deploy")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def show(store: str | None, name: str, as_json: bool) -> None:
    """Print the memory NAME (a name, or a path in the store)."""
    opened = Store.find(store)
    memory = opened.read(_path(opened, name))
    printer(as_json).value(
        {
            "name": memory.name,
            "path": memory.path,
            "type": memory.type,
            "description": memory.description,
            "labels": memory.labels,
            "metadata": dict(memory.metadata),
            "body": memory.body,
        },
        lambda: _text(memory),
    )


def _path(store: Store, name: str) -> str:
    """The path of the memory that goes by `name`, committed or only written."""
    index = Index(store)
    index.sync()
    found = index.named(name)
    if len(found) == 1:
        return str(found[0]["path"])
    if found:
        places = ", ".join(str(record["path"]) for record in found)
        raise StoreError(f"{len(found)} memories are named {name}: {places}", "say which path")
    if name in store.paths():
        return name
    close = [record["name"] for record in index.records() if name.casefold() in record["name"]]
    hint = f"did you mean {', '.join(close[:3])}?" if close else "`memgit search` looks in texts"
    raise StoreError(f"no memory is named {name}", hint)


def _text(memory: Memory) -> str:
    lines = [f"{memory.name} ({memory.type}, {memory.path})"]
    lines += [f"! {label}" for label in memory.labels]
    lines += [memory.description] if memory.description else []
    return "\n".join([*lines, "", memory.body.rstrip("\n")])
