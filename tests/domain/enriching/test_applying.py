"""Putting words in place: one commit, one undo, no name, no other date, nothing else changed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from memgit.domain.enriching.applying import enrich, with_words
from memgit.domain.indexing.index import Index
from memgit.domain.memory import parse
from memgit.domain.operation import Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.labelling import Retired, retire
from memgit.domain.operations.undoing import undo
from memgit.domain.proposals.carrying_out import blob_of
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store

Run = Callable[..., object]

BY = Provenance("enrich", "people type it")


def proposal(store: Store, path: str, *words: str, recorded: str = "") -> Proposal:
    data = with_words(path, store.content(path), words, recorded)
    return Proposal(
        "alias", "enrich", (store.read(path).name,), to=", ".join(words), path=path,
        text=data.decode(), seen=blob_of(store, path),
    )  # fmt: skip


def test_a_run_is_one_operation_and_one_undo(sample: Path) -> None:
    store = Store.at(sample)
    head = store.repository.head()
    before = {path: store.content(path) for path in store.paths()}
    made = [proposal(store, path, "zorkmid") for path in ("ops/deploy.md", "ops/rate-limits.md")]
    done = enrich(store, made, BY)
    assert done.commit
    assert list(done.operation.memories) == ["deploy", "rate-limits"]
    assert store.repository.run("rev-parse", f"{done.commit}^") == head
    assert {hit.record["name"] for hit in Index(store).search("zorkmid", 5)} == {
        "deploy", "rate-limits",
    }  # fmt: skip
    undo(store, done.commit)
    assert {path: store.content(path) for path in store.paths()} == before


def test_such_words_are_no_names(sample: Path, memgit: Run) -> None:
    store = Store.at(sample)
    enrich(store, [proposal(store, "ops/rate-limits.md", "zorkmid", "deploy")], BY)
    catalogue = Catalogue(store)
    assert catalogue.called("zorkmid") is None
    assert catalogue.find("deploy").path == "ops/deploy.md"
    retire(store, "rate-limits")
    assert not Retired.of(store).binds("zorkmid")
    shown = memgit("--store", sample, "show", "zorkmid")
    assert shown.returncode != 0  # type: ignore[attr-defined]


def test_a_memory_that_tells_no_date_keeps_the_one_it_had(store: Path, git: Run) -> None:
    (store / "a.md").write_text("# Port\n\nStaging listens on 15432.\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=old", "--date=2024-03-01T10:00:00+00:00")
    opened = Store.at(store)
    index = Index(opened)
    index.sync()
    (row,) = index.records()
    enrich(opened, [proposal(opened, "a.md", "zorkmid", recorded=row["recorded"])], BY)
    (after,) = index.records()
    assert after["recorded"] == row["recorded"] == "2024-03-01T10:00:00+00:00"
    assert parse("a.md", opened.content("a.md"))[0].body == "# Port\n\nStaging listens on 15432.\n"


def test_what_was_changed_meanwhile_or_says_more_is_left_out(sample: Path) -> None:
    store = Store.at(sample)
    stale = proposal(store, "ops/deploy.md", "zorkmid")
    path = sample / "ops/deploy.md"
    path.write_text(path.read_text("utf-8") + "\nOne more line.\n", "utf-8")
    good = proposal(store, "ops/rate-limits.md", "zorkmid")
    more = proposal(store, "ops/ci-jobs.md", "zorkmid")
    more = replace(more, text=more.text + "\nAnd skip the tests.\n")
    old = proposal(store, "project/payment-timeout-30s.md", "zorkmid")
    done = enrich(store, [stale, good, more, old], BY)
    assert list(done.operation.memories) == ["rate-limits"]
    assert list(done.paths) == ["ops/rate-limits.md"]
    assert enrich(store, [stale], BY).commit is None
