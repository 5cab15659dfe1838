"""Memories made from texts: each gets a name that is free, and a thousand of them cost no more."""

import time
from pathlib import Path

from memgit.domain.naming import Newcomers
from memgit.domain.operations.labelling import retire
from memgit.domain.recording import take_over
from memgit.domain.remember import Wish, remember
from memgit.domain.store import Store

MANY = 500


def test_names_that_are_taken_get_a_number(store: Path) -> None:
    opened = Store.at(store)
    remember(opened, Wish("One.", "Tabs"))
    (store / "tabs-3.md").write_text("Nobody committed it yet.\n")
    new = Newcomers(opened, "agent")
    assert [new.add("tabs", text, "project") for text in ("Two.", "Three.")] == ["tabs-2", "tabs-4"]
    assert list(new.files) == ["tabs-2.md", "tabs-4.md"]


def test_what_is_said_already_is_not_said_again_unless_it_was_retired(store: Path) -> None:
    opened = Store.at(store)
    for text in ("One.", "Two."):
        remember(opened, Wish(text, "tabs"))
    new = Newcomers(opened, "agent")
    names = [new.add("tabs", f"\n{text}", "project") for text in ("Two.", "One.")]
    assert names == ["tabs-2", "tabs"]
    assert new.files == {}
    retire(opened, "tabs-2")
    assert Newcomers(opened, "agent").add("tabs", "\nTwo.", "project") == "tabs-3"


def test_hundreds_of_lines_that_begin_alike_take_seconds(store: Path) -> None:
    opened = Store.at(store)
    same = "- every single quay of the harbour has as many bollards as quay"
    (store / "MEMORY.md").write_text("".join(f"{same} q{n}x\n" for n in range(MANY)))
    began = time.process_time()
    take_over(opened)
    assert time.process_time() - began < 10
    texts = [opened.content(path).decode() for path in opened.paths()]
    assert len(texts) == MANY
    assert all(any(f" q{n}x\n" in text for text in texts) for n in range(MANY))
