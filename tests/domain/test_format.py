"""A store of the first format opens, migrates and comes back; a newer one is only read."""

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.format.migrating import migrate, rehearse
from memgit.domain.format.shape import fitting, shaped, stamped
from memgit.domain.memory import parse
from memgit.domain.operation import Operation
from memgit.domain.operations.changing import Changed
from memgit.domain.operations.editing import Edit, edit
from memgit.domain.operations.undoing import undo
from memgit.domain.saving import save
from memgit.domain.sharing.syncing import sync
from memgit.domain.spending import open_model
from memgit.domain.store import Store
from memgit.errors import Notice, StoreError
from memgit.prompt.place import FORMAT, NewerFormat, find, format_in

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[..., subprocess.CompletedProcess[str]]

SETTINGS = """\
# Settings of this store. The lines that are commented out show what holds without them.
format = 1

# What one prompt may bring to mind.
# [recall]
# memories = 2  # 1 to 3 memories

[budget]
lines = 30
"""

# As the first version wrote memories, as agents did at the time, and as people do.
FIRST = {
    "memgit.toml": SETTINGS.encode(),
    "MEMORY.md": "<!-- One line for each memory, newest first: - [Title](path.md) — what it is "
    "about -->\n".encode(),
    ".gitattributes": b"*.md -text\n/MEMORY.md merge=union\n",
    "ops/staging.md": b'---\nname: staging\ndescription: ""\nmetadata:\n  node_type: memory\n'
    b"  type: reference\n  topics:\n    - ops\n---\nStaging listens on port 6432.\n",
    "flat.md": b"---\nname: Reviewer shape lives in a skill\ndescription: How a review reads\n"
    b"type: feedback\ntopics: review\noriginSessionId: 0b7e\n---\n\nShort sentences.\n",
    "meta/切替手順.md": (
        "---\nname: 切替手順\ntype: project\nsuperseded_by: [[新しい切替手順]]\n"
        "aliases: 本番への出し方\ncolour: 藍\n---\n手順は三つ。\n\n二つ目は戻せない。\n"
    ).encode(),
    "新しい切替手順.md": "手順は二つになった。\n".encode(),
    "crlf.md": b"---\r\nname: crlf\r\ntags: [a, b]\r\n---\r\nOne line.\r\nTwo lines.\r\n",
    "broken.md": b"---\nname: broken\nname: twice\n---\nIts words stay.\n",
}


@pytest.fixture
def first(tmp_path: Path, git: Run) -> Store:
    root = tmp_path / "記憶"
    for path, data in FIRST.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=init: what a store needs\n\nMemgit-Operation: init")
    return Store.at(root)


def replace_line(store: Store, name: str, line: str, to: str) -> Changed:
    return edit(store, name, Edit(line=line, to=to))


def words(store: Store) -> dict[str, bytes]:
    return {path: store.content(path) for path in store.files() if path != "MEMORY.md"}


def test_a_store_of_the_first_format_opens_migrates_and_comes_back(first: Store, git: Run) -> None:
    before = words(first)
    read = {path: parse(path, data)[0] for path, data in before.items() if path.endswith(".md")}
    done = migrate(first)
    assert first.repository.head() == done.commit
    operation = Operation.parse(git(first.root, "log", "-1", "--format=%B").stdout)
    assert operation
    assert (operation.kind, operation.to) == ("migrate", "2")
    assert set(operation.memories) == {"Reviewer shape lives in a skill", "切替手順",
                                       "新しい切替手順", "crlf"}  # fmt: skip
    assert "broken.md:3: frontmatter `name` stands twice" in done.note
    assert first.content("broken.md") == before["broken.md"]

    assert Store.at(first.root).settings.format == FORMAT
    assert first.content("memgit.toml").decode() == SETTINGS.replace("format = 1", "format = 2")
    assert first.content("meta/切替手順.md").decode() == (
        "---\nname: 切替手順\nmetadata:\n  node_type: memory\n  type: project\n"
        "  superseded_by: 新しい切替手順\n  aliases:\n    - 本番への出し方\n  colour: 藍\n---\n"
        "手順は三つ。\n\n二つ目は戻せない。\n"
    )
    assert first.content("新しい切替手順.md").decode() == (
        "---\nname: 新しい切替手順\nmetadata:\n  node_type: memory\n  type: project\n---\n"
        "手順は二つになった。\n"
    )
    assert first.content("flat.md").endswith(b"  originSessionId: 0b7e\n---\n\nShort sentences.\n")
    for path, old in read.items():
        new = first.read(path)
        assert (new.name, new.description, new.type) == (old.name, old.description, old.type)
        assert (new.body, new.labels) == (old.body, old.labels)
        assert new.words("aliases") == old.words("aliases")

    again = migrate(first)
    assert again.commit is None
    assert "broken.md:3" in again.note

    undone = undo(first)
    assert undone.operation.undoes == done.commit
    assert words(first) == before
    assert Store.at(first.root).settings.format == 1
    edited = replace_line(first, "切替手順", "手順は三つ。", "手順は四つ。")
    assert edited.commit
    written = first.content("meta/切替手順.md").decode()
    assert written.startswith("---\nname: 切替手順\ntype: project\n")
    assert written.endswith("---\n手順は四つ。\n\n二つ目は戻せない。\n")
    undo(first, undone.commit)  # and forward again, with the edit
    assert Store.at(first.root).settings.format == FORMAT
    assert first.read("meta/切替手順.md").body.startswith("手順は四つ。")


