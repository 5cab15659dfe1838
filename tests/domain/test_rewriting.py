"""Keys of a frontmatter set and taken away, in whatever shape the file is."""

import pytest

from memgit.domain.memory import parse
from memgit.domain.operations.rewriting import with_keys
from memgit.errors import StoreError

CANONICAL = (
    b"---\nname: a\nmetadata:\n  node_type: memory\n  topics:\n    - x\n"
    b"  originSessionId: s\n  modified: m\n---\nbody\n"
)


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        (CANONICAL, {"k": "v"}, CANONICAL.replace(b"  orig", b"  k: v\n  orig")),
        (CANONICAL, {"topics": None}, CANONICAL.replace(b"  topics:\n    - x\n", b"")),
        (CANONICAL, {"topics": ["u", "z"]}, CANONICAL.replace(b"- x\n", b"- u\n    - z\n")),
        (CANONICAL, {"name": "b"}, CANONICAL.replace(b"name: a", b"name: b")),
        (CANONICAL, {"description": "d"},
         CANONICAL.replace(b"a\nmeta", b"a\ndescription: d\nmeta")),
        (CANONICAL, {"nothing": None}, CANONICAL),
        (b"---\nname: a\nx: 1 # c\n---\n", {"k": "v"}, b"---\nname: a\nx: 1 # c\nk: v\n---\n"),
        (b"---\nx: |\n  y: 1\n\n  z\nk: old\n---\nb", {"k": "v"},
         b"---\nx: |\n  y: 1\n\n  z\nk: v\n---\nb"),
        (b"---\r\nname: a\r\nx: 1\r\n---\r\nb\r\n", {"k": 1},
         b"---\r\nname: a\r\nx: 1\r\nk: 1\r\n---\r\nb\r\n"),
        (b'---\n"name": a\nmetadata:\n    "k":\n      - 1\n    z: 2\n---\n', {"k": "v"},
         b'---\n"name": a\nmetadata:\n    k: v\n    z: 2\n---\n'),
        (b"---\nglobs:\nx: 1\n---\n", {"k": "v"}, b"---\nglobs:\nx: 1\nk: v\n---\n"),
        (b"---\nname: a\nmetadata:\n  name: b\n---\n", {"name": "c"},
         b"---\nname: c\nmetadata:\n  name: b\n---\n"),
        (b"---\nname: a\n...\nb\n", {"name": "c"}, b"---\nname: c\n...\nb\n"),
    ],
)  # fmt: skip
def test_only_the_lines_of_the_keys(
    before: bytes, changes: dict[str, object], after: bytes
) -> None:
    assert with_keys("a.md", before, changes) == after


@pytest.mark.parametrize(
    "before",
    [
        b"no frontmatter\n",
        b"",
        b"---\n---\nbody",
        b"---\nname: a\n---\nbody",
        b"---\nname: a\nmetadata: {x: 1}\n---\nbody",
        b"---\nname: a\nmetadata:\n---\nbody",
        b"---\nname: a\nmetadata:\n  # only a comment\n---\nbody",
        b"---\nname: a: b\ndescription: Fix: it\n---\nbody",
        b"---\nname: [broken\n---\nbody",
        b"---\nname: never closed\n",
        b"---\nk: >\n  folded\n  text\n---\nbody",
        "---\nname: あ\n---\nこれは本文です\n".encode("utf-16"),
    ],
)
def test_any_shape_gets_the_key_and_keeps_the_rest(before: bytes) -> None:
    was = parse("a.md", before)[0]
    now = parse("a.md", with_keys("a.md", before, {"k": "v: w"}))[0]
    assert now.metadata["k"] == "v: w"
    assert (now.name, now.description, now.body) == (was.name, was.description, was.body)
    assert {**now.metadata, **{k: v for k, v in was.metadata.items() if k != "k"}} == now.metadata


def test_an_encoding_that_cannot_hold_it() -> None:
    with pytest.raises(StoreError, match="which has no"):
        with_keys("a.md", b"---\nname: a\nx: caf\xe9\n---\n\x81\n", {"k": "日本"})
