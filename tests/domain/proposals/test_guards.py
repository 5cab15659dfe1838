"""Guards over data: 226 pairs written by hand, and the table for what no pair shows."""

from collections import Counter

import pytest

from memgit.domain.memory import Memory
from memgit.domain.proposals.classes import class_of
from memgit.domain.proposals.guards import GUARDS, Case, judge
from memgit.domain.proposals.proposal import Evidence, Proposal
from memgit.domain.proposals.subjects import entities, plain, told
from memgit.domain.proposals.technologies import technologies
from memgit.evaluation.contradictions import Pair, pairs

PAIRS = pairs()
TEXTS = {one.name: plain(told(one)) for pair in PAIRS for one in (pair.old, pair.new)}


def refusals(old: Memory, new: Memory, **changes: object) -> dict[str, str]:
    fields: dict[str, object] = {"confidence": 0.95, **changes}
    proposal = Proposal("supersede", "curate", (old.name,), new.name, **fields)  # type: ignore[arg-type]
    said = judge(Case(proposal, old, new, lambda: TEXTS))
    return {one.guard: one.why for one in said if not one.passed}


def test_the_pairs_are_as_many_and_as_various_as_they_are_said_to_be() -> None:
    kinds = Counter(pair.kind for pair in PAIRS)
    assert len(PAIRS) == 226
    assert min(kinds.values()) >= 5
    assert sum(pair.is_held_out for pair in PAIRS) == 44
    assert 0.4 < sum(pair.language == "ja" for pair in PAIRS) / len(PAIRS) < 0.6
    assert len({one.name for pair in PAIRS for one in (pair.old, pair.new)}) == 2 * len(PAIRS)


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if not pair.replaces],
                         ids=lambda pair: f"{pair.kind}-{pair.old.name}")  # fmt: skip
def test_a_model_that_is_sure_and_wrong_is_refused_by_name(pair: Pair) -> None:
    found = refusals(pair.old, pair.new)
    assert found
    assert all(why.strip() for why in found.values())
    assert set(found) <= {guard.name for guard in GUARDS}


def test_nearly_all_that_was_replaced_goes_through() -> None:
    every = [pair for pair in PAIRS if pair.replaces]
    missed = [pair.old.name for pair in every if refusals(pair.old, pair.new)]
    assert len(missed) <= 5, missed
    held_out = [pair for pair in every if pair.is_held_out]
    assert sum(bool(refusals(pair.old, pair.new)) for pair in held_out) <= 2


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.replaces][::4],
                         ids=lambda pair: pair.old.name)  # fmt: skip
def test_the_older_one_never_takes_the_place_of_the_younger(pair: Pair) -> None:
    assert "later" in refusals(pair.new, pair.old)


def made(body: str, kind: str = "project", day: str = "2026-01-02", name: str = "one",
         **keys: object) -> Memory:  # fmt: skip
    metadata = {"modified": f"{day}T00:00:00Z", "origin": "user", **keys}
    return Memory(f"{name}.md", name, "", kind, f"{body}\n", metadata)


OLD = made("The quay gateway listens on port 8080.", topics=["quay"])
NEW = made("The quay gateway listens on port 9090.", day="2026-02-02", name="two", topics=["quay"])


def test_the_plain_case_passes() -> None:
    assert refusals(OLD, NEW) == {}


@pytest.mark.parametrize(
    ("guard", "changes"),
    [
        ("confidence", {"confidence": 0.74}),
        ("quoted", {"evidence": (Evidence("port 9999", "memory", "two"),)}),
        ("quoted", {"evidence": (Evidence("port 9090", "memory", "another"),)}),
    ],
)
def test_what_the_proposal_says_is_checked(guard: str, changes: dict[str, object]) -> None:
    assert list(refusals(OLD, NEW, **changes)) == [guard]


@pytest.mark.parametrize(
    ("guard", "new"),
    [
        ("origin", NEW.with_metadata(origin="agent")),
        ("origin", NEW.with_metadata(origin="import")),
        ("later", NEW.with_metadata(modified="2026-01-01T00:00:00Z")),
        ("later", NEW.with_metadata(modified=None)),
        ("standing", NEW.with_metadata(unverified="nobody looked")),
        ("standing", NEW.with_metadata(superseded_by="three")),
        ("subject", NEW.with_metadata(scope={"project": "other"})),
    ],
)
def test_what_the_successor_is_is_checked(guard: str, new: Memory) -> None:
    old = OLD.with_metadata(scope={"project": "this"}) if guard == "subject" else OLD
    assert list(refusals(old, new)) == [guard]


