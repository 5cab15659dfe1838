"""The door: what is applied, what waits, what is dropped; and that no decision is forgotten."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.operation import Operation, Provenance
from memgit.domain.operations.undoing import undo
from memgit.domain.proposals.applying import settle
from memgit.domain.proposals.carrying_out import carry_out, provenance
from memgit.domain.proposals.deciding import decisions, reject
from memgit.domain.proposals.proposal import Evidence, Proposal
from memgit.domain.proposals.reviewing import waiting
from memgit.domain.proposals.waiting import Waiting
from memgit.domain.sharing.syncing import sync
from memgit.domain.store import Store

from .conftest import evidence, memory, supersession, write

Run = Callable[..., Any]


def last(store: Store) -> Operation:
    told = Operation.parse(store.repository.run("log", "-1", "--format=%B"))
    assert told
    return told


def commits(store: Store) -> int:
    return int(store.repository.run("rev-list", "--count", "HEAD"))


def ids(proposals: object) -> list[str]:
    return [one.id for one in proposals]  # type: ignore[attr-defined]


def test_what_all_guards_let_pass_is_one_commit_that_says_so(ports: Store) -> None:
    proposal = supersession(ports, "port-8080", "port-9090")
    before = commits(ports)
    done = settle(ports, [proposal])
    assert [one.proposal.id for one in done.applied] == [proposal.id]
    assert not done.waiting
    assert not done.dropped
    assert commits(ports) == before + 1
    told = last(ports)
    assert (told.kind, told.actor, told.proposal) == ("supersede", "curate", proposal.id)
    assert told.confidence == 0.97
    assert told.because == "the later one holds"
    assert {"confidence", "subject", "class", "scope", "later", "gates"} <= set(told.guards)
    assert ports.read("port-8080.md").superseded_by == "port-9090"
    assert ports.read("firewall.md").reasons("unverified")


def test_each_is_taken_back_by_one_undo_and_not_applied_again(ports: Store) -> None:
    before = {path: ports.content(path) for path in ports.paths()}
    proposal = supersession(ports, "port-8080", "port-9090")
    commit = settle(ports, [proposal]).applied[0].commit
    undo(ports, commit)
    assert {path: ports.content(path) for path in ports.paths()} == before
    again = settle(ports, [proposal])
    assert not again.applied
    assert "undone" in again.dropped[0].why
    undo(ports)
    assert decisions(ports)[proposal.id].what == "accepted"


def test_a_refused_one_waits_and_names_its_guard(ports: Store) -> None:
    proposal = supersession(ports, "port-8080", "port-9090", confidence=0.5)
    before = commits(ports)
    done = settle(ports, [proposal])
    assert ids(done.waiting) == [proposal.id]
    assert [one.guard for one in done.waiting[0].refusals] == ["confidence"]
    assert "50%" in done.waiting[0].refusals[0].why
    held = Waiting(ports).find(proposal.id[:4])
    assert held.proposal == done.waiting[0]
    assert commits(ports) == before


def test_what_was_turned_down_is_known_in_every_clone(
    ports: Store, git: Run, tmp_path: Path
) -> None:
    proposal = supersession(ports, "port-8080", "port-9090")
    before = {path: ports.content(path) for path in ports.files()}
    reject(ports, proposal, Provenance(because="the old gateway still runs"))
    assert {path: ports.content(path) for path in ports.files()} == before
    told = last(ports)
    assert (told.kind, told.proposal) == ("reject", proposal.id)
    git(tmp_path, "clone", "--quiet", str(ports.root), "clone")
    clone = Store.at(tmp_path / "clone")
    done = settle(clone, [supersession(clone, "port-8080", "port-9090", because="other words")])
    assert not done.applied
    assert "the old gateway still runs" in done.dropped[0].why


def test_turning_down_can_be_undone(ports: Store) -> None:
    proposal = supersession(ports, "port-8080", "port-9090")
    reject(ports, proposal)
    assert undo(ports).commit
    assert proposal.id not in decisions(ports)
    assert settle(ports, [proposal]).applied


def test_what_was_written_since_makes_it_stale(ports: Store) -> None:
    proposal = supersession(ports, "port-8080", "port-9090")
    file = ports.root / "port-8080.md"
    file.write_text(file.read_text() + "\nBut 8080 stays open for probes.\n")
    done = settle(ports, [proposal])
    assert not done.applied
    assert done.dropped[0].why == "port-8080 was changed since"


def test_a_quoted_memory_that_was_written_since_makes_it_stale(ports: Store) -> None:
    quote = evidence(ports, "port-9090", "port 9090")
    proposal = supersession(ports, "port-8080", "port-9090", evidence=(quote,))
    file = ports.root / "port-9090.md"
    file.write_text(file.read_text() + "\nOn staging only.\n")
    assert settle(ports, [proposal]).dropped[0].why == "port-9090 was changed since"


def test_a_dry_run_leaves_nothing(ports: Store) -> None:
    every = [supersession(ports, "port-8080", "port-9090"),
             supersession(ports, "firewall", "port-9090")]  # fmt: skip
    before = commits(ports)
    done = settle(ports, every, dry_run=True)
    assert [one.commit for one in done.applied] == [""]
    assert ids(done.waiting) == [every[1].id]
    assert commits(ports) == before
    assert Waiting(ports).all() == []


def test_the_brake_counts_a_day_of_one_pass(store: Path, git: Run) -> None:
    files = {"memgit.toml": "format = 1\n[curate]\nbrake = 2\n"}
    for number in range(4):
        for day, port in (("2026-01-02", 80), ("2026-02-02", 90)):
            name = f"port-{port}{number}"
            files[f"{name}.md"] = memory(
                name, f"The lock gate{number} service listens on port {port}{number}.", day=day,
                topics=[f"gate-{number}"], origin="agent",
            )  # fmt: skip
    opened = write(store, git, files)
    every = [supersession(opened, f"port-80{n}", f"port-90{n}") for n in range(4)]
    first = settle(opened, every[:1])
    rest = settle(opened, every[1:])
    assert (len(first.applied), len(rest.applied)) == (1, 1)
    assert [one.refusals[-1].guard for one in rest.waiting] == ["brake", "brake"]
    other = [replace(every[2], actor="verify")]
    undo(opened, rest.applied[0].commit)
    assert settle(opened, other, now=datetime.now(UTC)).applied


@pytest.mark.parametrize("kind", ["edit", "retire"])
def test_some_kinds_are_for_a_person(ports: Store, kind: str) -> None:
    text = ports.content("firewall.md").decode() if kind == "edit" else ""
    proposal = Proposal(kind, "curate", ("firewall",), text=text)
    done = settle(ports, [proposal])
    assert [one.guard for one in done.waiting[0].refusals] == ["kind"]


def test_add_takes_a_free_name_and_confirm_keeps_the_rest(ports: Store) -> None:
    text = memory("firewall", "The quay firewall drops ICMP.", origin="agent")
    new = Proposal("add", "harvest", ("firewall",), path="firewall.md", text=text,
                   evidence=(Evidence("drops ICMP", "user", "s1", "t1", "00"),))  # fmt: skip
    done = settle(ports, [new])
    assert done.applied[0].paths == ["firewall-2.md"]
    assert ports.read("firewall-2.md").name == "firewall-2"
    assert settle(ports, [new]).dropped


def test_a_gate_that_refuses_leaves_it_to_a_person(ports: Store) -> None:
    text = memory(
        "leak", "DEPLOY_TOKEN=ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", origin="agent"
    )
    before = commits(ports)
    done = settle(ports, [Proposal("add", "harvest", ("leak",), path="leak.md", text=text)])
    assert [one.guard for one in done.waiting[0].refusals] == ["gates"]
    assert commits(ports) == before


def test_a_successor_may_come_along(ports: Store) -> None:
    text = memory("port-7070", "The quay gateway now listens on port 7070.", day="2026-03-02",
                  topics=["quay-gateway"], origin="agent")  # fmt: skip
    proposal = supersession(ports, "port-8080", "port-7070", text=text, path="port-7070.md")
    before = commits(ports)
    done = settle(ports, [proposal])
    assert done.applied, done.waiting
    assert commits(ports) == before + 1
    undo(ports)
    assert not (ports.root / "port-7070.md").exists()
    assert ports.read("port-8080.md").superseded_by is None


def test_a_damaged_file_does_not_stop_the_others(ports: Store) -> None:
    queue = Waiting(ports)
    proposal = supersession(ports, "port-8080", "port-9090")
    queue.put(proposal)
    (queue.folder / "0123456789ab.json").write_text("{half")
    assert ids(one.proposal for one in queue.all()) == [proposal.id]


@pytest.mark.parametrize(
    "change",
    [
        {"evidence": [{"quote": 1, "role": [], "session": {}, "turn": 2, "digest": None}]},
        {"judgements": [{"guard": None, "passed": "no", "why": 3}]},
        {"judgements": [{"guard": "x", "passed": "no", "why": ""}]},
        {"confidence": 10**400}, {"confidence": float("inf")}, {"confidence": "1"},
        {"path": "a\0.md"}, {"path": "a\ud800.md"}, {"memories": [[1]]}, {"memories": "abc"},
        {"memories": [""]}, {"text": 7}, {"kind": "conquer"},
    ],
    ids=repr,
)  # fmt: skip
def test_a_proposal_that_somebody_spoilt_is_left_out_and_told(
    ports: Store, change: dict[str, Any]
) -> None:
    queue = Waiting(ports)
    proposal = supersession(ports, "port-8080", "port-9090")
    queue.put(proposal)
    (file,) = queue.folder.glob("*.json")
    told = json.loads(file.read_text())
    spoilt = queue.folder / "0123456789ab.json"
    spoilt.write_text(json.dumps({**told, "proposal": {**told["proposal"], **change}}))
    assert queue.damaged() == [spoilt]
    assert ids(one.proposal for one in queue.all()) == [proposal.id]


def test_what_is_no_file_or_too_deep_is_left_out_and_told(ports: Store, memgit: Run) -> None:
    queue = Waiting(ports)
    queue.put(supersession(ports, "port-8080", "port-9090"))
    os.mkfifo(queue.folder / "0123456789ab.json")
    (queue.folder / "0123456789ac.json").write_text("[" * 100_000)
    (file,) = (path for path in queue.folder.glob("*.json") if path.is_file()
               and path.stat().st_size < 90_000)  # fmt: skip
    naive = json.loads(file.read_text()) | {"until": "2030-01-01T00:00:00"}
    (queue.folder / "0123456789ad.json").write_text(json.dumps(naive))
    done = memgit("review", "--store", ports.root)
    assert (done.returncode, "port-8080" in done.stdout) == (0, True)
    assert "0123456789ab.json and 2 more: no proposal that can be read" in done.stderr


def test_what_a_person_put_off_comes_last(ports: Store) -> None:
    queue = Waiting(ports)
    first = supersession(ports, "port-8080", "port-9090")
    second = supersession(ports, "firewall", "port-9090", made="2026-04-01T00:00:00+00:00")
    queue.put(first)
    queue.put(second)
    held = queue.defer(queue.find(first.id), datetime(2026, 5, 1, tzinfo=UTC))
    assert held.is_deferred(datetime(2026, 5, 7, tzinfo=UTC))
    assert not held.is_deferred(datetime(2026, 5, 9, tzinfo=UTC))
    queue.put(first)
    assert ids(one.proposal for one in queue.all()) == [second.id, first.id]


def test_what_was_applied_before_a_kill_waits_no_longer(ports: Store) -> None:
    proposal = supersession(ports, "port-8080", "port-9090")
    Waiting(ports).put(proposal)
    carry_out(ports, proposal, provenance(proposal))  # killed before the file was taken away
    assert waiting(ports) == []
    assert Waiting(ports).all() == []
    assert settle(ports, [proposal]).dropped


def test_a_rejection_outlives_a_rebase(ports: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "hub.git")
    git(ports.root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    sync(ports, None, lambda text: None)
    git(tmp_path, "clone", "--quiet", str(tmp_path / "hub.git"), "other")
    other = Store.at(tmp_path / "other")
    (other.root / "tides.md").write_text(memory("tides", "The tide table is on the wall."))
    sync(other, None, lambda text: None)
    proposal = supersession(ports, "port-8080", "port-9090")
    reject(ports, proposal, Provenance(because="both hold"))
    assert sync(ports, None, lambda text: None).how == "rebased"
    sync(other, None, lambda text: None)
    for store in (ports, other):
        assert decisions(store)[proposal.id].because == "both hold"
