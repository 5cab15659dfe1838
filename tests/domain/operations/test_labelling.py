"""Labels given and taken, and what follows from them elsewhere."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.operation import Provenance
from memgit.domain.operations.labelling import Retired, put_label, restore, retire, take_label
from memgit.domain.operations.superseding import supersede
from memgit.domain.store import Store

Run = Callable[..., object]

DAY = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
LINE = ("deep/child.md", "grandchild.md", "great.md")


def contents(store: Store) -> dict[str, bytes]:
    return {path: store.content(path) for path in store.paths()}


def test_unverified_alone_spreads_to_nothing(descent: Store) -> None:
    before = contents(descent)
    put_label(descent, "root", "unverified", Provenance(because="a guess"), DAY)
    changed = {path for path, data in contents(descent).items() if data != before[path]}
    assert changed == {"root.md"}
    assert descent.read("root.md").labels == ("unverified: a guess",)


def test_reasons_add_up_and_go_together(descent: Store) -> None:
    before = contents(descent)
    for why in ("a guess", "", "another", "a guess"):
        put_label(descent, "root", "unverified", Provenance(because=why), DAY)
    assert descent.read("root.md").labels == ("unverified: a guess", "unverified: another")
    take_label(descent, "root", "unverified")
    assert contents(descent) == before


@pytest.mark.parametrize("fate", ["refuted", "retired"])
def test_an_error_reaches_every_descendant_and_is_taken_back(descent: Store, fate: str) -> None:
    before = contents(descent)
    give = retire if fate == "retired" else lambda *a: put_label(a[0], a[1], "refuted", *a[2:])
    take = restore if fate == "retired" else lambda s, n: take_label(s, n, "refuted")
    give(descent, "root", Provenance(because="it was wrong"), DAY)
    assert descent.read("root.md").labels == (f"{fate}: 2026-03-04, it was wrong",)
    for path in LINE:
        told = f"unverified: derived from root, which was {fate} on 2026-03-04"
        assert descent.read(path).labels == (told,)
    assert take(descent, "root").commit
    assert contents(descent) == before


def test_taking_one_error_back_leaves_the_other(descent: Store) -> None:
    supersede(descent, "root", "other", now=DAY)
    retire(descent, "root", now=DAY)
    assert len(descent.read("great.md").labels) == 2
    restore(descent, "root")
    assert descent.read("great.md").labels == (
        "unverified: derived from root, which was superseded by other on 2026-03-04",
    )


def test_again_is_nothing_to_do(descent: Store) -> None:
    assert restore(descent, "root").note == "root is not retired"
    retire(descent, "root")
    assert retire(descent, "root").note == "root is retired already"
    assert retire(descent, "root").commit is None


def test_retired_is_searched_listed_and_never_recalled(
    descent: Store, memgit: Run, sample: object
) -> None:
    question = ("recall", "--prompt", "how do I get a release to production with make promote?")
    at = ("--store", sample)

    def recalled() -> list[str]:
        done = memgit(*at, *question, "--json")
        return [hit["name"] for hit in json.loads(done.stdout or '{"hits": []}')["hits"]]  # type: ignore[attr-defined]

    assert "deploy" in recalled()
    assert memgit(*at, "retire", "deploy").returncode == 0  # type: ignore[attr-defined]
    assert "deploy" not in recalled()
    assert "retired" in memgit(*at, "search", "promote").stdout  # type: ignore[attr-defined]
    assert "deploy" in memgit(*at, "list").stdout  # type: ignore[attr-defined]
    memgit(*at, "undo")
    assert "deploy" in recalled()


def test_rarity_counts_as_if_what_is_retired_were_not_there(descent: Store) -> None:
    index = Index(descent)
    retire(descent, "root")
    restore(descent, "root")
    grown = {key: value for key, value in index.head().items() if key == "memories"}
    index.sync(anew=True)
    assert {key: value for key, value in index.head().items() if key == "memories"} == grown


def test_a_retired_memory_binds_by_name_alias_and_text(descent: Store) -> None:
    (descent.root / "root.md").write_text(
        "---\nname: root\nmetadata:\n  aliases:\n    - The Root\n---\nUse port 80.\n\n- Never 81.\n"
    )
    assert not Retired.of(descent).binds("root", "Use port 80.")
    retire(descent, "root")
    bound = Retired.of(descent)
    assert bound.binds("ROOT")
    assert bound.binds("the root")
    assert bound.binds("new-name", "* never 81.\nＵｓｅ port 80.")
    assert not bound.binds("new-name", "Use port 80.\nUse port 90.")
    assert not bound.binds("new-name")
