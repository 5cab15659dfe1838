"""Leaving: what is written out says all that the store says, and overwrites nothing of others."""

import json
import os
import re
import subprocess
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from memgit.domain.always_on.profile import Profile
from memgit.domain.exporting import lines, shapes
from memgit.domain.exporting.places import Shelf, state_of
from memgit.domain.exporting.writing import write
from memgit.domain.importing.taking_over import import_memories
from memgit.domain.memory import Memory, parse, render
from memgit.domain.operations.labelling import retire
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.saving import save
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError
from memgit.prompt.profile import units

Run = Callable[..., subprocess.CompletedProcess[str]]

OURS = ("origin", "sources", "modified")
"""Keys in which an import says where a memory came from."""


def put(store: Store, path: str, body: str, **head: object) -> None:
    name = str(head.pop("name", Path(path).stem))
    memory = Memory(path, name, str(head.pop("description", "")), body=body, metadata=head)
    (store.root / path).parent.mkdir(parents=True, exist_ok=True)
    (store.root / path).write_bytes(render(memory))


@pytest.fixture
def full(store: Path, git: Run) -> Store:
    """Memories with Japanese names, links, labels, a successor, and paths that differ by case."""
    opened = Store.at(store)
    text = "# 切替\n\n[[港の一覧|港]] と [[old-port]]、`[[x]]`、[[no one]]。\n"
    about = "切替は日曜の夜に「静かに」行う"
    put(opened, "運用/切替手順.md", text, name="切替手順", description=about, topics=["運用"])
    put(opened, "港の一覧.md", "神戸、長崎。\n", aliases=["ports"], type="reference")
    put(opened, "old-port.md", "Port 5432.\n")
    put(opened, "new port (7432).md", "Port 7432.\n", name="new-port", derived_from=["港の一覧"])
    put(opened, "Case.md", "upper\n", name="Case")
    put(opened, "case.md", "lower\n", name="lower-case")
    put(opened, "gone.md", "never again\n")
    (opened.root / "PROFILE.md").write_text("- 返事は短く。\n")
    save(opened, "user")
    supersede(opened, "old-port", "new-port")
    retire(opened, "gone")
    return opened


def linked(folder: Path, path: str) -> list[str]:
    """Where the links of an exported file lead; each must be there."""
    found = re.findall(r"\]\(([^)]+)\)", (folder / path).read_text())
    for target in found:
        assert (folder / path).parent.joinpath(unquote(target)).resolve().is_file(), (path, target)
    return [unquote(target) for target in found]


def test_plain_markdown_reads_and_links_without_us(full: Store, tmp_path: Path) -> None:
    folder = tmp_path / "外" / "notes"
    files = shapes.markdown(full, Shelf.of(full))
    done = write(full, folder, files)
    assert sorted(done.new) == sorted(str(p.relative_to(folder)) for p in folder.rglob("*.md"))
    assert (folder / "運用/切替手順.md").read_text().splitlines() == [
        "> **切替手順** · project · 運用  ",
        "> 切替は日曜の夜に「静かに」行う  ",
        "",
        "# 切替",
        "",
        "[港](../港の一覧.md) と [old-port](../old-port.md)、`[[x]]`、[[no one]]。",
    ]  # fmt: skip
    assert linked(folder, "old-port.md") == ["new port (7432).md"]
    assert "superseded by [new-port]" in (folder / "old-port.md").read_text()
    assert linked(folder, "new port (7432).md") == ["港の一覧.md"]
    assert len(linked(folder, "MEMORY.md")) == len(full.paths())
    listed = (folder / "MEMORY.md").read_text()
    assert "(superseded by new-port)" in listed
    assert "(retired)" in listed
    assert (folder / "PROFILE.md").read_text() == "- 返事は短く。\n"
    assert not any(text.startswith(b"---") for text in files.values())


def test_no_two_files_differ_by_case_or_form_alone(full: Store) -> None:
    put(full, unicodedata.normalize("NFD", "ガ.md"), "one\n", name="ga")
    put(full, "ガ.md", "two\n", name="ga-2")
    shelf = Shelf.of(full)
    keys = {unicodedata.normalize("NFC", path).casefold() for path in shelf.paths.values()}
    assert len(keys) == len(shelf.memories) == len(full.paths())
    bodies = {shelf.path(one): one.body for one in shelf.memories}
    assert bodies["Case.md"] == "upper\n"
    assert bodies["lower-case.md"] == "lower\n"


