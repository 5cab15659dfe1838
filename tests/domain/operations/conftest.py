"""Stores for tests of operations: memories in a line of descent, and words to look at them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.store import Store

Run = Callable[..., object]

PLAIN = "---\nname: {name}\ndescription: about {name}\nmetadata:\n  node_type: memory\n"


def memory(name: str, kind: str = "project", body: str = "", **keys: str) -> str:
    """The file of a memory in canonical shape; `keys` are plain values."""
    rows = "".join(f"  {key}: {value}\n" for key, value in keys.items() if value[:1] != "\n")
    rows += "".join(f"  {key}:{value}\n" for key, value in keys.items() if value[:1] == "\n")
    return f"{PLAIN.format(name=name)}  type: {kind}\n{rows}---\n{body or f'The text of {name}.'}\n"


def derived(*names: str) -> str:
    """The value of `derived_from`."""
    return "\n" + "\n".join(f"    - {name}" for name in names)


@pytest.fixture
def descent(store: Path, git: Run) -> Store:
    """root <- child <- grandchild <- great, beside (other, a rule, and an event)."""
    (store / "deep").mkdir()
    files = {
        "root.md": memory("root"),
        "deep/child.md": memory("child", derived_from=derived("root")),
        "grandchild.md": memory("grandchild", derived_from=derived("child")),
        "great.md": memory("great", derived_from=derived("grandchild"),
                           body="See [[root]] and [[child|the child]], not `[[root]]`."),
        "other.md": memory("other"),
        "rule.md": memory("rule", "feedback"),
        "better-rule.md": memory("better-rule", "feedback"),
        "event.md": memory("event"),
    }  # fmt: skip
    for path, text in files.items():
        (store / path).write_text(text)
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=first")
    return Store.at(store)
