"""The outline of a body: headings and code, whatever the text."""

import re
import time
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit.ports import markdown
from memgit.ports.markdown import LARGEST, Outline, outline

BODY = """
# Deploy 手順

Run `make deploy` and `kubectl get pods`.

Setext heading
--------------

- a list
  ```sh
  ssh staging
  ```

> ## Quoted heading
> with `code`

    indented code

~~~
# not a heading
~~~
"""


def test_headings_and_code_in_reading_order() -> None:
    found = outline(BODY)
    assert tuple(map(str.strip, found.headings)) == (
        "Deploy 手順",
        "Setext heading",
        "Quoted heading",
    )
    assert [piece.strip() for piece in found.code] == [
        "make deploy", "kubectl get pods", "ssh staging", "code", "indented code",
        "# not a heading",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("one `a` two `b`", ("a", "b")),
        ("an `unclosed one", ()),
        ("a `closed` and an `unclosed", ("closed",)),
        ("` `", ()),
        ("", ()),
    ],
)
def test_only_closed_code_counts(body: str, code: tuple[str, ...]) -> None:
    assert outline(body).code == code


@given(st.text(alphabet=st.sampled_from("#`~>-*+ \t\n|[]()<>!=_\\:1.a日\0\ud800")))
def test_no_text_makes_it_fail(body: str) -> None:
    assert isinstance(outline(body), Outline)


@pytest.mark.parametrize(
    "piece",
    ["> ", "- a\n", "-\n", "```\n", "`", "[", "<!--", "a\n==\n", "> - 1. # a\n", "*", "-",
     "| "],
)  # fmt: skip
def test_its_time_is_bounded(piece: str) -> None:
    body = piece * (4 * LARGEST // len(piece)) + "end"
    started = time.process_time()
    outline(body)
    assert time.process_time() - started < 8


def test_what_a_broken_parser_cannot_read_has_no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, state: object) -> None:
        raise RecursionError

    monkeypatch.setattr("mistune.BlockParser.parse", fail)
    assert outline("# a") == Outline((), ())


@given(st.lists(st.sampled_from(
    ["a", "b c", "\n", "\n\n", "-", "- ", "=", "  ", "    ", "> ", "1. ", "`", "#", "~~~", "<pre>",
     "\t", "\r", "\x0c", "*", "***", "__", "---", "+", "[a]: b", "|", "\u3000", "\u00a0", "&nbsp;"]
), max_size=12).map("".join))  # fmt: skip
def test_what_has_no_marks_has_no_parts(body: str) -> None:
    if not markdown._MARKS.search(body):
        with patch.object(markdown, "_MARKS", re.compile("")):
            assert outline(body) == Outline((), ())
