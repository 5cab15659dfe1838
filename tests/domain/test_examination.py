"""The checks of `memgit doctor`, each on the very fault that it is there for."""

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.domain.examination import (
    CHECKS,
    examine,
    of_agent,
    of_hooks,
    of_programs,
    of_projects,
    of_store,
)
from memgit.domain.examination.finding import BAD, OK, WARN, Scene, several, some
from memgit.domain.importing.taking_over import import_memories
from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.ports.claude_code import slug_of


def told(findings):
    """The findings as (state, words), each of which must say what to do unless all is well."""
    found = list(findings)
    assert all(finding.do for finding in found if finding.state != OK)
    return [(finding.state, finding.says) for finding in found]


def only(findings):
    ((state, says),) = told(findings)
    return state, says


@pytest.fixture
def indexed(sample) -> Scene:
    store = Store.at(sample)
    Index(store).sync()
    return Scene(store, "here")


# git, store, memories


def test_git_that_does_not_run_or_is_too_old(tmp_path, monkeypatch):
    assert only(of_store.git(Scene(None)))[0] == OK
    old = tmp_path / "git"
    old.write_text("#!/bin/sh\necho git version 2.17.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert only(of_store.git(Scene(None))) == (BAD, "git 2.17.1 is too old")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    state, says = only(of_store.git(Scene(None)))
    assert (state, "does not run" in says) == (BAD, True)


@pytest.mark.parametrize(
    ("way", "variable", "folder", "recorded"),
    [
        ("named by --store", "elsewhere", "sample", ""),
        ("named by MEMGIT_REPO", "sample", "", ""),
        ("the one you stand in", "", "sample/rules", ""),
        ("the one that `memgit install` recorded", "", "", "sample"),
    ],
)
def test_the_four_ways_to_a_store(way, variable, folder, recorded, sample, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path / folder)
    if variable:
        monkeypatch.setenv("MEMGIT_REPO", str(tmp_path / variable))
    if recorded:
        record = Path(os.environ["XDG_CONFIG_HOME"]) / "memgit" / "store"
        record.parent.mkdir(parents=True)
        record.write_text(f"{tmp_path / recorded}\n")
    scene = Scene.around(str(sample) if "--store" in way else None)
    assert scene.store is not None
    assert scene.store.root == sample
    assert scene.way == way
    assert only(of_store.store(scene)) == (OK, f"{sample}, {way}; format 1 of 2")


def test_no_store_is_the_store_checks_finding(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scene = Scene.around(None)
    assert scene.store is None
    assert only(of_store.store(scene)) == (BAD, "no store found")
    nowhere = Scene.around(str(tmp_path / "nowhere"))
    assert only(of_store.store(nowhere)) == (BAD, f"{tmp_path / 'nowhere'}: no such folder")


def test_settings_that_cannot_be_read_are_a_finding_not_an_end(sample, monkeypatch):
    (sample / "memgit.toml").write_text("format = [\n")
    found = dict(examine(Scene.around(str(sample)), lambda done, total: None))
    assert found["store"].state == BAD
    assert "memgit.toml" in found["store"].says
    assert "projects" not in found or found["projects"].state == OK
    assert "git" in found


def test_an_unfinished_merge_and_a_store_without_a_commit(sample, tmp_path, git):
    (sample / ".git" / "MERGE_HEAD").write_text("0" * 40)
    states = told(of_store.store(Scene(Store.at(sample))))
    assert states[1] == (BAD, "a merge is unfinished: nothing can be written")
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    git(fresh, "init", "--quiet")
    (fresh / "memgit.toml").write_text("format = 1\n")
    assert told(of_store.store(Scene(Store.at(fresh))))[1] == (WARN, "it has no commit yet")


def test_memories_that_nobody_committed(sample):
    store = Store.at(sample)
    assert only(of_store.uncommitted(Scene(store), store))[0] == OK
    (sample / "ops" / "当番表.md").write_text("changed\n")
    (sample / "neu a.md").write_text("new\n")
    (sample / "notes.txt").write_text("not a memory\n")
    state, says = only(of_store.uncommitted(Scene(store), store))
    assert state == WARN
    assert "2 memories changed but not committed" in says
    assert "ops/当番表.md" in says
    assert "neu a.md" in says


def test_a_link_that_nothing_saves_is_not_told_to_be_saved(sample):
    store = Store.at(sample)
    (sample / "linked.md").symlink_to("rules/no-deploy-on-friday.md")
    (finding,) = of_store.uncommitted(Scene(store), store)
    assert finding.state == WARN
    assert finding.says.startswith("a symbolic link named like a memory")
    assert "linked.md" in finding.says
    assert "save" not in finding.do


def test_memories_whose_keys_cannot_be_read(sample):
    store = Store.at(sample)
    assert list(of_store.readable(Scene(store), store)) == []
    (sample / "broken a.md").write_text("---\nname: [x\ndescription: y\n---\nbody\n")
    (sample / "ops" / "deploy.md").write_text("---\ndescription: a: b\n---\nbody\n")
    (sample / "plain.md").write_text("no keys at all\n")
    state, says = only(of_store.readable(Scene(store), store))
    assert state == BAD
    assert says.startswith(
        "the keys of 2 memories cannot be read as they stand: broken a.md, ops/deploy.md; "
        "broken a.md:3: "
    )


def test_memories_that_replace_each_other(sample, git):
    store = Store.at(sample)
    assert list(of_store.circles(Scene(store), store)) == []
    for name, newer in (("left", "right"), ("right", "left")):
        text = f"---\nname: {name}\nmetadata:\n  superseded_by: {newer}\n---\nbody\n"
        (sample / f"{name}.md").write_text(text)
    git(sample, "add", "left.md", "right.md")
    git(sample, "commit", "--quiet", "--no-verify", "--message=circle")
    assert only(of_store.circles(Scene(store), store)) == (
        WARN,
        "2 references between memories lead in a circle: left.md:4: "
        "superseded_by leads back to it: left → right → left",
    )
    (sample / "right.md").write_text("---\nname: right\n---\nholds today\n")
    assert list(of_store.circles(Scene(store), store)) == []


def test_a_branch_and_the_one_it_follows(sample, tmp_path, git):
    def found():
        return told(of_store.upstream(Scene(Store.at(sample)), Store.at(sample)))

    def commit(folder):
        git(folder, "commit", "--quiet", "--allow-empty", f"--message=in {folder}")

    assert found() == []  # nothing is followed
    server = tmp_path / "server"
    git(tmp_path, "clone", "--quiet", str(sample), str(server))
    git(sample, "remote", "add", "origin", str(server))
    git(sample, "config", "branch.main.remote", "origin")
    git(sample, "config", "branch.main.merge", "refs/heads/main")
    assert found() == [(WARN, "main follows origin/main, which was never fetched")]
    git(sample, "fetch", "--quiet", "origin")
    assert found() == [(OK, "main is where origin/main was at the last fetch")]
    commit(sample)
    assert found() == [(OK, "1 commit not pushed to origin/main yet")]
    commit(server)
    commit(server)
    git(sample, "fetch", "--quiet", "origin")
    assert found() == [(WARN, "main and origin/main went apart: 1 commit here, 2 commits there")]
    git(sample, "reset", "--quiet", "--hard", "HEAD~1")
    assert found() == [(WARN, "2 commits of origin/main not taken in yet")]
    git(sample, "checkout", "--quiet", "--detach")
    assert found() == []


# index


def test_an_index_that_is_whole(indexed):
    state, says = only(of_store.index(indexed, indexed.store))
    assert state == OK
    assert says.startswith("36 memories at ")


def test_no_index(sample):
    store = Store.at(sample)
    assert only(of_store.index(Scene(store), store))[0] == BAD


def test_an_index_of_another_commit(indexed, git, sample):
    (sample / "new.md").write_text("new\n")
    git(sample, "add", "new.md")
    git(sample, "commit", "--quiet", "--message=new")
    state, says = only(of_store.index(indexed, indexed.store))
    assert (state, "checked out is" in says) == (BAD, True)


def test_an_index_with_other_weights(indexed, sample):
    (sample / "memgit.toml").write_text("format = 1\n[weights]\nbody = 3\n")
    store = Store.at(sample)
    assert "other weights" in only(of_store.index(Scene(store), store))[1]


@pytest.mark.parametrize("how", ["cut", "gone", "head", "_MAIN_*.toc", "MAIN_*.*"])
def test_a_damaged_index(how, indexed):
    index = Index(indexed.store)
    (segment,) = index.table.glob("*.segment")
    if how == "cut":
        os.truncate(segment, 100)
    elif how == "gone":
        segment.unlink()
    elif how == "head":
        head = index.head()
        head["segments"] = [{"file": 1}]
        (index.table / "head.json").write_text(json.dumps(head))
    else:
        for path in index.folder.glob(how):
            path.write_bytes(b"nothing of Whoosh")
    state, says = only(of_store.index(indexed, indexed.store))
    assert state == BAD
    assert says.startswith("the index is damaged")
    assert all(finding.state != OK for finding in of_agent.recall(indexed, indexed.store))


# the log of recall


def test_faults_that_recall_noted_are_summed_up(indexed):
    now = datetime(2026, 5, 10, 12, tzinfo=UTC)
    scene = Scene(indexed.store, now=now)
    assert only(of_store.log(scene, indexed.store))[0] == OK
    log = indexed.store.derived / "recall.log"
    log.write_text("2026-05-01T00:00:00Z BrokenTable: long ago\n")
    assert only(of_store.log(scene, indexed.store))[0] == OK
    with log.open("a") as file:
        file.write(
            "2026-05-08T00:00:00Z BrokenTable: a\n"
            "2026-05-09T00:00:00Z BrokenTable: b\n"
            "2026-05-09T01:00:00Z TooLate: no answer\n"
        )
    state, says = only(of_store.log(scene, indexed.store))
    assert state == WARN
    assert "2 × BrokenTable, 1 × TooLate" in says
    assert says.endswith("the last: 2026-05-09T01:00:00Z TooLate: no answer")
    assert "long ago" not in says


# programs named memgit


def distribution(
    prefix: Path, name: str, version: str, script: str = "../../../bin/memgit"
) -> Path:
    """An environment with one installed distribution and its script; the script must not be run."""
    packages = prefix / "lib" / "python3.12" / "site-packages"
    info = packages / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text(f"{script},sha256=x,200\n")
    program = prefix / "bin" / "memgit"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!{prefix}/bin/python3\nimport os; os.mkdir('{prefix}/was-run')\n")
    program.chmod(0o755)
    return program


def test_the_maker_of_a_program_is_told_by_what_lies_beside_it(tmp_path):
    ours = distribution(tmp_path / "a", "memgit-tools", "0.1.0")
    theirs = distribution(tmp_path / "b", "memgit", "3.1")
    both = distribution(tmp_path / "c", "memgit-tools", "0.1.0", script="other")
    distribution(tmp_path / "c", "memgit", "3.1")
    assert of_programs.maker(ours) == ("memgit-tools", "0.1.0")
    assert of_programs.maker(theirs) == ("memgit", "3.1")
    assert of_programs.maker(both) == ("memgit", "3.1")


def test_a_script_elsewhere_is_led_back_by_its_first_line(tmp_path):
    distribution(tmp_path / "venv with space", "memgit-tools", "0.2")
    python = tmp_path / "venv with space" / "bin" / "python3"
    for number, start in enumerate((f"#!{python}\n", f"#!/bin/sh\n'''exec' \"{python}\" \"$0\"\n")):
        script = tmp_path / f"bin{number}" / "memgit"
        script.parent.mkdir()
        script.write_text(start)
        long = start.startswith("#!/bin/sh")
        assert of_programs.maker(script) == (("memgit-tools", "0.2") if long else ("", ""))
    link = tmp_path / "local" / "memgit"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "venv with space" / "bin" / "memgit")
    assert of_programs.maker(link) == ("memgit-tools", "0.2")


def test_programs_on_path_in_a_shells_order_and_none_is_run(tmp_path, monkeypatch):
    theirs = distribution(tmp_path / "theirs", "memgit", "3.1").parent
    ours = distribution(tmp_path / "ours", "memgit-tools", "0.1.0").parent
    unknown = tmp_path / "unknown"
    unknown.mkdir()
    (unknown / "memgit").write_text(f"#!/bin/sh\nmkdir {unknown}/was-run\n")
    (unknown / "memgit").chmod(0o755)
    (tmp_path / "memgit").write_text("not executable")

    def on(*folders):
        monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
        return told(of_programs.on_path(Scene(None)))

    assert [state for state, _ in on(ours, theirs)] == [OK, WARN]
    assert [state for state, _ in on(theirs, ours)] == [BAD, OK]
    assert "another project" in on(theirs)[0][1]
    assert "not known to be ours" in on(unknown)[0][1]
    assert [state for state, _ in on(tmp_path, "", tmp_path / "absent")] == [OK]
    assert not list(tmp_path.rglob("was-run"))


# the agent's settings


@pytest.fixture
def settings(sealed):
    """`settings(value)` writes the person's settings file."""

    def write(value):
        path = sealed / ".claude" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return write


def prompt_hook(**entry):
    return {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", **entry}]}]}}


def test_settings_that_switch_hooks_off(settings, tmp_path):
    scene = Scene(None, here=tmp_path)
    assert told(of_agent.settings(scene)) == []
    path = settings({"disableAllHooks": True, "allowManagedHooksOnly": True})
    assert [state for state, _ in told(of_agent.settings(scene))] == [WARN, WARN]
    assert (
        told(of_agent.settings(scene))[0][1] == f"{path} has disableAllHooks: our hooks do not run"
    )
    settings({"disableAllHooks": False})
    assert told(of_agent.settings(scene)) == []


def test_settings_that_the_agent_ignores_because_they_are_invalid(settings, tmp_path):
    path = settings('{\n  "hooks": {},\n}')
    state, says = only(of_agent.settings(Scene(None, here=tmp_path)))
    assert state == BAD
    assert f"{path}:3:1" in says


def test_settings_of_the_project_one_stands_in_count(settings, tmp_path):
    local = tmp_path / ".claude" / "settings.local.json"
    local.parent.mkdir()
    local.write_text('{"disableAllHooks": true}')
    assert only(of_agent.settings(Scene(None, here=tmp_path)))[0] == WARN


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        ("memgit hook", True),
        ("/opt/other/bin/memgit", True),
        ("cd /tmp && memgit recall", True),
        ("python3 -m memgit hook", True),
        ("python3 -m memgitlike", False),
        ("'/opt/a b/memgit' hook", True),
        ("echo memgit-like", False),
        ("/opt/memgit/run", False),
        ("my-memgit", False),
        (17, False),
    ],
)
def test_hooks_that_start_another_memgit(command, counts, settings, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))  # ours may be on the PATH of whoever tests
    settings(prompt_hook(command=command))
    found = told(of_agent.settings(Scene(None, here=tmp_path)))
    assert [state for state, _ in found] == ([WARN] if counts else [])


