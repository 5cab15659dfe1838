"""Letting a memory point to lines of a file: its path, git blob, and the words themselves.

The one rule: what is pointed to is quoted, so that it outlives the file; one operation, one commit.
"""

from dataclasses import replace
from pathlib import Path

from memgit.domain.gates.secrets import found as secrets_in
from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.sourcing.source import Source, of_place, sources_of
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.git import Repository

LONGEST = 2_000
"""Characters that are quoted of a file."""


def point(store: Store, name: str, place: str, by: Provenance = BY_THE_USER) -> Changed:
    """Add `path`, `path:12` or `path:12-18` to the sources of a memory, with what stands there.

    Raises StoreError where there is no such file or line, where it lies in no git repository, or
    where it holds what looks like a secret.
    """
    source = _read(Path.cwd(), of_place(place if "/" in place or "." in place else f"./{place}"))

    def plan(catalogue: Catalogue) -> Plan:
        entry = catalogue.find(name)
        memory = store.read(entry.path)
        operation = Operation.of("edit", f"{entry.name}: a source", (entry.name,), by)
        if source in sources_of(memory):
            return Plan(operation, {}, note=f"{entry.name} has this source already")
        given = memory.metadata.get("sources")
        stands = list(given) if isinstance(given, list) else [given] if given else []
        keys = {"sources": [*stands, source.as_source()]}
        return Plan(operation, {entry.path: with_keys(entry.path, catalogue.content(entry.path),
                                                      keys)})  # fmt: skip

    return change(store, plan)


def _read(folder: Path, asked: Source) -> Source:
    path = (folder / asked.path).resolve()
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "is not UTF-8 text"
        raise StoreError(f"{path}: {why}", "name a text file, as in docs/limits.md:3-9") from None
    lines = text.split("\n")
    first, last = asked.lines or (1, len(lines))
    quote = "\n".join(lines[first - 1 : last]).strip("\n")
    if first > len(lines) or not quote.strip():
        raise StoreError(f"{path}: nothing stands on line {first}", f"it has {len(lines)} lines")
    if any(secrets_in(quote)):
        raise StoreError(f"{path}: these lines hold what looks like a secret", "quote other lines")
    repository = Repository(path.parent)
    blob = repository.run("hash-object", "--no-filters", "--", str(path)).strip()
    place = path.relative_to(repository.root.resolve()).as_posix()
    return replace(asked, path=place, blob=blob, quote=quote[:LONGEST])
