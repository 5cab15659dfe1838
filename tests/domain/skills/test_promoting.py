"""Promoting: record and copy go together, whoever shares the folder and whatever is killed."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.domain.operation import BY_THE_USER
from memgit.domain.sessions.index import SessionIndex
from memgit.domain.skills import promoting
from memgit.domain.skills.checking import scene_of
from memgit.domain.skills.draft import Draft
from memgit.domain.skills.drafting import detect, drafted, write
from memgit.domain.skills.promoting import demote, follow, promote, promotions, promotions_here
from memgit.domain.skills.report import report
from memgit.domain.store import Store
from memgit.errors import StoreError
from tests.conftest import Run
from tests.made_sessions import releases

NAME = "sync-then-push"
NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def opened(store: Path) -> Store:
    return Store.at(store)


@pytest.fixture
def draft(opened: Store, tmp_path: Path) -> Draft:
    """A draft in the store, of sessions that its own index knows."""
    releases(tmp_path / "projects", cwd=str(tmp_path))
    index = SessionIndex.of(opened)
    index.sync(tmp_path / "projects")
    (one,) = detect(index, tmp_path / "projects")
    index.close()
    made = drafted(NAME, one, None)
    write(opened, made, BY_THE_USER)
    return made


@pytest.fixture
def folder(sealed: Path) -> Path:
    """The skills folder of a person."""
    return sealed / ".claude" / "skills"


@pytest.fixture
def copy(folder: Path) -> Path:
    return folder / NAME / "SKILL.md"


def other_person(store: Store, git: Run) -> Store:
    """The same store, as somebody with another address has it."""
    git(store.root, "config", "user.email", "other@example.com")
    return Store.at(store.root)


def subjects(store: Store, git: Run) -> list[str]:
    return git(store.root, "log", "--format=%s").stdout.splitlines()


def test_two_people_who_share_one_folder_may_both_demote(
    opened: Store, draft: Draft, folder: Path, copy: Path, git: Run
) -> None:
    promote(opened, draft, folder, NOW)
    other = other_person(opened, git)
    assert [one.name for one in promotions_here(other)] == [NAME]
    with pytest.raises(StoreError, match="already"):
        promote(other, draft, folder, NOW)
    demote(other, NAME)
    assert not copy.parent.exists()
    assert promotions(other) == []


def test_what_one_takes_back_goes_from_the_shared_folder(
    opened: Store, draft: Draft, folder: Path, copy: Path, git: Run
) -> None:
    promote(opened, draft, folder, NOW)
    other = other_person(opened, git)
    git(other.root, "revert", "--no-edit", "HEAD")
    assert [*follow(other, other.repository.head() or "")] == [f"{copy} is taken away"]
    assert not copy.exists()


def test_who_has_a_folder_of_ones_own_keeps_what_another_demotes(
    opened: Store, draft: Draft, folder: Path, copy: Path, git: Run
) -> None:
    """Both records name the folder alike, from the home on, and the copies are the same."""
    promote(opened, draft, folder, NOW)
    (record,) = promotions(opened)
    theirs = opened.root / record.path.replace("promoted-", "promoted-0")
    theirs.write_text((opened.root / record.path).read_text())
    git(opened.root, "add", "--all")
    git(opened.root, "commit", "--quiet", "--message=theirs")
    assert len(promotions(opened)) == 2
    assert [one.path for one in promotions_here(opened)] == [record.path]
    git(opened.root, "rm", "--quiet", str(theirs))
    git(opened.root, "commit", "--quiet", "--message=theirs is gone")
    assert [*follow(opened, opened.repository.head() or "")] == []
    assert copy.exists()


def test_the_same_skill_of_two_people_is_one_of_three(
    opened: Store, draft: Draft, folder: Path, git: Run
) -> None:
    promote(opened, draft, folder, NOW)
    (record,) = promotions(opened)
    text = (opened.root / record.path).read_text()
    for number in range(3):
        (opened.root / record.path.replace("promoted-", f"promoted-{number}")).write_text(text)
    git(opened.root, "add", "--all")
    git(opened.root, "commit", "--quiet", "--message=theirs")
    promoting._expect_room(opened, "another", folder)


def test_a_home_behind_a_link_is_no_stranger(
    opened: Store, draft: Draft, folder: Path, sealed: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Dotfiles are linked, and homes are: the copy is ours all the same, and names nobody."""
    there = tmp_path / "dotfiles"
    there.mkdir()
    folder.parent.mkdir(exist_ok=True)
    folder.symlink_to(there)
    linked = tmp_path / "linked-home"
    linked.symlink_to(sealed)
    monkeypatch.setenv("HOME", str(linked))
    promote(opened, draft, folder.resolve(), NOW)
    index = SessionIndex.of(opened)
    assert scene_of(opened, index).skills == []
    index.close()
    promote(opened, draft, sealed.resolve() / "elsewhere", NOW)
    assert "~/elsewhere" in {one.folder for one in promotions(opened)}
    demote(opened, NAME)
    assert list(there.iterdir()) == []


@pytest.mark.parametrize("left", ["folder", "half", "whole"])
def test_a_promotion_that_was_killed_is_gone_on_with(
    left: str, opened: Store, draft: Draft, folder: Path, copy: Path
) -> None:
    copy.parent.mkdir(parents=True)
    if left == "half":
        (copy.parent / ".memgit-1-0.new").write_bytes(draft.admitted()[:9])
    if left == "whole":
        copy.write_bytes(draft.admitted())
    index = SessionIndex.of(opened)
    assert scene_of(opened, index).skills == []
    index.close()
    promote(opened, draft, folder, NOW)
    assert list(copy.parent.iterdir()) == [copy]
    assert copy.read_bytes() == draft.admitted()


