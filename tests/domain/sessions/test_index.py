"""The index of sessions: only news is read, a thing counts once, deleted words are gone."""

import json
import os
from pathlib import Path

import pytest

from memgit.domain.sessions.index import SessionIndex
from memgit.errors import StoreError
from memgit.ports.fulltext import FullText, matching
from tests.made_sessions import made, put, releases, rows, session_id


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "projects"


@pytest.fixture
def index(tmp_path: Path) -> SessionIndex:
    return SessionIndex(tmp_path / "sessions" / "index.db")


def names(index: SessionIndex, folder: Path) -> dict[str, list[str]]:
    return {
        session: [deed.name for deed in deeds] for session, deeds in index.deeds(folder).items()
    }


def test_what_was_typed_said_and_run_is_found(index: SessionIndex, folder: Path) -> None:
    made(folder, 1, "git push", prompt="本番デプロイの手順は？")
    made(folder, 2, ("make parseHTTPHeader", "undefined: frobnicate"), prompt="why does it fail")
    index.sync(folder)
    for query, number in (("デプロイ 手順", 1), ("git push", 1), ("HTTP header", 2),
                          ("frobnicate", 2), ("WHY fail", 2)):  # fmt: skip
        found = index.search(query)
        assert [hit.session for hit in found.hits] == [session_id(number)], query
        assert found.sessions == [(session_id(number), 1)]
        assert not found.any
    assert index.search("push frobnicate").any
    assert index.search("nowhere").turns == 0
    assert index.search("“”  ()").turns == 0


@pytest.mark.parametrize(
    "query", ['"', "a AND", "NEAR(a b)", "words:x", "a*", "'; DROP TABLE", "-"]
)
def test_a_query_is_words_and_never_a_command(
    index: SessionIndex, folder: Path, query: str
) -> None:
    made(folder, 1, "git push")
    index.sync(folder)
    index.search(query)
    assert index.search("git").turns == 1


@pytest.mark.parametrize("name", [b"caf\xe9", "日本".encode()], ids=["no UTF-8", "UTF-8"])
def test_a_folder_of_any_name(index: SessionIndex, folder: Path, name: bytes) -> None:
    odd = folder / os.fsdecode(name)
    path = made(odd, 1, "git push")
    assert index.sync(odd).turns == 1
    assert index.sync(odd).read == 0
    assert index.search("push").turns == 1
    assert list(index.deeds(odd)) == [session_id(1)]
    path.unlink()
    assert index.sync(odd).gone == 1
    assert index.gone() == {session_id(1)}


def test_only_what_is_new_is_read(index: SessionIndex, folder: Path) -> None:
    path = made(folder, 1, "git fetch")
    made(folder, 2, "git fetch")
    assert index.sync(folder).read == 2
    assert index.sync(folder).read == 0
    grown = rows(1, ["git fetch", "git push"])
    put(folder, 1, grown)
    more = {**grown[0], "uuid": "new", "message": {"content": "and now the tag"}}
    with path.open("a") as file:
        file.write(json.dumps(more, separators=(",", ":")) + "\n")
    done = index.sync(folder)
    assert (done.read, done.turns) == (1, 2)
    assert names(index, folder)[session_id(1)] == ["git fetch", "git push"]
    assert index.search("tag").turns == 1


def test_a_file_that_was_replaced_is_read_anew(index: SessionIndex, folder: Path) -> None:
    made(folder, 1, "git fetch", prompt="the first words")
    index.sync(folder)
    made(folder, 1, "make all", prompt="quite another session of the same name, and longer by far")
    index.sync(folder)
    assert names(index, folder) == {session_id(1): ["make all"]}
    assert index.search("first words").turns == 0 or index.search("first words").any


def test_forks_and_copies_count_once(index: SessionIndex, folder: Path) -> None:
    history = rows(1, ["git fetch", "git push"])
    put(folder, 1, history)
    fork = [{**row, "sessionId": session_id(2)} for row in history]
    own = rows(2, ["make docs"], prompt="only in the fork", seed="own")
    put(folder, 2, [*fork, *own])
    put(folder, 3, [{**row, "sessionId": session_id(3)} for row in history])
    index.sync(folder)
    assert names(index, folder) == {session_id(1): ["git fetch", "git push", "make docs"]}
    assert index.search("git fetch").sessions == [(session_id(1), 1)]


