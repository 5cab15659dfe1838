"""Frontmatter: what is read comes back as it was, in the words and quotes of Claude Code."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit.ports.frontmatter import (
    BrokenFrontmatter,
    dump_frontmatter,
    load_frontmatter,
    with_quotes,
)
from memgit.ports.plain_frontmatter import Plain

WRITTEN_BY_CLAUDE_CODE = {
    "Foo: bar": '"Foo: bar"',
    "a #b": '"a #b"',
    "a#b": '"a#b"',
    "it's": '"it\'s"',
    "it’s": "it’s",
    'say "hi"': '"say \\"hi\\""',
    "yes": '"yes"',
    "Off": '"Off"',
    "n": '"n"',
    "yep": "yep",
    "true": '"true"',
    "truely": "truely",
    "null": '"null"',
    "nulls": "nulls",
    "~": '"~"',
    "~x": "~x",
    "": '""',
    "42": '"42"',
    "1.10": '"1.10"',
    "1e5": '"1e5"',
    "1-2": '"1-2"',
    "08": '"08"',
    "0x1": '"0x1"',
    "+1": '"+1"',
    "-a": '"-a"',
    ".5": '".5"',
    ".inf": '".inf"',
    "nan": "nan",
    "12:30": "12:30",
    "1_000": "1_000",
    "1,000": '"1,000"',
    "2026-05-03": "2026-05-03",
    "2026-07-30T07:40:18.191Z": "2026-07-30T07:40:18.191Z",
    "3.11.7": "3.11.7",
    "*x": '"*x"',
    "&x": '"&x"',
    "@x": '"@x"',
    "`x": '"`x"',
    "a`b": '"a`b"',
    "%": '"%"',
    "!x": '"!x"',
    "a!b": "a!b",
    "- x": '"- x"',
    "a - b": "a - b",
    "? x": '"? x"',
    "| x": '"| x"',
    "> x": '"> x"',
    "<x>": '"<x>"',
    "[x]": '"[x]"',
    "x{": '"x{"',
    "a, b": '"a, b"',
    " x": '" x"',
    "x ": '"x "',
    "x:": '"x:"',
    "a:b": "a:b",
    "...": '"..."',
    "a... b": '"a... b"',
    "...a": "...a",
    "=": "=",
    "<<": '"<<"',
    "日本語の説明": "日本語の説明",
    "日本: 語": '"日本: 語"',
    "日本：語": "日本：語",
    "「x」": "「x」",
    "ok 👍": "ok 👍",
    "😀: x": '"😀: x"',
    "© 2026": "© 2026",
    "a\u00a0b": '"a\\_b"',
    "a\x1bb": '"a\\eb"',
    "a\tb": '"a\\tb"',
    "a\nb\n": '"a\\nb\\n"',
    "a\\b": "a\\b",
    'a\\b"c': '"a\\\\b\\"c"',
    "a\u2028b": '"a\\Lb"',
    "a\u0085b": '"a\\Nb"',
    "\x01x": '"\\x01x"',
}
"""Text → how version 2.1.332 of the program wrote it into a memory's frontmatter."""


@pytest.mark.parametrize(("text", "written"), WRITTEN_BY_CLAUDE_CODE.items())
def test_text_is_quoted_as_claude_code_quotes_it(text: str, written: str) -> None:
    assert dump_frontmatter({"key": text}) == f"key: {written}\n"
    assert load_frontmatter(f"key: {written}\n") == {"key": text}


def test_nested_values_are_written_as_claude_code_writes_them() -> None:
    nested = {
        "a": ["x", {"y": 1, "z": 2}, {"c": ["d"]}],
        "b": {},
        "c": [["a", "b"], ["c"]],
        "d": [],
        "e": [None, "", True, 1],
        "f": {"g": {"h": "i"}},
    }
    assert dump_frontmatter(nested) == (
        'a:\n  - x\n  - "y": 1\n    z: 2\n  - c:\n      - d\n'
        "b: {}\nc:\n  - - a\n    - b\n  - - c\nd: []\n"
        'e:\n  - null\n  - ""\n  - true\n  - 1\nf:\n  g:\n    h: i\n'
    )


@pytest.mark.parametrize(
    "line",
    ["1.10", "007", "0x1F", "+81", "1e3", "-0", ".inf", "1.", "12345678901234567890", "5", "true"],
)
def test_a_number_stays_as_it_was_written(line: str) -> None:
    loaded = load_frontmatter(f"version: {line}\n")
    assert dump_frontmatter(loaded) == f"version: {line}\n"
    assert not isinstance(loaded["version"], float)


