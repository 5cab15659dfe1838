"""`memgit install claude-code` and back: a person's settings with our hooks, and without."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit import __version__
from memgit.domain.connecting.agent import GUARD, is_ours
from memgit.domain.connecting.agents.claude_code import CLAUDE_CODE
from memgit.domain.connecting.wiring import Wiring, connected, disconnected, is_harvesting
from tests.conftest import ROOT, Run

PROMPT, START = (hook.name for hook in CLAUDE_CODE.hooks)
ENDS = tuple(hook.name for hook in CLAUDE_CODE.ends)

PORT = "psql says connection refused when I connect to staging from my laptop, which port was it?"

PERSONS = """\
{
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)", "Read"], "deny": []},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "UserPromptSubmit": [
            {"hooks": [{"type": "command", "command": "date"}]}
        ]
    },
    "note": "日本語 \\u00e9"
}"""


@pytest.fixture
def settings(sealed: Path) -> Path:
    """The person's settings file, with content of their own."""
    path = sealed / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(PERSONS, encoding="utf-8")
    return path


def entries(path: Path, event: str) -> list[dict[str, Any]]:
    """The entries of ours for an event."""
    groups = json.loads(path.read_text("utf-8"))["hooks"].get(event, [])
    return [hook for group in groups for hook in group["hooks"] if is_ours(hook)]


def done(ended: "subprocess.CompletedProcess[str]") -> str:
    """What a command printed; fails where it failed."""
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


# ---------------------------------------------------------------------------- what is written