def test_a_migration_that_was_killed_before_its_commit_is_finished(first: Store, git: Run) -> None:
    for path, data in words(first).items():
        after = stamped(data) if path == "memgit.toml" else shaped(path, data)[0]
        if path == "memgit.toml" or path.endswith(".md"):
            (first.root / path).write_bytes(after)
    done = migrate(first)
    assert first.repository.head() == done.commit
    assert "format = 2" in git(first.root, "show", "HEAD:memgit.toml").stdout
    save(first, "user")
    assert git(first.root, "status", "--porcelain").stdout == ""
    assert migrate(first).commit is None


def test_what_was_edited_since_stays_when_a_migration_is_undone(first: Store) -> None:
    migrate(first)
    replace_line(first, "crlf", "Two lines.", "Three lines.")
    (first.root / "late.md").write_text("written later\n")
    save(first, "user")
    undo(first, first.repository.run("log", "-1", "--format=%H", "--grep=Operation: migrate"))
    assert first.content("crlf.md").endswith(b"---\r\nOne line.\r\nThree lines.\r\n")
    assert b"metadata" not in first.content("crlf.md")
    assert first.content("late.md") == b"written later\n"


def test_a_rehearsal_shows_the_diff_and_changes_nothing(first: Store, memgit: Run) -> None:
    head, before = first.repository.head(), words(first)
    shown = rehearse(first)
    assert (first.repository.head(), words(first)) == (head, before)
    done = memgit("--store", first.root, "migrate", "--dry-run")
    assert done.returncode == 0
    assert done.stdout.splitlines()[:2] == ["--- a/memgit.toml", "+++ b/memgit.toml"]
    assert "-format = 1\n+format = 2\n" in done.stdout
    assert "+  aliases:\n+    - 本番への出し方\n" in done.stdout
    told = json.loads(memgit("--store", first.root, "migrate", "--dry-run", "--json").stdout)
    assert told["paths"] == list(shown.paths)
    assert [row["path"] for row in told["left"]] == ["broken.md"]
    assert (first.repository.head(), words(first)) == (head, before)


