"""What an import finds in a folder, and what it leaves out with a reason."""

import os
from pathlib import Path

import pytest

from memgit.domain.importing import sources
from memgit.domain.importing.sources import Unfit, content, find
from memgit.errors import UsageError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder


def write(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"about {path}\n")


def look(*given: Path, store: Path = Path("/nowhere")) -> tuple[list[str], dict[str, str]]:
    found, left = find(given, store)
    return [str(one.place) for one in found], {Path(one.path).name: one.text for one in left}


def test_a_tree_keeps_its_folders_files_first(tree: Path) -> None:
    write(tree, "b.md", "a/c.md", "a/MEMORY.md", "日本/d.MD", "e.mdc")
    assert look(tree)[0] == ["b.md", "e.mdc", "a/MEMORY.md", "a/c.md", "日本/d.MD"]


def test_what_is_no_memory_is_left_with_its_reason(tree: Path) -> None:
    write(tree, "a.md", "x.png", "y.txt", "CLAUDE.md", "sub/AGENTS.md", "PROFILE.md", ".h.md",
          ".obsidian/b.md", ".git/c.md", ".DS_Store")  # fmt: skip
    places, left = look(tree)
    assert places == ["a.md"]
    assert set(left) == {"tree", "CLAUDE.md", "AGENTS.md", "PROFILE.md", ".h.md", ".obsidian"}
    assert left["tree"] == "2 files not in markdown"
    assert "name it" in left["CLAUDE.md"]


def test_what_is_named_is_taken_whatever_it_is_called(tree: Path) -> None:
    write(tree, "CLAUDE.md", "notes.txt", ".secret", ".hidden/a.md")
    assert look(tree / "CLAUDE.md", tree / "notes.txt", tree / ".secret", tree / ".hidden") == (
        ["CLAUDE.md", "notes.md", "secret.md", "a.md"], {},
    )  # fmt: skip


def test_an_agents_own_folder_gives_only_its_memories(tree: Path) -> None:
    write(tree, ".claude/projects/-home-me-app/memory/MEMORY.md",
          ".claude/projects/-home-me-app/memory/sub/a.md",
          ".claude/projects/-home-me-app/s1/tool.md", ".claude/projects/-srv-b/memory/b.md",
          ".claude/agent-memory/reviewer/c.md", ".claude/skills/x/SKILL.md",
          ".claude/CLAUDE.md")  # fmt: skip
    wanted = ["home-me-app/MEMORY.md", "home-me-app/sub/a.md", "srv-b/b.md", "reviewer/c.md"]
    assert look(tree / ".claude")[0] == wanted
    assert look(tree / ".claude/projects")[0] == wanted[:3]
    assert look(tree / ".claude/projects/-srv-b")[0] == ["b.md"]
    assert look(tree / ".claude/projects/-srv-b/memory")[0] == ["b.md"]


def test_serena_memories_are_found_from_every_folder_above(tree: Path) -> None:
    write(tree, "app/.serena/memories/core/a.md", "app/.serena/project.yml", "app/README.md")
    assert look(tree / "app/.serena/memories")[0] == ["core/a.md"]
    assert look(tree / "app/.serena")[0] == ["core/a.md"]
    assert look(tree)[0] == ["app/README.md", "app/core/a.md"]


def test_an_agents_folder_without_memories_says_so(tree: Path) -> None:
    write(tree, ".claude/commands/x.md")
    assert look(tree / ".claude") == (
        [], {".claude": "no memories in it; name the folder that holds them"},
    )  # fmt: skip


def test_links_out_of_the_tree_are_not_followed(tree: Path, tmp_path: Path) -> None:
    write(tmp_path, "out/secret.md")
    write(tree, "in/real.md")
    (tree / "out.md").symlink_to(tmp_path / "out/secret.md")
    (tree / "folder").symlink_to(tmp_path / "out")
    (tree / "loop").symlink_to(tree)
    (tree / "again.md").symlink_to(tree / "in/real.md")
    (tree / "dangling.md").symlink_to(tree / "none.md")
    places, left = look(tree)
    assert places == ["again.md", "dangling.md"]
    assert left["out.md"] == "a symbolic link out of the folder"
    assert left["folder"] == left["loop"] == "a symbolic link to a folder"
    assert left["real.md"] == "the same file as one before it"
    with pytest.raises(Unfit, match="cannot be read"):
        content(find([tree], Path("/nowhere"))[0][1].file)


