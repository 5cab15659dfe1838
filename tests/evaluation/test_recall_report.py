"""The report: every figure with n and interval, and a page on which hostile text is only text."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from memgit.errors import Fault
from memgit.evaluation.answers import Held
from memgit.evaluation.corpus import Case
from memgit.evaluation.metrics import Judged, Shown
from memgit.evaluation.recall_eval import MEMGIT, WITHOUT_LOG, Evaluation, Missed, Tried
from memgit.evaluation.recall_page import page
from memgit.evaluation.recall_report import document, figure, hook_line, sections, what

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&</style></svg>]]>"


@pytest.fixture
def made() -> dict[str, Any]:
    """A document in which every text is hostile."""
    right = Case(HOSTILE, HOSTILE, HOSTILE, "subject", HOSTILE, (f"{HOSTILE}.md",))
    idle = Case(f"2{HOSTILE}", "2", "ok", "chatter", "en")
    shown = Shown(f"wrong{HOSTILE}.md", HOSTILE, 2.5, {HOSTILE: 1.25, "and": 0.1})
    judged = [Judged(right, (shown,), 0.002), Judged(idle, (), 0.001)]
    held = Held(Shown(f"{HOSTILE}.md", HOSTILE, 1.0, {"port": 1.0}), 3)
    names = (MEMGIT, WITHOUT_LOG)
    return document(
        Evaluation(
            dict.fromkeys(names, judged),
            dict.fromkeys(names, judged[1:]),
            [Tried("s", "1", 0.03, 0.02, True, ""), Tried("s", "2", 0.03, 0.02, False, HOSTILE)],
            [Missed(judged[0], [held])],
        ),
        [Fault(HOSTILE, 1, "json", HOSTILE)],
    )


class Elements(HTMLParser):
    """Names of all elements and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_every_figure_has_its_n_and_its_interval(made: dict[str, Any]) -> None:
    assert json.loads(json.dumps(made)) == made

    def walk(value: Any, key: str = "") -> None:
        if isinstance(value, dict):
            if "value" in value:
                assert set(value) == {"n", "value", "low", "high"}, key
            for name, inner in value.items():
                walk(inner, name)

    walk(made)
    ours = made["contenders"][MEMGIT]
    assert ours["by_kind"]["subject"]["hit2"]["n"] == 1
    assert ours["by_kind"]["chatter"]["silent"]["value"] == 1.0
    assert ours["by_store"][HOSTILE]["by_kind"]["subject"]["outcomes"]["wrong"] == 1
    assert ours["chatter_file"]["n"] == 1


def test_a_miss_is_told_with_the_terms_that_did_it(made: dict[str, Any]) -> None:
    (missed,) = made["missed"]
    assert missed["what"] == "missed, others shown"
    assert missed["shown"][0]["verdict"] == "wrong"
    assert list(missed["shown"][0]["terms"]) == [HOSTILE, "and"], "the weightiest first"
    assert (missed["held_back"][0]["place"], missed["not_found"]) == (3, [])


def test_hostile_text_is_only_text(made: dict[str, Any]) -> None:
    elements = Elements(page(made))
    assert elements.names.isdisjoint({"script", "img", "iframe", "object", "link", "a", "base"})
    assert not {name for name in elements.attributes if name.startswith("on")}
    assert elements.attributes.isdisjoint({"src", "href", "xlink:href"})
    assert any("<script>alert(1)</script>" in text for text in elements.texts)


def test_the_page_needs_nothing_else_and_is_the_same_each_time(made: dict[str, Any]) -> None:
    text = page(made)
    assert text == page(made)
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text
    assert text.count("<svg ") == 4
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_tables_fit_their_columns(made: dict[str, Any]) -> None:
    for section in sections(made):
        assert section.rows
        assert {len(row) for row in section.rows} == {len(section.columns)}, section.title


def test_the_sample_through_the_hook_is_told(made: dict[str, Any]) -> None:
    assert made["hook"]["same_answer"] == 1
    assert "1 of 2 answers the same" in hook_line(made)
    assert "Fault: s 2" in hook_line(made)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"n": 9, "value": 0.567, "low": 0.4, "high": 1.0}, ".57 (.40–1.00)"),
        ({"n": 1, "value": 1.0, "low": None, "high": None}, "1.00"),
        ({"n": 0, "value": None, "low": None, "high": None}, "–"),
        (None, "–"),
    ],
)
def test_figures(value: dict[str, Any] | None, text: str) -> None:
    assert figure(value) == text


def test_what_went_wrong() -> None:
    case = Case("s", "1", "p", "subject", relevant=("a.md",))
    right, wrong = Shown("a.md", "a"), Shown("x.md", "x")
    assert what(Judged(case, ())) == "missed, silent"
    assert what(Judged(case, (wrong,))) == "missed, others shown"
    assert what(Judged(case, (right, wrong))) == "right, with a wrong one"
    assert what(Judged(Case("s", "1", "p", "chatter"), (wrong,))) == "false alarm"