@pytest.mark.parametrize("there", ["text", "file", "link", "dangling"])
def test_what_stands_there_is_left_alone(
    there: str, opened: Store, draft: Draft, folder: Path, copy: Path, git: Run, tmp_path: Path
) -> None:
    before = subjects(opened, git)
    copy.parent.mkdir(parents=True)
    if there == "text":
        copy.write_text("another's words")
    elif there == "file":
        (copy.parent / "notes.md").write_text("another's notes")
    else:
        copy.parent.rmdir()
        (tmp_path / "target").mkdir()
        copy.parent.symlink_to(tmp_path / ("target" if there == "link" else "nowhere"))
    with pytest.raises(StoreError, match="exists"):
        promote(opened, draft, folder, NOW)
    assert subjects(opened, git) == before
    assert not copy.exists() or copy.read_text() == "another's words"


def test_where_the_folder_takes_nothing_nothing_is_promoted(
    opened: Store, draft: Draft, tmp_path: Path, git: Run
) -> None:
    (tmp_path / "file").write_text("no folder")
    before = subjects(opened, git)
    with pytest.raises(StoreError, match=r"SKILL\.md: "):
        promote(opened, draft, tmp_path / "file" / "skills", NOW)
    assert subjects(opened, git) == before
    if os.geteuid():  # who is root may write everywhere
        (tmp_path / "closed").mkdir(mode=0o500)
        with pytest.raises(StoreError, match="Permission denied"):
            promote(opened, draft, tmp_path / "closed", NOW)
        assert subjects(opened, git) == before


def test_the_store_is_no_skills_folder(opened: Store, draft: Draft) -> None:
    for folder in (opened.root, opened.root / "drafts" / "skills", opened.root / ".git"):
        with pytest.raises(StoreError, match="lies in the store"):
            promote(opened, draft, folder, NOW)


def test_an_edit_while_the_person_reads_is_not_promoted(
    opened: Store, draft: Draft, folder: Path, copy: Path, git: Run
) -> None:
    path = opened.root / draft.path
    path.write_text(path.read_text() + "\nOne more line.\n")
    before = subjects(opened, git)
    with pytest.raises(StoreError, match="changed meanwhile"):
        promote(opened, draft, folder, NOW)
    assert not copy.parent.exists()
    assert not [one for one in subjects(opened, git) if one not in before and "promote" in one]


def test_a_demotion_that_fails_leaves_the_copy(
    opened: Store, draft: Draft, folder: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    promote(opened, draft, folder, NOW)

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(promoting, "change", fail)
        with pytest.raises(StoreError, match="full"):
            demote(opened, NAME)
    assert copy.exists()
    demote(opened, NAME)
    assert not copy.parent.exists()


def test_a_copy_that_somebody_removed_is_told_and_may_be_promoted_anew(
    opened: Store, draft: Draft, folder: Path, copy: Path
) -> None:
    promote(opened, draft, folder, NOW)
    copy.unlink()
    copy.parent.rmdir()
    index = SessionIndex.of(opened)
    (row,) = report(opened, index, scene_of(opened, index), NOW)
    index.close()
    assert row.state == "promoted"
    assert row.because == [f"gone: ~/.claude/skills/{NAME} is not there any more"]
    promote(opened, draft, folder, NOW)
    assert copy.exists()
    (record,) = promotions(opened)
    assert json.loads((opened.root / record.path).read_text())["folder"] == "~/.claude/skills"


# ------------------------------------------------------------------------------- meanwhile


def test_what_somebody_puts_there_while_it_is_promoted_stays(
    opened: Store, draft: Draft, folder: Path, copy: Path, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = promoting._is_free

    def meanwhile(target: Path, data: bytes) -> bool:
        answer = real(target, data)
        target.parent.mkdir(parents=True)
        target.write_text("theirs\n")
        return answer

    monkeypatch.setattr(promoting, "_is_free", meanwhile)
    before = subjects(opened, git)
    with pytest.raises(StoreError, match="exists"):
        promote(opened, draft, folder, NOW)
    assert [one.read_text() for one in copy.parent.iterdir()] == ["theirs\n"]
    assert subjects(opened, git) == before


@pytest.mark.parametrize("late", [False, True], ids=["before it goes", "after it went"])
def test_what_somebody_writes_while_it_is_demoted_stays(
    opened: Store, draft: Draft, folder: Path, copy: Path, monkeypatch: pytest.MonkeyPatch,
    late: bool,
) -> None:  # fmt: skip
    promote(opened, draft, folder, NOW)
    name = "change" if late else "placed"
    real = getattr(promoting, name)

    def meanwhile(*given: object) -> object:
        copy.write_text("theirs\n")
        return real(*given)

    monkeypatch.setattr(promoting, name, meanwhile)
    if late:
        demote(opened, NAME)
    else:
        with pytest.raises(StoreError, match="was changed since"):
            demote(opened, NAME)
    assert [one.read_text() for one in copy.parent.iterdir()] == ["theirs\n"]


@pytest.mark.parametrize("named", ["~nobody-of-this-name/s", "a\0b", "\ud800"])
def test_a_record_that_names_no_folder_is_none(opened: Store, named: str) -> None:
    record = opened.root / "drafts" / "skills" / "x" / "promoted-12345678.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"folder": named, "digest": "a", "copy": "b", "at": "c"}))
    assert promotions(opened) == []
    with pytest.raises(StoreError, match="not promoted"):
        demote(opened, "x")
