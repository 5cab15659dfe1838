"""A memory's story in sentences."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.operation import Provenance
from memgit.domain.operations.labelling import put_label, restore, retire, take_label
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.story import tell
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.remember import Wish, remember
from memgit.domain.store import Store
from memgit.errors import StoreError

Run = Callable[..., object]


@pytest.fixture
def opened(store: Path) -> Store:
    found = Store.at(store)
    remember(found, Wish("Port 80.", "port"))
    remember(found, Wish("Port 81.", "new-port"))
    return found


def story(store: Store, name: str) -> list[str]:
    """The sentences, with each date written DAY."""
    return [re.sub(r"\d{4}-\d\d-\d\d", "DAY", one.text) for one in tell(store, name)]


def test_superseded_undone_retired_restored(opened: Store) -> None:
    supersede(opened, "port", "new-port", Provenance("curate", "it moved."))
    undo(opened, by=Provenance("agent", "it did not"))
    retire(opened, "port")
    restore(opened, "port")
    put_label(opened, "port", "refuted", Provenance(because="nothing listens"))
    assert story(opened, "port") == [
        "Recorded DAY by the user.",
        "Superseded by new-port on DAY, by the pass curate, because it moved.",
        "The supersession of DAY was undone on DAY by an agent, because it did not.",
        "Retired on DAY by the user.",
        "Restored since DAY, by the user.",
        "Labelled refuted on DAY by the user, because nothing listens.",
        "Now: refuted: DAY, nothing listens.",
    ]
    assert story(opened, "new-port")[1] == "Took the place of port on DAY, because it moved."


def test_each_sentence_names_its_commit(opened: Store) -> None:
    retire(opened, "port")
    *happened, now = tell(opened, "port")
    ids = opened.repository.run("log", "--format=%H").split()
    assert [one.commit for one in happened] == [ids[2], ids[0]]
    assert (now.commit, now.day) == ("", "")


def test_what_befell_an_origin(opened: Store, git: Run) -> None:
    (opened.root / "rule.md").write_text("---\nname: rule\nderived_from: port\n---\nx\n")
    git(opened.root, "add", "--all")
    git(opened.root, "commit", "--quiet", "--message=a rule")
    supersede(opened, "port", "new-port")
    retire(opened, "port")
    restore(opened, "port")
    put_label(opened, "port", "refuted")
    take_label(opened, "port", "refuted")
    assert story(opened, "rule") == [
        "Committed DAY by Test Person, by hand (a rule).",
        "Became unverified on DAY: port, from which it is derived, was superseded by new-port.",
        "Became unverified on DAY: port, from which it is derived, was retired.",
        "Relieved of that on DAY, when port was mended.",
        "Became unverified on DAY: port, from which it is derived, was refuted.",
        "Relieved of that on DAY, when port was mended.",
        "Now: unverified: derived from port, which was superseded by new-port on DAY. "
        "It was made from port.",
    ]


def test_other_names(opened: Store) -> None:
    rename(opened, "port", "gate")
    retire(opened, "gate")
    undo(opened)
    for name in ("gate", "port"):
        assert story(opened, name) == [
            "Recorded DAY by the user.",
            "Renamed from port to gate on DAY by the user.",
            "Retired on DAY by the user.",
            "The retirement of DAY was undone on DAY by the user.",
            "Now: nothing speaks against it.",
        ]


def test_one_that_is_gone(opened: Store) -> None:
    undo(opened)
    assert story(opened, "new-port")[-1].startswith("It is no longer in the store; `git show ")


def test_a_name_that_never_was(opened: Store) -> None:
    with pytest.raises(StoreError, match="no memory is named prt") as told:
        tell(opened, "prt")
    assert "port" in told.value.hint
