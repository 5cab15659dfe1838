"""Frontmatter read without YAML: what YAML reads, or nothing."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit.ports import frontmatter
from memgit.ports.frontmatter import BrokenFrontmatter, dump_frontmatter, load_frontmatter
from memgit.ports.plain_frontmatter import NotPlain, plain_mapping

USUAL = """name: staging-database
description: Reached through PgBouncer on port 6432, the server's own 5432 is closed
metadata:
  node_type: memory
  type: reference
  version: 1.10
  topics:
    - ops
    - 当番（交代）
  quoted: "a: b # c"
  modified: 2026-08-03T10:00:00.000Z
"""

PIECES = [
    "a: ", "a:", "b: ", "metadata:\n", "- ", "  ", "    ", " ", "\n", "\n", "\t", "x", "y z", '"',
    "'", ":", ": ", " #", "#", "{}", "[]", "[a, b]", "null", "True", "yes", "~", "0", "007", "12",
    "1.5", "1e3", "0x1F", "<<", "*a", "&a ", "!!str ", "|", ">", "?", "-", "---", "...", "\\",
    "\\n", "=", "%", "@", "`", ",", "}", "日本", "：", "\u00a0", "\u0085", "\u2028", "\ufeff", "\r",
    "\x07", "\U0001f600", ".inf", "2026-08-03", "/x", "_", "é", "\u3000",
]  # fmt: skip

WORDS = st.text(alphabet=st.sampled_from("ab :#-\"'\\[]{}0179.eé日　（：\n\t\u00a0"), max_size=12)
VALUES = st.one_of(WORDS, st.integers(), st.booleans(), st.none(), st.sampled_from(PIECES))
KEYS = st.sampled_from(["a", "name", "two words", "yes", "1", "_x", "-", "日本", "a:b", "null"])


def by_yaml(text: str) -> dict[str, Any] | None:
    """What YAML makes of a frontmatter; None where it refuses."""
    with patch.object(frontmatter, "plain_mapping", side_effect=NotPlain):
        try:
            return load_frontmatter(text)
        except BrokenFrontmatter:
            return None


def typed(value: Any) -> Any:
    """A value with the types that are in it."""
    if isinstance(value, dict):
        return [(type(key), key, typed(one)) for key, one in value.items()]
    return [typed(one) for one in value] if isinstance(value, list) else (type(value), value)


def expect_the_same(text: str) -> bool:
    """Whether it was read without YAML; what was read is what YAML reads."""
    try:
        plain = plain_mapping(text)
    except NotPlain:
        return False
    assert typed(plain) == typed(by_yaml(text)), text
    return True


@pytest.mark.parametrize(
    "text", [USUAL, USUAL.rstrip("\n"), "a: x\n", 'a: ""\n', "a:\n  - x\nb: y\n"]
)
def test_what_memories_mostly_have_is_read(text: str) -> None:
    assert expect_the_same(text)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "a:\n", "a: \n", "a: x\na: y\n", "a:\n- x\n", "a: x\n  b: y\n", "a:\n    - x\n",
     "a: 5\n", "a: null\n", "a: x: y\n", "a: x #y\n", "a: x \n", "a: x\n\nb: y\n", "a: x\n  more\n",
     'a: "x\\n"\n', "a: 'x'\n", "a: [x]\n", "a:\n  - b: x\n    c: y\n", "- x\n", "a:  x\n",
     "a: x\u0085b: y\n", "a:\n  - x\n  b: y\n", "a:\n  b: y\n  - x\n", "a: x\n---\nb: y\n"],
)  # fmt: skip
def test_what_could_mean_more_is_yamls_to_tell(text: str) -> None:
    with pytest.raises(NotPlain):
        plain_mapping(text)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_pieces(text: str) -> None:
    expect_the_same(text)


@given(st.dictionaries(KEYS, st.one_of(VALUES, st.lists(VALUES, max_size=3),
                                       st.dictionaries(KEYS, VALUES, max_size=3))))  # fmt: skip
def test_whatever_memgit_writes(mapping: dict[str, Any]) -> None:
    expect_the_same(dump_frontmatter(mapping))


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["a:", "b:", "c: ", "-", "- "]),
                          st.sampled_from(["", "x", '"y"', "1.0"])), max_size=6))  # fmt: skip
def test_any_shape(rows: list[tuple[int, str, str]]) -> None:
    expect_the_same("".join(f"{'  ' * depth}{mark} {value}\n" for depth, mark, value in rows))
    expect_the_same("".join(f"{'  ' * depth}{mark}{value}\n" for depth, mark, value in rows))