def test_the_hooks_name_programs_in_full_and_run(memgit: Run, sample: Path, settings: Path) -> None:
    done(memgit("--store", sample, "index"))
    said = done(memgit("--store", sample, "install", "claude-code"))
    assert f"{settings}: Claude Code now asks {sample}" in said
    (hook,) = entries(settings, PROMPT)
    (start,) = entries(settings, START)
    bare = os.path.realpath(sys.executable)
    recall, session_start = (ROOT / "hooks" / name for name in ("recall.py", "session_start.py"))
    words = ["--memgit", __version__, "--store", str(sample)]
    assert hook == {
        "type": "command",
        "command": bare,
        "args": ["-I", "-S", "-c", GUARD, str(recall), *words],
        "timeout": 5,
    }
    assert start == {
        **hook,
        "args": ["-I", "-S", "-c", GUARD, str(session_start), *words, "--python", sys.executable],
    }
    event = {"session_id": "1", "prompt": PORT}
    ran = subprocess.run(
        [hook["command"], *hook["args"]], input=json.dumps(event).encode(), capture_output=True
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"staging-database" in ran.stdout


def test_every_timeout_is_of_a_few_seconds(memgit: Run, store: Path, settings: Path) -> None:
    done(memgit("--store", store, "install", "claude-code", "--harvest"))
    shipped = json.loads((ROOT / "hooks" / "hooks" / "hooks.json").read_text("utf-8"))
    for hooks in (json.loads(settings.read_text("utf-8"))["hooks"], shipped["hooks"]):
        for event in (PROMPT, START, *ENDS):
            for hook in hooks[event][-1]["hooks"]:
                assert 0 < hook["timeout"] <= 5


def test_sessions_are_harvested_only_on_wish_and_that_is_told(
    memgit: Run, store: Path, settings: Path
) -> None:
    install = ("--store", store, "install", "claude-code")
    assert "a model" not in done(memgit(*install))
    assert not is_harvesting(json.loads(settings.read_text("utf-8")))
    without = settings.read_bytes()
    said = done(memgit(*install, "--harvest"))
    assert "a model reads them in the background" in said
    for event in ENDS:
        (entry,) = entries(settings, event)
        assert entry["args"][4:] == [
            str(ROOT / "hooks" / "session_event.py"), "--memgit", __version__,
            "--store", str(store), "--python", sys.executable,
        ]  # fmt: skip
    (start,) = entries(settings, START)
    assert start["args"][-1] == "--harvest"
    with_it = settings.read_bytes()
    assert "nothing changed" in done(memgit(*install))  # it stays as it is
    assert settings.read_bytes() == with_it
    done(memgit(*install, "--no-harvest"))
    assert settings.read_bytes() == without
    done(memgit(*install, "--harvest"))
    done(memgit("uninstall", "claude-code"))
    assert settings.read_text("utf-8") == PERSONS


def test_what_the_person_wrote_stays_character_for_character(
    memgit: Run, store: Path, settings: Path
) -> None:
    done(memgit("--store", store, "install", "claude-code", "--auto-memory"))
    lines = settings.read_text("utf-8").splitlines()
    kept = PERSONS.splitlines()
    missing = [line for line in kept if line not in lines and f"{line}," not in lines]
    assert missing == []
    written = json.loads(settings.read_text("utf-8"))
    assert list(written) == ["model", "permissions", "hooks", "note", "autoMemoryDirectory"]
    assert list(written["hooks"]) == ["Stop", "UserPromptSubmit", "SessionStart"]
    assert not settings.read_text("utf-8").endswith("\n")


def test_a_second_run_changes_nothing(memgit: Run, store: Path, settings: Path) -> None:
    done(memgit("--store", store, "install", "claude-code", "--auto-memory"))
    first, when = settings.read_bytes(), settings.stat().st_mtime_ns
    for options in ((), ("--auto-memory",)):
        assert "already; nothing changed" in done(
            memgit("--store", store, "install", "claude-code", *options)
        )
    assert (settings.read_bytes(), settings.stat().st_mtime_ns) == (first, when)


def test_a_store_that_moved_replaces_the_entries(
    memgit: Run, store: Path, settings: Path, tmp_path: Path
) -> None:
    done(memgit("--store", store, "install", "claude-code", "--auto-memory"))
    other = tmp_path / "a b" / "日本"
    other.parent.mkdir()
    store.rename(other)
    done(memgit("--store", other, "install", "claude-code"))
    for event in (PROMPT, START):
        (entry,) = entries(settings, event)
        assert entry["args"][8] == str(other)
    assert json.loads(settings.read_text("utf-8"))["autoMemoryDirectory"] == str(other)
    assert str(other) in settings.read_text("utf-8")  # as it is written, not escaped
    done(memgit("uninstall", "claude-code"))
    assert settings.read_text("utf-8") == PERSONS


def test_entries_of_an_older_version_are_brought_up_to_date(
    memgit: Run, store: Path, settings: Path
) -> None:
    done(memgit("--store", store, "install", "claude-code"))
    now = settings.read_text("utf-8")
    older = now.replace(f'"{__version__}"', '"0.0.1"').replace("-I", "-E")
    settings.write_text(older, "utf-8")
    done(memgit("--store", store, "install", "claude-code"))
    assert settings.read_text("utf-8") == now


def test_entries_that_stand_twice_are_made_one(memgit: Run, store: Path, settings: Path) -> None:
    done(memgit("--store", store, "install", "claude-code"))
    written = json.loads(settings.read_text("utf-8"))
    written["hooks"][PROMPT] += [written["hooks"][PROMPT][-1]] * 2
    settings.write_text(json.dumps(written), "utf-8")
    done(memgit("--store", store, "install", "claude-code"))
    assert len(entries(settings, PROMPT)) == 1
    assert len(json.loads(settings.read_text("utf-8"))["hooks"][PROMPT]) == 2


def test_a_linked_store_is_named_by_its_true_path(
    memgit: Run, store: Path, settings: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(store)
    done(memgit("--store", link, "install", "claude-code", "--auto-memory"))
    assert entries(settings, PROMPT)[0]["args"][8] == str(store.resolve())
    assert json.loads(settings.read_text("utf-8"))["autoMemoryDirectory"] == str(store.resolve())


def test_a_store_path_that_json_cannot_hold_is_refused(
    memgit: Run, store: Path, settings: Path, tmp_path: Path
) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    try:
        store.rename(odd)
    except OSError:
        pytest.skip("this file system has no names that are not UTF-8")
    ended = memgit("install", "claude-code", cwd=odd)
    assert ended.returncode == 2
    assert "a path that is not UTF-8 cannot stand in settings" in ended.stderr
    assert settings.read_text("utf-8") == PERSONS


# ---------------------------------------------------------------------------- where


def test_settings_that_are_not_there_are_made_and_taken_away(
    memgit: Run, store: Path, sealed: Path
) -> None:
    done(memgit("--store", store, "install", "claude-code"))
    path = sealed / ".claude" / "settings.json"
    assert path.read_text("utf-8").startswith('{\n  "hooks": {\n')
    assert path.read_text("utf-8").endswith("}\n")
    done(memgit("uninstall", "claude-code"))
    assert list(path.parent.iterdir()) == []


def test_the_configuration_folder_is_honoured(
    memgit: Run, store: Path, tmp_path: Path, settings: Path
) -> None:
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "config dir")}
    done(memgit("--store", store, "install", "claude-code", env=environment))
    assert entries(tmp_path / "config dir" / "settings.json", PROMPT)
    assert settings.read_text("utf-8") == PERSONS


