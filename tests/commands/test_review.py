"""`memgit review` and `propose`, as a person runs them: by words, and by keys on a terminal."""

import json
import os
import pty
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess, Popen

import pytest

from memgit.domain.operation import Operation
from memgit.domain.proposals.applying import settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from tests.domain.proposals.conftest import evidence, memory, supersession, write

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def waiting(store: Path, git: Run) -> tuple[Store, Proposal, Proposal]:
    """A supersession that the guard on confidence refused, and an edit."""
    opened = write(store, git, {
        "port-8080.md": memory("port-8080", "The quay gateway listens on port 8080.",
                               day="2026-01-02", topics=["quay-gateway"], origin="agent"),
        "port-9090.md": memory("port-9090", "The quay gateway now listens on port 9090.",
                               day="2026-02-02", topics=["quay-gateway"], origin="agent"),
    })  # fmt: skip
    text = opened.content("port-9090.md").decode().replace("now listens", "listens")
    first = supersession(
        opened,
        "port-8080",
        "port-9090",
        confidence=0.6,
        evidence=(evidence(opened, "port-9090", "now listens on port 9090"),),
    )
    second = Proposal("edit", "curate", ("port-9090",), path="port-9090.md", text=text,
                      made="2026-03-02T00:00:00+00:00", because="shorter")  # fmt: skip
    settle(opened, [first, second])
    return opened, first, second


def last(store: Store) -> Operation:
    told = Operation.parse(store.repository.run("log", "-1", "--format=%B"))
    assert told
    return told


def test_the_list_names_the_guard(memgit: Run, waiting: tuple[Store, Proposal, Proposal]) -> None:
    store, first, second = waiting
    done = memgit("review", cwd=store.root)
    assert done.returncode == 0
    rows = done.stdout.splitlines()
    assert rows[1].split() == [first.id, "curate", "confidence", "supersede", "port-8080", "by",
                               "port-9090"]  # fmt: skip
    assert "kind" in rows[2]
    whole = [json.loads(line) for line in memgit("review", "--json", cwd=store.root)
             .stdout.splitlines()]  # fmt: skip
    assert [one["id"] for one in whole] == [first.id, second.id]
    assert [one["name"] for one in whole[0]["sides"]] == ["port-8080", "port-9090"]