def test_whole_numbers_and_truths_are_values_and_all_else_is_text() -> None:
    loaded = load_frontmatter(
        "a: 5\nb: -12\nc: true\nd: ~\ne:\nf: yes\ng: 12:30\nh: 2026-05-03\ni: 1_000\nj: =\nk: 1.5\n"
    )
    assert loaded == {
        "a": 5, "b": -12, "c": True, "d": None, "e": None, "f": "yes", "g": "12:30",
        "h": "2026-05-03", "i": "1_000", "j": "=", "k": "1.5",
    }  # fmt: skip
    assert isinstance(loaded["k"], Plain)


def test_keys_are_text_whatever_they_look_like() -> None:
    text = '"1": one\n"yes": 1\n"null": "n"\na b: c\n日本: 語\n'
    assert load_frontmatter("1: one\nyes: 1\nnull: n\na b: c\n日本: 語\n") == {
        "1": "one", "yes": 1, "null": "n", "a b": "c", "日本": "語",
    }  # fmt: skip
    assert dump_frontmatter(load_frontmatter(text)) == text


def test_aliases_are_written_out() -> None:
    loaded = load_frontmatter("a: &a {k: 1}\nb: *a\nc:\n  <<: *a\n  j: 2\n")
    assert loaded == {"a": {"k": 1}, "b": {"k": 1}, "c": {"k": 1, "j": 2}}
    assert "*" not in dump_frontmatter(loaded)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in ("ab", "bc", "cd", "de")
)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name: x\ndescription: Fix: use X\n", 2, "mapping values"),
        ("a: 'x\n", 2, "end of stream"),
        ("\ta: b", 1, "cannot start"),
        ("a: 1\nb: 2\na: 3\n", 3, "`a` stands twice"),
        ("m:\n  a: 1\n  a: 2\n", 3, "`a` stands twice"),
        ("? [a]\n: b", 1, "not a word"),
        ("- a\n- b\n", 1, "not a mapping"),
        ("Just some text", 1, "not a mapping"),
        ("a: !!python/object:os.system x", 1, "tag"),
        ("a: !!binary aGk=", 1, "tag"),
        ("a: !mine x", 1, "tag"),
        ("a: *nothing", 1, "alias"),
        ("a: &a [*a]", 1, "recursive"),
        (BOMB, 1, "values"),
        ("a:\n" + "  - x\n" * 10_000, 1, "values"),
        ("a: \x07", 1, "not allowed"),
        ("a: " + "[" * 60 + "]" * 60, 1, "levels"),
        ("a: " + "[" * 100_000, 1, "nesting|recursion"),
        ("a: " + "x" * 300_000, 1, "longer"),
        ("a: !!int x", 1, "invalid"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(BrokenFrontmatter, match=words) as caught:
        load_frontmatter(text)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_bare_values_can_be_put_in_quotes() -> None:
    text = with_quotes(
        'name: x\ndescription: Fix: use "X" # now\nurl: "a: b"\nlist:\n  - k: a: b\n'
    )
    assert load_frontmatter(text) == {
        "name": "x", "description": 'Fix: use "X" # now', "url": "a: b", "list": [{"k": "a: b"}],
    }  # fmt: skip


WORDS = st.text(max_size=40) | st.sampled_from(sorted(WRITTEN_BY_CLAUDE_CODE))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, VALUES, max_size=5))
def test_whatever_is_written_is_read_back(mapping: dict[str, Any]) -> None:
    text = dump_frontmatter(mapping)
    assert load_frontmatter(text) == mapping
    assert dump_frontmatter(load_frontmatter(text)) == text
    assert "\n---\n" not in f"\n{text}"


@given(st.text())
def test_no_text_is_anything_but_read_or_refused(text: str) -> None:
    try:
        loaded = load_frontmatter(text)
    except BrokenFrontmatter:
        return
    assert load_frontmatter(dump_frontmatter(loaded)) == loaded


def test_values_of_other_kinds_are_written_as_text() -> None:
    assert dump_frontmatter({"a": ("x", "z"), "b": math.pi}) == (
        f"a:\n  - x\n  - z\nb: {math.pi}\n"
    )
    assert dump_frontmatter({"a": "\ud83d half"}) == 'a: "\ufffd half"\n'