def test_the_store_is_recorded_for_commands_from_anywhere(
    memgit: Run, store: Path, sample: Path, sealed: Path, tmp_path: Path
) -> None:
    record = sealed / ".config" / "memgit" / "store"
    done(memgit("--store", store, "install", "claude-code", "--dry-run"))
    assert not record.exists()
    done(memgit("--store", store, "install", "claude-code"))
    assert record.read_text("utf-8") == f"{store}\n"
    team = tmp_path / "project" / ".claude" / "settings.json"
    done(memgit("--store", sample, "install", "claude-code", "--settings", team))
    assert record.read_text("utf-8") == f"{store}\n"  # the person's own store stays theirs
    done(memgit("--store", sample, "install", "claude-code"))
    assert record.read_text("utf-8") == f"{sample}\n"


def test_where_the_settings_cannot_be_written_no_store_is_recorded(
    memgit: Run, store: Path, sealed: Path
) -> None:
    ended = memgit("--store", store, "install", "codex", env={"CODEX_HOME": "/dev/fd"})
    assert ended.returncode == 3
    assert "nothing was changed" in ended.stderr
    assert not (sealed / ".config" / "memgit" / "store").exists()


def test_a_linked_settings_file_stays_a_link(
    memgit: Run, store: Path, settings: Path, tmp_path: Path
) -> None:
    target = tmp_path / "dotfiles.json"
    settings.rename(target)
    settings.symlink_to(target)
    done(memgit("--store", store, "install", "claude-code"))
    assert settings.is_symlink()
    assert entries(target, PROMPT)
    done(memgit("uninstall", "claude-code"))
    assert settings.is_symlink()
    assert target.read_text("utf-8") == PERSONS


# ---------------------------------------------------------------------------- looking first


def test_a_dry_run_prints_the_diff_and_changes_nothing(
    memgit: Run, store: Path, settings: Path
) -> None:
    shown = done(memgit("--store", store, "install", "claude-code", "--dry-run"))
    lines = shown.splitlines()
    assert lines[:2] == [f"--- {settings}", f"+++ {settings}"]
    assert sum(line.startswith("+") and line.endswith('"timeout": 5') for line in lines) == 2
    assert settings.read_text("utf-8") == PERSONS
    assert list(settings.parent.iterdir()) == [settings]
    subprocess.run(["git", "apply", "-p1", "-"], input=shown, text=True, cwd="/", check=True)
    as_shown = settings.read_bytes()
    settings.write_text(PERSONS, "utf-8")
    done(memgit("--store", store, "install", "claude-code"))
    assert settings.read_bytes() == as_shown
    undo = done(memgit("uninstall", "claude-code", "--dry-run"))
    assert (
        sum(line.startswith("-") and line.endswith('"timeout": 5') for line in undo.splitlines())
        == 2
    )


def test_programs_get_json(memgit: Run, store: Path, settings: Path) -> None:
    run = ("--store", store, "install", "claude-code", "--json")
    first, second = (json.loads(done(memgit(*run))) for _ in range(2))
    backup = f"{settings}.memgit-backup"
    assert first.pop("diff").startswith("--- ")
    assert first == {
        "settings": str(settings), "store": str(store), "changed": True, "backup": backup,
        "harvest": False,
    }  # fmt: skip
    assert (second["changed"], second["diff"]) == (False, "")
    away = json.loads(done(memgit("uninstall", "claude-code", "--json")))
    assert (away["settings"], away["changed"]) == (str(settings), True)