def test_our_own_program_in_a_hand_written_hook_is_no_other(settings, tmp_path):
    program = distribution(tmp_path / "venv", "memgit-tools", "0.1.0")
    for entry in (
        {"command": f"{program} recall"},
        {"command": str(program), "args": ["recall"]},
        {"command": str(program.parent / "python3"), "args": ["-m", "memgit", "recall"]},
    ):
        settings(prompt_hook(**entry))
        assert told(of_agent.settings(Scene(None, here=tmp_path))) == []


def test_another_memgit_may_stand_among_the_arguments(settings, tmp_path):
    program = distribution(tmp_path / "venv", "memgit", "3.1")
    for entry in (
        {"command": "env", "args": [str(program), "hook"]},
        {"command": str(program.parent / "python3"), "args": ["-m", "memgit"]},
    ):
        settings(prompt_hook(**entry))
        state, says = only(of_agent.settings(Scene(None, here=tmp_path)))
        assert state == WARN
        assert str(program.parent) in says


# recall, as the settings start it


@pytest.fixture
def connected(memgit, indexed, tmp_path, sealed):
    """The sample store, which an agent is connected to; returns its settings file."""
    done = memgit("--store", indexed.store.root, "install", "claude-code")
    assert done.returncode == 0, done.stderr
    return sealed / ".claude" / "settings.json"


