"""An import as a whole: one commit, unique names, nothing twice, nothing of the person's lost."""

import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgit.domain.gates.scope import whole
from memgit.domain.gates.table import judge
from memgit.domain.importing.taking_over import Imported, import_memories
from memgit.domain.indexing.documents import LARGEST
from memgit.domain.memory import Memory, parse, render
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError


@pytest.fixture
def opened(store: Path) -> Store:
    return Store.at(store)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "a b" / "日本"
    folder.mkdir(parents=True)
    return folder


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def names(done: Imported) -> dict[str, str]:
    return {one.path: one.name for one in done.taken}


def reasons(done: Imported) -> list[str]:
    return [remark.text for remark in done.left]


def commits(store: Store) -> int:
    return int(store.repository.run("rev-list", "--count", "HEAD"))


def test_files_links_and_other_repositories_in_the_place_of_folders(
    opened: Store, notes: Path, tmp_path: Path
) -> None:
    write(opened.root, tabs="tabs\n")
    opened.repository.run("add", "tabs.md")
    opened.repository.run("commit", "--quiet", "--message=tabs")
    (opened.root / "linked").symlink_to(tmp_path)
    (opened.root / "other").mkdir()
    opened.repository.run("init", "--quiet", "other")
    for folder in ("memgit.toml", "tabs.md", "linked", "other/deep", "MEMORY.md", "fine"):
        (notes / folder).mkdir(parents=True)
        (notes / folder / "x.md").write_text(f"in {folder}\n")
    done = import_memories(opened, [notes])
    assert done.left == []
    assert sorted(names(done)) == [
        "MEMORY.md-2/x.md", "fine/x.md", "linked-2/x.md", "memgit.toml-2/x.md",
        "other-2/deep/x.md", "tabs.md-2/x.md",
    ]  # fmt: skip
    assert import_memories(opened, [notes]).commit is None


def test_a_tree_arrives_in_one_commit_with_its_folders(opened: Store, notes: Path) -> None:
    write(notes, a="one\n", ops__b="# Two\r\n\r\nb\r\n")
    done = import_memories(opened, [notes])
    assert names(done) == {"a.md": "a", "ops/b.md": "b"}
    assert opened.content("ops/b.md").endswith(b"---\n# Two\r\n\r\nb\r\n")
    assert commits(opened) == 2
    assert opened.repository.run("status", "--porcelain") == ""
    message = opened.repository.run("log", "-1", "--format=%B")
    assert message.startswith("import: 2 memories from 日本\n")
    for trailer in ("Operation: import", "Actor: user", "Memory: a", "Memory: b"):
        assert f"Memgit-{trailer}\n" in f"{message}\n"


def test_importing_twice_adds_nothing(opened: Store, notes: Path) -> None:
    write(notes, MEMORY="- [A](a.md) — hook\n- a line alone\n", a="one\n", ops__a="two\n")
    assert len(import_memories(opened, [notes]).taken) == 3
    again = import_memories(opened, [notes])
    assert not again.taken
    assert again.commit is None
    assert sorted(reasons(again)) == [
        "already there as a", "already there as a-line-alone", "already there as ops-a",
    ]  # fmt: skip
    assert commits(opened) == 2


def test_a_copy_of_what_was_imported_adds_nothing(opened: Store, notes: Path) -> None:
    write(notes, a="one\n", b="---\nname: b\n---\ntwo\n")
    import_memories(opened, [notes])
    copy = notes.parent / "copy"
    shutil.copytree(notes, copy)
    (copy / "a.md").rename(copy / "c.md")
    assert import_memories(opened, [copy]).commit is None


def test_a_memory_written_by_hand_is_not_added_again(opened: Store, notes: Path) -> None:
    (opened.root / "a.md").write_bytes(render(Memory("a.md", "a", body="one\n")))
    write(notes, a="one\n", b="two\n")
    assert names(import_memories(opened, [notes])) == {"b.md": "b"}


def test_one_name_in_two_folders(opened: Store, notes: Path) -> None:
    write(notes, deploy="all\n", api__deploy="api\n", web__deploy="web\n")
    done = import_memories(opened, [notes])
    assert names(done) == {
        "deploy.md": "deploy", "api/deploy.md": "api-deploy", "web/deploy.md": "web-deploy",
    }  # fmt: skip
    assert "named api-deploy, because deploy is taken" in [one.text for one in done.remarks]