def test_what_else_bears_on_the_hooks_is_said(memgit: Run, store: Path, settings: Path) -> None:
    other = {"enabledPlugins": {"memgit@memgit": True, "memgit@x": False}, "disableAllHooks": True}
    settings.write_text(json.dumps(other), "utf-8")
    said = memgit("--store", store, "install", "claude-code").stderr
    assert "the plugin memgit@memgit is switched on too; together they answer a prompt once" in said
    assert "has disableAllHooks: our hooks do not run" in said
    assert "memgit@x" not in said


def test_help_tells_of_the_plugin_with_its_place(memgit: Run) -> None:
    shown = " ".join(done(memgit("install", "claude-code", "--help")).split())
    assert f"claude plugin install memgit --marketplace {ROOT / 'hooks'}" in shown
    assert done(memgit("install", "--help"))
    assert memgit("install", "no-such-agent").returncode == 2


# ---------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{\n  "model": "opus",\n}', "3:1: a comma before a closing bracket"),
        ('{\n  // mine\n  "model": "opus"\n}', "2:3: a comment; JSON has none"),
        ("{} {}", "1:4: extra data"),
        ('{"hooks": []}', "hooks is a list, not an object"),
        ('{"hooks": {"UserPromptSubmit": {}}}', "hooks.UserPromptSubmit is an object, not a list"),
        ('{"hooks": {}, "hooks": {}}', 'the key "hooks" stands here a second time'),
        ('{"permissions": []}', "permissions is a list, not an object"),
    ],
)
def test_settings_that_are_invalid_are_told_and_left(
    memgit: Run, store: Path, settings: Path, text: str, says: str
) -> None:
    settings.write_text(text, "utf-8")
    for verb in ("install", "uninstall"):
        ended = memgit("--store", store, verb, "claude-code")
        assert ended.returncode == 2
        assert ended.stdout == ""
        first, second = ended.stderr.splitlines()
        assert first.startswith(f"memgit: {settings}:")
        assert says in first
        assert "nothing was changed" in second
    assert settings.read_text("utf-8") == text
    assert list(settings.parent.iterdir()) == [settings]


def test_settings_in_another_encoding_are_told_and_left(
    memgit: Run, store: Path, settings: Path
) -> None:
    data = '{\n  "note": "日本"\n}'.encode("cp932")
    settings.write_bytes(data)
    ended = memgit("--store", store, "install", "claude-code")
    assert ended.returncode == 2
    assert f"{settings}:2:12: byte 0x93 is not UTF-8" in ended.stderr
    assert settings.read_bytes() == data


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder"])
def test_settings_that_are_no_file_are_told_and_left(
    memgit: Run, store: Path, settings: Path, tmp_path: Path, kind: str
) -> None:
    target = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(target)
    elif kind == "socket":  # as unfit as a device, and nobody misses it where this test fails
        os.mknod(target, stat.S_IFSOCK | 0o600)
    else:
        target.mkdir()
    before = target.stat()
    settings.unlink()
    settings.symlink_to(target)
    for verb in ("install", "uninstall"):
        ended = memgit("--store", store, verb, "claude-code")
        assert (ended.returncode, ended.stdout) == (3, "")
        assert ended.stderr == f"memgit: {target}: not a regular file\n  nothing was changed\n"
    assert (target.stat().st_ino, target.stat().st_mode) == (before.st_ino, before.st_mode)
    assert list(settings.parent.iterdir()) == [settings]


def test_without_a_store_nothing_is_connected(memgit: Run, settings: Path, tmp_path: Path) -> None:
    assert memgit("install", "claude-code").returncode == 3
    assert memgit("--store", tmp_path / "gone", "install", "claude-code").returncode == 3
    assert settings.read_text("utf-8") == PERSONS


# ---------------------------------------------------------------------------- and back