def entry_of(path):
    said = json.loads(path.read_text())
    return said, said["hooks"]["UserPromptSubmit"][0]["hooks"][0]


def test_the_installed_hook_answers_and_is_silent(connected, indexed):
    found = told(of_agent.recall(indexed, indexed.store))
    assert [state for state, _ in found] == [OK, OK]
    assert "ms (" in found[0][1]
    assert "silent" in found[1][1]
    assert not (indexed.store.derived / "sessions").exists()


def test_no_agent_is_connected(indexed):
    assert only(of_agent.recall(indexed, indexed.store)) == (
        WARN,
        "no agent is connected to a store",
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"command": "/nowhere/python"}, "cannot be started"),
        ({"args": ["-I", "-S", "/nowhere/recall.py", "--memgit", "1"]}, "another store"),
        ({"args": ["--memgit", 1]}, "no program and list"),
    ],
)
def test_an_installed_hook_that_cannot_work(change, words, connected, indexed):
    said, entry = entry_of(connected)
    entry.update(change)
    connected.write_text(json.dumps(said))
    state, says = told(of_agent.recall(indexed, indexed.store))[0]
    assert state in (WARN, BAD)
    assert words in says


def test_a_launcher_that_is_gone(connected, indexed):
    said, entry = entry_of(connected)
    entry["args"][4] = "/nowhere/hooks/recall.py"
    connected.write_text(json.dumps(said))
    state, says = told(of_agent.recall(indexed, indexed.store))[0]
    assert state == BAD
    assert "recalled none" in says  # it is silent, so that no prompt is refused


