"""Memories that the agent lost track of: evidence tells whose they are, a yes imports them."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memgit.domain.examination.of_projects import taken_over
from memgit.domain.native.belonging import ELSEWHERE, GONE, SHARED, Group, Lost, look
from memgit.domain.native.bringing import below, bring
from memgit.domain.native.trail import Trail
from memgit.domain.operations.undoing import undo
from memgit.domain.store import Store
from memgit.ports.claude_code import slug_of
from tests.made_sessions import rows, session_id

Run = Callable[..., subprocess.CompletedProcess[str]]


class Agent:
    """The agent's folders in the home of a test."""

    def __init__(self, home: Path) -> None:
        self.projects = home / ".claude" / "projects"
        self._sessions = 0

    def memory(self, project: Path, **files: str) -> Path:
        """A memory folder as the agent has it for a project; returns it."""
        folder = self.projects / slug_of(str(project)) / "memory"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / f"{name}.md").write_text(f"---\nname: {name}\ntype: project\n---\n{text}\n")
        lines = (f"- [{path.stem}]({path.name}) — {path.stem}" for path in folder.glob("[!M]*.md"))
        (folder / "MEMORY.md").write_text("".join(f"{line}\n" for line in lines))
        return folder

    def session(self, place: Path, *wrote: Path, said: str = "", by: str = "Write") -> Path:
        """A session that started somewhere, wrote these files and was told something."""
        self._sessions += 1
        calls = [{"tool": by, "file_path": str(file), "content": "x"} for file in wrote]
        made = rows(self._sessions, [*calls, ("git log", said)] if said else calls, cwd=str(place))
        path = self.projects / slug_of(str(place)) / f"{session_id(self._sessions)}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in made))
        return path


@pytest.fixture
def agent(sealed: Path) -> Agent:
    return Agent(sealed)


@pytest.fixture
def opened(store: Path) -> Store:
    return Store.at(store)


@pytest.fixture
def project(git: Run) -> Callable[[Path], Path]:
    """`project(folder)`: a repository there with one commit of its own."""

    def make(folder: Path) -> Path:
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet")
        (folder / "README").write_text(str(folder))
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", f"--message=begin {folder.name}")
        return folder

    return make


def head(git: Run, folder: Path) -> str:
    return git(folder, "rev-parse", "HEAD").stdout.strip()


def found(store: Store, *roots: Path) -> list[Lost]:
    return list(look(store, roots, lambda done, total: None))


def one(store: Store, *roots: Path) -> Lost:
    (lost,) = found(store, *roots)
    return lost


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_folder_that_one_project_reads_is_left_alone(agent, opened, project, tmp_path) -> None:
    here = project(tmp_path / "src" / "予約")
    agent.session(here, agent.memory(here, a="x") / "a.md")
    assert found(opened) == []


def test_two_projects_whose_names_give_one_slug_are_told_apart(
    agent: Agent, opened: Store, project, tmp_path: Path
) -> None:
    first, second = project(tmp_path / "株式会社港"), project(tmp_path / "株式会社浜")
    assert slug_of(str(first)) == slug_of(str(second))
    memory = agent.memory(first, 岸壁="a", 砂="b", both="c", 誰="d", 下="e")
    session = agent.session(first, memory / "岸壁.md", memory / "both.md").stem
    text = f"---\nname: 下\nmetadata:\n  originSessionId: {session}\n---\nby a subagent\n"
    (memory / "下.md").write_text(text)
    agent.session(second, memory / "砂.md", by="Edit")
    agent.session(second, memory / "both.md")
    lost = one(opened)
    assert (lost.stands, lost.folder) == (SHARED, memory.parent)
    assert str(first) in lost.why
    assert str(second) in lost.why
    assert {group.project: group.files for group in lost.groups} == {
        str(first): ("下.md", "岸壁.md"), str(second): ("砂.md",)}  # fmt: skip
    assert lost.unclear
    assert lost.unclear.files == ("both.md", "誰.md")
    assert lost.unclear.evidence == (
        "sessions of several projects wrote both.md",
        "no transcript that is left tells who wrote 誰.md",
    )


