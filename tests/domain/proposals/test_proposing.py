"""Proposals on a branch, over a real git server: pushed, merged, squashed, closed, and learnt."""

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.domain.health.gathering import gather
from memgit.domain.operation import Operation
from memgit.domain.proposals.deciding import decisions
from memgit.domain.proposals.learning import learn
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.proposals.proposing import Proposed, propose
from memgit.domain.proposals.waiting import Waiting
from memgit.domain.sharing.syncing import sync
from memgit.domain.store import Store
from tests.battery.servers import bare, http_server

from .conftest import evidence, memory, supersession

Run = Callable[..., object]
NOW = datetime(2026, 3, 4, tzinfo=UTC)


def quiet(text: str) -> None:
    """Nobody watches."""


@pytest.fixture
def served(tmp_path: Path, ports: Store, git: Run) -> Iterator[Store]:
    """The store, pushed to a server on loopback."""
    folder = tmp_path / "served"
    folder.mkdir()
    hub = bare(folder)
    with http_server(folder, None) as address:
        git(ports.root, "remote", "add", "origin", f"{address}/{hub.name}")
        sync(ports, None, quiet)
        yield ports


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    return next((tmp_path / "served").glob("*.git"))


def two(store: Store) -> list[Proposal]:
    """Two proposals that wait: to supersede, and to put another text in place."""
    text = store.content("firewall.md").decode().replace("8080", "9090")
    first = supersession(
        store, "port-8080", "port-9090", evidence=(evidence(store, "port-9090", "port 9090"),)
    )
    every = [first, Proposal("edit", "curate", ("firewall",), path="firewall.md", text=text,
                             because="@team <b>see</b> ![x](http://a.example/p.png)")]  # fmt: skip
    for one in every:
        Waiting(store).put(one)
    return every


def put(store: Store) -> Proposed:
    return propose(store, Waiting(store).all(), NOW, None, quiet)


def test_a_commit_each_on_a_branch_and_nothing_else_moves(
    served: Store, hub: Path, git: Run
) -> None:
    every = two(served)
    head, files = served.repository.head(), {p: served.content(p) for p in served.files()}
    done = put(served)
    request = done.request
    assert request
    assert request.pushed
    assert request.branch.startswith("memgit/proposals-20260304-")
    assert served.repository.head() == head
    assert {p: served.content(p) for p in served.files()} == files
    assert git(hub, "rev-parse", "main").stdout.strip() == head  # type: ignore[attr-defined]
    told = git(hub, "log", "--format=%H%x01%B%x02", f"main..{request.branch}").stdout  # type: ignore[attr-defined]
    operations = [Operation.parse(row.partition("\x01")[2]) for row in told.split("\x02")[:-1]]
    assert {one.proposal for one in operations if one} == {one.id for one in every}
    assert {one.actor for one in operations if one} == {"curate"}
    assert [held.branch for held in Waiting(served).all()] == [request.branch] * 2
    assert not served.repository.run("worktree", "list", "--porcelain").count("memgit-merging")


def test_the_description_is_readable_and_harmless(served: Store) -> None:
    two(served)
    done = put(served)
    assert done.body
    text = done.body.read_text()
    assert "+  superseded_by: port-9090" in text
    assert "-The firewall lets 8080 through." in text
    assert "memgit undo" in text
    assert "In its place stands `port-9090`" in text
    assert "port 9090" in text
    outside = "".join(text.split("```")[::2])
    assert "`@team <b>see</b> ![x](http://a.example/p.png)`" in outside
    assert "@team" not in outside.replace("`@team <b>see</b> ![x](http://a.example/p.png)`", "")


def test_merging_is_accepting(served: Store, tmp_path: Path, git: Run) -> None:
    every = two(served)
    request = put(served).request
    assert request
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", served.repository.config("remote.origin.url"), "other")
    git(other, "merge", "--quiet", "--no-ff", "--no-edit", f"origin/{request.branch}")
    git(other, "push", "--quiet")
    assert learn(served, quiet).behind == ["origin"]
    assert len(gather(served, NOW).proposals) == 2
    sync(served, None, quiet)
    assert gather(served, NOW).proposals == []
    assert len(Waiting(served).all()) == 2  # looking lets nothing go
    assert sorted(learn(served, quiet).accepted) == sorted(one.id for one in every)
    assert Waiting(served).all() == []
    assert served.read("port-8080.md").superseded_by == "port-9090"
    assert {one.what for one in decisions(served).values()} == {"accepted"}


