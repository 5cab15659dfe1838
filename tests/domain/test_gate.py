"""Each gate: what it finds, on which line, and what it lets through."""

import unicodedata
from collections.abc import Callable

import pytest

from memgit.domain.gates.table import GATES
from memgit.domain.memory import LARGEST
from tests.domain.gates.looking import Files, look_at, rows


def look(
    files: Files, others: Files | None = None, beside: Files | None = None
) -> list[tuple[str, int, str, str]]:
    """(path, line, code, message) of the findings; `others` are memories that are not judged."""
    return rows(look_at(files, others, beside))


def memory(*lines: str, body: str = "", type: str = "project") -> str:
    return "\n".join(["---", *lines, f"type: {type}", "---", body])


@pytest.mark.parametrize(
    "text",
    ["plain markdown\n", memory("name: a"), "\ufeff" + memory("name: a"), "",
     memory("name: a").replace("\n", "\r\n"), memory('"name": a'), "---\n\nA rule above\n"],
)  # fmt: skip
def test_what_is_right_passes(text: str) -> None:
    assert look({"a.md": text}) == []


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"one\ntwo\ncaf\xe9\n", 3, "byte 0xe9, which is not UTF-8"),
        (b"one\n\0\n", 2, "a NUL byte"),
        (b"\0\n\xe9", 1, "a NUL byte"),
        (b"\xe9\n\0", 1, "byte 0xe9, which is not UTF-8"),
        ("one\n".encode("utf-16"), 1, "byte 0xff, which is not UTF-8"),
        (b"half \xed\xa0\x80 a letter", 1, "byte 0xed, which is not UTF-8"),
    ],
)
def test_encoding(data: bytes, line: int, message: str) -> None:
    assert look({"a.md": data}) == [("a.md", line, "encoding", message)]


def test_broken_frontmatter_is_placed() -> None:
    ((path, line, code, message),) = look({"a.md": "---\nname: a\ntopics: [x\n---\nbody\n"})
    assert (path, code) == ("a.md", "frontmatter")
    assert line in (3, 4)
    assert message


@pytest.mark.parametrize(("name", "line"), [("name:", 3), ('name: ""', 3), ("title: x", 1)])
def test_frontmatter_without_a_name(name: str, line: int) -> None:
    text = memory("description: what it tells", name)
    assert look({"a.md": text}) == [("a.md", line, "frontmatter", "no name")]


def test_a_name_twice() -> None:
    files: Files = {
        "a.md": memory("description: x", "name: Deploy"),
        "b.md": memory("name: deploy"),
        "ops/deploy.md": "named by its file\n",
    }
    assert look(files) == [
        ("a.md", 3, "name", "Deploy is also the name of b.md and 1 more"),
        ("b.md", 2, "name", "deploy is also the name of a.md and 1 more"),
        ("ops/deploy.md", 1, "name", "deploy is also the name of a.md and 1 more"),
    ]


def test_a_name_that_a_memory_beside_has() -> None:
    assert look(
        {"a.md": memory("name: deploy")}, {"b.md": memory("name: Deploy", body="other\n")}
    ) == [("a.md", 2, "name", "deploy is also the name of b.md")]


def test_paths_that_a_file_system_may_make_one() -> None:
    decomposed = unicodedata.normalize("NFD", "ガ")
    files: Files = {
        "Ops/x.md": memory("name: a"), "ops/X.md": memory("name: b"),
        "ガ.md": memory("name: c"), f"{decomposed}.md": memory("name: d"),
    }  # fmt: skip
    text = "its path differs from {} only by case or Unicode form"
    assert set(look(files)) == {
        ("Ops/x.md", 1, "name", text.format("ops/X.md")),
        ("ops/X.md", 1, "name", text.format("Ops/x.md")),
        ("ガ.md", 1, "name", text.format(f"{decomposed}.md")),
        (f"{decomposed}.md", 1, "name", text.format("ガ.md")),
    }


def test_size_tells_the_line_on_which_searching_ends() -> None:
    body = "0123456789abcde\n" * (LARGEST // 16)
    assert look({"a.md": memory("name: a", body=body)}) == []
    text = f"{LARGEST + 1:,} characters; the first {LARGEST:,} end here"
    assert look({"a.md": memory("name: a", body=f"{body}x")}) == [
        ("a.md", 5 + LARGEST // 16, "size", text)
    ]


def test_type() -> None:
    ((path, line, code, message),) = look({"a.md": memory("name: a", type="report")})
    assert (path, line, code) == ("a.md", 3, "type")
    assert message == "report is none of user, feedback, project, reference"
    nested = "---\nname: a\nmetadata:\n  node_type: memory\n  type: report\n---\n"
    assert look({"a.md": nested})[0][1] == 5


def test_references() -> None:
    text = memory("name: a", "superseded_by: gone", "derived_from:", "  - b", "  - lost")
    files: Files = {"a.md": text, "b.md": memory("name: B")}
    assert look(files) == [
        ("a.md", 3, "link", "superseded_by names gone, and no memory is called that"),
        ("a.md", 6, "link", "derived_from names lost, and no memory is called that"),
    ]
    assert (
        look(
            files,
            {"c.md": memory("name: gone", body="c\n"), "d.md": memory("name: Lost", body="d\n")},
        )
        == []
    )


def test_an_alias_is_a_name_that_may_be_referred_to() -> None:
    files: Files = {
        "a.md": memory("name: a", "superseded_by: Old name"),
        "b.md": memory("name: b", "aliases: [old name]"),
    }
    assert look(files) == []


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.code)
def test_every_gate_explains_itself(gate: object) -> None:
    find: Callable[..., object] = gate.find  # type: ignore[attr-defined]
    assert find.__doc__
    for text in (gate.explanation, gate.fix):  # type: ignore[attr-defined]
        assert text
        assert "\n" not in text


def test_codes_are_unique() -> None:
    assert len({gate.code for gate in GATES}) == len(GATES)