def test_a_slash_and_a_hyphen_that_give_one_slug(agent, opened, project, tmp_path) -> None:
    first, second = project(tmp_path / "a" / "b"), project(tmp_path / "a-b")
    memory = agent.memory(first, slash="a", hyphen="b")
    agent.session(first, memory / "slash.md")
    agent.session(second, memory / "hyphen.md")
    lost = one(opened)
    for group in lost.groups:
        done = bring(opened, lost, group)
        assert [(one.name, one.path) for one in done.taken] == [
            ("slash", "b/slash.md") if group.project == str(first) else ("hyphen", "a-b/hyphen.md")
        ]
    assert not one(opened).groups[0].new
    assert not one(opened).groups[1].new


def test_a_renamed_project_is_found_by_the_commits_of_its_sessions(
    agent: Agent, opened: Store, project, git: Run, tmp_path: Path
) -> None:
    old = project(tmp_path / "old")
    others = [project(tmp_path / "src" / name) for name in ("x", "y")]
    agent.memory(old, port="5432", 手順="三つ")
    agent.session(old, said=f"[main (root-commit) {head(git, old)[:7]}] begin old")
    new = tmp_path / "src" / "deep" / "新しい名前"
    new.parent.mkdir(parents=True)
    old.rename(new)
    before = everything(agent.projects)
    nowhere = one(opened)
    assert nowhere.stands == GONE
    assert nowhere.groups[0].project == ""
    lost = one(opened, tmp_path / "src")
    assert lost.why == f"its project {old} is no longer there"
    assert [(group.project, group.files) for group in lost.groups] == [
        (str(new), ("port.md", "手順.md"))
    ]
    assert (
        f"{new} has a commit that its sessions name: {head(git, new)[:7]}"
        in lost.groups[0].evidence
    )
    assert str(others[0]) not in "".join(lost.groups[0].evidence)

    done = bring(opened, lost, lost.groups[0])
    assert sorted(one.path for one in done.taken) == ["新しい名前/port.md", "新しい名前/手順.md"]
    assert opened.repository.run("rev-list", "--count", "HEAD") == "2"
    assert one(opened, tmp_path / "src").groups[0].new == ()
    assert everything(agent.projects) == before
    undo(opened)
    assert opened.paths() == []
    assert len(one(opened, tmp_path / "src").groups[0].new) == 2


def test_clones_of_one_repository_are_one_and_two_repositories_are_unclear(
    agent: Agent, opened: Store, project, git: Run, tmp_path: Path
) -> None:
    old = project(tmp_path / "old")
    agent.memory(old, a="x")
    commit = head(git, old)
    git(tmp_path, "clone", "--quiet", str(old), "src/one")
    git(tmp_path, "clone", "--quiet", str(old), "src/two")
    other = project(tmp_path / "src" / "zz")
    transcript = agent.session(old, said=f"{commit}\n")
    old.rename(tmp_path / "hidden")
    lost = one(opened, tmp_path / "src")
    (group,) = lost.groups
    assert group.project == str(tmp_path / "src" / "one")
    assert group.evidence[-1] == f"their histories begin with the same commit {commit[:12]}"
    transcript.write_text(transcript.read_text().replace(commit, f"{commit} {head(git, other)}"))
    lost = one(opened, tmp_path / "src")
    assert lost.groups == ()
    assert lost.unclear
    assert lost.unclear.files == ("a.md",)


def test_a_remote_that_the_sessions_name(agent, opened, project, git, tmp_path) -> None:
    agent.memory(tmp_path / "gone", a="x")
    agent.session(tmp_path / "gone", said="To github.example.com:me/app.git\n   main -> main")
    new = project(tmp_path / "src" / "app")
    git(new, "remote", "add", "origin", "https://someone@github.example.com/me/app.git")
    (group,) = one(opened, tmp_path / "src").groups
    assert group.project == str(new)
    assert group.evidence == (
        f"{new} has a remote that its sessions name: github.example.com/me/app",)  # fmt: skip