def test_links_in_a_circle_do_not_stop_the_others(tree: Path, tmp_path: Path) -> None:
    write(tree, "a.md")
    (tree / "circle.md").symlink_to("circle.md")
    (tree / "here.md").symlink_to("there.md")
    (tree / "there.md").symlink_to("here.md")
    (tree / "folder").symlink_to("folder")
    found = find([tree], Path("/nowhere"))[0]
    assert "a.md" in [str(one.place) for one in found]
    for one in found[1:]:
        with pytest.raises(Unfit, match="cannot be read: Too many levels of symbolic links"):
            content(one.file)
    with pytest.raises(UsageError, match="Too many levels"):
        find([tree / "circle.md"], Path("/nowhere"))


def test_links_to_what_one_may_not_see_do_not_stop_the_others(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, "a.md")
    (tree / "cwd").symlink_to("/nowhere/closed")
    stat = os.stat

    def refusing(path: object, *arguments: object, **options: object) -> os.stat_result:
        if str(path).endswith("/cwd") and options.get("follow_symlinks", True):
            raise PermissionError(13, "Permission denied")
        return stat(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.stat", refusing)
    assert look(tree)[0] == ["a.md"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_the_kernels_own_files_are_left(tree: Path) -> None:
    places, left = look(Path("/proc/self"))
    assert places == []
    assert left["cwd"] == left["root"] == "a symbolic link to a folder"


def test_a_tree_deeper_than_any_is_left_where_it_goes_too_deep(tree: Path) -> None:
    write(tree, "a.md")
    here = tree
    for _ in range(520):
        here = here / "d"
        here.mkdir()
    places, left = look(tree)
    assert places == ["a.md"]
    assert left == {"d": "below more than 200 folders"}


def test_a_file_that_grows_while_it_is_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree, "a.md")
    monkeypatch.setattr(sources, "LARGEST", 100)
    status = (tree / "a.md").stat()
    (tree / "a.md").write_bytes(b"x" * 101)
    monkeypatch.setattr(Path, "stat", lambda self, **options: status)
    with pytest.raises(Unfit, match="too large"):
        content(tree / "a.md")


def test_a_named_link_is_followed(tree: Path, tmp_path: Path) -> None:
    write(tree, "a.md")
    (tmp_path / "link").symlink_to(tree)
    assert look(tmp_path / "link")[0] == ["a.md"]
    assert find([tmp_path / "link"], Path("/nowhere"))[0][0].shown == str(tmp_path / "link/a.md")


def test_the_folders_that_tell_a_name_apart(tree: Path) -> None:
    write(tree, "shop/API v2/docs/deploy.md", "deploy.md")
    found, _ = find([tree], Path("/nowhere"))
    assert [one.telling for one in found] == [["tree"], ["api-v2", "shop", "tree"]]
    memories = tree / "bank/.serena/memories"
    write(memories, "deploy.md")
    assert find([memories], Path("/nowhere"))[0][0].telling == ["bank"]


def test_the_same_file_given_twice_is_taken_once(tree: Path) -> None:
    write(tree, "a/b.md")
    assert look(tree, tree / "a", tree / "a/b.md")[0] == ["a/b.md"]


def test_the_store_is_not_imported_into_itself(tree: Path) -> None:
    write(tree, "store/a.md", "b.md")
    places, left = look(tree, tree / "store/a.md", store=tree / "store")
    assert places == ["b.md"]
    assert left == {"store": "the store itself", "a.md": "in the store already"}


def test_a_path_that_is_not_there_is_refused_before_anything(tree: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        find([tree, tree / "none"], Path("/nowhere"))


def test_file_names_of_any_bytes(tree: Path) -> None:
    with open(os.fsencode(tree) + b"/caf\xe9.md", "w") as file:
        file.write("x")
    (found,), _ = find([tree], Path("/nowhere"))
    assert str(found.place) == "café.md"
    found.shown.encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "empty"), (b" \n\xef\xbb\xbf", None), (b" \r\n", "empty"), (b"a\0b", "binary"),
     (b"\xff\xfea\0b\0", None), (b"caf\xe9", None), (b"\x89PNG\r\n\x1a\n\0\0", "binary")],
)  # fmt: skip
def test_content(tree: Path, data: bytes, reason: str | None) -> None:
    file = tree / "x.md"
    file.write_bytes(data)
    if reason is None:
        assert content(file)[0] == data
    else:
        with pytest.raises(Unfit, match=reason):
            content(file)


def test_content_that_is_no_file_or_too_large(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tree / "pipe.md")
    with pytest.raises(Unfit, match="not a regular file"):
        content(tree / "pipe.md")
    write(tree, "big.md")
    monkeypatch.setattr(sources, "LARGEST", 3)
    with pytest.raises(Unfit, match="too large"):
        content(tree / "big.md")