def test_one_path_in_two_sources(opened: Store, tmp_path: Path) -> None:
    for project in ("shop", "bank"):
        write(tmp_path / project / ".serena" / "memories", deploy=f"{project}\n")
    done = import_memories(opened, [tmp_path / p / ".serena/memories" for p in ("shop", "bank")])
    assert names(done) == {"deploy.md": "deploy", "bank-deploy.md": "bank-deploy"}
    assert opened.read("bank-deploy.md").body == "bank\n"


def test_names_that_only_case_or_form_tells_apart(opened: Store, notes: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "ガ")
    for number, name in enumerate(("Deploy", "deploy", "ガ", decomposed)):
        (notes / f"{name}.md").write_text(f"{number}\n")
    done = import_memories(opened, [notes])
    folded = {unicodedata.normalize("NFKC", text).casefold() for text in names(done)}
    assert len(folded) == 4
    assert {opened.read(path).body for path in names(done)} == {"0\n", "1\n", "2\n", "3\n"}


def test_a_name_in_frontmatter_comes_before_the_name_of_a_file(opened: Store, notes: Path) -> None:
    write(notes, a="of a file\n", z__z="---\nname: a\n---\ngiven\n")
    done = import_memories(opened, [notes])
    assert names(done)["z/z.md"] == "a"
    assert names(done)["a.md"] != "a"


def test_links_lead_to_what_they_meant(opened: Store, notes: Path) -> None:
    write(
        notes,
        free="---\nname: Release Day Rules\n---\nx\n",
        links="[[Release Day Rules]] [[free]] [[nothing]]\n",
    )
    done = import_memories(opened, [notes])
    free = opened.read("free.md")
    assert free.name == "release-day-rules"
    assert free.words("aliases") == ("Release Day Rules", "free")
    assert opened.read("links.md").body == "[[Release Day Rules]] [[free]] [[nothing]]\n"
    assert done.remarks == []


def test_a_link_that_now_leads_elsewhere_is_told(opened: Store, notes: Path) -> None:
    write(
        notes, deploy="all\n", api__deploy="api\n", api__x="first\n[[deploy]]\n", y="[[deploy]]\n"
    )
    done = import_memories(opened, [notes])
    (told,) = [one for one in done.remarks if "link" in one.text]
    assert told.path.endswith("api/x.md")
    assert told.text == "its link [[deploy]] no longer leads to api-deploy but to deploy.md"


def test_references_in_frontmatter_follow_a_new_name(opened: Store, notes: Path) -> None:
    write(
        notes,
        deploy="all\n",
        api__deploy="api\n",
        api__old="---\nname: old\nsuperseded_by: deploy\nderived_from: [deploy, gone]\n---\nx\n",
    )
    import_memories(opened, [notes])
    old = opened.read("api/old.md")
    assert old.superseded_by == "api-deploy"
    assert old.words("derived_from") == ("api-deploy", "gone")


def test_a_source_that_changed_renews_a_memory_left_alone(opened: Store, notes: Path) -> None:
    write(notes, a="---\nname: a\n---\nfirst\n")
    import_memories(opened, [notes])
    labelled = opened.read("a.md").with_metadata(unverified="by whom?", topics=["ops"])
    (opened.root / "a.md").write_bytes(render(labelled))
    write(notes, a="---\nname: a\ndescription: new\n---\nsecond\n")
    done = import_memories(opened, [notes])
    assert [(one.name, one.new) for one in done.taken] == [("a", False)]
    memory = opened.read("a.md")
    assert (memory.body, memory.description) == ("second\n", "new")
    assert memory.labels == ("unverified: by whom?",)
    assert memory.words("topics") == ("ops",)
    assert len(memory.metadata["sources"]) == 1
    assert import_memories(opened, [notes]).commit is None
    assert opened.repository.run("show", "HEAD~1:a.md").endswith("first")


def test_a_memory_that_changed_too_is_kept(opened: Store, notes: Path) -> None:
    write(notes, a="first\n")
    import_memories(opened, [notes])
    file = opened.root / "a.md"
    file.write_bytes(file.read_bytes() + b"by hand\n")
    write(notes, a="second\n")
    done = import_memories(opened, [notes])
    assert done.commit is None
    assert reasons(done) == ["changed since it was taken over, and so was a, which is kept"]
    assert opened.read("a.md").body == "first\nby hand\n"