def test_json_lines_hold_everything_and_what_happened(full: Store) -> None:
    rename(full, "港の一覧", "港の表")
    rows = {row["name"]: row for row in lines.rows(full, Shelf.of(full))}
    assert len(rows) == len(full.paths())
    old, new, ports = rows["old-port"], rows["new-port"], rows["港の表"]
    assert (old["superseded_by"], new["supersedes"]) == ("new-port", ["old-port"])
    assert old["labels"] == ["superseded by new-port"]
    assert rows["gone"]["labels"][0].startswith("retired")
    assert [event["operation"] for event in old["history"]] == ["save", "supersede"]
    assert old["history"][-1]["to"] == "new-port"
    assert [event["operation"] for event in ports["history"]] == ["save", "rename"]
    assert ports["metadata"]["aliases"] == ["ports", "港の一覧"]
    assert rows["切替手順"]["body"] == full.read("運用/切替手順.md").body
    for row in rows.values():
        assert json.loads(lines.line(row)) == row
        assert lines.line(row).count("\n") == 1


def same(one: Memory, other: Memory) -> bool:
    """Whether two memories are equal but for where they came from."""
    mine, theirs = ({k: v for k, v in m.metadata.items() if k not in OURS} for m in (one, other))
    return replace(one, metadata=mine) == replace(other, metadata=theirs)


@pytest.fixture
def empty(tmp_path: Path, git: Run) -> Store:
    root = tmp_path / "空"
    root.mkdir()
    git(root, "init", "--quiet")
    (root / "memgit.toml").write_text("format = 2\n")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=init: empty")
    return Store.at(root)


def test_what_json_lines_hold_comes_back_as_it_was(
    full: Store, empty: Store, tmp_path: Path
) -> None:
    shelf = Shelf.of(full)
    file = tmp_path / "全部.jsonl"
    file.write_text("".join(map(lines.line, lines.rows(full, shelf))))
    done = import_memories(empty, [file])
    assert len(done.taken) == len(shelf.memories)
    came = {one.name: one for one in map(empty.read, empty.paths())}
    for one in shelf.memories:
        now = came[one.name]
        # An import gives a description to what has none.
        about = one.description or now.description
        assert same(replace(one, path=now.path, description=about), now), one.name
    assert import_memories(empty, [file]).commit is None


@pytest.mark.parametrize(
    "text", ["{}\n", "[1]\n", '{"path": 3, "name": "a", "body": "b"}\n', "not json\n", "null\n"]
)
def test_other_json_lines_are_left_with_a_word(empty: Store, tmp_path: Path, text: str) -> None:
    good = lines.line({"path": "a.md", "name": "a", "body": "words\n"})
    (tmp_path / "x.jsonl").write_text(good + text)
    done = import_memories(empty, [tmp_path / "x.jsonl"])
    assert [one.text for one in done.left] == ["line 2 is no memory of `memgit export --to jsonl`"]
    assert done.commit is None


def test_what_claude_code_is_given_comes_back_as_it_was(
    full: Store, empty: Store, tmp_path: Path
) -> None:
    long = "とても長い説明が続く" * 40
    put(full, "long.md", "Its words.\n", description=long)
    put(full, "doubtful.md", "Perhaps.\n", description="Whether it rains", unverified="no source")
    put(full, "bare.md", "# A title that says more\n\nText.\n")
    (full.root / "PROFILE.md").unlink()
    shelf = Shelf.of(full)
    folder = tmp_path / "projects" / "-home-me-app" / "memory"
    files, unlisted = shapes.claude_code(full, shelf)
    write(full, folder, files)
    assert unlisted == 0
    import_memories(empty, [folder])
    came = {one.name: one for one in map(empty.read, empty.paths())}
    holding = [one for one in shelf.memories if not state_of(one)]
    assert came.keys() == {one.name for one in holding}
    for one in holding:
        now = came[one.name]
        about = one.description or now.description
        assert same(replace(one, path=shelf.path(one), description=about), now), one.name


