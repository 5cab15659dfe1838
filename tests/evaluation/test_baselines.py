"""The rivals find what any full-text search finds, and take any prompt."""

import pytest

from memgit.evaluation.baselines import Rival, plain_words, rivals, triples

TEXTS = {
    "port.md": "staging-database\nThe port of staging is 15432.",
    "queue.md": "queue\nThree tries, then the dead letter stream.",
    "night.md": "夜間\n夜間バッチは二時に始まる。",
}


@pytest.fixture(scope="module", params=list(rivals(TEXTS)))
def rival(request: pytest.FixtureRequest) -> Rival:
    return rivals(TEXTS)[request.param]


def test_the_best_memory_comes_first(rival: Rival) -> None:
    found = rival.ask("which port is staging on?", 3)
    assert found[0][0] == "port.md"
    assert found[0][1] > 0


def test_paths_and_texts_that_are_no_unicode_are_taken() -> None:
    odd = {**TEXTS, "bell\udcff.md": "The bell \ud800 rings at seven."}
    for rival in rivals(odd).values():
        assert rival.ask("when does the bell \ud800 ring?", 3)[0][0] == "bell\udcff.md"


@pytest.mark.parametrize("prompt", ["", "👍", '" OR *)(', "NEAR(a b)", "a" * 50_000, "-- ; '\x00"])
def test_any_prompt_is_taken(rival: Rival, prompt: str) -> None:
    assert len(rival.ask(prompt, 3)) <= 3


def test_only_triples_find_a_word_within_a_sentence_without_spaces() -> None:
    found = {name: rival.ask("この夜間バッチは何時？", 3) for name, rival in rivals(TEXTS).items()}
    assert found["FTS5 trigram"][0][0] == "night.md"
    assert found["FTS5 unicode61"] == []


def test_words() -> None:
    assert plain_words("do it: a_b.md") == ["do", "it", "a_b", "md"]
    assert triples("ab 夜間バッチ") == ["ab", "夜間バ", "間バッ", "バッチ"]