def test_files_that_git_ignores_are_not_written_over(opened: Store, notes: Path) -> None:
    (opened.root / ".git/info/exclude").write_text("a.md\n")
    (opened.root / "a.md").write_text("private\n")
    write(notes, a="public\n")
    done = import_memories(opened, [notes])
    assert list(names(done)) != ["a.md"]
    assert (opened.root / "a.md").read_text() == "private\n"


def test_a_large_memory_is_taken_whole(opened: Store, notes: Path) -> None:
    write(notes, big="word " * 1_000_000)
    done = import_memories(opened, [notes])
    assert len(opened.read("big.md").body) == 5_000_000
    assert [one.text for one in done.remarks] == [
        f"only its first {LARGEST:,} characters are searched"
    ]


def test_bytes_survive_the_persons_line_end_settings(opened: Store, notes: Path) -> None:
    opened.repository.run("config", "core.autocrlf", "input")
    write(notes, a="one\r\ntwo\r\n")
    import_memories(opened, [notes])
    blob = subprocess.run(
        ["git", "show", "HEAD:a.md"], cwd=opened.root, capture_output=True, check=True
    ).stdout
    assert blob.endswith(b"---\none\r\ntwo\r\n")


def test_nothing_happens_in_the_middle_of_a_merge(opened: Store, notes: Path) -> None:
    write(notes, a="one\n")
    (opened.repository.git_dir / "MERGE_HEAD").write_text(f"{opened.repository.head()}\n")
    with pytest.raises(StoreError, match="a merge is in progress"):
        import_memories(opened, [notes])
    assert not (opened.root / "a.md").exists()


def test_a_wrong_path_stops_all(opened: Store, notes: Path) -> None:
    write(notes, a="one\n")
    with pytest.raises(UsageError):
        import_memories(opened, [notes, notes / "gone"])
    assert commits(opened) == 1


def test_a_store_without_a_commit(tmp_path: Path, notes: Path) -> None:
    fresh = tmp_path / "fresh"
    subprocess.run(["git", "init", "--quiet", str(fresh)], check=True)
    (fresh / "memgit.toml").write_text("format = 1\n")
    write(notes, a="one\n")
    assert import_memories(Store.at(fresh), [notes]).commit


NAMES = [
    "deploy",
    "Deploy",
    "ガ",
    "カ\u3099",
    "My Note",
    "profile",
    "memory",
    "[x]",
    "#1",
    "x" * 240,
]
FOLDERS = ["", "api", "API", "api/docs", "drafts", ".serena/memories", "日本 b"]
PIECES = [
    "---\n", "name: foo\n", "name: Deploy\n", "description: a: b\n", "metadata:\n", "  x: [1\n",
    "# Head\n", "see [[deploy]] and [[My Note]]\n", "```\n", "\r\n", "é 日本\n", "\u2028", "\x0b",
    "superseded_by: [[deploy]]\n", "aliases: foo\n", "sources: bar\n", "<!-- x\n",
]  # fmt: skip
TREES = st.dictionaries(
    st.tuples(st.sampled_from(FOLDERS), st.sampled_from(NAMES)),
    st.tuples(
        st.lists(st.sampled_from(PIECES), min_size=1, max_size=10).map("".join),
        st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp932"]),
    ),
    min_size=1,
    max_size=12,
)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(TREES)
def test_whatever_comes_every_body_arrives_and_the_gates_are_content(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[tuple[str, str], tuple[str, str]]
) -> None:
    base = tmp_path_factory.mktemp("any")
    subprocess.run(["git", "init", "--quiet", str(base / "store")], check=True)
    (base / "store" / "memgit.toml").write_text("format = 1\n")
    opened = Store.at(base / "store")
    for (folder, name), (text, encoding) in tree.items():
        path = base / "tree" / folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(encoding, "replace"))
    done = import_memories(opened, [base / "tree"])
    arrived = {opened.read(path).body for path in opened.paths()}
    left = {remark.path for remark in done.left}
    for file in (base / "tree").rglob("*.md"):
        if str(file) not in left:
            assert parse("any.md", file.read_bytes())[0].body in arrived
    codes = {finding.gate.code for finding in judge(whole(opened))}
    assert not codes & {"encoding", "frontmatter", "name"}
    assert import_memories(opened, [base / "tree"]).commit is None
    assert opened.repository.run("status", "--porcelain") == "?? memgit.toml"
