"""Where Claude Code keeps its things, what its settings may look like, and the file they are in."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from memgit.errors import StoreError, UsageError
from memgit.ports.agent_settings import hooks_of
from memgit.ports.claude_code import (
    config_dir,
    projects_dir,
    settings_file,
    settings_in,
    slug_of,
)
from memgit.ports.settings_file import Edit, SettingsFile

FILE = Path("settings.json")


# ---------------------------------------------------------------------------- places


def test_the_configuration_is_at_home_or_where_the_variable_says(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert config_dir() == sealed / ".claude"
    assert settings_file() == sealed / ".claude" / "settings.json"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/else where")
    assert projects_dir() == Path("/else where/projects")


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/home/me/ferry_app", "-home-me-ferry-app"),
        ("/home/me/ferry-app", "-home-me-ferry-app"),
        ("/a b/日本", "-a-b---"),
        ("/emo😀ji", "-emo--ji"),
        ("/cafe\u0301", "-cafe-"),
        ("/tmp/" + "x" * 195, "-tmp-" + "x" * 195),
        ("/tmp/" + "x" * 196, "-tmp-" + "x" * 195 + "-diaimx"),
        ("/tmp/" + "é" * 110 + "/" + "y" * 120, "-tmp" + "-" * 112 + "y" * 84 + "-4v6yq0"),
        ("/" + "\ud800" * 2, "---"),
    ],
)
def test_a_slug_is_the_one_that_the_agent_makes(path: str, slug: str) -> None:
    assert slug_of(path) == slug


# ---------------------------------------------------------------------------- settings


def test_hooks_are_found_and_other_shapes_passed_over() -> None:
    entry = {"type": "command", "command": "x"}
    settings = {
        "hooks": {
            "Stop": [{"hooks": [entry, "x", {"a": 1}]}, "x", {"hooks": "x"}, {"matcher": "*"}],
            "Odd": "x",
        }
    }
    found = [(hook.event, hook.group, hook.number, hook.entry) for hook in hooks_of(settings)]
    assert found == [("Stop", 0, 0, entry), ("Stop", 0, 2, {"a": 1})]
    assert list(hooks_of({"hooks": []})) == list(hooks_of({})) == []


ODD: list[tuple[Any, str]] = [
    ({"statusLine": None}, "statusLine is null, not an object"),
    ({"statusLine": {}}, "statusLine has no command"),
    ({"statusLine": {"command": "x"}}, "statusLine has no type"),
    ({"statusLine": {"type": "command", "command": 7}}, "statusLine.command is a number, not a t"),
    ({"model": None}, "model is null, not a text"),
    ({"enabledPlugins": {"a@b": None}}, "enabledPlugins.a@b is null, not true or false"),
    ({"disableAllHooks": "x"}, "disableAllHooks is a text, not true or false"),
    ({"cleanupPeriodDays": True}, "cleanupPeriodDays is true or false, not a whole number"),
]


@pytest.mark.parametrize(
    "settings",
    [
        {"statusLine": {"type": "command", "command": "x", "padding": 0}}, {"nobody": None},
        {"effortLevel": None, "theme": None}, {"env": {"A": None}}, {"disableAllHooks": False},
        {"permissions": {"allow": [7], "other": None}}, {"enabledPlugins": {"a@b": False}},
    ],
)  # fmt: skip
def test_settings_that_are_only_odd_are_taken(settings: dict[str, Any]) -> None:
    assert settings_in(json.dumps(settings), FILE) == settings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{\n  "model": "opus",\n}', "settings.json:3:1: a comma before a closing bracket"),
        ("[]", "settings.json: a list where an object {...} should be"),
        ('"x"', "settings.json: a text where an object"),
        ('{"hooks": []}', "settings.json: hooks is a list, not an object"),
        ('{"hooks": null}', "settings.json: hooks is null, not an object"),
        ('{"hooks": {"Stop": {}}}', "settings.json: hooks.Stop is an object, not a list"),
        ('{"env": []}', "settings.json: env is a list, not an object"),
        ('{"permissions": true}', "settings.json: permissions is true or false, not an object"),
        ('{"permissions": {"allow": 7}}', "settings.json: permissions.allow is a number, not a"),
        *((json.dumps(odd), f"settings.json: {says}") for odd, says in ODD),
    ],
)
def test_settings_that_cannot_work_are_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError) as fault:
        settings_in(text, FILE)
    assert str(fault.value).startswith(says)
    assert "nothing was changed" in fault.value.hint


def test_settings_of_nothing_are_none() -> None:
    assert settings_in("", FILE) == settings_in(" \n", FILE) == settings_in("\ufeff{}", FILE) == {}


# ---------------------------------------------------------------------------- the file


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "settings.json")


def edit(file: SettingsFile, after: bytes | None, keep: bool = False) -> Edit:
    return Edit(file, file.read(), after, keep)


def test_a_file_is_made_with_its_folder_and_taken_away(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "a b" / "日本" / "settings.json")
    assert file.read() is None
    edit(file, b"{}\n").make()
    assert file.path.read_bytes() == b"{}\n"
    edit(file, None).make()
    assert list(file.path.parent.iterdir()) == []


def test_rights_stay_and_the_backup_has_the_same(file: SettingsFile) -> None:
    file.path.write_bytes(b"old")
    file.path.chmod(0o640)
    edit(file, b"new", keep=True).make()
    assert (file.path.read_bytes(), file.backup.read_bytes()) == (b"new", b"old")
    assert {stat.S_IMODE(p.stat().st_mode) for p in (file.path, file.backup)} == {0o640}
    assert sorted(file.path.parent.glob("*settings*")) == [file.path, file.backup]
    edit(file, b"old").make()
    assert file.path.read_bytes() == b"old"
    assert not file.backup.exists()


def test_a_link_stays_one_and_its_target_is_changed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "claude.json"
    target.write_bytes(b"old")
    link = tmp_path / "settings.json"
    link.symlink_to(os.path.relpath(target, tmp_path))
    file = SettingsFile(link)
    edit(file, b"new", keep=True).make()
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert file.backup == target.with_name("claude.json.memgit-backup")


def test_a_link_to_nothing_gets_its_target(tmp_path: Path) -> None:
    link = tmp_path / "settings.json"
    link.symlink_to(tmp_path / "later.json")
    edit(SettingsFile(link), b"{}").make()
    assert (tmp_path / "later.json").read_bytes() == b"{}"


def test_a_change_by_somebody_else_is_never_overwritten(file: SettingsFile) -> None:
    file.path.write_bytes(b"old")
    mine = edit(file, b"new")
    file.path.write_bytes(b"theirs")
    with pytest.raises(StoreError, match="it was changed just now"):
        mine.make()
    assert file.path.read_bytes() == b"theirs"


def test_a_disk_that_takes_nothing_changes_nothing(
    file: SettingsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.path.write_bytes(b"old")

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left") as fault:
        edit(file, b"new").make()
    assert fault.value.hint == "nothing was changed"
    assert [path.name for path in file.path.parent.glob("*settings*")] == ["settings.json"]
    assert file.path.read_bytes() == b"old"


@pytest.mark.parametrize("below", ["file.json", "folder"])
def test_a_path_that_is_no_file_is_told(tmp_path: Path, below: str) -> None:
    (tmp_path / "file.json").write_text("{}")
    (tmp_path / "folder").mkdir()
    path = tmp_path / "file.json" / "x" if below == "file.json" else tmp_path / "folder"
    with pytest.raises(StoreError, match=f"{path}: (Not a directory|not a regular file)"):
        SettingsFile(path).read()


def test_bytes_that_are_no_utf8_are_told_with_their_place(file: SettingsFile) -> None:
    with pytest.raises(UsageError, match=r"settings\.json:2:8: byte 0x93 is not UTF-8"):
        file.text(b'{\n  "a": \x93\xfa}')


def test_a_diff_shows_the_change_line_by_line(file: SettingsFile) -> None:
    file.path.write_bytes(b'{\n  "a": 1\n}')
    assert edit(file, file.read()).diff() == ""
    shown = edit(file, b'{\n  "a": 2\n}\n').diff().splitlines()
    assert shown[:3] == [f"--- {file.path}", f"+++ {file.path}", "@@ -1,3 +1,3 @@"]
    assert shown[3:] == [" {", '-  "a": 1', "-}", "\\ No newline at end of file", '+  "a": 2', "+}"]
    assert edit(file, None).diff().splitlines()[1] == "+++ /dev/null"


def test_what_a_json_file_looks_like_does_not_matter(file: SettingsFile) -> None:
    file.path.write_bytes(json.dumps({"a": "日本"}).encode("utf-8"))
    assert settings_in(file.text(file.read() or b""), file.path) == {"a": "日本"}