def test_words_of_the_users_carry_what_an_agent_wrote() -> None:
    quote = Evidence("the gateway is on 9090 now", "user", "s1", "t4", "00")
    assert refusals(OLD, NEW.with_metadata(origin="agent"), evidence=(quote,)) == {}
    forged = Evidence("the gateway is on 9090 now", "user")
    assert "origin" in refusals(OLD, NEW.with_metadata(origin="agent"), evidence=(forged,))


def test_a_topic_that_half_the_store_has_says_nothing() -> None:
    texts = {f"m{n}": "quay" for n in range(40)}
    proposal = Proposal("supersede", "curate", ("one",), "two", confidence=1.0)
    bare = made("It listens on port 8080.", topics=["quay"])
    other = made("It listens on port 9090.", day="2026-02-02", name="two", topics=["quay"])
    said = judge(Case(proposal, bare, other, lambda: texts))
    assert [one.guard for one in said if not one.passed] == ["subject"]


def test_one_thing_is_enough_where_all_but_the_value_is_the_same() -> None:
    def refused(new: str) -> list[str]:
        texts = {f"m{n}": "quay" for n in range(40)}
        old = made("The quay archive has 40 boxes.", topics=["quay"])
        other = made(new, day="2026-02-02", name="two", topics=["quay"])
        proposal = Proposal("supersede", "curate", ("one",), "two", confidence=1.0)
        said = judge(Case(proposal, old, other, lambda: texts))
        return [one.guard for one in said if not one.passed]

    assert refused("The quay archive has 60 boxes.") == []
    assert "subject" in refused("The quay archive has 60 lamps.")
    assert "subject" in refused("The quay archive has 60 boxes. Its roof leaks.")
    assert "subject" in refused("The quay office has 60 boxes.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The charset of the quay export is `latin1`.",
            "The charset of the quay export is `utf-8`.",
        ),
        ("埠頭の帳票の書式は`a4`です。", "埠頭の帳票の書式は`letter`です。"),
        ("埠頭の帳票の書式は`pdf2`です。", "埠頭の帳票の書式は`csv`です。"),
    ],
)
def test_a_value_of_letters_and_digits_is_one_value(old: str, new: str) -> None:
    one = made(old, topics=["quay"])
    assert refusals(one, made(new, day="2026-02-02", name="two", topics=["quay"])) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Set `cartTotal` in src/cart/total.ts", {"carttotal", "src/cart/total.ts"}),
        ("orders-api answers at api.quay.example", {"orders-api", "api.quay.example"}),
        ("The deploy of Nagimaru is ABC-123", {"nagimaru", "abc-123"}),
        ("決済代行は三輪運輸。サカモリに送る", {"決済代行", "三輪運輸", "サカモリ"}),
    ],
)
def test_entities_are_found_without_a_model(text: str, found: set[str]) -> None:
    assert found <= entities(made(text))


def test_a_technology_is_no_entity_but_is_one_of_its_own() -> None:
    text = "Postgres 16 and Redis run below docker compose; `jest` and Jest, not a jest."
    assert technologies(text) == {"postgres", "redis", "docker compose", "docker", "jest"}
    assert not entities(made(text)) & {"postgres", "redis", "jest", "docker"}


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (made("Always squash.", "feedback"), "rule"),
        (made("必ず手元で試すこと。"), "rule"),
        (made("The pool has 20 connections."), "state"),
        (made("On 2026-02-02 the deploy failed."), "event"),
        (made("昨日、複製が止まった。"), "event"),
        (made("The quay workers are restarted by hand."), "state"),
        (made("Keys of the quay are usually held by two people."), "state"),
        (made("The quay workers were restarted by hand."), "event"),
        (made("The quay is deployed weekly and crashed twice."), "event"),
        (made("The quay's job has failed."), "event"),
        (made("The quay is deployed this week by hand."), "event"),
        (made("We plan to move to gRPC."), "plan"),
        (made("Hosts of staging.", "reference"), "reference"),
        (made("- a: [[a]]\n- b: [[b]]\n- c: [[c]]"), "pointer map"),
        (made("- Do we keep it?\n- Who owns it?\n- When?"), "list of open questions"),
        (made("One.", **{"class": "pointer-map"}), "pointer map"),
    ],
)
def test_classes(memory: Memory, expected: str) -> None:
    assert class_of(memory) == expected
