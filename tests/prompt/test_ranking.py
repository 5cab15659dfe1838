"""Which memory comes first: by what tells, wherever in a prompt it stands."""

from pathlib import Path
from random import Random

import pytest

from memgit.prompt import ranking
from memgit.prompt.background import SCALE, Background
from memgit.prompt.query import segments
from memgit.prompt.ranking import Ranking, Rarity
from memgit.prompt.table import Table

from .made import Git, memory, table_of

FILES = {
    "ledger.md": memory("The zorkmid ledger listens on port 6432"),
    "gizmo.md": memory("The gizmo is frobnicated twice a day", "The ledger is told."),
    "rate-limit.md": memory("Sixty requests a minute"),
    "notes.md": memory("Where the notes are", "A gizmo. " * 40),
}


@pytest.fixture
def table(store: Path, git: Git) -> Table:
    return table_of(store, git, FILES)


def order(table: Table, prompt: str) -> list[str]:
    return [table.record(c.memory)["name"] for c in Ranking(table, segments(prompt)).best]


def test_the_background_is_there() -> None:
    """Without it the prompt path still answers, so nobody else would notice."""
    background = Background()
    assert background.ordinary("the") > 0.8 * SCALE
    usual = ("file", "test", "commit", "確認", "文件")
    assert all(background.ordinary(term) >= SCALE / 30 for term in usual)
    assert background.ordinary("zorkmid") == 0


def test_a_table_repeats_the_background(table: Table) -> None:
    for term in ("gizmo", "the", "minute"):
        [(*_, ordinary)] = table.lookup(term)
        assert ordinary == Background().ordinary(term)


def test_a_common_word_tells_little_in_a_small_store() -> None:
    rarity = Rarity()
    assert rarity("file", 20, 1) < rarity("zorkmid", 20, 1) / 2


def test_a_word_of_most_memories_tells_little_even_if_it_is_rare_elsewhere() -> None:
    rarity = Rarity()
    assert rarity("zorkmid", 20, 18) < rarity("zorkmid", 20, 2) / 3
    assert rarity("zorkmid", 20, 20) > 0.0


def test_what_tells_the_subject_counts_more_than_the_body(table: Table) -> None:
    assert order(table, "how is the gizmo doing?")[0] == "gizmo"
    assert order(table, "is the ledger up?")[0] == "ledger"


def test_two_words_meet_a_name_of_two(table: Table) -> None:
    assert order(table, "do we have a rate limit?")[0] == "rate-limit"


def test_a_question_is_found_in_other_text(table: Table) -> None:
    noise = [f"Somebody said that thing{n} and matter{n} went well for us" for n in range(12)]
    for place in (0, 5, 12):
        text = ". ".join([*noise[:place], "Which port is the zorkmid ledger on", *noise[place:]])
        assert order(table, text)[0] == "ledger"


def test_what_matched_adds_up_to_the_total(table: Table) -> None:
    found = Ranking(table, segments("which port is the zorkmid ledger on?"))
    for candidate in found.best:
        assert sum(found.matched(candidate).values()) == pytest.approx(candidate.total)


def test_a_store_of_many_is_answered_with_few_postings(
    store: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past its share of postings, a segment looks further terms up for its leaders alone."""
    random = Random(1)
    files = {
        f"m{n}.md": memory(" ".join(random.choices(["alpha", "beta", "gamma", "delta"], k=6)))
        for n in range(120)
    }
    files["one.md"] = memory("The zorkmid is alpha, beta and gamma")
    table = table_of(store, git, files)
    prompt = "alpha beta gamma delta zorkmid. Was the zorkmid beta or gamma?"
    free = [c.memory for c in Ranking(table, segments(prompt)).best][:1]
    monkeypatch.setattr(ranking, "POSTINGS", 20)
    assert [c.memory for c in Ranking(table, segments(prompt)).best][:1] == free