@pytest.mark.parametrize(
    "text",
    [
        PERSONS,
        "",
        "{}",
        "{ }\n",
        '{"a":1}',
        '{"hooks": {}}',
        '{"hooks": {"SessionStart": [], "UserPromptSubmit": []}}',
        '\ufeff{\r\n\t"a": [ 1,2 ]\r\n}\r\n',
        '{"autoMemoryDirectory": "~/mine", "z": 1}',
    ],
)
@pytest.mark.parametrize("options", [(), ("--auto-memory",)])
def test_uninstall_restores_every_byte(
    memgit: Run, store: Path, settings: Path, text: str, options: tuple[str, ...]
) -> None:
    settings.write_bytes(text.encode())
    done(memgit("--store", store, "install", "claude-code", *options))
    assert settings.read_bytes() != text.encode()
    done(memgit("uninstall", "claude-code"))
    assert settings.read_bytes() == text.encode()
    assert list(settings.parent.iterdir()) == [settings]
    assert "nothing of memgit is in it" in done(memgit("uninstall", "claude-code"))


def test_what_the_person_changed_since_stays(memgit: Run, store: Path, settings: Path) -> None:
    done(memgit("--store", store, "install", "claude-code", "--auto-memory"))
    text = settings.read_text("utf-8")
    ours = text[text.index('        "SessionStart"') :]
    assert ours
    changed = text.replace('"opus"', '"sonnet"').replace('"deny": []', '"deny": ["Write"]')
    settings.write_text(changed, "utf-8")
    done(memgit("uninstall", "claude-code"))
    wanted = PERSONS.replace('"opus"', '"sonnet"').replace('"deny": []', '"deny": ["Write"]')
    assert settings.read_text("utf-8") == wanted
    assert settings.with_name("settings.json.memgit-backup").read_text("utf-8") == PERSONS


def test_a_hook_that_the_person_put_beside_ours_stays(
    memgit: Run, store: Path, settings: Path
) -> None:
    done(memgit("--store", store, "install", "claude-code"))
    written = json.loads(settings.read_text("utf-8"))
    theirs = {"type": "command", "command": "mine"}
    written["hooks"][START][0]["hooks"].append(theirs)
    written["hooks"][PROMPT][-1]["memo"] = "keep"
    settings.write_text(json.dumps(written, indent=2), "utf-8")
    done(memgit("uninstall", "claude-code"))
    left = json.loads(settings.read_text("utf-8"))
    assert left["hooks"][START] == [{"hooks": [theirs]}]
    assert left["hooks"][PROMPT][-1] == {"hooks": [], "memo": "keep"}


def test_auto_memory_goes_back_to_where_it_was(memgit: Run, store: Path, settings: Path) -> None:
    mine = json.dumps({"autoMemoryDirectory": "~/mine", "z": 1})
    settings.write_text(mine, "utf-8")
    done(memgit("--store", store, "install", "claude-code", "--auto-memory"))
    assert json.loads(settings.read_text("utf-8"))["autoMemoryDirectory"] == str(store)
    (start,) = entries(settings, START)
    assert start["args"][-1] == "--save"
    settings.write_text(settings.read_text("utf-8").replace('"z": 1', '"z": 2'), "utf-8")
    done(memgit("uninstall", "claude-code"))
    assert json.loads(settings.read_text("utf-8")) == {"autoMemoryDirectory": "~/mine", "z": 2}


def test_auto_memory_that_the_person_moved_since_is_theirs(
    memgit: Run, store: Path, settings: Path
) -> None:
    done(memgit("--store", store, "install", "claude-code", "--auto-memory"))
    text = settings.read_text("utf-8")
    moved = text.replace(f'"autoMemoryDirectory": "{store}"', '"autoMemoryDirectory": "~/new"')
    settings.write_text(moved, "utf-8")
    done(memgit("--store", store, "install", "claude-code"))
    assert json.loads(settings.read_text("utf-8"))["autoMemoryDirectory"] == "~/new"
    assert entries(settings, START)[0]["args"][-1] != "--save"
    done(memgit("uninstall", "claude-code"))
    assert json.loads(settings.read_text("utf-8"))["autoMemoryDirectory"] == "~/new"


