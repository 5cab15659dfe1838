"""What every operation is held to: no words overwritten, no new fault, one commit of its own."""

import threading
from collections.abc import Callable

import pytest

from memgit.domain.operation import Operation
from memgit.domain.operations import changing
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import TRIES, Plan, change
from memgit.domain.operations.labelling import put_label, retire
from memgit.domain.operations.superseding import supersede
from memgit.domain.store import Store
from memgit.errors import StoreError

from .conftest import memory

Run = Callable[..., object]

LINE = Operation("edit", "root", ("root",))


def adding(line: str, meanwhile: Callable[[int], None]) -> Callable[[Catalogue], Plan]:
    """A plan that adds a line to root, while somebody does something between read and write."""
    tries = iter(range(100))

    def plan(catalogue: Catalogue) -> Plan:
        data = catalogue.content("root.md")
        meanwhile(next(tries))
        return Plan(LINE, {"root.md": data + f"{line}\n".encode()})

    return plan


def test_what_another_writes_meanwhile_is_read_again(descent: Store) -> None:
    def meanwhile(number: int) -> None:
        if number < 2:
            path = descent.root / "root.md"
            path.write_text(f"{path.read_text()}theirs {number}\n")

    change(descent, adding("ours", meanwhile))
    assert descent.read("root.md").body.splitlines()[1:] == ["theirs 0", "theirs 1", "ours"]
    subjects = descent.repository.run("log", "-2", "--format=%s").splitlines()
    assert subjects[0] == "edit: root"
    assert subjects[1].startswith("save: 1 memory")
    told = descent.repository.run("show", "--format=", "HEAD")
    added = [line for line in told.splitlines() if line.startswith("+") and line[1:2] != "+"]
    assert added == ["+ours"]


def test_a_file_that_never_rests_is_left_alone(descent: Store) -> None:
    tried = []

    def meanwhile(number: int) -> None:
        tried.append(number)
        (descent.root / "root.md").write_text(memory("root", body=f"version {number}"))

    with pytest.raises(StoreError, match=r"root\.md keeps being written"):
        change(descent, adding("ours", meanwhile))
    assert len(tried) == TRIES
    assert descent.read("root.md").body == f"version {TRIES - 1}\n"


def test_a_file_that_appears_meanwhile_is_not_overwritten(
    descent: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = descent.root / "first.md", descent.root / "second.md"
    judged = changing._pass_gates

    def plan(catalogue: Catalogue) -> Plan:
        name = "second" if first.exists() else "first"
        return Plan(LINE, {f"{name}.md": memory(name).encode()})

    def meanwhile(catalogue: Catalogue, planned: Plan) -> None:
        judged(catalogue, planned)
        if not first.exists():
            first.write_text("theirs\n")

    monkeypatch.setattr(changing, "_pass_gates", meanwhile)
    change(descent, plan)
    assert first.read_text() == "theirs\n"
    assert second.exists()


def test_a_new_fault_is_refused_and_an_old_one_is_not(descent: Store) -> None:
    (descent.root / "root.md").write_text(memory("root", superseded_by="nobody"))
    put_label(descent, "root", "unverified")
    assert descent.read("root.md").labels[1].startswith("unverified")
    before = descent.repository.head()
    bad = memory("other", superseded_by="nobody").encode()
    with pytest.raises(StoreError, match=r"refused: other\.md:\d+: link") as told:
        change(descent, lambda catalogue: Plan(LINE, {"other.md": bad}))
    assert told.value.hint.endswith("nothing was changed")
    assert descent.repository.head() == before


def test_a_name_that_others_need_does_not_go(descent: Store) -> None:
    supersede(descent, "other", "root")
    with pytest.raises(StoreError, match=r"refused: .* names root"):
        change(descent, lambda catalogue: Plan(LINE, {"root.md": None}))
    assert (descent.root / "root.md").exists()


def test_what_others_staged_stays_staged(descent: Store, git: Run) -> None:
    (descent.root / "event.md").write_text("half done\n")
    git(descent.root, "add", "event.md")
    retire(descent, "other")
    assert descent.repository.run("diff", "--cached", "--name-only") == "event.md"


def test_beside_other_writers_nothing_is_lost(descent: Store, memgit: Run) -> None:
    def retired(name: str) -> None:
        done = memgit("--store", descent.root, "retire", name)
        assert done.returncode == 0, done.stderr  # type: ignore[attr-defined]

    names = ["root", "other", "event", "rule", "child"]
    before = descent.repository.run("rev-list", "--count", "HEAD")
    writers = [threading.Thread(target=retired, args=[name]) for name in names]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [Catalogue(descent).find(name).is_retired for name in names] == [True] * 5
    after = descent.repository.run("rev-list", "--count", "HEAD")
    assert int(after) - int(before) == 5
    assert descent.repository.run("status", "--porcelain") == ""


@pytest.mark.parametrize("what", ["MERGE_HEAD", "CHERRY_PICK_HEAD"])
def test_not_in_the_middle_of_something(descent: Store, what: str) -> None:
    side = descent.repository.run("commit-tree", "HEAD^{tree}", "-m", "another side")
    (descent.repository.git_dir / what).write_text(f"{side}\n")
    with pytest.raises(StoreError, match="is in progress"):
        retire(descent, "root")


def test_in_a_linked_work_tree(descent: Store, git: Run) -> None:
    linked = descent.root.parent / "linked"
    git(descent.root, "worktree", "add", "--quiet", linked)
    retire(Store.at(linked), "root")
    assert Store.at(linked).read("root.md").is_retired
    assert not descent.read("root.md").is_retired


def test_with_signing_hooks_and_attributes_of_the_person(descent: Store, git: Run) -> None:
    git(descent.root, "config", "commit.gpgSign", "true")
    git(descent.root, "config", "gpg.program", "/bin/false")
    hooks = descent.root.parent / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    git(descent.root, "config", "core.hooksPath", hooks)
    retire(descent, "root")
    assert descent.read("root.md").is_retired
