"""What passes the gate: enough evidence, in a good state, and each further one by more."""

from itertools import pairwise
from pathlib import Path

import pytest

from memgit.prompt.gate import OLDEST, SUPERSEDED, UNVERIFIED, Choice, judged
from memgit.prompt.mentions import mentioned
from memgit.prompt.query import segments
from memgit.prompt.ranking import Ranking
from memgit.prompt.table import Table

from .made import DAY, NOW, Git, memory, recalled, table_of

ASKED = "which port does the zorkmid ledger use on staging?"
LEDGER = "The zorkmid ledger listens on staging port 6432"


def choices(table: Table, prompt: str = ASKED, limit: int = 2, now: float = NOW) -> list[Choice]:
    ranking = Ranking(table, segments(prompt))
    return judged(table, ranking, mentioned(table, prompt, limit), limit, now)


def test_a_choice_tells_what_it_needed(store: Path, git: Git) -> None:
    (choice,) = choices(table_of(store, git, {"ledger.md": memory(LEDGER)}))
    assert choice.passed
    assert choice.evidence >= choice.needed > 0.0


def test_one_strong_word_is_not_enough(store: Path, git: Git) -> None:
    table = table_of(store, git, {"ledger.md": memory(LEDGER)})
    assert recalled(table, ASKED) == ["ledger"]
    assert recalled(table, "please port this to rust and make a nice demo of it today") == []


def test_a_further_memory_needs_more(store: Path, git: Git) -> None:
    table = table_of(
        store, git, {"ledger.md": memory(LEDGER), "other.md": memory("The zorkmid bank")}
    )
    first, *rest = choices(table)
    assert first.record["name"] == "ledger"
    assert all(other.needed > first.needed for other in rest)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_than_asked_for(store: Path, git: Git, limit: int) -> None:
    same = {
        f"{name}.md": memory(f"{LEDGER}, {name}", f"# {LEDGER}") for name in ("a", "b", "c", "d")
    }
    same.update({f"other{n}.md": memory(f"Something else {n}") for n in range(8)})
    assert len(recalled(table_of(store, git, same), ASKED, limit)) == limit


def test_what_superseded_a_memory_stands_before_it(store: Path, git: Git) -> None:
    table = table_of(
        store,
        git,
        {
            "old.md": memory(LEDGER, "zorkmid ledger port", name="old", superseded_by="middle"),
            "middle.md": memory("Moved once", name="middle", superseded_by="new"),
            "new.md": memory("It moved to another machine", name="new"),
        },
    )
    assert recalled(table, ASKED) == ["new", "old"]
    assert recalled(table, ASKED, limit=1) == ["new"]
    assert recalled(table, "@old") == ["new", "old"]


def test_successors_in_a_circle_or_nowhere(store: Path, git: Git) -> None:
    table = table_of(
        store,
        git,
        {
            "a.md": memory(LEDGER, "zorkmid ledger port", name="a", superseded_by="b"),
            "b.md": memory("Another", name="b", superseded_by="a"),
            "c.md": memory("The frobnicated gizmo spins left", name="c", superseded_by="nowhere"),
        },
    )
    assert set(recalled(table, ASKED)) == {"a", "b"}
    assert recalled(table, "@c") == ["c"]


@pytest.mark.parametrize("way", [("a", "b", "a"), ("a", "b", "c", "a"), ("a", "a")])
def test_in_a_circle_none_gives_way(store: Path, git: Git, way: tuple[str, ...]) -> None:
    files = {
        f"{name}.md": memory(LEDGER if name == "a" else "Another", name=name, superseded_by=newer)
        for name, newer in pairwise(way)
    }
    choice = next(one for one in choices(table_of(store, git, files)) if one.candidate)
    assert choice.record["labels"] == [f"superseded by {way[1]}"]
    assert choice.passed
    assert choice.score > choice.candidate.score * SUPERSEDED
    led = memory(LEDGER, name="a", superseded_by="nowhere")
    gone = {"a.md": led, **{f"{name}.md": memory("Another", name=name) for name in way[1:-1]}}
    (before,) = choices(table_of(store, git, gone))
    assert choice.evidence == pytest.approx(before.evidence / SUPERSEDED, rel=0.05)


def score(table: Table, now: float = NOW) -> float:
    return choices(table, now=now)[0].score