def test_a_hook_that_finds_no_table(connected, indexed):
    for path in Index(indexed.store).table.iterdir():
        path.unlink()
    state, says = told(of_agent.recall(indexed, indexed.store))[0]
    assert state == BAD
    assert "recalled none" in says


def test_a_plugin_counts_as_connected(settings, indexed):
    settings({"enabledPlugins": {"memgit@somewhere": True}})
    found = told(of_agent.recall(indexed, indexed.store))
    assert [state for state, _ in found] == [OK, OK, OK]
    assert "memgit@somewhere" in found[0][1]


def test_hooks_that_name_what_is_gone_and_a_hook_that_is_missing(connected, tmp_path):
    scene = Scene(None, here=tmp_path)
    assert [state for state, _ in told(of_agent.settings(scene))] == [OK]
    said, entry = entry_of(connected)
    entry["args"][4] = "/nowhere/recall.py"
    del said["hooks"]["SessionStart"]
    connected.write_text(json.dumps(said))
    found = told(of_agent.settings(scene))
    assert [state for state, _ in found] == [WARN, BAD, OK]
    assert "SessionStart is missing" in found[0][1]
    assert found[1][1].endswith("not there: /nowhere/recall.py")


# git hooks and the gate


@pytest.fixture
def adopted(memgit, sample) -> Scene:
    """The sample store with its git hooks and its gate."""
    done = memgit("init", sample)
    assert done.returncode == 0, done.stderr
    return Scene(Store.at(sample))


