"""A memory: bytes to memory and back, in every shape that people and programs write."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memgit.domain.memory import (
    LONGEST_NAME,
    Memory,
    decode,
    is_memory_path,
    key_of,
    parse,
    render,
    slug,
    split,
)

CANONICAL = """---
name: reviewer-shape
description: "Reviews: short, one point a line"
metadata:
  node_type: memory
  type: feedback
  topics:
    - review
    - "c: d"
  sources:
    - session: 61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb
      turn: 5
  originSessionId: 2a86355e-a8b1-4e48-a187-7c2c51fe53a0
  modified: 2026-07-30T07:40:18.191Z
---

Keep reviews short.

**Why:** 長いレビューは読まれない。
"""


def read(text: str | bytes, path: str = "notes/a.md") -> Memory:
    return parse(path, text.encode() if isinstance(text, str) else text)[0]


def faults(text: str | bytes) -> list[tuple[int, str]]:
    data = text.encode() if isinstance(text, str) else text
    return [(fault.line, fault.code) for fault in parse("a.md", data)[1]]


# ------------------------------------------------------------------- the shapes of Claude Code


def test_the_canonical_shape() -> None:
    memory, found = parse("a.md", CANONICAL.encode())
    assert found == []
    assert memory.name == "reviewer-shape"
    assert memory.description == "Reviews: short, one point a line"
    assert memory.type == "feedback"
    assert memory.words("topics") == ("review", "c: d")
    assert memory.recorded == "2026-07-30T07:40:18.191Z"
    assert memory.body.startswith("\nKeep reviews short.\n")


@pytest.mark.parametrize(
    "text",
    [
        CANONICAL,
        CANONICAL.replace("  type: feedback\n", ""),
        CANONICAL.replace('description: "Reviews: short, one point a line"\n', ""),
        CANONICAL.replace("  type: feedback\n", "").replace("review\n", "review\n", 1).replace(
            "  sources:", "  type: user\n  sources:"
        ),
        CANONICAL.replace("  node_type", '  "1": one\n  node_type'),
        CANONICAL.replace("one point a line", "two  spaces\\n and\\_a line end"),
        CANONICAL.replace("\nKeep reviews short.\n", "\n\n  Body without newline"),
        CANONICAL.replace("metadata:", "metadata: ").replace("metadata: \n", "metadata:\n"),
        "---\nname: report-2026\ndescription: 説明\nmetadata:\n  node_type: memory\n"
        "  type: report\n  version: 3.11.7\n  ok: true\n  count: 3\n  empty: []\n---\n"
        "\nBody\r\nwith CRLF\r\n",
    ],
)  # fmt: skip
def test_a_file_in_the_canonical_shape_is_written_byte_for_byte(text: str) -> None:
    assert render(read(text)).decode() == text


def test_the_old_flat_shape() -> None:
    memory = read(
        "---\nname: Reviewer shape lives in a skill\ndescription: where: the skill, not here\n"
        "type: feedback\noriginSessionId: 61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb\ntags: [a, b]\n---\n"
        "Body\n"
    )
    assert memory.name == "Reviewer shape lives in a skill"
    assert memory.description == "where: the skill, not here"
    assert memory.type == "feedback"
    assert memory.metadata["originSessionId"] == "61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb"
    assert render(memory).decode() == (
        "---\nname: Reviewer shape lives in a skill\n"
        'description: "where: the skill, not here"\nmetadata:\n  node_type: memory\n'
        "  type: feedback\n  tags:\n    - a\n    - b\n"
        "  originSessionId: 61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb\n---\nBody\n"
    )


def test_the_middle_shape_with_a_space_after_metadata() -> None:
    memory = read(
        "---\nname: feedback_uitest_timeouts\n"
        "description: \"one: two, 'three' " + "four " * 70 + '"\n'
        "metadata: \n  node_type: memory\n  type: project\n  originSessionId: 61d4e9b8\n---\n"
        "\n本文\n"
    )  # fmt: skip
    assert memory.name == "feedback_uitest_timeouts"
    assert memory.description.startswith("one: two, 'three' four")
    assert memory.type == "project"
    assert memory.body == "\n本文\n"


@pytest.mark.parametrize("kind", ["user", "feedback", "project", "reference", "report"])
def test_a_type_at_the_top_or_below_metadata(kind: str) -> None:
    assert read(f"---\nname: x\ntype: {kind}\n---\n").type == kind
    assert read(f"---\nname: x\nmetadata:\n  type: {kind}\n---\n").type == kind


@pytest.mark.parametrize(
    "text",
    ["Just text.\n", "", "# A heading\n\n---\n\ntext\n", "\n---\nname: x\n---\n", "text\n---\n"],
)
def test_plain_markdown_is_all_body(text: str) -> None:
    memory, found = parse("notes/sub/My Note.md", text.encode())
    assert (memory.name, memory.type, memory.body, found) == ("My Note", "project", text, [])


def test_what_stands_at_the_top_and_below_metadata_is_told() -> None:
    text = "---\nname: x\ntype: user\nfoo: 1\nmetadata:\n  type: project\n  foo: 1\n---\n"
    assert read(text).type == "project"
    assert faults(text) == [(1, "frontmatter")]


def test_a_name_and_a_description_below_metadata_count_where_there_is_no_other() -> None:
    below = "metadata:\n  name: inner\n  description: told\n"
    assert (read(f"---\n{below}---\n").name, read(f"---\n{below}---\n").description) == (
        "inner", "told",
    )  # fmt: skip
    both = read(f"---\nname: outer\ndescription: d\n{below}---\n")
    assert (both.name, both.description) == ("outer", "d")
    assert both.metadata == {"name": "inner", "description": "told"}
    assert parse("a.md", render(both))[0].metadata["name"] == "inner"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("2026-05-03", "2026-05-03"), ("007", "007"), ("1.10", "1.10"), ("true", "true"),
        ("no", "no"), ("12:30", "12:30"), ("0x1F", "0x1F"), ("~", "a"), ('""', "a"), ("", "a"),
        ("|\n  two\n  lines", "two lines"), ("' x '", "x"), ("日本 語", "日本 語"), ("5", "5"),
    ],
)  # fmt: skip
def test_names_that_look_like_something_else(written: str, name: str) -> None:
    memory = read(f"---\nname: {written}\n---\n", "a.md")
    assert memory.name == name
    assert parse("b.md", render(memory))[0].name == name


# --------------------------------------------------------------------------- broken frontmatter


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: 'x\n---\nBody\n",
        "---\n- a\n- b\n---\nBody\n",
        "---\nSome text\n---\nBody\n",
        "---\nname: x\nname: y\n---\nBody\n",
        "---\na: &a [*a]\n---\nBody\n",
        "---\na: !!python/object:os.system x\n---\nBody\n",
        "---\n" + "a: " + "x" * 300_000 + "\n---\nBody\n",
    ],
)
def test_broken_frontmatter_loses_nothing(text: str) -> None:
    memory, found = parse("a.md", text.encode())
    assert memory.body == text
    assert memory.name == "a"
    assert [fault.code for fault in found] == ["frontmatter"]
    again = parse("a.md", render(memory))[0]
    assert again == replace(memory, metadata=again.metadata)


def test_a_fault_has_a_place() -> None:
    (fault,) = parse("notes/a.md", b"---\nname: x\nb: 'y\n---\n")[1]
    assert str(fault).startswith("notes/a.md:4: frontmatter ")


def test_an_unquoted_colon_is_read_and_told() -> None:
    text = "---\nname: x\ndescription: Fix: use X # soon\n---\nBody\n"
    memory = read(text)
    assert (memory.description, memory.body) == ("Fix: use X # soon", "Body\n")
    assert faults(text) == [(3, "frontmatter")]


@pytest.mark.parametrize("text", ["---\nname: x\n\nBody\n", "---\r\nname: x\r\n", "---\nname: x"])
def test_a_fence_that_nothing_closes_is_body_and_told(text: str) -> None:
    assert read(text).body == text
    assert faults(text) == [(1, "frontmatter")]


@pytest.mark.parametrize(
    "text", ["---\n\nA rule above a text.\n", "---\n", "---", "---- x\na: b\n"]
)
def test_a_rule_is_no_fence(text: str) -> None:
    assert read(text).body == text
    assert faults(text) == []


# ------------------------------------------------------------------------------------ encodings


@pytest.mark.parametrize(
    ("data", "encoding", "body"),
    [
        ("日本語\r\n".encode(), "utf-8", "日本語\r\n"),
        ("\ufeff日本語\n".encode(), "utf-8", "日本語\n"),
        ("日本語\n".encode("utf-16"), "utf-16", "日本語\n"),
        ("\ufeff日本語\n".encode("utf-16-be"), "utf-16", "日本語\n"),
        ("\ufeff日本語\n".encode("utf-32-le"), "utf-32", "日本語\n"),
        ("naïve café\n".encode("latin-1"), "cp1252", "naïve café\n"),
        ("“smart”\n".encode("cp1252"), "cp1252", "“smart”\n"),
        ("これはメモです\n".encode("cp932"), "cp932", "これはメモです\n"),
        ("これはメモです\n".encode("euc_jp"), "euc_jp", "これはメモです\n"),
        (b"\x81\x8d\x8f\x90\x9d\n", "latin-1", "\x81\x8d\x8f\x90\x9d\n"),
        (b"nul \x00 byte\n", "utf-8", "nul \0 byte\n"),
        (b"half \xed\xa0\xbd 100\n", "utf-8", "half \ud83d 100\n"),
        (b"\xff\xfeodd", "cp1252", "ÿþodd"),
        (b"", "utf-8", ""),
    ],
)
def test_encodings(data: bytes, encoding: str, body: str) -> None:
    assert decode(data) == (body, encoding)
    memory, found = parse("a.md", data)
    assert memory.body == body
    assert [fault.code for fault in found] == ([] if encoding == "utf-8" else ["encoding"])
    assert parse("a.md", render(memory))[0].body == body


def test_a_byte_order_mark_does_not_hide_the_frontmatter() -> None:
    assert read("\ufeff---\nname: x\n---\nBody\n").name == "x"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_body_keeps_its_line_ends(newline: str) -> None:
    body = newline.join(["", "one", "  two  ", "---", "three", ""])
    text = f"---{newline}name: x{newline}---{newline}{body}"
    assert read(text).body == body
    assert render(read(text)).decode().endswith(body)


@pytest.mark.parametrize("mark", ["\u2028", "\u0085", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_a_newline_ends_a_line(mark: str) -> None:
    text = f"---\nname: x\n---\nBody{mark}---{mark}more\n"
    assert split(text) == ("name: x\n", f"Body{mark}---{mark}more\n", 4)


# ------------------------------------------------------------------------------------ properties

TEXTS = st.text(alphabet=st.characters(), max_size=200)
PIECES = st.lists(
    st.sampled_from(["---\n", "---", "...\n", "\n", "\r\n", "name: x\n", "# a\n", "日本\n", " ",
                     "\0", "\ud800", "\ufeff", "metadata:\n", "  type: user\n", "```\n", "- a\n",
                     "'"]),
    max_size=12,
).map("".join)  # fmt: skip
NAMES = st.text(max_size=30).map(lambda text: " ".join(text.split())).filter(
    lambda text: text and not any("\ud800" <= c <= "\udfff" for c in text)
)  # fmt: skip
KEYS = st.text(max_size=12).filter(lambda key: key not in ("name", "description", "type"))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers(-(10**9), 10**9) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(body=TEXTS | PIECES)
@example(body="---\nname: y\n---\nBody\n")
@example(body="\ufeff")
def test_any_body_survives_under_frontmatter(body: str) -> None:
    memory = Memory("a.md", "a", "d", "user", body, {"topics": ["x"]})
    again, found = parse("a.md", render(memory))
    assert again.body == body
    assert found == []
    assert render(again) == render(memory)


@given(name=NAMES, description=NAMES, metadata=st.dictionaries(KEYS, VALUES, max_size=4))
def test_any_keys_survive(name: str, description: str, metadata: dict[str, Any]) -> None:
    memory = Memory("a.md", name, description, "reference", "Body\n", metadata)
    again = parse("a.md", render(memory))[0]
    assert (again.name, again.description, again.type) == (name, description, "reference")
    assert {key: again.metadata[key] for key in metadata} == metadata
    assert render(again) == render(memory)


@given(st.binary(max_size=200) | PIECES.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_memory(data: bytes) -> None:
    memory, _ = parse("a.md", data)
    again, _ = parse("a.md", render(memory))
    assert (again.name, again.type, again.body) == (memory.name, memory.type, memory.body)
    assert render(again) == render(memory)


# ------------------------------------------------------------------------------- labels and dates


@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        ("superseded_by: new-name", ("superseded by new-name",)),
        ("superseded_by: [[new-name]]", ("superseded by new-name",)),
        ('superseded_by: "[[new-name]]"', ("superseded by new-name",)),
        ("unverified: true", ("unverified",)),
        ("unverified: yes", ("unverified",)),
        ("unverified: the path is gone", ("unverified: the path is gone",)),
        ("unverified: no", ()),
        ("unverified: false", ()),
        ("unverified:", ()),
        ("superseded_by: a\nunverified: b", ("superseded by a", "unverified: b")),
        ("other: x", ()),
    ],
)
def test_labels(keys: str, labels: tuple[str, ...]) -> None:
    assert read(f"---\nname: x\n{keys}\n---\n").labels == labels


@pytest.mark.parametrize(
    ("keys", "recorded"),
    [
        ("modified: 2026-07-30T07:40:18.191Z\ncreated: 2020-01-01", "2026-07-30T07:40:18.191Z"),
        ("created: 2026-05-03", "2026-05-03"),
        ("date: 3 May 2026", ""),
        ("modified: 20260503", ""),
        ("modified: [a]", ""),
        ("a: b", ""),
    ],
)
def test_the_date_is_the_text_in_the_file(keys: str, recorded: str) -> None:
    assert read(f"---\nname: x\n{keys}\n---\n").recorded == recorded


def test_words_of_list_like_values() -> None:
    memory = read("---\nname: x\na: one\nb: [x, 2, ~]\nc: {k: v}\n---\n")
    assert [memory.words(key) for key in "abcd"] == [("one",), ("x", "2"), (), ()]


def test_with_metadata_sets_and_takes_away() -> None:
    memory = Memory("a.md", "a", metadata={"x": 1, "y": 2})
    assert memory.with_metadata(x=None, z=3).metadata == {"y": 2, "z": 3}


def test_a_changed_description_replaces_the_old_one_whole() -> None:
    memory = read('---\nname: x\ndescription: "two\\nlines"\n---\n')
    assert memory.description == "two lines"
    assert b'"two\\nlines"' in render(memory)
    assert b"description: other\n" in render(replace(memory, description="other"))
    assert b"description" not in render(replace(memory, description=""))


def test_a_changed_type_is_written_in_its_place() -> None:
    changed = replace(read(CANONICAL), type="project")
    assert render(changed).decode() == CANONICAL.replace("type: feedback", "type: project")


# ----------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("path", "is_memory"),
    [
        ("a.md", True), ("a/b/c.MD", True), ("日本.markdown", True), ("a.mdx", True),
        ("sub/MEMORY.md", True), ("MEMORY.md", False), ("PROFILE.md", False),
        ("drafts/a.md", False), ("sub/drafts/a.md", True), (".hidden.md", False),
        ("a/.b/c.md", False), ("a.txt", False), ("md", False), ("memgit.toml", False),
    ],
)  # fmt: skip
def test_which_files_are_memories(path: str, is_memory: bool) -> None:
    assert is_memory_path(path) is is_memory


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Use Tabs!", "use-tabs"), ("本番デプロイの手順", "本番デプロイの手順"),
        ("ｶﾞｲﾄﾞ ＡＢＣ", "ガイド-abc"), ("../x", "x"), ("drafts/x", "drafts-x"),
        (".hidden", "hidden"), ("a/b\\c\0d\ne", "a-b-c-d-e"), ("--flag", "flag"), ("👍", ""),
        ("", ""), ("Straße", "strasse"), ("e\u0301te\u0301", "été"), ("हिन्दी", "हिन्दी"),
        ("a" * 100, "a" * 60), ("harbour " * 9, "-".join(["harbour"] * 7)),
        ("港 " + "a" * 99, "港-" + "a" * 58),
    ],
)  # fmt: skip
def test_slugs(text: str, name: str) -> None:
    assert slug(text) == name


@given(st.text())
def test_a_slug_is_a_file_name_and_its_own_slug(text: str) -> None:
    name = slug(text)
    assert len(name.encode()) <= LONGEST_NAME
    assert "/" not in name
    assert not name.startswith((".", "-"))
    assert slug(name) == name


def test_names_that_differ_in_case_or_form_only_have_one_key() -> None:
    assert key_of("Été ") == key_of("e\u0301te\u0301") == key_of("ÉTÉ")
    assert key_of("ＡＢＣ") == key_of("abc")