def test_no_word_is_lost_between_a_migrated_clone_and_one_that_is_not(
    first: Store, git: Run, tmp_path: Path
) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "hub.git")
    git(first.root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    sync(first, told=str)
    git(tmp_path, "clone", "--quiet", "hub.git", "other")
    other = Store.at(tmp_path / "other")
    migrate(first)
    replace_line(first, "切替手順", "手順は三つ。", "手順は三つある。")
    sync(first, told=str)
    file = other.root / "meta/切替手順.md"
    file.write_text(file.read_text().replace("colour: 藍", "colour: 茜\nplace: 港").replace(
        "戻せない。", "戻せない。\n\n三つ目は夜に。"))  # fmt: skip
    replace_line(other, "新しい切替手順", "手順は二つになった。", "手順は一つになった。")
    (other.root / "flat.md").write_bytes(FIRST["flat.md"].replace(b"Short", b"Very short"))
    (other.root / "new.md").write_text("---\nname: new\ntype: user\n---\nfrom there\n")
    sync(other, told=str)
    sync(first, told=str)
    for store in (first, other):
        memory = store.read("meta/切替手順.md")
        assert memory.body == "手順は三つある。\n\n二つ目は戻せない。\n\n三つ目は夜に。\n"
        assert (memory.metadata["colour"], memory.metadata["place"]) == ("茜", "港")
        assert store.read("新しい切替手順.md").body == "手順は一つになった。\n"
        assert store.read("flat.md").body == "\nVery short sentences.\n"
        assert store.read("new.md").type == "user"
        assert Store.at(store.root).settings.format == FORMAT
    # What came in the older shape is brought over by the next migration.
    assert migrate(first).paths == ["new.md"]


def test_two_clones_that_both_migrate_come_together(first: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "hub.git")
    git(first.root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    sync(first, told=str)
    git(tmp_path, "clone", "--quiet", "hub.git", "other")
    other = Store.at(tmp_path / "other")
    migrate(first)
    migrate(other)
    sync(first, told=str)
    sync(other, told=str)
    assert words(first) == words(other)


@pytest.fixture
def newer(first: Store, git: Run) -> Path:
    text = SETTINGS.replace("format = 1", "format = 9  # of tomorrow") + "[moods]\nblue = 'yes'\n"
    (first.root / "memgit.toml").write_text(text)
    git(first.root, "commit", "--quiet", "--all", "--message=a newer memgit was here")
    return first.root


def test_a_newer_store_is_read_with_a_word_about_it(newer: Path, memgit: Run) -> None:
    line = f"memgit: {newer}: the store's format is 9, this memgit knows {FORMAT}: it is read, and"
    for words in (["list"], ["show", "切替手順"], ["why", "crlf"], ["search", "port"]):
        done = memgit("--store", newer, *words)
        assert done.returncode == 0, words
        assert done.stderr.startswith(line), words
        assert done.stderr.count("\n") == 1, words
        assert done.stdout


def test_a_newer_store_is_not_written(newer: Path, memgit: Run, git: Run) -> None:
    before = git(newer, "rev-parse", "HEAD").stdout, git(newer, "status", "--porcelain").stdout
    for words in (
        ["add", "--body", "x"], ["save"], ["edit", "crlf", "--line", "One line.", "--to", "x"],
        ["undo"], ["migrate"],
        ["import", str(ROOT / "sample-store" / "ops")],
        ["init", str(newer)], ["check", "--fix"],
    ):  # fmt: skip
        done = memgit("--store", newer, *words)
        assert done.returncode == 3, (words, done.stdout, done.stderr)
        assert done.stdout == ""
        assert done.stderr.startswith(f"memgit: {newer}: the store's format is 9"), words
        assert len(done.stderr.splitlines()) == 2, words
    after = git(newer, "rev-parse", "HEAD").stdout, git(newer, "status", "--porcelain").stdout
    assert after == before


def test_one_can_leave_a_newer_store(newer: Path, memgit: Run, tmp_path: Path) -> None:
    (newer / "memgit.toml").write_text("format = 2\n")
    assert memgit("init", newer).returncode == 0
    (newer / "memgit.toml").write_text("format = 9\n")
    done = memgit("--store", newer, "uninstall")
    assert done.returncode == 0
    assert not [one for one in (newer / ".git/hooks").iterdir() if one.suffix != ".sample"]
    done = memgit("--store", newer, "export", "--to", "markdown", tmp_path / "out")
    assert done.returncode == 0
    assert (tmp_path / "out/crlf.md").read_bytes().endswith(b"One line.\r\nTwo lines.\r\n")


def test_nothing_of_a_newer_format_is_taken_in(first: Store, git: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "hub.git")
    git(first.root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    sync(first, told=str)
    git(tmp_path, "clone", "--quiet", "hub.git", "other")
    other = tmp_path / "other"
    (other / "memgit.toml").write_text("format = 9\n")
    git(other, "commit", "--quiet", "--all", "--message=tomorrow")
    git(other, "push", "--quiet")
    head = first.repository.head()
    with pytest.raises(
        StoreError, match="origin/main is of format 9, this memgit knows 2: nothing"
    ):
        sync(first, told=str)
    assert first.repository.head() == head


def test_the_prompt_hook_is_silent_in_a_newer_store(first: Store, memgit: Run) -> None:
    assert memgit("--store", first.root, "index").returncode == 0

    def asked() -> bytes:
        event = {"prompt": "which port does staging listen on?", "session_id": os.urandom(4).hex()}
        hook = [sys.executable, "-I", "-S", str(ROOT / "hooks/recall.py"), "--store", first.root]
        done = subprocess.run(hook, input=json.dumps(event).encode(), capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    assert b"6432" in asked()
    (first.root / "memgit.toml").write_text("format = 9\n")
    assert asked() == b""
    with pytest.raises(NewerFormat, match=f"format 9, this memgit knows {FORMAT}"):
        find(str(first.root), {})
    (first.root / "memgit.toml").write_text("")
    assert b"6432" in asked()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 1), ("format = 3", 3), ("# format = 3\n", 1), ("a = 1\r\n format=12 # x\r\n", 12),
        ("[weights]\nformat = 3\n", 1), ("format = '3'\n", 1), ("format = -3\n", 1),
    ],
)  # fmt: skip
def test_the_format_is_read_without_a_reader_of_toml(text: str, number: int) -> None:
    assert format_in(text) == number


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "format = 2\n"),
        ("# mine\n\nformat=1 # x\n[recall]\n", "# mine\n\nformat=2 # x\n[recall]\n"),
        ("[recall]\r\nunits = 300\r\n", "format = 2\r\n[recall]\r\nunits = 300\r\n"),
        ("# 設定\n[recall]\n", "format = 2\n# 設定\n[recall]\n"),
    ],
)
def test_the_format_is_written_into_the_settings_as_they_stand(before: str, after: str) -> None:
    assert stamped(before.encode()).decode() == after
    assert format_in(after) == 2