def hooked(scene):
    return only(of_hooks.reachable(scene, scene.store))


def gated(scene):
    return only(of_hooks.gate(scene, scene.store))


def behind(scene):
    """Commit without hooks, so that the index stays where it was."""
    repository = scene.store.repository
    (scene.store.root / "new.md").write_text("new\n")
    repository.run("add", "new.md")
    repository.run("commit", "--quiet", "--message=new")


def test_git_hooks_that_are_there_run(adopted):
    state, says = hooked(adopted)
    assert (state, says[:38]) == (OK, "post-commit ran, the index is at HEAD,")
    assert gated(adopted)[0] == OK


def test_a_hook_is_proved_by_the_index_that_moves(adopted):
    behind(adopted)
    assert hooked(adopted)[1].startswith("post-commit brought the index up to date")
    assert only(of_store.index(adopted, adopted.store))[0] == OK


def test_no_hooks_no_gate(indexed):
    assert hooked(indexed)[0] == BAD
    assert gated(indexed)[0] == WARN


def test_a_hook_that_git_passes_over(adopted):
    (adopted.store.root / ".git/hooks/post-merge").chmod(0o644)
    (adopted.store.root / ".git/hooks/post-rewrite").unlink()
    state, says = hooked(adopted)
    assert state == BAD
    assert says.endswith("not executable: post-merge, post-rewrite")


def test_hooks_that_git_does_not_look_for_there(adopted, git, tmp_path):
    git(adopted.store.root, "config", "core.hooksPath", str(tmp_path / "elsewhere"))
    assert hooked(adopted)[0] == BAD