@pytest.mark.parametrize(
    ("metadata", "days", "worth"),
    [
        ({"type": "project"}, 0, 1.0),
        ({"type": "project"}, 150, OLDEST + (1 - OLDEST) / 2),
        ({"type": "project"}, 300, OLDEST + (1 - OLDEST) / 4),
        ({"type": "reference"}, 600, OLDEST + (1 - OLDEST) / 2),
        ({"type": "user"}, 3000, 1.0),
        ({"type": "feedback"}, 3000, 1.0),
        ({"type": "project"}, -30, 1.0),
        ({"type": "user", "unverified": "yes"}, 0, UNVERIFIED),
        ({"type": "user", "superseded_by": "nowhere"}, 0, SUPERSEDED),
    ],
)
def test_a_state_weighs(
    store: Path, git: Git, metadata: dict[str, str], days: int, worth: float
) -> None:
    said = f"# {LEDGER}\n\nzorkmid ledger port"
    text = memory("Where it listens", said, modified="2026-01-01T08:00:00Z", **metadata)
    table = table_of(store, git, {"ledger.md": text})
    fresh = 20_454 * DAY  # 2026-01-01
    (found,) = choices(table, now=fresh + days * DAY)
    assert found.candidate is not None
    assert found.score == pytest.approx(found.candidate.score * worth)


def test_half_lives_are_settings(store: Path, git: Git) -> None:
    (store / "memgit.toml").write_text("format = 1\n[half_life]\nproject = 0\n")
    said = f"# {LEDGER}\n\nzorkmid ledger port"
    text = memory("Where it listens", said, type="project", modified="2016-01-01T08:00:00Z")
    (found,) = choices(table_of(store, git, {"ledger.md": text}))
    assert found.candidate is not None
    assert found.score == found.candidate.score


def test_only_the_day_counts(store: Path, git: Git) -> None:
    text = memory(LEDGER, type="project", modified="2026-01-01T08:00:00Z")
    table = table_of(store, git, {"ledger.md": text})
    assert score(table, NOW) == score(table, NOW + DAY - 1) != score(table, NOW + DAY)


PLAIN = "how many requests does the sighting API allow per minute?"
SAYS_IT = "How many requests the sighting API allows per minute and key"


def test_a_description_that_nearly_is_the_prompt_comes_first(store: Path, git: Git) -> None:
    errors = "# Sighting API errors\n\n- 400: unknown species\n- 429: try again in a minute\n"
    table = table_of(
        store,
        git,
        {
            "api-rate-limit.md": memory(SAYS_IT, "120, and beyond that it answers 429."),
            "sighting_api_errors.md": memory("Sighting API errors", errors),
            **{f"other{n}.md": memory(f"Something else {n}") for n in range(8)},
        },
    )
    ranking = Ranking(table, segments(PLAIN))
    named = [table.record(one.memory)["name"] for one in ranking.best[:2]]
    assert named == ["sighting_api_errors", "api-rate-limit"]  # by its words alone
    assert recalled(table, PLAIN)[0] == "api-rate-limit"
    assert recalled(table, "the sighting API errors again")[0] == "sighting_api_errors"


def test_a_few_words_in_common_move_nothing(store: Path, git: Git) -> None:
    table = table_of(store, git, {"ledger.md": memory(LEDGER, LEDGER, type="user")})
    asked = "does the zorkmid bank pay for gold from staging or in kind, on a sunday?"
    ranking = Ranking(table, segments(asked))
    (found,) = choices(table, asked)
    assert found.score == ranking.best[0].score


def rota(**more: str) -> dict[str, str]:
    others = {f"other{n}.md": memory(f"別の話 {n}", f"本文 {n}") for n in range(8)}
    said = memory("当番は週ごとに交代し、月曜の朝に引き継ぐ", "当番の表は台所の壁にある。")
    return {"rota.md": said, **others, **more}


def test_a_question_about_one_word_finds_the_one_memory_on_it(store: Path, git: Git) -> None:
    table = table_of(store, git, rota())
    assert recalled(table, "当番は誰?") == ["rota"]
    assert recalled(table, "次の当番は誰？") == ["rota"]
    assert recalled(table, "当番") == []  # an order, or half a sentence
    long = "当番のことは後でいいので、先に画面の配色を見直して、余白を広げてください"
    assert recalled(table, long) == []


def test_a_word_that_several_memories_have_is_no_such_subject(store: Path, git: Git) -> None:
    table = table_of(store, git, rota(**{"bear.md": memory("熊の当番は別にある")}))
    assert recalled(table, "当番は誰?") == []
    rewritten = rota(**{"bear.md": memory("熊は別にある")})
    assert recalled(table_of(store, git, rewritten), "当番は誰?") == ["rota"]
