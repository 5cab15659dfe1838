"""`MEMORY.md` follows every operation, in its commit; what was written into it by hand is kept."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain import recording
from memgit.domain.always_on import candidates, fitting, listing
from memgit.domain.always_on.hand_edits import taken_over, words
from memgit.domain.indexing.index import Index
from memgit.domain.operation import Operation
from memgit.domain.operations.labelling import restore, retire
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.operations.undoing import undo
from memgit.domain.recording import is_current, made_anew, record, regenerate
from memgit.domain.remember import Wish, remember
from memgit.domain.saving import save
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.commit import commit_paths

Run = Callable[..., object]


@pytest.fixture
def opened(store: Path, git: Run) -> Store:
    """A store with an empty `MEMORY.md` and two memories."""
    cap = Cap(40, 2000)
    (store / "MEMORY.md").write_bytes(listing.text([], False, cap))
    git(store, "add", "MEMORY.md")
    git(store, "commit", "--quiet", "--message=index")
    opened = Store.at(store)
    add(opened, "deploy", "Deploy with `make ship`.", "How a release goes out")
    add(opened, "tabs", "Indent with tabs.", "")
    return opened


def add(store: Store, name: str, body: str, description: str = "", kind: str = "project") -> str:
    done = remember(store, Wish(body, name, kind, description))
    return done.commit


def lines(store: Store) -> list[str]:
    """The lines of `MEMORY.md`, which is as memgit made it and committed."""
    found = listing.sealed_lines(store.content("MEMORY.md").decode())
    assert found is not None
    assert store.repository.run("status", "--porcelain") == ""
    assert is_current(store)
    return found


def write(store: Store, old: str, new: str) -> None:
    """Change `MEMORY.md` by hand."""
    text = store.content("MEMORY.md").decode()
    assert old in text
    (store.root / "MEMORY.md").write_text(text.replace(old, new, 1), encoding="utf-8")


def finds(store: Store, query: str) -> list[str]:
    return [hit.record["path"] for hit in Index(store).search(query, 20)]


def touched(store: Store) -> set[str]:
    return set(store.repository.run("show", "--format=", "--name-only", "HEAD").splitlines())


def message(store: Store) -> str:
    return store.repository.run("log", "-1", "--format=%B")


# ------------------------------------------------------------------ made with each operation


def test_every_operation_makes_it_anew_in_its_own_commit(opened: Store) -> None:
    assert lines(opened) == [
        "- [Tabs](tabs.md) — Indent with tabs.",
        "- [Deploy](deploy.md) — How a release goes out",
    ]
    assert touched(opened) == {"MEMORY.md", "tabs.md"}
    add(opened, "spaces", "Indent with spaces.")
    supersede(opened, "tabs", "spaces")
    assert touched(opened) == {"MEMORY.md", "tabs.md"}
    assert "- [Tabs](tabs.md) — Indent with tabs. (superseded by spaces)" in lines(opened)
    rename(opened, "deploy", "release")
    assert any("(release.md)" in line for line in lines(opened))
    retire(opened, "release")
    assert not any("(release.md)" in line for line in lines(opened))
    restore(opened, "release")
    assert any("(release.md)" in line for line in lines(opened))
    undo(opened)
    assert not any("(release.md)" in line for line in lines(opened))


def test_an_early_operation_is_undone_after_many_others(opened: Store) -> None:
    first = add(opened, "early", "The first of all.")
    for number in range(5):
        add(opened, f"later-{number}", f"Number {number}.")
    undo(opened, first)
    assert not any("early" in line for line in lines(opened))
    undo(opened)
    assert any("(early.md)" in line for line in lines(opened))


def test_without_one_none_is_kept_and_one_that_was_deleted_comes_back(
    store: Store, git: Run, opened: Store
) -> None:
    (opened.root / "MEMORY.md").unlink()
    save(opened, "user")
    assert len(lines(opened)) == 2
    git(opened.root, "rm", "--quiet", "MEMORY.md")
    git(opened.root, "commit", "--quiet", "--message=no index")
    add(opened, "more", "More.")
    assert not (opened.root / "MEMORY.md").exists()
    assert touched(opened) == {"more.md"}


def test_a_link_in_its_place_is_let_alone(opened: Store, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text("mine\n")
    (opened.root / "MEMORY.md").unlink()
    (opened.root / "MEMORY.md").symlink_to(elsewhere)
    add(opened, "more", "More.")
    assert elsewhere.read_text() == "mine\n"
    assert (opened.root / "MEMORY.md").is_symlink()


def test_commits_of_others_are_seen_but_never_rewritten(opened: Store, git: Run) -> None:
    (opened.root / "by-hand.md").write_text("Written in an editor.\n")
    git(opened.root, "add", "by-hand.md")
    git(opened.root, "commit", "--quiet", "--message=by hand")
    assert not is_current(opened)
    Index(opened).sync()
    assert opened.repository.run("status", "--porcelain") == ""
    save(opened, "user")
    assert "- [By hand](by-hand.md) — Written in an editor." in lines(opened)
    assert message(opened).startswith("save: MEMORY.md\n")


def test_two_clones_come_to_the_same_bytes(opened: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(opened.root), "other")
    other = Store.at(tmp_path / "other")
    add(opened, "mine", "Mine.")
    add(other, "theirs", "Theirs.")
    git(opened.root, "fetch", "--quiet", str(other.root))
    status, _, _ = opened.repository.run_status("merge", "--quiet", "FETCH_HEAD")
    assert status
    (opened.root / "MEMORY.md").write_bytes(made_anew(opened, _both(opened, other))[0])
    git(opened.root, "add", "--all")
    git(opened.root, "commit", "--quiet", "--message=merged")
    assert len(lines(opened)) == 4
    git(other.root, "pull", "--quiet", "--ff-only", str(opened.root))
    assert regenerate(other) == regenerate(opened) == opened.content("MEMORY.md")


def _both(store: Store, other: Store) -> dict[str, bytes | None]:
    return {"theirs.md": other.content("theirs.md")}


def test_a_merge_that_joined_the_lines_is_noticed_and_nothing_in_it_is_news(
    opened: Store, git: Run, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", str(opened.root), "other")
    other = Store.at(tmp_path / "other")
    add(opened, "mine", "Mine.")
    add(other, "theirs", "Theirs.")
    git(opened.root, "fetch", "--quiet", str(other.root))
    opened.repository.run_status("merge", "--quiet", "FETCH_HEAD")
    text = opened.content("MEMORY.md").decode()
    assert "<<<<<<<" in text
    git(opened.root, "commit", "--quiet", "--all", "--message=merged with its marks")
    assert not is_current(opened)
    done = save(opened, "user")
    assert (done.new, done.changed) == ([], [])
    assert len(lines(opened)) == 4


# ------------------------------------------------------------------ room


def small(store: Store, count: int) -> None:
    (store.root / "memgit.toml").write_text(f"format = 1\n[budget]\nlines = {count}\n")
    commit_paths(store.repository, ["memgit.toml"], "settings")
    store.__dict__.pop("settings", None)


def test_what_has_to_make_room_is_named_in_the_commit(opened: Store) -> None:
    small(opened, 3)
    add(opened, "rule", "Ask first.", kind="feedback")
    done = remember(opened, Wish("Number four.", "four", "project"))
    assert list(done.demoted) == ["tabs", "deploy"]
    assert "Memgit-Demoted: tabs\nMemgit-Demoted: deploy" in message(opened)
    assert lines(opened) == [
        "- [Four](four.md) — Number four.",
        "- [Rule](rule.md) — Ask first.",
        listing.MORE,
    ]
    assert finds(opened, "indent") == ["tabs.md"]
    undo(opened)
    assert len(lines(opened)) == 3
    assert listing.MORE not in lines(opened)


def test_a_large_store_is_read_once_and_then_costs_what_changed(
    opened: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "NEED", 5)
    monkeypatch.setattr(candidates, "HELD", 8)
    monkeypatch.setattr(candidates, "MOST", 12)
    small(opened, 4)
    head = "---\nname: m{0:02}\nmetadata:\n  modified: 2026-01-{0:02}\n---\nx {0}\n"
    many = {f"m{n:02}.md": head.format(n) for n in range(1, 29)}
    record(opened, Operation("import", "many"), {p: d.encode() for p, d in many.items()})
    whole = candidates.everything(opened)
    assert len(candidates.candidates(opened).rows) < len(whole.rows)
    assert not candidates.candidates(opened).is_complete

    def never(store: Store) -> candidates.Candidates:
        raise AssertionError("the whole store was read")

    with monkeypatch.context() as patch:
        patch.setattr("memgit.domain.recording.everything", never)
        patch.setattr(candidates, "everything", never)
        add(opened, "new", "The newest.")
        assert len(lines(opened)) == 4
    for number in range(28, 10, -1):  # more go than are held
        retire(opened, f"m{number:02}")
        everything = candidates.everything(opened)
        shown = listing.chosen(everything.rows.values(), opened.settings.budget)
        assert [row.line for row in shown] == lines(opened)[:-1]


def test_what_was_kept_of_a_store_is_used_only_while_it_can_be_read(opened: Store) -> None:
    record(opened, Operation("import", "many"), {f"m{n}.md": b"Many.\n" for n in range(20)})
    before = regenerate(opened)
    file = opened.derived / candidates.FILE
    whole = file.read_bytes()
    rows = (b"[[]]", b'[["a", "b", "c", "d", "e", "f"]]', b'["abcdef"]', b"3")
    broken = [
        whole.replace(whole[whole.index(b"[[") : whole.index(b"]]") + 2], row) for row in rows
    ]
    for torn in (b"", b"{", b'{"version": 99}', b"\xff\xfe", whole[:-9], *broken):
        file.write_bytes(torn)
        assert regenerate(opened) == before


# ------------------------------------------------------------------ hand edits


def test_a_new_line_becomes_a_memory(opened: Store) -> None:
    write(opened, "- [Tabs]", "- Water the plants in Lisbon\n- [Tabs]")
    done = save(opened, "agent", now=opened.root.stat().st_mtime + 3600)
    assert done.new == ["water-the-plants-in-lisbon.md"]
    memory = opened.read("water-the-plants-in-lisbon.md")
    assert memory.body == "- Water the plants in Lisbon\n"
    assert memory.metadata["origin"] == "agent"
    assert "Memgit-Actor: agent" in message(opened)
    assert touched(opened) == {"MEMORY.md", "water-the-plants-in-lisbon.md"}
    assert len(lines(opened)) == 3
    undo(opened)
    assert len(lines(opened)) == 2


def test_a_line_on_a_memory_that_is_not_there_becomes_one_of_its_name(opened: Store) -> None:
    write(opened, "- [Tabs]", "- [Staging](ops/staging-db.md) — port 6432\n- [Tabs]")
    save(opened, "user")
    memory = opened.read("staging-db.md")
    assert memory.body == "- [Staging](ops/staging-db.md) — port 6432\n"
    assert memory.metadata["origin"] == "user"


def test_a_new_hook_is_what_the_line_says_from_then_on(opened: Store) -> None:
    write(opened, "How a release goes out", "Release in three steps")
    save(opened, "user")
    memory = opened.read("deploy.md")
    assert memory.description == "Release in three steps"
    assert memory.words("aliases") == ("How a release goes out",)
    assert memory.body.strip() == "Deploy with `make ship`."
    assert "- [Deploy](deploy.md) — Release in three steps" in lines(opened)
    assert finds(opened, "goes out") == ["deploy.md"]


def test_words_that_a_memory_has_are_kept_where_they_say_something_else(opened: Store) -> None:
    long = "Push on Monday, never on Friday: " + "the crew is at sea then, " * 12
    (opened.root / "push.md").write_text(
        f"---\nname: push\ndescription: {long.replace(':', ';')}\n---\nShip on Monday.\n"
    )
    save(opened, "user")
    line = next(line for line in lines(opened) if "(push.md)" in line)
    assert line.endswith("…")
    write(opened, line, "- [Never on Monday](push.md) — Push on Friday")
    write(opened, "- [Tabs]", "- Never ship on Monday, see [push](push.md)\n- [Tabs]")
    save(opened, "user")
    assert opened.read("push.md").words("aliases") == ("Never on Monday", "Push on Friday")
    said = {opened.read(path).body.strip() for path in opened.paths()}
    assert "- Never ship on Monday, see [push](push.md)" in said


def test_a_hook_for_a_memory_without_description_becomes_it(opened: Store) -> None:
    write(opened, "— Indent with tabs.", "— how we indent")
    save(opened, "user")
    assert opened.read("tabs.md").description == "how we indent"


def test_a_line_of_ones_own_on_a_known_memory_adds_words_it_did_not_have(opened: Store) -> None:
    (opened.root / "new.md").write_text(
        "---\nname: new\ndescription: about new things\n---\nThe body.\n"
    )
    write(opened, "- [Tabs]", "- [A novelty](new.md) — about new gadgets\n- [Tabs]")
    save(opened, "user")
    memory = opened.read("new.md")
    assert memory.description == "about new things"
    assert memory.words("aliases") == ("A novelty", "about new gadgets")


def test_free_text_headings_comments_and_code_are_taken_over(opened: Store) -> None:
    text = opened.content("MEMORY.md").decode()
    mine = (
        "# Memory\n\nEverything here is about the ferry.\nTwo lines of it.\n\n## Harbour\n\n"
        "<!-- a note to myself: cranes -->\n- [Deploy](deploy.md) — How a release goes out\n\n"
        "```sh\nmake ship\n```\n\n| when | who |\n|---|---|\n| Monday | Aki |\n\n<!-- open end\n"
    )
    (opened.root / "MEMORY.md").write_text(f"---\nkey: front words\n---\n{text}{mine}")
    save(opened, "user")
    bodies = "\n".join(path + opened.content(path).decode() for path in opened.paths())
    assert words(mine) | {"front", "words", "key"} <= words(bodies)
    assert opened.read("deploy.md").words("topics") == ("Harbour",)
    assert len(lines(opened)) > 2
    assert save(opened, "user").commit is None


def test_what_memgit_wrote_some_versions_ago_is_nobodys_news(opened: Store) -> None:
    old = opened.content("MEMORY.md").decode()
    rename(opened, "tabs", "indent")
    add(opened, "more", "More.")
    (opened.root / "MEMORY.md").write_text(f"{old}- and a thought\n")
    done = save(opened, "user")
    assert done.new == ["and-a-thought.md"]
    assert done.changed == ["MEMORY.md"]


def test_lines_that_are_taken_away_come_back(opened: Store) -> None:
    before = lines(opened)
    (opened.root / "MEMORY.md").write_text("")
    assert save(opened, "user").commit is None
    assert lines(opened) == before


def test_an_operation_takes_hand_edits_over_before_it_makes_it_anew(opened: Store) -> None:
    write(opened, "How a release goes out", "Release by hand")
    write(opened, "- [Tabs]", "- A thought\n- [Tabs]")
    retire(opened, "deploy")
    assert opened.read("deploy.md").description == "Release by hand"
    assert opened.read("a-thought.md").metadata["origin"] == "agent"
    assert opened.repository.run("log", "-2", "--format=%s").splitlines() == [
        "retire: deploy",
        "save: 2 memories from MEMORY.md",
    ]
    undo(opened)
    assert opened.read("deploy.md").description == "Release by hand"


def test_for_an_agent_an_index_that_is_being_written_waits(opened: Store) -> None:
    write(opened, "- [Tabs]", "- Half a thou\n- [Tabs]")
    (opened.root / "other.md").write_text("Done.\n")
    moment = (opened.root / "MEMORY.md").stat().st_mtime
    os.utime(opened.root / "other.md", (moment - 60, moment - 60))
    done = save(opened, "agent", now=moment + 0.1)
    assert (done.new, done.waiting) == (["other.md"], ["MEMORY.md"])
    assert "- Half a thou\n" in opened.content("MEMORY.md").decode()
    assert save(opened, "agent", now=moment + 10).new == ["half-a-thou.md"]
    assert len(lines(opened)) == 4


def test_the_canonical_form_of_a_memory_leaves_its_line_as_it_is(opened: Store) -> None:
    (opened.root / "plain.md").write_text(
        "---\nname: plain\ndescription: A plain one\ntype: feedback\ntags: [a]\n---\n"
        "# Plain words\n"
    )
    save(opened, "user")
    before = next(line for line in lines(opened) if "plain" in line)
    (opened.root / "plain.md").write_text(
        "---\nname: plain\ndescription: A plain one\nmetadata:\n  node_type: memory\n"
        "  type: feedback\n  tags:\n    - a\n  originSessionId: 1-2\n"
        "  modified: 2026-11-30T10:00:00.000Z\n---\n# Plain words\n"
    )
    save(opened, "agent", now=opened.root.stat().st_mtime + 3600)
    assert before in lines(opened)


def test_nothing_is_planned_where_nothing_was_written(opened: Store) -> None:
    taken = taken_over(opened, "user")
    assert (taken.files, taken.names) == ({}, [])


@pytest.mark.parametrize("how", ["operation", "save", "fit"])
def test_what_is_written_at_the_last_moment_is_taken_over_too(
    opened: Store, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    made = recording.made_anew
    late = ["- A late thought\n", "- A later thought\n"]

    def meanwhile(*given: object) -> tuple[bytes, list[str]]:
        answer = made(*given)  # type: ignore[arg-type]
        if late:
            with (opened.root / "MEMORY.md").open("a", encoding="utf-8") as file:
                file.write(late.pop(0))
        return answer

    monkeypatch.setattr(recording, "made_anew", meanwhile)
    monkeypatch.setattr(fitting, "made_anew", meanwhile)
    (opened.root / "more.md").write_text("More.\n")
    write(opened, "- [Tabs]", "- An early thought\n- [Tabs]")
    if how == "fit":
        fitting.fit(opened)
    if how == "operation":
        add(opened, "another", "Another.")
    save(opened, "user")
    assert {"a-late-thought.md", "a-later-thought.md", "an-early-thought.md"} <= set(opened.paths())
    assert len(lines(opened)) == len(opened.paths())


def test_where_writing_never_ends_nothing_is_changed(
    opened: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = recording.made_anew

    def meanwhile(*given: object) -> tuple[bytes, list[str]]:
        with (opened.root / "MEMORY.md").open("a", encoding="utf-8") as file:
            file.write("\n")
        return made(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(recording, "made_anew", meanwhile)
    before = opened.repository.head()
    with pytest.raises(StoreError, match="keeps being written"):
        add(opened, "another", "Another.")
    assert opened.repository.head() == before
    assert not (opened.root / "another.md").exists()