def test_without_an_agent_the_git_hooks_go(memgit: Run, tmp_path: Path, settings: Path) -> None:
    folder = tmp_path / "mine"
    done(memgit("init", folder))
    done(memgit("--store", folder, "install", "claude-code"))
    before = settings.read_bytes()
    hooks = folder / ".git" / "hooks"
    assert any("memgit" in path.read_text() for path in hooks.glob("post-*") if path.suffix == "")
    assert done(memgit("--store", folder, "uninstall"))
    assert not any("memgit" in path.read_text() for path in hooks.iterdir())
    assert settings.read_bytes() == before
    assert "no hooks of memgit" in done(memgit("--store", folder, "uninstall"))


def test_a_store_elsewhere_keeps_its_hooks_until_it_is_named(
    memgit: Run, tmp_path: Path, settings: Path
) -> None:
    folder, elsewhere = tmp_path / "mine", tmp_path / "elsewhere"
    elsewhere.mkdir()
    done(memgit("init", folder))
    done(memgit("--store", folder, "install", "claude-code"))
    hooks = folder / ".git" / "hooks"
    before = {path.name: path.read_bytes() for path in hooks.iterdir()}
    ended = memgit("uninstall", cwd=elsewhere)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert f"memgit uninstall --store {folder}" in ended.stderr
    assert {path.name: path.read_bytes() for path in hooks.iterdir()} == before
    assert str(folder) in done(memgit("uninstall", "--store", folder, cwd=elsewhere))
    assert str(folder) in done(memgit("uninstall", cwd=folder))
    assert not any("memgit" in path.read_text() for path in hooks.iterdir())


# ---------------------------------------------------------------------------- any settings

WIRING = Wiring(CLAUDE_CODE, "/store", Path("/hooks"), "/bin/python3", "/venv/bin/python")
hooks = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=3)})
groups = st.lists(
    st.fixed_dictionaries({"hooks": st.lists(hooks, max_size=2)}, optional={"matcher": st.text()}),
    max_size=2,
)
persons = st.fixed_dictionaries(
    {},
    optional={
        "model": st.text(max_size=3),
        "hooks": st.dictionaries(st.sampled_from([PROMPT, START, "Stop"]), groups),
        "autoMemoryDirectory": st.text(max_size=3),
        "env": st.dictionaries(st.text(max_size=3), st.text(max_size=3)),
    },
)


@given(persons, st.sampled_from([None, 2, "\t"]), st.booleans(), st.booleans())
def test_whatever_a_person_wrote_survives_both_ways(
    person: dict[str, Any], indent: int | str | None, auto_memory: bool, harvest: bool
) -> None:
    text = json.dumps(person, indent=indent, ensure_ascii=False)
    wiring = Wiring(**{**vars(WIRING), "auto_memory": auto_memory, "harvest": harvest})
    there = connected(text, wiring)
    assert connected(there, wiring) == connected(there, WIRING) == there
    events = (PROMPT, START, *(ENDS if harvest else ()))
    assert all(len(_ours(json.loads(there), event)) == 1 for event in events)
    back = disconnected(there, CLAUDE_CODE)
    assert _full(json.loads(back)) == _full(person)
    assert disconnected(back, CLAUDE_CODE) == back
    hooks = person.get("hooks")
    if hooks is None or (hooks and all(hooks.get(event, True) for event in events)):
        assert back == text


def _ours(settings: dict[str, Any], event: str) -> list[Any]:
    return [h for g in settings["hooks"][event] for h in g["hooks"] if is_ours(h)]


def _full(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings without places for hooks that hold none, which the agent cannot tell apart."""
    kept = {event: groups for event, groups in settings.get("hooks", {}).items() if groups}
    return {**{k: v for k, v in settings.items() if k != "hooks"}, "hooks": kept}


def test_no_shell_is_needed_where_names_have_spaces(
    memgit: Run, sample: Path, settings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "a b" / "日本 $(x) 'q' \"d\""
    shutil.copytree(sample, folder)
    done(memgit("--store", folder, "index"))
    done(memgit("--store", folder, "install", "claude-code"))
    (hook,) = entries(settings, PROMPT)
    event = json.dumps({"prompt": PORT}).encode()
    ran = subprocess.run([hook["command"], *hook["args"]], input=event, capture_output=True)
    assert b"staging-database" in ran.stdout