def test_a_squashed_merge_is_recognised(served: Store, tmp_path: Path, git: Run) -> None:
    every = two(served)
    request = put(served).request
    assert request
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", served.repository.config("remote.origin.url"), "other")
    git(other, "merge", "--quiet", "--squash", f"origin/{request.branch}")
    git(other, "commit", "--quiet", "--message=memory: two proposals (#7)")
    git(other, "push", "--quiet", "origin", "HEAD:main", f":{request.branch}")
    sync(served, None, quiet)
    assert sorted(learn(served, quiet).accepted) == sorted(one.id for one in every)
    told = decisions(served)
    assert [told[one.id].what for one in every] == ["accepted", "accepted"]


def test_what_was_edited_while_it_was_squashed_was_not_turned_down(
    served: Store, tmp_path: Path, git: Run
) -> None:
    every = two(served)
    request = put(served).request
    assert request
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", served.repository.config("remote.origin.url"), "other")
    git(other, "merge", "--quiet", "--squash", f"origin/{request.branch}")
    for name in ("firewall.md", "port-8080.md"):
        with (other / name).open("a") as file:
            file.write("\nAsk the team first.\n")
    git(other, "commit", "--quiet", "--all", "--message=memory: two proposals (#7)")
    git(other, "push", "--quiet", "origin", "HEAD:main", f":{request.branch}")
    sync(served, None, quiet)
    learned = learn(served, quiet)
    assert (sorted(learned.accepted), learned.rejected) == (sorted(one.id for one in every), [])
    assert "merged with" in decisions(served)[every[0].id].because


def test_closing_is_turning_down_and_what_was_merged_of_it_stays(
    served: Store, tmp_path: Path, git: Run
) -> None:
    every = two(served)
    request = put(served).request
    assert request
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", served.repository.config("remote.origin.url"), "other")
    first = next(commit for commit, id_ in request.ids.items() if id_ == every[0].id)
    git(other, "cherry-pick", "--allow-empty", first)
    git(other, "push", "--quiet", "origin", "HEAD:main", f":{request.branch}")
    sync(served, None, quiet)
    learned = learn(served, quiet)
    assert (learned.accepted, learned.rejected) == ([every[0].id], [every[1].id])
    assert "closed without merging" in decisions(served)[every[1].id].because
    assert learn(served, quiet) == type(learned)()


def test_what_the_remote_has_otherwise_is_left_out(served: Store, tmp_path: Path, git: Run) -> None:
    two(served)
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", served.repository.config("remote.origin.url"), "other")
    (other / "port-8080.md").write_text(memory("port-8080", "Closed for good."))
    git(other, "commit", "--quiet", "--all", "--message=by hand")
    git(other, "push", "--quiet")
    done = put(served)
    assert done.request
    assert len(done.request.ids) == 1
    assert "was changed since, as the remote has it" in done.skipped[0][1]


def test_without_a_remote_the_branch_is_here(ports: Store) -> None:
    two(ports)
    done = put(ports)
    assert done.request
    assert not done.request.pushed
    assert "no remote" in done.note
    assert ports.repository.run("rev-parse", done.request.branch) == done.request.tip


def test_a_server_that_is_away_leaves_the_branch_here(served: Store, git: Run) -> None:
    two(served)
    git(served.root, "remote", "set-url", "--push", "origin", "http://127.0.0.1:9/away.git")
    done = put(served)
    assert done.request
    assert not done.request.pushed
    assert "not pushed" in done.note


GH = """#!/bin/sh
printf '%s\\n' "$*" >> "$GH_LOG"
case "$1 $2" in
  "auth status") exit 0;;
  "pr create") echo "https://forge.example/pull/7";;
  "pr view") printf '{"state":"%s"}' "$(cat "$GH_STATE")";;
esac
"""


def test_the_forges_own_command_line_opens_and_tells(
    served: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    state = tmp_path / "state"
    state.write_text("OPEN")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GH_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("GH_STATE", str(state))
    every = two(served)
    done = put(served)
    assert done.request
    assert done.request.url == "https://forge.example/pull/7"
    assert done.note == ""
    said = (tmp_path / "log").read_text().splitlines()[-1]
    assert said.startswith(f"pr create --head {done.request.branch} --base main --title memory:")
    assert learn(served, quiet).rejected == []
    state.write_text("CLOSED")
    assert sorted(learn(served, quiet).rejected) == sorted(one.id for one in every)
    assert "https://forge.example/pull/7" in decisions(served)[every[0].id].because


def test_what_the_forge_calls_merged_is_accepted_whatever_became_of_it(
    served: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    (tmp_path / "state").write_text("MERGED")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GH_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("GH_STATE", str(tmp_path / "state"))
    every = two(served)
    put(served)
    assert sorted(learn(served, quiet).accepted) == sorted(one.id for one in every)


def test_a_request_is_written_down_as_json(served: Store) -> None:
    two(served)
    put(served)
    kept = list((served.derived / "proposals" / "requests").glob("*.json"))
    assert len(kept) == 1
    assert json.loads(kept[0].read_bytes())["base"] == "main"