def test_a_fork_in_the_midst_of_a_turn_has_what_it_did_itself(
    index: SessionIndex, folder: Path
) -> None:
    whole = rows(1, ["git fetch", "git push", "make docs"])
    put(folder, 1, whole[:3])
    put(folder, 2, [{**row, "sessionId": session_id(2)} for row in whole])
    index.sync(folder)
    assert names(index, folder) == {session_id(1): ["git fetch", "git push", "make docs"]}
    assert index.search("docs").sessions == [(session_id(2), 1)]


def test_of_a_deleted_session_no_word_stays_and_it_still_counts(
    index: SessionIndex, folder: Path
) -> None:
    path = made(folder, 1, ("git push origin secretbranch", "rejected"), prompt="quarterly numbers")
    index.sync(folder)
    path.unlink()
    assert index.sync(folder).gone == 1
    assert index.sync(folder).gone == 0
    assert index.gone() == {session_id(1)}
    assert index.search("quarterly").turns == index.search("secretbranch").turns == 0
    assert names(index, folder) == {session_id(1): ["git push"]}
    index.close()
    data = b"".join(file.read_bytes() for file in index.shelf.text.file.parent.iterdir())
    assert b"quarterly" not in data
    assert b"secretbranch" not in data


def test_a_session_that_moved_with_its_folder_is_the_same(
    index: SessionIndex, folder: Path
) -> None:
    path = made(folder, 1, "git fetch")
    index.sync(folder)
    there = folder / "-elsewhere" / path.name
    there.parent.mkdir()
    path.rename(there)
    index.sync(folder)
    assert index.gone() == frozenset()
    assert names(index, folder) == {session_id(1): ["git fetch"]}


def test_what_is_not_below_the_folder_is_not_gone(index: SessionIndex, folder: Path) -> None:
    made(folder / "one", 1, "git fetch")
    made(folder / "two", 2, "git push")
    index.sync(folder / "one")
    index.sync(folder / "two")
    assert index.gone() == frozenset()
    assert list(index.deeds(folder / "two")) == [session_id(2)]


def test_a_copy_of_a_folder_tells_the_same(index: SessionIndex, folder: Path) -> None:
    releases(folder / "one")
    releases(folder / "two")
    index.sync(folder / "one")
    index.sync(folder / "two")
    assert names(index, folder / "one") == names(index, folder / "two")
    assert index.search("rebase").turns == 4


def test_a_broken_file_is_made_anew(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "index.db"
    file.write_bytes(b"no database at all" * 100)
    releases(folder)
    index = SessionIndex(file)
    index.sync(folder)
    assert index.search("rebase").turns == 4
    index.close()
    other = FullText(file, "CREATE TABLE other (x)", 999)
    assert other.rows("SELECT count(*) FROM other") == [(0,)]


def test_a_file_that_is_damaged_within_is_removed_and_told(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "index.db"
    for number in range(30):
        made(folder, number, "git fetch", prompt="words " * 300)
    index = SessionIndex(file)
    index.sync(folder)
    index.close()
    data = file.read_bytes()
    file.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    broken = SessionIndex(file)
    with pytest.raises(StoreError, match="it was removed"):
        broken.search("fetch")
    again = SessionIndex(file)
    again.sync(folder)
    assert again.search("fetch").turns == 30


def test_lines_that_are_no_records_are_passed_over(index: SessionIndex, folder: Path) -> None:
    path = made(folder, 1, "git fetch")
    text = path.read_text()
    path.write_text("not json\n[1]\n" + text + '{"type":"user","uu')
    index.sync(folder)
    assert names(index, folder) == {session_id(1): ["git fetch"]}


def test_skills_that_were_called_are_counted_whoever_called(
    index: SessionIndex, folder: Path
) -> None:
    records = rows(1, [{"tool": "Skill", "skill": "release"}])
    typed = {**records[0], "uuid": "typed", "message": {
        "content": "<command-message>release</command-message>\n"
        "<command-name>/release</command-name>"}}  # fmt: skip
    quoted = {
        **records[0],
        "uuid": "quoted",
        "message": {
            "content": [
                {"type": "tool_result", "tool_use_id": "t9", "content": typed["message"]["content"]}
            ]
        },
    }
    put(folder, 1, [*records, typed, quoted])
    index.sync(folder)
    index.sync(folder)
    assert [session for session, _ in index.invoked("release")] == [session_id(1)] * 2
    assert index.invoked("other") == []


def test_terms_are_quoted() -> None:
    assert matching(["a", 'b"c', "a"]) == '"a" AND "b""c"'
    assert matching(["a", "b"], every=False) == '"a" OR "b"'