def test_settings_too_unusual_are_left_to_the_person() -> None:
    with pytest.raises(StoreError, match="its format cannot be set to 2"):
        stamped(b'"format" = 1\n')


def test_a_file_in_its_shape_stays_as_it_is(sample: Path) -> None:
    store = Store.at(sample)
    assert fitting(store) == FORMAT
    for path in store.paths():
        data = store.content(path)
        assert shaped(path, data) == (data, None)
        bare = parse(path, data)[0].body.encode()
        once, _ = shaped(path, bare)
        assert shaped(path, once) == (once, None)
        assert once.endswith(bare)


@pytest.mark.parametrize(
    "data",
    [
        b"---\ntype: user\nmetadata:\n  type: project\n---\nx\n",  # which of them holds is told
        b"---\nname: [a\n---\nx\n",
        "設定は港で。\n".encode("cp932"),
        b"---\nname: open\nx\n",
    ],
)
def test_what_has_a_fault_stays_as_it_is(data: bytes) -> None:
    after, fault = shaped("a.md", data)
    assert after == data
    assert fault


def test_a_moved_file_keeps_its_name_once_it_is_in_shape() -> None:
    name = unicodedata.normalize("NFD", "ガイド")
    after, _ = shaped(f"{name}.md", b"x\n")
    assert parse("elsewhere.md", after)[0].name == name


def test_a_new_store_is_of_the_newest_format_and_an_adopted_one_as_its_memories_are(
    tmp_path: Path, memgit: Run, git: Run
) -> None:
    for folder, text, number in (
        ("new", None, FORMAT),
        ("flat", "---\nname: a\ntype: user\n---\nx\n", 1),
        ("fine", "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n---\nx\n", FORMAT),
    ):
        root = tmp_path / folder
        root.mkdir()
        git(root, "init", "--quiet")
        if text:
            (root / "a.md").write_text(text)
        assert memgit("init", root).returncode == 0
        assert Store.at(root).settings.format == number, folder
        assert "# [recall]" in (root / "memgit.toml").read_text()


def test_a_program_that_opens_a_newer_store_is_given_notice(newer: Path) -> None:
    with pytest.warns(Notice, match="the store's format is 9"):
        store = Store.at(newer)
    assert store.is_newer
    for act in (migrate, rehearse, open_model):  # no model is asked for what cannot be kept
        with pytest.raises(StoreError, match="it is read, and not written"):
            act(store)