def test_claude_code_reads_the_index_whole_and_the_profile_first(full: Store) -> None:
    for number in range(260):
        put(full, f"many/記憶-{number:03}.md", "本文\n", description="港の当番は毎週かわる。" * 9)
    files, unlisted = shapes.claude_code(full, Shelf.of(full))
    text = files["MEMORY.md"].decode()
    assert len(text.splitlines()) <= 200
    assert units(text) <= 25_000
    assert text.splitlines()[:1] == Profile.of(full).lines == ["- 返事は短く。"]
    assert unlisted == len(files) - 1 - (len(text.splitlines()) - 1)
    assert unlisted > 50
    assert "old-port.md" not in files
    assert "gone.md" not in files
    assert parse("a.md", files["many/記憶-000.md"])[0].name == "記憶-000"


def test_nothing_of_others_is_overwritten(full: Store, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "case.md").write_text("mine\n")
    files = {"a/b.md": b"1\n", "case.md": b"2\n"}
    with pytest.raises(StoreError, match=r"another file stands there: case\.md"):
        write(full, folder, files)
    assert [path.name for path in folder.iterdir()] == ["case.md"]
    (folder / "case.md").write_text("2\n")
    assert write(full, folder, files).same == ("case.md",)
    assert write(full, folder, {**files, "a/b.md": b"3\n"}).changed == ("a/b.md",)
    (folder / "a/b.md").write_text("edited by hand\n")
    with pytest.raises(StoreError, match=r"another file stands there: a/b\.md"):
        write(full, folder, {"a/b.md": b"4\n", "c.md": b"5\n"})
    assert not (folder / "c.md").exists()
    assert write(full, folder, {"c.md": b"5\n"}).stale == ("a/b.md", "case.md")
    assert (folder / "a/b.md").read_text() == "edited by hand\n"


def test_what_cannot_be_written_leaves_nothing_behind(full: Store, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "z").symlink_to(tmp_path)
    with pytest.raises(StoreError, match="symbolic link"):
        write(full, tmp_path / "out", {"a.md": b"1\n", "z/b.md": b"2\n"})
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        write(full, tmp_path / "file", {"a.md": b"1\n"})
    os.mkfifo(tmp_path / "out" / "pipe.md")
    with pytest.raises(StoreError, match="not a plain file"):
        write(full, tmp_path / "out", {"a.md": b"1\n", "pipe.md": b"2\n"})
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["pipe.md", "z"]
    with pytest.raises(UsageError, match="in the store itself"):
        write(full, full.root / "export", {"a.md": b"1\n"})


def test_the_verb(full: Store, memgit: Run, tmp_path: Path) -> None:
    done = memgit("--store", full.root, "export", "--to", "claude-code", tmp_path / "cc")
    assert (done.returncode, done.stdout) == (
        0, f"{tmp_path / 'cc'}: 5 memories; files: 6 new, 0 changed, 0 as before\n")  # fmt: skip
    assert (
        "left out, as Claude Code would take them to hold: 1 retired, 1 superseded" in done.stderr
    )
    told = memgit("--store", full.root, "export", "--to", "markdown", tmp_path / "md", "--json")
    assert json.loads(told.stdout)["memories"] == 7
    shown = memgit("--store", full.root, "export", "--to", "jsonl")
    file = tmp_path / "all.jsonl"
    assert memgit("--store", full.root, "export", "--to", "jsonl", file).returncode == 0
    assert [json.loads(row) for row in shown.stdout.splitlines()] == [
        json.loads(row) for row in file.read_text().splitlines()
    ]
    refused = memgit("--store", full.root, "export", "--to", "markdown")
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (
        2, "memgit: --to markdown needs a folder")  # fmt: skip
    (tmp_path / "md" / "gone.md").write_text("edited\n")
    refused = memgit("--store", full.root, "export", "--to", "markdown", tmp_path / "md")
    assert refused.returncode == 3
    assert "another file stands there: gone.md" in refused.stderr


@pytest.mark.parametrize("path", ["/", "//", ".", "./", ""])
def test_a_line_that_names_no_file_is_no_memory(empty: Store, tmp_path: Path, path: str) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_text(json.dumps({"name": "odd", "path": path, "body": "odd\n"}))
    done = import_memories(empty, [file])
    assert not done.taken
    assert "line 1 is no memory" in str(done.left)
