"""A store with a pair of memories that differ in one value, and words to make proposals on it."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.proposals.carrying_out import blob_of
from memgit.domain.proposals.proposal import Evidence, Proposal
from memgit.domain.store import Store

Run = Callable[..., object]


def memory(name: str, body: str, kind: str = "project", day: str = "", **keys: object) -> str:
    """The file of a memory in canonical shape; a list becomes one."""
    rows = ""
    for key, value in keys.items():
        if isinstance(value, list):
            rows += f"  {key}:\n" + "".join(f"    - {item}\n" for item in value)
        else:
            rows += f"  {key}: {value}\n"
    stamp = f"  modified: {day}T09:00:00.000Z\n" if day else ""
    return (
        f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  node_type: memory\n"
        f"  type: {kind}\n{rows}{stamp}---\n{body}\n"
    )


def write(store: Path, git: Run, files: dict[str, str]) -> Store:
    """The files in the store, committed."""
    for path, text in files.items():
        (store / path).parent.mkdir(parents=True, exist_ok=True)
        (store / path).write_text(text, encoding="utf-8")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=some memories")
    return Store.at(store)


def supersession(store: Store, old: str, new: str, **changes: object) -> Proposal:
    """A proposal to supersede, by a pass that is very sure."""
    entries = Catalogue(store)
    one = entries.find(old)
    told: dict[str, object] = {
        "kind": "supersede", "actor": "curate", "memories": (old,), "to": new,
        "seen": blob_of(store, one.path), "because": "the later one holds", "confidence": 0.97,
        "made": "2026-03-01T00:00:00+00:00",
    }  # fmt: skip
    return Proposal(**{**told, **changes})  # type: ignore[arg-type]


def evidence(store: Store, name: str, quote: str) -> Evidence:
    """Words of a memory as they stand there."""
    path = Catalogue(store).find(name).path
    return Evidence(quote, "memory", name, "", sha256(store.content(path)).hexdigest())


@pytest.fixture
def ports(store: Path, git: Run) -> Store:
    """`port-8080`, then `port-9090`: the same of the same thing. Beside them one derived of it."""
    return write(store, git, {
        "port-8080.md": memory("port-8080", "The quay gateway listens on port 8080.",
                               day="2026-01-02", topics=["quay-gateway"], origin="agent"),
        "port-9090.md": memory("port-9090", "The quay gateway now listens on port 9090.",
                               day="2026-02-02", topics=["quay-gateway"], origin="agent"),
        "firewall.md": memory("firewall", "The firewall lets 8080 through.", day="2026-01-03",
                              derived_from=["port-8080"], origin="agent"),
    })  # fmt: skip
