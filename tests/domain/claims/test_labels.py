"""What a label says of refuted claims, and what of it goes again."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memgit.domain import trust
from memgit.domain.claims.checked import blob_of, keep
from memgit.domain.claims.claim import Claim, told_by, value_of
from memgit.domain.claims.journal import Journal, Standing
from memgit.domain.claims.reasons import LONGEST, Reason, revised
from memgit.domain.claims.table import PROBES, is_due
from memgit.domain.indexing.index import Index
from memgit.domain.memory import parse
from memgit.domain.operations.changing import Changed
from memgit.domain.operations.history import events
from memgit.domain.operations.verifying import DROPPED, Told, tell
from memgit.domain.settings import Settings
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.prompt.checked import day_of, load, told

from .conftest import write

GONE = Reason("`ops/rotate.py`", "not found", "2026-11-28", "tools/rotate.py")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_a_reason_reads_as_it_is_written() -> None:
    text = str(GONE)
    assert text == "`ops/rotate.py` not found, checked 2026-11-28 (moved to `tools/rotate.py`?)"
    assert Reason.parse(text) == GONE
    assert Reason.parse("PR #12 not merged, checked 2026-11-28") == (
        Reason("PR #12", "not merged", "2026-11-28")
    )


def test_a_long_subject_is_cut_and_still_read_back() -> None:
    reason = Reason.of(f"`{'a/' * 200}b.py`", "path_exists", "2026-11-28")
    assert len(reason.subject) <= LONGEST + 1
    assert Reason.parse(str(reason)) == reason


@pytest.mark.parametrize("probe", [name for name, one in PROBES.items() if one.failed])
def test_every_failure_reads_back(probe: str) -> None:
    reason = Reason.of("`x`", probe, "2026-11-28")
    assert Reason.parse(str(reason)) == reason


def test_reasons_of_the_person_stay_and_ours_follow_the_world() -> None:
    own = ["nginx was replaced", "I doubt it", str(GONE)]
    assert revised(own, [GONE], []) == own
    later = Reason(GONE.subject, GONE.failed, "2026-12-24", GONE.moved_to)
    assert revised(own, [later], []) == own  # the day on which it was first seen
    assert revised(own, [], []) == own[:2]
    assert revised(own, [], [GONE.subject]) == own  # nothing could be seen of it this time
    elsewhere = Reason(GONE.subject, GONE.failed, "2026-12-24", "bin/rotate.py")
    assert revised(own, [elsewhere], []) == [*own[:2], str(elsewhere)]


@pytest.fixture
def opened(store: Path) -> Store:
    write(store, {"note.md": "---\nname: note\nmetadata:\n  unverified: I doubt it\n---\n\n`a`\n"})
    made = Store.at(store)
    made.repository.run("add", "--all")
    made.repository.run("commit", "--quiet", "--message=note")
    return made


def _told(store: Store, reasons: list[Reason], seen: bytes | None = None) -> Changed:
    data = store.content("note.md") if seen is None else seen
    (done,) = tell(store, [Told("note.md", data, reasons)])
    assert isinstance(done, Changed)
    return done


def test_what_the_gates_refuse_in_one_memory_is_no_reason_to_leave_the_others(
    opened: Store,
) -> None:
    write(opened.root, {"bad.md": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "c.md": "`x`\n"})
    every = [Told(path, opened.content(path), [GONE]) for path in ("bad.md", "c.md", "note.md")]
    first, second, third = tell(opened, every)
    assert isinstance(first, StoreError)
    assert isinstance(second, Changed)
    assert second.commit
    assert isinstance(third, Changed)
    assert third.commit
    assert Index(opened).head()["commit"] == opened.repository.head()


def test_a_refuted_claim_is_one_commit_and_its_going_another(opened: Store) -> None:
    done = _told(opened, [GONE])
    assert done.commit
    assert opened.read("note.md").reasons("unverified") == ("I doubt it", str(GONE))
    again = _told(opened, [GONE])
    assert again.commit is None
    gone = _told(opened, [])
    assert gone.commit
    assert opened.read("note.md").reasons("unverified") == ("I doubt it",)
    kinds = [(one.kind, one.actor) for one in events(opened)][:2]
    assert kinds == [("unlabel", "verify"), ("label", "verify")]


def test_a_memory_that_was_edited_since_is_left_alone(opened: Store) -> None:
    seen = opened.content("note.md")
    write(opened.root, {"note.md": "words of the person's\n"})
    done = _told(opened, [GONE], seen)
    assert (done.commit, DROPPED in done.note) == (None, True)
    assert opened.content("note.md") == b"words of the person's\n"


def test_claims_below_the_key_go_there_and_back() -> None:
    made = [Claim("path_exists", {"path": "src/app.py"}, "src/app.py", quote="It is src/app.py"),
            Claim("pr_merged", {"number": 12}, "PR #12", quote="PR 12 is in")]  # fmt: skip
    from memgit.ports.frontmatter import dump_frontmatter

    head = dump_frontmatter({"name": "n", "metadata": {"claims": value_of(made)}})
    text = f"---\n{head}---\n\nIt is src/app.py.\n\nPR 12 is\nin.\n"
    found, refused = told_by(parse("n.md", text.encode())[0], text)
    assert refused == []
    assert [(one.probe, one.arguments) for one in found] == [
        (one.probe, one.arguments) for one in made
    ]
    lines = text.splitlines()
    assert [lines[one.line - 1] for one in found] == ["It is src/app.py.", "PR 12 is"]


def test_a_claim_whose_words_are_gone_is_refused() -> None:
    text = ("---\nmetadata:\n  claims:\n    - probe: path_exists\n      args: {path: src/app.py}\n"
            "      words: It is src/app.py\n---\n\nOther words.\n")  # fmt: skip
    found, refused = told_by(parse("n.md", text.encode())[0], text)
    assert (found, [one.reason for one in refused]) == ([], ["the memory does not say this"])


def test_a_verdict_holds_for_its_half_life_on_the_same_commit() -> None:
    one = Standing("k", "supported", NOW.isoformat(), "here@1")
    day = timedelta(days=1)
    assert one.holds("path_exists", "here@1", NOW + day / 2)
    assert not one.holds("path_exists", "here@2", NOW + day / 2)
    assert not one.holds("path_exists", "here@1", NOW + 2 * day)
    assert not one.holds("path_exists", "here@1", NOW - day)
    assert one.holds("pr_merged", "here@1", NOW + 7 * day)
    assert not Standing("k", "unknown", NOW.isoformat(), "here@1").holds("pr_merged", "here@1", NOW)
    assert not Standing("k", "supported", "nonsense", "s").holds("pr_merged", "s", NOW)
    assert all(is_due(name, timedelta(days=3650)) for name in PROBES)


def test_the_journal_survives_what_is_no_line_of_it(opened: Store) -> None:
    journal = Journal(opened)
    journal.note(Standing("k", "supported", NOW.isoformat(), "s"))
    with open(journal.path, "ab") as file:
        file.write(b'{"half\n\xff\xfe\n[1]\n{"key": 1}\n')
    journal.note(Standing("l", "refuted", NOW.isoformat(), "s", moved_to="x"))
    found = Journal(opened).standing()
    assert {key: one.verdict for key, one in found.items()} == {"k": "supported", "l": "refuted"}


def test_the_journal_is_written_anew_where_most_is_out_of_date(opened: Store) -> None:
    journal = Journal(opened)
    for number in range(2100):
        journal.note(Standing("k", "supported", NOW.isoformat(), str(number)))
    journal.tidy()
    assert journal.path.read_text().count("\n") == 1
    assert Journal(opened).standing()["k"].state == "2099"


def test_what_was_checked_is_known_of_that_content_alone(opened: Store) -> None:
    Index(opened).sync()
    where, now = str(opened.derived), NOW.timestamp()
    data = opened.content("note.md")
    blob = blob_of(data, opened.repository.head() or "")
    assert blob == opened.repository.run("hash-object", "note.md")
    assert load(where) == b""
    keep(opened, {blob: (NOW - timedelta(days=2)).isoformat(), "ab" * 20: NOW.isoformat()})
    assert told(day_of(load(where), blob), now) == "checked 2 d ago"
    assert day_of(load(where), "ab" * 20) is None  # no memory has this content
    assert day_of(load(where), "cd" * 20) is None
    assert day_of(load(where), "nonsense") is None
    assert told(day_of(load(where), blob), now - 2 * 86400) == "checked today"
    assert told(day_of(load(where), blob), now - 9 * 86400) == ""
    keep(opened, {blob: None})
    assert day_of(load(where), blob) is None
    (opened.derived / "checked").write_bytes(b"x" * 25)
    assert load(where) == b""


def test_a_store_is_trusted_by_the_person_and_its_folders_alone(opened: Store) -> None:
    assert trust.fault(opened) == "this store is not trusted yet"
    trust.trust(opened)
    assert trust.fault(opened) == ""
    toml = opened.root / "memgit.toml"
    toml.write_text('format = 1\n[projects]\nx = "/home/somebody"\n')
    assert "has changed" in trust.fault(Store.at(opened.root))
    toml.write_text("format = 1\n[verify]\nprivate_addresses = true\n")
    assert "has changed" in trust.fault(Store.at(opened.root))
    toml.write_text("format = 1\n")
    assert trust.fault(Store.at(opened.root)) == ""
    trust.distrust(opened)
    assert trust.fault(opened)


def test_trust_does_not_come_along_with_a_store(
    opened: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    trust.trust(opened)
    shutil.copytree(opened.root, tmp_path / "copy")
    assert trust.fault(Store.at(tmp_path / "copy"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other person"))
    assert trust.fault(opened)


def test_a_record_of_trust_that_cannot_be_read_is_none(opened: Store, sealed: Path) -> None:
    trust.trust(opened)
    for text in ("{", "[]", '{"x": 1}', ""):
        (sealed / ".config/memgit/trusted.json").write_text(text)
        assert trust.fault(opened)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("projects = 1", "not a section"),
        ("[projects]\nx = 1", "names no folder"),
        ('[projects.x]\nmemories = "a"', "names no folder"),
        ('[projects.x]\npath = "a"\nother = "b"', "names no folder"),
        ("[verify]\nx = true", "unknown setting verify.x"),
        ("[verify]\nprivate_addresses = 1", "neither true nor false"),
    ],
)
def test_settings_are_refused_in_one_line(store: Path, text: str, said: str) -> None:
    (store / "memgit.toml").write_text(text)
    with pytest.raises(StoreError, match=said):
        Settings.load(store)


def test_projects_are_read(store: Path) -> None:
    (store / "memgit.toml").write_text(
        '[projects]\n"github.com/ferry/harbor" = "~/harbor"\n'
        '[projects.board]\npath = "../board"\nmemories = "/notes/"\n'
    )
    found = Settings.load(store).projects
    assert {name: (one.path, one.memories) for name, one in found.items()} == {
        "github.com/ferry/harbor": ("~/harbor", ""),
        "board": ("../board", "notes"),
    }
