"""Both languages have every word, for all that can be said; numbers read as people read them."""

import re
import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import Any

import pytest

from memgit.domain.health import judging
from memgit.domain.health.past import ORDER
from memgit.domain.proposals.proposal import KINDS
from memgit.pages.words import LANGUAGES, Words, number, usual_language


def table(language: str) -> dict[str, str]:
    text = files("memgit.pages").joinpath(f"words.{language}.toml").read_text("utf-8")
    return {f"{name}.{key}": word for name, words in tomllib.loads(text).items()
            for key, word in words.items()}  # fmt: skip


def test_every_language_has_every_word_and_the_same_gaps_in_it() -> None:
    english, japanese = table("en"), table("ja")
    assert {key for key in english if not key.endswith("_one")} == set(japanese)
    for key, word in japanese.items():
        assert set(re.findall(r"\{(\w+)\}", word)) == set(re.findall(r"\{(\w+)\}", english[key])), (
            key
        )


def test_every_concern_kind_and_group_has_its_words() -> None:
    source = files("memgit.domain.health").joinpath("judging.py").read_text("utf-8")
    codes = {*re.findall(r'Concern\("(\w+)"', source), judging.FAULT, judging.LATE}
    assert len(codes) >= 12
    for language in LANGUAGES:
        words = Words(language)
        for key in (*(f"concern.{code}" for code in codes), *(f"growth.{group}" for group in ORDER),
                    *(f"proposals.{kind}" for kind in KINDS)):  # fmt: skip
            assert words.has(key), key
    assert {field.name for field in fields(judging.Concern)} >= {"count", "about"}


def test_one_of_a_thing_has_its_own_form_where_the_language_has_one() -> None:
    english, japanese = Words("en"), Words("ja")
    assert english("concern.proposals", 1) == "A proposal waits for your word."
    assert english("concern.proposals", 1200) == "1,200 proposals wait for your word."
    assert "1 件" in japanese("concern.proposals", 1)


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (1234567, "1,234,567"), (0.82, "0.82"),
                                             (12.345, "12.3"), (3.0, "3")])  # fmt: skip
def test_numbers(value: float, said: str) -> None:
    assert number(value) == said


@pytest.mark.parametrize(("env", "language"), [
    ({"LC_ALL": "ja_JP.UTF-8"}, "ja"), ({"LANG": "ja_JP.UTF-8"}, "ja"),
    ({"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, "en"), ({"LANG": "de_DE.UTF-8"}, "en"),
])  # fmt: skip
def test_the_language_is_that_of_the_locale(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, Any], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert usual_language() == language