def test_the_persons_own_hook_is_not_run_by_an_examination(memgit, sample):
    own = sample / ".git" / "hooks" / "post-commit"
    own.write_text("#!/bin/sh\ntouch was-run\n")
    own.chmod(0o755)
    memgit("init", sample)
    (sample / "was-run").unlink(missing_ok=True)
    scene = Scene(Store.at(sample))
    behind(scene)
    state, says = hooked(scene)
    assert state == OK
    assert says.startswith("memgit's part of post-commit, beside a hook of yours, brought")
    assert not (sample / "was-run").exists()


def test_hooks_under_husky(memgit, sample, git):
    generated = sample / ".husky" / "_"
    generated.mkdir(parents=True)
    git(sample, "config", "core.hooksPath", ".husky/_")
    memgit("init", sample)
    assert hooked(Scene(Store.at(sample)))[0] == OK


def test_hooks_that_stand_in_for_a_folder_outside(memgit, sample, git, tmp_path):
    (tmp_path / "outside").mkdir()
    git(sample, "config", "--global", "core.hooksPath", str(tmp_path / "outside"))
    memgit("init", sample)
    assert hooked(Scene(Store.at(sample)))[0] == OK


def test_a_memgit_that_is_gone_is_noticed_though_its_hook_keeps_quiet(adopted):
    for name in ("hook", "bin/memgit"):
        path = adopted.store.root / ".git" / "memgit" / name
        text = path.read_text().replace(sys.executable, "/nowhere/python")
        path.write_text(text)
    state, says = hooked(adopted)
    assert state == BAD
    assert "does not start" in says


def test_a_hook_is_not_tried_in_the_middle_of_a_rebase(adopted):
    (adopted.store.root / ".git" / "rebase-merge").mkdir()
    assert hooked(adopted)[1].endswith("not tried while a rebase is unfinished")


def test_a_gate_that_is_not_in_the_configuration_or_that_no_hook_runs(adopted):
    config = adopted.store.root / ".pre-commit-config.yaml"
    hook = adopted.store.root / ".git" / "hooks" / "pre-commit"
    hook.rename(hook.with_suffix(".away"))
    assert gated(adopted)[1].startswith("no git hook runs the gate")
    hook.with_suffix(".away").rename(hook)
    config.write_text("repos: []\n")
    assert "does not name the gate" in gated(adopted)[1]
    config.unlink()
    assert "does not name the gate" in gated(adopted)[1]


# the agent's own memory folders


@pytest.fixture
def agent(sealed):
    """`agent(project, *sessions)`: a memory folder as the agent makes it; returns the folder."""

    def make(project, *sessions, memories=2, slug=None):
        folder = sealed / ".claude" / "projects" / (slug or slug_of(str(project)))
        (folder / "memory").mkdir(parents=True, exist_ok=True)
        (folder / "memory" / "MEMORY.md").write_text("- [One](1.md)\n")
        for number in range(memories):
            (folder / "memory" / f"{number}.md").write_text("text\n")
        for number, place in enumerate(sessions):
            lines = [{"type": "mode"}, {"type": "user", "cwd": str(place), "message": {}}]
            name = f"{len(list(folder.glob('*.jsonl')))}-{number}.jsonl"
            (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        return folder

    return make


def looked(**options):
    return told(of_projects.projects(Scene(None, **options)))


def project(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def test_no_agent_no_finding(sealed):
    assert looked() == []


def test_a_project_with_its_own_folder_is_fine(agent, tmp_path):
    here = project(tmp_path / "app")
    agent(here, here)
    state, says = only(of_projects.projects(Scene(None)))
    assert (state, says[:15]) == (OK, "1 memory folder")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("work/a-b", "work/a/b"),
        ("会社甲/app", "会社乙/app"),
        ("a_b", "a.b"),
        ("x/日本語版", "x/英語新版"),
    ],
)
def test_two_projects_in_one_folder(one, other, agent, tmp_path):
    first, second = project(tmp_path / one), project(tmp_path / other)
    folder = agent(first, first)
    assert agent(second, second) == folder
    state, says = only(of_projects.projects(Scene(None)))
    assert state == BAD
    assert str(first) in says
    assert str(second) in says
    assert "2 memories of 2 projects" in says


def test_a_project_that_shared_a_folder_and_is_gone(agent, tmp_path):
    first, second = project(tmp_path / "a-b"), project(tmp_path / "a" / "b")
    agent(first, first, second)
    second.rmdir()
    assert only(of_projects.projects(Scene(None)))[0] == WARN