def test_one_is_shown_with_both_sides_and_reasons(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, first, second = waiting
    told = memgit("review", "show", first.id[:5], cwd=store.root).stdout
    assert "port-8080 (project, 2026-01-02, agent) is superseded:" in told
    assert "│ The quay gateway now listens on port 9090." in told
    assert "rests on “now listens on port 9090” (memory, port-9090)" in told
    assert "refused by confidence: the pass itself is only 60% sure" in told
    assert "passed quoted, subject, class, scope" in told
    diff = memgit("review", "show", second.id, cwd=store.root).stdout
    assert "-The quay gateway now listens on port 9090." in diff
    assert "+The quay gateway listens on port 9090." in diff


def test_accepting_is_the_users_own_operation(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, first, _ = waiting
    done = memgit("review", "accept", first.id, "--because", "I moved it", cwd=store.root)
    assert done.returncode == 0, done.stderr
    told = last(store)
    assert (told.kind, told.actor, told.because, told.proposal) == (
        "supersede", "user", "I moved it", first.id
    )  # fmt: skip
    assert "confidence" not in told.guards
    assert memgit("undo", cwd=store.root).returncode == 0
    assert store.read("port-8080.md").superseded_by is None
    assert memgit("review", "show", first.id, cwd=store.root).returncode == 2


def test_rejecting_is_remembered(memgit: Run, waiting: tuple[Store, Proposal, Proposal]) -> None:
    store, first, _ = waiting
    done = memgit("review", "reject", first.id, "--because", "both hold", cwd=store.root)
    assert done.stdout.startswith(f"rejected {first.id} (supersede port-8080 by port-9090) in ")
    assert settle(store, [first]).dropped[0].why.endswith("both hold")
    told = memgit("why", "port-8080", cwd=store.root).stdout
    assert "A proposal was turned down" in told
    assert "because both hold" in told


def test_an_edited_one_is_accepted_as_edited(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, first, second = waiting
    better = second.text.replace("listens on", "is on")
    done = memgit("review", "edit", second.id, cwd=store.root, stdin=better)
    assert done.returncode == 0, done.stderr
    assert "The quay gateway is on port 9090." in store.content("port-9090.md").decode()
    assert last(store).proposal == second.id
    stale = memgit("review", "accept", first.id, cwd=store.root)
    assert stale.returncode == 3
    assert "port-9090 was changed since" in stale.stderr


def test_of_a_supersession_the_successor_is_edited(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, first, _ = waiting
    text = store.content("port-9090.md").decode() + "Probes still use 8080.\n"
    done = memgit("review", "edit", first.id, "--json", cwd=store.root, stdin=text)
    assert len(json.loads(done.stdout)["commits"]) == 2, done.stderr
    assert store.read("port-8080.md").superseded_by == "port-9090"
    assert "Probes" in store.content("port-9090.md").decode()


def test_an_empty_edit_changes_nothing(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, first, _ = waiting
    before = store.repository.head()
    done = memgit("review", "edit", first.id, cwd=store.root, stdin="")
    assert done.returncode == 2
    assert store.repository.head() == before


def test_what_is_put_off_stands_last(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, first, second = waiting
    assert memgit("review", "defer", first.id, cwd=store.root).returncode == 0
    rows = memgit("review", "list", cwd=store.root).stdout.splitlines()
    assert rows[1].startswith(second.id)
    assert "off to" in rows[2]


@pytest.mark.parametrize("words", [("show", "ffff"), ("accept", "ffff"), ("reject", "f")])
def test_an_unknown_id_is_told(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal], words: tuple[str, str]
) -> None:
    done = memgit("review", *words, cwd=waiting[0].root)
    assert done.returncode == 2
    assert "waits" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_on_a_terminal_each_is_decided_by_a_key(
    waiting: tuple[Store, Proposal, Proposal],
) -> None:
    store, first, second = waiting
    said = typed(store, ["r", "too early\r", "a"])
    assert "1 of 2" in said
    assert "2 of 2" in said
    assert settle(store, [first]).dropped[0].why.endswith("too early")
    assert last(store).proposal == second.id


def typed(store: Store, keys: list[str]) -> str:
    """What `memgit review` shows on a terminal, where these are typed one after the other."""
    master, slave = pty.openpty()
    words = [sys.executable, "-m", "memgit", "review"]
    process = Popen(words, cwd=store.root, stdin=slave, stdout=slave, stderr=slave,
                    env={**os.environ, "TERM": "xterm"}, start_new_session=True)  # fmt: skip
    os.close(slave)
    shown = b""
    waits = [b"q quit", b"why", b"2 of 2"]
    end = time.monotonic() + 60
    while time.monotonic() < end and (process.poll() is None or not keys):
        if select.select([master], [], [], 0.2)[0]:
            try:
                data = os.read(master, 1 << 16)
            except OSError:
                break
            if not data:
                break
            shown += data
        if keys and waits[0] in shown:
            waits.pop(0)
            time.sleep(0.2)
            os.write(master, keys.pop(0).encode())
    process.wait(timeout=10)
    os.close(master)
    return shown.decode("utf-8", "replace")


def test_propose_tells_where_the_branch_is(
    memgit: Run, waiting: tuple[Store, Proposal, Proposal]
) -> None:
    store, _, _ = waiting
    done = memgit("propose", cwd=store.root)
    assert done.returncode == 0, done.stderr
    assert "2 proposals on memgit/proposals-" in done.stdout
    assert "there is no remote: the branch is here" in done.stdout
    again = memgit("propose", cwd=store.root)
    assert again.stdout == "nothing waits that is not on a branch already\n"


def test_the_recipe_is_laid_down_once(memgit: Run, store: Path) -> None:
    assert memgit("propose", "--ci", cwd=store).returncode == 0
    text = (store / ".github" / "workflows" / "memgit.yaml").read_text()
    assert "memgit --store . check" in text
    assert memgit("propose", "--ci", cwd=store).returncode == 2
