"""JSON text changed in place: what is named changes, and not one character beside it."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit.ports.json_text import InvalidJson, blanked, drop, load, put

MULTILINE = """\
{
    "model" : "opus",   "hooks": {
        "Stop": [ {"hooks": []} ]
    },

    "list": [
        1,
        2
    ],
    "empty": {},
    "none": [ ]
}
"""


# ---------------------------------------------------------------------------- changing


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("model",), "sonnet", '"opus"', '"sonnet"'),
        (("list", 1), 3, "        2\n", "        3\n"),
        (("list", 2), [], "        2\n", "        2,\n        []\n"),
        (("list", 0), {"a": 1}, "        1,", '        {\n            "a": 1\n        },'),
        (("new",), 1, '"none": [ ]\n', '"none": [ ],\n    "new": 1\n'),
        (("empty", "a"), "日本", "{},", '{\n        "a": "日本"\n    },'),
        (("none", 0), 1, "[ ]", "[\n        1\n    ]"),
        (("hooks", "Stop", 0, "hooks", 0), 1, '": []}', '": [\n            1\n        ]}'),
        (("a", 0), 1, "[ ]\n", '[ ],\n    "a": [\n        1\n    ]\n'),
    ],
)  # fmt: skip
def test_a_value_is_put_where_it_belongs(path: Any, value: Any, old: str, new: str) -> None:
    assert MULTILINE.count(old) == 1
    changed = put(MULTILINE, path, value)
    assert changed == MULTILINE.replace(old, new)
    found = load(changed)
    for key in path:
        found = found[key]
    assert found == value


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("{}", '{\n  "a": [\n    1\n  ]\n}'),
        ("", '{\n  "a": [\n    1\n  ]\n}\n'),
        (" \n", ' \n{\n  "a": [\n    1\n  ]\n}\n'),
        ('{"b": 1}', '{"b": 1, "a": [1]}'),
        ('{"b":1}\n', '{"b":1, "a": [1]}\n'),
        ('{\n\t"b": 1\n}', '{\n\t"b": 1,\n\t"a": [\n\t\t1\n\t]\n}'),
        ('{\r\n "b": 1\r\n}\r\n', '{\r\n "b": 1,\r\n "a": [\r\n  1\r\n ]\r\n}\r\n'),
        ('\ufeff{\n  "b": 1\n}', '\ufeff{\n  "b": 1,\n  "a": [\n    1\n  ]\n}'),
        ('{\n  "b": 1 }', '{\n  "b": 1,\n  "a": [\n    1\n  ] }'),
        ('{\n"b": 1\n}', '{\n"b": 1,\n"a": [\n  1\n]\n}'),
    ],
)
def test_the_layout_of_the_text_is_kept(text: str, changed: str) -> None:
    assert put(text, ("a",), [1]) == changed
    if text.strip():
        assert drop(changed, ("a",)) == text


@pytest.mark.parametrize(
    ("text", "path", "left"),
    [
        ('{"a": 1, "b": 2, "c": 3}', ("a",), '{"b": 2, "c": 3}'),
        ('{"a": 1, "b": 2, "c": 3}', ("b",), '{"a": 1, "c": 3}'),
        ('{"a": 1, "b": 2, "c": 3}', ("c",), '{"a": 1, "b": 2}'),
        ('{"a": [ 1 ]}', ("a", 0), '{"a": []}'),
        ('{"a": 1}', ("b",), '{"a": 1}'),
        ('{"a": 1}', ("b", "c"), '{"a": 1}'),
        ('{"a": {"b": ",}"}, "c": "]"}', ("a", "b"), '{"a": {}, "c": "]"}'),
    ],
)
def test_a_value_goes_with_its_comma(text: str, path: Any, left: str) -> None:
    assert drop(text, path) == left


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
layouts = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans()}
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=5), layouts, st.text(), values)
def test_what_was_put_can_be_dropped_to_the_byte(
    whole: dict[str, Any], layout: dict[str, Any], key: str, value: Any
) -> None:
    text = json.dumps(whole, **layout)
    changed = put(text, (key,), value)
    assert load(changed) == {**whole, key: value}
    assert list(load(changed)) == list({**whole, key: value})
    if key not in whole:
        assert drop(changed, (key,)) == text
    elif whole[key] == value:
        assert load(drop(changed, (key,))) == {k: v for k, v in whole.items() if k != key}


# ---------------------------------------------------------------------------- what is not JSON


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ('{\n  "a": 1,\n}', 3, 1, "comma before a closing bracket"),
        ('{\n  // why\n  "a": 1\n}', 2, 3, "a comment"),
        ('{\n  "a": 1 /* why */\n}', 2, 10, "a comment"),
        ("{'a': 1}", 1, 2, "a single quote"),
        ('{"a": 1', 1, 8, "expecting ',' delimiter"),
        ('{"a": 1} {"b": 2}', 1, 10, "extra data"),
        ('{"a": NaN}', 1, 7, "NaN is not JSON"),
        ('{"a": -Infinity}', 1, 7, "-Infinity is not JSON"),
        ('\ufeff{"a": }', 1, 8, "expecting value"),
        ('{"a": "\n"}', 1, 8, "invalid control character"),
        ("<xml/>", 1, 1, "expecting value"),
        ("[" * 100_000, 1, 1, "too deep"),
        ("9" * 5000, 1, 1, "digits"),
    ],
)
def test_what_is_not_json_is_told_with_its_place(
    text: str, line: int, column: int, says: str
) -> None:
    with pytest.raises(InvalidJson) as fault:
        load(text)
    assert (fault.value.line, fault.value.column) == (line, column)
    assert says in str(fault.value)


def test_a_key_that_stands_twice_is_told_before_anything_is_changed() -> None:
    with pytest.raises(InvalidJson, match='the key "a" stands here a second time') as fault:
        put('{\n  "a": {},\n  "a": {}\n}', ("a", "b"), 1)
    assert (fault.value.line, fault.value.column) == (3, 3)


def test_a_text_of_megabytes_is_passed_over_as_a_whole() -> None:
    text = json.dumps({"a": 'x\\"//' * 400_000, "b": {}})
    began = time.process_time()
    assert blanked(text) == text
    assert time.process_time() - began < 1.5
