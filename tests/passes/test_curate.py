"""Curating: what rules find, what a model is asked and how often, and that nothing else happens."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memgit.commands._curated import Curated, curate
from memgit.domain.borders.comparing import guides
from memgit.domain.proposals.waiting import Waiting
from memgit.domain.store import Store
from memgit.passes.curate import Curation
from memgit.ports.model.door import Answer, NoAnswer, Request, Usage
from memgit.ports.model.fitting import fitted
from tests.domain.proposals.conftest import memory, write

Run = Callable[..., object]
NOW = datetime(2026, 3, 4, tzinfo=UTC)
LONG = ("The tide table is fetched from the harbour office every night at two, checked with "
        "the gauge at pier four, and stored with the name of the keeper on duty, who signs it "
        "before the first boat leaves and hangs a copy in the waiting room.")  # fmt: skip


@dataclass
class Said:
    """A model that gives what it was told to, the last answer again and again."""

    answers: list[Mapping[str, Any] | NoAnswer]
    asked: list[Request] = field(default_factory=list)
    name: str = "scripted"

    def ask(self, request: Request) -> Answer:
        answer = self.answers[min(len(self.asked), len(self.answers) - 1)]
        self.asked.append(request)
        if isinstance(answer, NoAnswer):
            raise answer
        return Answer(fitted(answer, request.schema, Usage()), Usage(100, 20))


def says(pair: int = 1, **changes: Any) -> dict[str, Any]:
    """An answer about one pair."""
    row = {
        "pair": pair, "relation": "replaces", "stands": "second", "covers": True,
        "first_words": "listens on port 8080", "second_words": "listens on port 9090",
        "confidence": 0.95, "because": "it moved",
    }  # fmt: skip
    return {"pairs": [{**row, **changes}]}


def run(store: Store, model: Said | None = None, **options: Any) -> Curated:
    return curate(store, NOW, open_model=(lambda: model) if model else None, **options)


def refused(done: Curated) -> dict[str, list[str]]:
    return {one.name: [refusal.guard for refusal in one.refusals] for one in done.waiting}


@pytest.fixture
def ports(store: Path, git: Run) -> Store:
    """Two memories that differ in what they say, not in a number that a rule knows."""
    return write(store, git, {
        "gate-a.md": memory("gate-a", "The quay gateway listens on port 8080, tcp.",
                            day="2026-01-02", topics=["quay-gateway"], origin="agent"),
        "gate-b.md": memory("gate-b", "The quay gateway listens on port 9090, tcp.",
                            day="2026-02-02", topics=["quay-gateway"], origin="agent"),
        "tides.md": memory("tides", LONG, day="2026-01-05", origin="agent"),
    })  # fmt: skip


def test_the_same_text_twice_becomes_one(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "tides.md": memory("tides", LONG, day="2026-01-05", origin="agent"),
        "tide-table.md": memory("tide-table", LONG, day="2026-02-05", origin="agent"),
        "links.md": memory("links", "See [[tide-table]].", origin="agent"),
    })  # fmt: skip
    done = run(opened)
    assert [(one.proposal.name, one.proposal.to) for one in done.applied] == [
        ("tides", "tide-table")
    ]
    assert not run(opened).applied


def test_of_two_that_are_nearly_the_same_the_wider_one_stays(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "a.md": memory("a", LONG, day="2026-01-05", origin="agent"),
        "b.md": memory("b", f"{LONG} Always.", day="2026-01-04", origin="agent"),
    })  # fmt: skip
    assert [(one.proposal.name, one.proposal.to) for one in run(opened).applied] == [("a", "b")]


def test_the_users_own_outlives_the_agents_copy(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "a.md": memory("a", LONG, day="2026-01-05", origin="agent"),
        "b.md": memory("b", LONG, day="2026-02-05", origin="user"),
    })  # fmt: skip
    assert [(one.proposal.name, one.proposal.to) for one in run(opened).applied] == [("a", "b")]


@pytest.mark.parametrize("change", [("pier four", "pier 5"), ("every night", "no night")])
def test_where_each_says_something_of_its_own_nothing_is_applied(
    store: Path, git: Run, change: tuple[str, str]
) -> None:
    opened = write(store, git, {
        "a.md": memory("a", f"{LONG} {LONG}", day="2026-01-05", origin="agent"),
        "b.md": memory("b", f"{LONG} {LONG.replace(*change)}", day="2026-01-06", origin="agent"),
    })  # fmt: skip
    assert not [one for one in run(opened).applied if one.proposal.kind == "supersede"]


def test_a_value_that_differs_goes_to_the_later(ports: Store) -> None:
    done = run(ports)
    assert [(one.proposal.name, one.proposal.to) for one in done.applied] == [("gate-a", "gate-b")]
    quotes = [one.quote for one in done.applied[0].proposal.evidence]
    assert quotes == ["The quay gateway listens on port 8080, tcp.",
                      "The quay gateway listens on port 9090, tcp."]  # fmt: skip


def test_where_neither_tells_its_day_a_person_is_asked(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "a.md": memory("a", "The quay gateway listens on port 8080.", topics=["gate"]),
        "b.md": memory("b", "The quay gateway listens on port 9090.", topics=["gate"]),
    })  # fmt: skip
    done = run(opened)
    assert refused(done) == {"a": ["later"]}


def test_a_circle_is_opened_by_a_person(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "a.md": memory("a", "One.", day="2026-01-01", superseded_by="b"),
        "b.md": memory("b", "Two.", day="2026-02-01", superseded_by="a"),
    })  # fmt: skip
    done = run(opened)
    assert refused(done) == {"b": ["origin", "kind"]}
    assert "superseded_by" not in done.waiting[0].text


def test_what_is_derived_from_nothing_is_doubted(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "a.md": memory("a", "One.", origin="agent", derived_from=["gone"]),
        "b.md": memory("b", "Two.", origin="user", derived_from=["gone-too"]),
        "c.md": memory("c", "Three.", origin="agent", superseded_by="nobody"),
    })  # fmt: skip
    done = run(opened)
    assert [one.proposal.name for one in done.applied] == ["a"]
    assert opened.read("a.md").reasons("unverified") == (
        "derived from gone, which is not in the store",
    )
    assert refused(done) == {"b": ["origin"], "c": ["kind"]}
    assert not run(opened).applied


def test_profile_and_guides_are_compared_too(store: Path, git: Run, tmp_path: Path) -> None:
    opened = write(store, git, {
        "PROFILE.md": "- The quay gateway listens on port 9090.\n",
        "gate.md": memory("gate", "The quay gateway listens on port 8080.", origin="agent"),
        "limit.md": memory("limit", "The upload timeout is 30 seconds.", origin="user"),
    })  # fmt: skip
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "CLAUDE.md").write_text("The upload timeout is 60 seconds.\n")
    done = run(opened, guides=guides(tmp_path / "project"))
    assert [one.proposal.name for one in done.applied] == ["gate"]
    assert "PROFILE.md:1" in opened.read("gate.md").reasons("unverified")[0]
    assert refused(done) == {"limit": ["origin"]}


def test_a_model_is_asked_about_near_pairs_and_once(store: Path, git: Run) -> None:
    opened = write(store, git, {
        "gate-a.md": memory("gate-a", "The quay gateway is started by systemd.", day="2026-01-02",
                            topics=["quay-gateway"], origin="agent"),
        "gate-b.md": memory("gate-b", "The quay gateway is started by supervisor, no longer by "
                            "systemd.", day="2026-02-02", topics=["quay-gateway"], origin="agent"),
        "tides.md": memory("tides", LONG, day="2026-01-05", origin="agent"),
    })  # fmt: skip
    words = {"first_words": "started by systemd", "second_words": "started by supervisor"}
    model = Said([says(**words)])
    assert run(opened).near == 1
    done = run(opened, model)
    assert (done.asked, done.calls, done.usage.tokens) == (1, 1, 120)
    data = json.loads(model.asked[0].data)["pairs"]
    assert [(one["first"]["name"], one["second"]["name"]) for one in data] == [("gate-a", "gate-b")]
    assert len(done.applied) == 1, done.waiting
    again = run(opened, model)
    assert (again.asked, len(model.asked)) == (0, 1)


def test_an_edit_asks_again_and_nothing_else_does(ports: Store) -> None:
    model = Said([says(relation="compatible", stands="both")])
    curation = Curation(ports, NOW)
    pairs = curation.pairs()
    assert len(pairs) == 1
    list(curation.by_model(model, pairs))
    curation.settled(pairs)
    assert Curation(ports, NOW).pairs() == []
    (ports.root / "tides.md").write_text(memory("tides", LONG + " And more.", origin="agent"))
    assert Curation(ports, NOW).pairs() == []
    file = ports.root / "gate-a.md"
    file.write_text(file.read_text().replace("8080", "8081"))
    assert len(Curation(ports, NOW).pairs()) == 1


@pytest.mark.parametrize(
    ("answer", "guards"),
    [
        (says(confidence=0.5), ["confidence"]),
        (says(confidence=7.0, covers=False), ["covers"]),
        (says(second_words="listens on port 7070"), ["quoted"]),
        (says(stands="first"), ["later"]),
        (says(first_words=""), ["quoted"]),
    ],
)
def test_what_the_model_says_is_checked(
    ports: Store, answer: dict[str, Any], guards: list[str]
) -> None:
    curation = Curation(ports, NOW)
    found = list(curation.by_model(Said([answer]), curation.pairs()))
    from memgit.domain.proposals.applying import settle

    done = settle(ports, found[0].proposals)
    assert [one.guard for one in done.waiting[0].refusals] == guards


def test_numbers_that_nobody_asked_about_are_passed_over(ports: Store) -> None:
    curation = Curation(ports, NOW)
    rows = [*says(pair=0)["pairs"], *says(pair=9)["pairs"], *says(relation="same")["pairs"],
            *says(stands="first")["pairs"]]  # fmt: skip
    found = list(curation.by_model(Said([{"pairs": rows}]), curation.pairs()))
    assert [one.to for one in found[0].proposals] == ["gate-b"]


def test_a_true_tension_is_told_and_left(ports: Store) -> None:
    curation = Curation(ports, NOW)
    model = Said([says(relation="contradicts", stands="both", because="two gates")])
    found = list(curation.by_model(model, curation.pairs()))
    assert not found[0].proposals
    assert found[0].tensions[0].names == ("gate-a", "gate-b")


def test_where_the_model_fails_nothing_is_lost_and_nothing_counts_as_asked(
    store: Path, git: Run
) -> None:
    files = {"memgit.toml": "format = 1\n[curate]\npairs = 30\n"}
    for number in range(20):
        name = f"lock-{number}"
        files[f"{name}.md"] = memory(
            name, f"The canal lock number{number} is opened by keeper{number % 7}.", origin="agent"
        )
    opened = write(store, git, files)
    unrelated = [says(number, relation="unrelated", stands="both") for number in range(1, 9)]
    fine = {"pairs": [row for one in unrelated for row in one["pairs"]]}
    model = Said([fine, NoAnswer("the plan gives no more", "later", Usage(5))])
    done = run(opened, model)
    assert (done.asked, done.calls) == (8, 1)
    assert done.stopped is not None
    assert done.usage.tokens == 125
    left = done.near
    assert left > 0
    again = run(opened, Said([fine]))
    assert again.asked == min(30, left)


def test_no_more_pairs_than_the_settings_allow(ports: Store, git: Run) -> None:
    (ports.root / "memgit.toml").write_text("format = 1\n[curate]\npairs = 0\n")
    opened = Store.at(ports.root)
    curation = Curation(opened, NOW)
    assert curation.pairs() == []
    assert curation.left == 1


def test_a_dry_run_leaves_the_store_and_the_queue(ports: Store) -> None:
    head = ports.repository.head()
    done = run(ports, dry_run=True)
    assert [one.commit for one in done.applied] == [""]
    assert ports.repository.head() == head
    assert Waiting(ports).all() == []
    assert run(ports).applied