def test_a_session_in_a_subfolder_of_another_repository_shares_nothing(agent, tmp_path, git):
    """Its transcript lies in the same folder, but its memories are kept at its repository's top."""
    first = project(tmp_path / "a-b")
    git(project(tmp_path / "a"), "init", "--quiet")
    inside = project(tmp_path / "a" / "b")
    agent(first, first, inside)
    assert only(of_projects.projects(Scene(None)))[0] == OK


def test_one_project_by_two_paths_is_one(agent, tmp_path):
    real = project(tmp_path / "a" / "b")
    (tmp_path / "a-b").symlink_to(real)
    agent(real, real, tmp_path / "a-b")
    assert only(of_projects.projects(Scene(None)))[0] == OK


def test_a_project_that_is_gone_leaves_its_memories(agent, tmp_path):
    folder = agent(tmp_path / "gone", tmp_path / "gone", memories=1)
    (finding,) = of_projects.projects(Scene(None))
    assert finding.state == WARN
    assert finding.says == (
        f"1 memory in {folder / 'memory'} left behind: "
        f"its project {tmp_path / 'gone'} is no longer there"
    )
    assert finding.do == f"memgit import {folder / 'memory'}"


def test_memories_that_the_store_has_taken_over_are_not_left_behind(agent, tmp_path, sample):
    folder = agent(tmp_path / "gone", tmp_path / "gone", memories=2)
    store = Store.at(sample)
    assert [finding.state for finding in of_projects.projects(Scene(store))] == [WARN]
    import_memories(store, [folder / "memory"])
    assert WARN not in [finding.state for finding in of_projects.projects(Scene(store))]
    (folder / "memory" / "later.md").write_text("Written after that.\n")
    (finding,) = of_projects.projects(Scene(store))
    assert finding.says.startswith("1 memory in")


def test_without_a_transcript_the_project_is_looked_for(agent, tmp_path):
    agent(project(tmp_path / "会社" / "a-b.c"))
    assert only(of_projects.projects(Scene(None)))[0] == OK
    agent(tmp_path / "away" / "app")
    found = looked()
    assert [state for state, _ in found] == [WARN, OK]
    assert "no folder on this machine fits its name" in found[0][1]


def test_a_worktrees_folder_that_the_agent_no_longer_reads(agent, tmp_path, sample, git):
    tree = tmp_path / "tree"
    git(sample, "worktree", "add", "--quiet", str(tree))
    agent(tree, tree)
    agent(sample, sample)
    found = looked()
    assert [state for state, _ in found] == [WARN, OK]
    assert f"the agent now keeps those of {tree} with {sample}" in found[0][1]


def test_an_index_alone_is_nothing_to_lose(agent, tmp_path):
    agent(tmp_path / "gone", tmp_path / "gone", memories=0)
    assert looked() == []


@pytest.mark.parametrize(
    "line", [b"{", b'{"cwd": 3}', b'{"cwd": "relative"}', b'["cwd"]', b'"cwd"', b"\xff\xfe\x00"]
)
def test_odd_transcripts_are_no_evidence(line, agent, tmp_path):
    here = project(tmp_path / "app")
    folder = agent(here)
    (folder / "odd.jsonl").write_bytes(line + b"\n")
    (folder / "folder.jsonl").mkdir()
    (folder / "long.jsonl").write_bytes(b"x" * 200_000 + b'\n{"cwd": "/late"}\n')
    assert only(of_projects.projects(Scene(None)))[0] == OK


def test_the_work_on_transcripts_is_bounded(agent, tmp_path, monkeypatch):
    here = project(tmp_path / "app")
    agent(here, *[here] * 40)
    opened = []
    real = of_projects.first_cwd
    monkeypatch.setattr(of_projects, "first_cwd", lambda path: opened.append(path) or real(path))
    assert only(of_projects.projects(Scene(None)))[0] == OK
    assert len(opened) == of_projects.TRANSCRIPTS


# the whole


def test_the_table_has_a_name_for_every_check():
    assert len({check for _, check in CHECKS}) == len(CHECKS)
    assert all(subject and len(subject) < 10 for subject, _ in CHECKS)


def test_words_for_numbers():
    assert [several(n, "memory") for n in (0, 1, 2)] == ["0 memories", "1 memory", "2 memories"]
    assert several(3, "memory folder") == "3 memory folders"
    assert some(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
