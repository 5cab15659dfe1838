"""Generated stores: the same bytes everywhere, and texts that look like a store to every part."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from memgit.domain.memory import parse, render
from memgit.domain.store import Store
from memgit.evaluation.generated_store import (
    PROMPT_WORDS,
    GeneratedStore,
    write_repository,
)
from memgit.evaluation.vocabulary import Dice, Ranked
from memgit.prompt.terms import tokens

SIZE = 300
DIGEST = "476248692b4e884afc3a75d9afeea53d03eac04c7ed92170a10f12cdcd8e0eb4"
"""Of the bytes below; when it changes, GENERATION must be raised."""

PRINT_DIGEST = """
import hashlib
from memgit.evaluation.generated_store import GeneratedStore
store = GeneratedStore(7, 300)
digest = hashlib.sha256()
for text in store.memories():
    digest.update(text.path.encode() + text.data)
for prompt in store.prompts(9):
    digest.update(prompt.text.encode())
print(digest.hexdigest())
"""


@pytest.fixture(scope="module")
def generated() -> GeneratedStore:
    return GeneratedStore(7, SIZE)


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_bytes_depend_on_nothing_but_the_seed(hash_seed: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )  # fmt: skip
    assert printed.stdout.strip() == DIGEST


def test_another_seed_or_size_gives_other_texts(generated: GeneratedStore) -> None:
    first = [text.data for text in generated.memories()]
    assert first != [text.data for text in GeneratedStore(8, SIZE).memories()]
    assert first[:100] != [text.data for text in GeneratedStore(7, 100).memories()]


def test_every_text_is_a_memory_in_canonical_form(generated: GeneratedStore) -> None:
    texts = list(generated.memories())
    assert len({text.path for text in texts}) == SIZE
    for text in texts:
        memory, faults = parse(text.path, text.data)
        assert not faults
        assert memory.description
        assert memory.recorded
        assert render(memory) == text.data


def test_a_third_is_japanese(generated: GeneratedStore) -> None:
    japanese = sum("。" in text.data.decode() for text in generated.memories())
    assert 0.25 * SIZE < japanese < 0.42 * SIZE


def test_lengths_spread_around_120_words(generated: GeneratedStore) -> None:
    bodies = (parse(text.path, text.data)[0].body for text in generated.memories())
    lengths = sorted(len(body.split()) for body in bodies if "。" not in body)
    assert 100 < lengths[len(lengths) // 2] < 180
    assert lengths[len(lengths) // 10] < 90
    assert lengths[-len(lengths) // 10] > 250


def test_a_few_words_are_everywhere_and_most_are_rare(generated: GeneratedStore) -> None:
    having: Counter[str] = Counter()
    for text in generated.memories():
        having.update(set(tokens(parse(text.path, text.data)[0].body)))
    counts = sorted(having.values(), reverse=True)
    assert counts[0] > 0.5 * SIZE
    assert counts[100] < 0.3 * SIZE
    assert sum(count == 1 for count in counts) > 0.3 * len(counts)


def test_the_vocabulary_grows_slower_than_the_store() -> None:
    def distinct(size: int) -> int:
        store = GeneratedStore(7, size)
        return len({term for text in store.memories() for term in tokens(text.data.decode())})

    small, large = distinct(100), distinct(400)
    assert 1.3 * small < large < 3.5 * small


def test_memories_of_a_topic_share_rare_terms(generated: GeneratedStore) -> None:
    texts = [set(tokens(text.data.decode())) for text in generated.memories()]
    having = Counter(term for terms in texts for term in terms)
    rare = {term for term, count in having.items() if 2 <= count <= 8}
    shared: Counter[int] = Counter()
    for number, terms in enumerate(texts[1:], 1):
        shared[number] = len(terms & texts[0] & rare)
    assert shared.most_common(1)[0][1] >= 3 * max(1, sorted(shared.values())[SIZE // 2])


def test_prompts_ask_for_a_memory_in_160_words(generated: GeneratedStore) -> None:
    texts = list(generated.memories())
    prompts = generated.prompts(9)
    assert [prompt.japanese for prompt in prompts].count(True) == 3
    assert len({prompt.target for prompt in prompts}) == 9
    for prompt in prompts:
        memory, _ = parse(texts[prompt.target].path, texts[prompt.target].data)
        assert memory.words("topics")[0] in prompt.text
        if prompt.japanese:
            assert 0.95 * 2.5 * PROMPT_WORDS < len(prompt.text) < 1.3 * 2.5 * PROMPT_WORDS
        else:
            assert len(prompt.text.split()) == PROMPT_WORDS


def test_the_repository_holds_the_texts_in_one_commit(
    generated: GeneratedStore, tmp_path: Path
) -> None:
    texts = list(generated.memories())
    size = write_repository(tmp_path / "store", texts)
    store = Store.at(tmp_path / "store")
    assert size == sum(len(text.data) for text in texts)
    assert store.paths() == sorted(text.path for text in texts)
    assert all(store.content(text.path) == text.data for text in texts)
    assert store.repository.run("rev-list", "--count", "HEAD") == "1"
    assert store.repository.run("status", "--porcelain") == ""


def test_ranks_are_drawn_as_zipf_and_mandelbrot_say() -> None:
    ranked = Ranked(range(1000))
    dice = Dice("ranks")
    drawn = Counter(ranked.draw(dice) for _ in range(50_000))
    assert drawn[0] / drawn[37] == pytest.approx(40.7 / 3.7, rel=0.2)
    assert len(drawn) > 900