def test_the_memories_of_a_work_tree_belong_to_the_main_one(
    agent: Agent, opened: Store, project, git: Run, tmp_path: Path
) -> None:
    main = project(tmp_path / "main")
    git(main, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    agent.memory(tmp_path / "tree", a="x")
    agent.session(tmp_path / "tree")
    lost = one(opened)
    assert (lost.stands, lost.groups[0].project) == (ELSEWHERE, str(main))
    assert below(lost, lost.groups[0]) == "main"


def test_what_only_looks_like_a_commit_or_a_remote_is_no_evidence(
    agent: Agent, opened: Store, project, git: Run, tmp_path: Path
) -> None:
    agent.memory(tmp_path / "gone", a="x")
    agent.session(
        tmp_path / "gone", said="deadbeef 20261201 0b7e1234-aaaa https://docs.example.com"
    )
    app = project(tmp_path / "src" / "app")
    git(app, "remote", "add", "origin", str(tmp_path / "hub.git"))
    lost = one(opened, tmp_path / "src")
    assert lost.groups == (
        Group("", ("a.md",), lost.groups[0].evidence, ("a.md",)),
    )  # fmt: skip
    assert "no repository that is known here" in lost.groups[0].evidence[0]


def test_a_hostile_transcript_is_only_data(tmp_path: Path) -> None:
    lines = [
        '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Write",'
        '"input":{"file_path":"/h/.claude/projects/-p/memory/../../x.md"}}]}}',
        '{"message":{"content":[{"type":"tool_use","name":"Write","input":{"file_path":'
        '"/h/projects/-p/memory/sub/好.md"}}, 3, {"type":"tool_use","name":"Write"}]}}',
        '{"message":"\\"tool_use\\" /-p/memory/"}', "[" * 9000 + '"tool_use"/-p/memory/', "",
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    trail = Trail.of("-p", [(tmp_path / "a.jsonl", "/p"), (tmp_path / "missing", "/q")])
    assert trail.wrote == {"sub/好.md": {"/p"}}


@pytest.fixture
def moved(agent: Agent, project, git: Run, tmp_path: Path) -> Path:
    """A project that moved, whose memories the agent has left behind."""
    old = project(tmp_path / "old")
    agent.memory(old, port="5432")
    agent.session(old, said=head(git, old))
    old.rename(tmp_path / "src")
    return tmp_path / "src"


def test_without_a_terminal_it_only_shows(moved: Path, opened: Store, memgit: Run) -> None:
    before = opened.repository.head()
    done = memgit("--store", opened.root, "doctor", "--repair-native", "--root", moved)
    assert done.returncode == 0
    assert f"  → {moved}: 1 memory: port.md\n" in done.stdout
    nowhere = memgit("--store", opened.root, "doctor", "--repair-native", "--root", "/no/where")
    assert nowhere.stderr.startswith("memgit: /no/where: no such folder")
    assert "nothing was changed; in a terminal, memgit doctor --repair-native asks" in done.stderr
    told = memgit("--store", opened.root, "doctor", "--repair-native", "--root", moved, "--json")
    (row,) = map(json.loads, told.stdout.splitlines())
    assert row["groups"][0]["project"] == str(moved)
    assert row["groups"][0]["new"] == ["port.md"]
    assert row["groups"][0]["below"] == "src"
    assert opened.repository.head() == before
    refused = memgit("doctor", "--root", moved)
    assert refused.returncode == 2
    assert refused.stderr.startswith("memgit: --root and --dry-run go with --repair-native")


def typed_in(words: list[str], answers: str) -> Iterator[str]:
    """What a command says in a terminal to a person who types these answers, one at a question."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-m", "memgit", *words])
    waiting = list(answers)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            said = os.read(terminal, 4096).decode("utf-8", "replace")
        except OSError:
            break
        yield said
        if "[y/N]" in said and waiting:
            os.write(terminal, f"{waiting.pop(0)}\n".encode())
    os.waitpid(pid, 0)


@pytest.mark.parametrize(("answer", "count"), [("n", 0), ("y", 1)])
def test_in_a_terminal_it_asks(moved: Path, opened: Store, answer: str, count: int) -> None:
    words = ["--store", str(opened.root), "doctor", "--repair-native", "--root", str(moved)]
    said = "".join(typed_in(words, answer))
    assert "Take over 1 memory of" in said
    assert len(opened.paths()) == count
    assert len(taken_over(opened)) == count
    assert ("takes it back" in said) == bool(count)


def test_what_lies_among_transcripts_and_is_none_stops_nothing(
    agent: Agent, opened: Store, tmp_path: Path
) -> None:
    folder = agent.memory(tmp_path / "gone", lost="Its words stay.").parent
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "endless.jsonl").symlink_to("/dev/zero")
    (folder / "folder.jsonl").mkdir()
    odd = ['"/a\\u0000b"', '"/\\ud800"', "5", "null", "[" * 50_000]
    for number, place in enumerate(odd):
        (folder / f"{number}.jsonl").write_text(f'{{"cwd": {place}}}\n')
    assert found(opened) == [one(opened)]
    assert one(opened).groups[0].files == ("lost.md",)
