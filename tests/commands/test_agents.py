"""Agents side by side: connected in any order, twice, and let go again in any other."""

import json
import random
import shlex
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgit.domain.connecting.agent import Agent, is_ours, ours_in
from memgit.domain.connecting.agents import AGENTS
from memgit.domain.connecting.wiring import Wiring, connect, connected, disconnect, disconnected
from memgit.errors import UsageError
from memgit.ports.json_text import blanked, load
from memgit.ports.settings_file import SettingsFile
from tests.conftest import Run

CODEX, GEMINI = AGENTS["codex"], AGENTS["gemini"]

PERSONS = {
    "claude-code": b'{\n  "model": "opus",\n  "hooks": {"Stop": [{"hooks": []}]}\n}',
    "codex": b'{"hooks": {"SessionStart": [{"matcher": "startup", "hooks": '
    b'[{"type": "command", "command": "date"}]}]}}\n',
    "gemini": (
        "\ufeff// 私の設定\r\n{\r\n\t\"ui\": {\"theme\": \"x\"}, /* a // b */\r\n"
        "\t\"hooks\": {\r\n\t\t// mine, \"not\" yours\r\n\t\t\"BeforeAgent\": [\r\n"
        "\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"echo '//'\"}]} // last\r\n"
        "\t\t]\r\n\t}\r\n}\r\n"
    ).encode(),
}  # fmt: skip
"""What stood in each settings file before, byte for byte."""


def wiring(agent: Agent, store: str = "/store") -> Wiring:
    return Wiring(agent, store, Path("/hooks"), "/bin/python3", "/venv/bin/python")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A settings file for each agent, with what a person wrote."""
    found = {name: tmp_path / name / "settings.json" for name in AGENTS}
    for name, path in found.items():
        path.parent.mkdir()
        path.write_bytes(PERSONS[name])
    return found


def done(ended: Any) -> str:
    assert ended.returncode == 0, ended.stderr
    return str(ended.stdout)


@pytest.mark.parametrize("order", list(permutations(AGENTS)), ids=" ".join)
@pytest.mark.parametrize("absent", [False, True], ids=["theirs", "no files"])
def test_any_order_in_and_any_order_out(
    files: dict[str, Path], order: tuple[str, ...], absent: bool
) -> None:
    if absent:
        for path in files.values():
            path.unlink()
    for _ in range(2):
        for name in order:
            connect(SettingsFile(files[name]), wiring(AGENTS[name])).make()
    for name, path in files.items():
        settings = AGENTS[name].read(path.read_bytes().decode(), path)
        events = sorted(hook.event for hook in ours_in(settings))
        assert events == sorted(hook.name for hook in AGENTS[name].hooks)
    for _ in range(2):
        for name in random.Random(str(order)).sample(order, len(order)):
            disconnect(SettingsFile(files[name]), AGENTS[name]).make()
    left = {name: path.read_bytes() for name, path in files.items() if path.exists()}
    assert left == ({} if absent else PERSONS)
    assert not any(list(path.parent.glob("*backup*")) for path in files.values())


def test_the_commands_for_every_agent(memgit: Run, sample: Path, sealed: Path) -> None:
    where = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json",
             "gemini": ".gemini/settings.json"}  # fmt: skip
    for name, place in where.items():
        path = sealed / place
        path.parent.mkdir()
        path.write_bytes(PERSONS[name])
        shown = done(memgit("--store", sample, "install", name, "--dry-run"))
        assert path.read_bytes() == PERSONS[name]
        assert shown.startswith(f"--- {path}\n+++ {path}\n")
        said = done(memgit("--store", sample, "install", name))
        assert f"{path}: {AGENTS[name].title} now asks {sample}" in said
        nothing = done(memgit("--store", sample, "install", name, "--dry-run"))
        title = AGENTS[name].title
        assert nothing == f"{path}: {title} is connected to {sample} already; nothing changed\n"
        again = json.loads(done(memgit("--store", sample, "install", name, "--json")))
        assert (again["changed"], again["store"]) == (False, str(sample))
        assert Path(again["backup"]).read_bytes() == PERSONS[name]
    gone = memgit("uninstall", "all", cwd=sealed)
    assert done(gone).count("memgit is out of it") == 3
    nothing = done(memgit("uninstall", "codex", "--dry-run"))
    assert nothing == f"{sealed / '.codex/hooks.json'}: nothing of memgit is in it\n"
    assert {name: (sealed / place).read_bytes() for name, place in where.items()} == PERSONS


def test_one_agent_that_cannot_be_let_go_keeps_no_other(
    memgit: Run, sample: Path, sealed: Path
) -> None:
    for name in AGENTS:
        done(memgit("--store", sample, "install", name))
    (sealed / ".codex" / "hooks.json").write_text('{"hooks": ')
    ended = memgit("uninstall", "all", cwd=sealed)
    assert ended.returncode == 1
    assert ended.stdout.count("memgit is out of it") == 2
    assert "hooks.json:1:11" in ended.stderr
    assert not (sealed / ".gemini" / "settings.json").exists()


def test_codex_home_and_what_its_help_says(
    memgit: Run, store: Path, tmp_path: Path, sealed: Path
) -> None:
    environment = {"CODEX_HOME": str(tmp_path / "codex home")}
    ended = memgit("--store", store, "install", "codex", env=environment)
    path = tmp_path / "codex home" / "hooks.json"
    assert f"{path}: Codex now asks {store}" in done(ended)
    says, do = ended.stderr.splitlines()
    assert says.endswith("until you trust them")
    assert do.startswith("  review them")
    assert not (sealed / ".codex").exists()
    (hook,) = [hook for hook in ours_in(load(path.read_text())) if hook.event == "SessionStart"]
    assert shlex.split(hook.entry["command"])[4:8] == ["--memgit", "codex", "--store", str(store)]
    helped = " ".join(done(memgit("install", "codex", "--help")).split())
    assert "Its sessions are not harvested." in helped
    assert "--harvest" not in helped
    assert "--auto-memory" not in helped


def test_gemini_does_not_take_a_path_in_which_it_would_put_a_variable(
    memgit: Run, sample: Path, tmp_path: Path, sealed: Path
) -> None:
    sample.rename(tmp_path / "a$HOME")
    ended = memgit("--store", tmp_path / "a$HOME", "install", "gemini")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "Gemini CLI puts variables in the place of $NAME" in ended.stderr
    assert not (sealed / ".gemini").exists()


# ---------------------------------------------------------------------------- comments


def test_every_comment_survives_a_change_of_theirs_too(files: dict[str, Path]) -> None:
    file = SettingsFile(files["gemini"])
    connect(file, wiring(GEMINI)).make()
    text = files["gemini"].read_bytes().decode()
    for comment in ("// 私の設定", "/* a // b */", '// mine, "not" yours', "// last"):
        assert comment in text
    files["gemini"].write_bytes(text.replace('"x"', '"y" /* new */').encode())
    disconnect(file, GEMINI).make()
    left = files["gemini"].read_bytes()
    assert left == PERSONS["gemini"].replace(b'"x"', b'"y" /* new */')


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"hooks": {/* none yet */}}', "1:12"),
        ('{\n  // empty\n}', "2:3"),
    ],
)  # fmt: skip
def test_a_comment_that_would_be_lost_is_told_and_nothing_changes(
    memgit: Run, sample: Path, sealed: Path, text: str, place: str
) -> None:
    path = sealed / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    ended = memgit("--store", sample, "install", "gemini")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"{path}:{place}: a comment stands where our hooks come or go" in ended.stderr
    assert path.read_text() == text


@pytest.mark.parametrize("agent", [AGENTS["claude-code"], CODEX], ids=lambda agent: agent.name)
def test_an_agent_that_takes_no_comments_has_none(agent: Agent, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  // mine\n  "hooks": {}\n}')
    with pytest.raises(UsageError, match="2:3: a comment; JSON has none"):
        connect(SettingsFile(path), wiring(agent))


ENTRY = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=3)})
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(ENTRY, max_size=2)}, optional={"matcher": st.text(max_size=2)}
)
EVENTS = ["BeforeAgent", "SessionStart", "PreCompress", "UserPromptSubmit", "Stop"]
SETTINGS = st.fixed_dictionaries(
    {"a": st.text(max_size=3)},
    optional={"hooks": st.dictionaries(st.sampled_from(EVENTS), st.lists(GROUP, min_size=1,
                                                                         max_size=2),
                                       min_size=1)},
)  # fmt: skip


@given(SETTINGS, st.sampled_from([CODEX, GEMINI]), st.booleans())
def test_whatever_a_person_wrote_survives_both_ways(
    person: dict[str, Any], agent: Agent, commented: bool
) -> None:
    text = json.dumps(person, indent=2, ensure_ascii=False)
    if commented:  # behind each line that ends in a comma, where nothing of ours is put
        text = text.replace(",\n", ', // 一言 "x": {\n')
    there = connected(text, wiring(agent))
    assert connected(there, wiring(agent)) == there
    assert len([hook for hook in ours_in(load(blanked(there)))]) == len(agent.hooks)
    assert disconnected(there, agent) == text


def test_a_hook_of_another_with_words_like_ours_is_not_ours() -> None:
    for command in ("echo --memgitish", "memgit recall", "echo 'a --memgit b'", "echo '", 7, None):
        assert not is_ours({"type": "command", "command": command})
    assert is_ours({"type": "command", "command": "python x --memgit 1 2>/dev/null || true"})


# ---------------------------------------------------------------------------- doctor


@pytest.fixture
def examined(memgit: Run, sample: Path) -> Callable[[], list[tuple[str, str, str]]]:
    """`examined()`: what `memgit doctor` says of agents and recall."""

    def look() -> list[tuple[str, str, str]]:
        told = memgit("--store", sample, "doctor", "--json")
        rows = [json.loads(line) for line in told.stdout.splitlines()]
        kept = [row for row in rows if row["subject"] in ("agent", "recall")]
        return [(row["state"], row["says"], row["do"] or "") for row in kept]

    return look


def test_doctor_knows_hooks_that_wait_are_off_or_name_what_is_gone(
    memgit: Run, sample: Path, sealed: Path, tmp_path: Path,
    examined: Callable[[], list[tuple[str, str, str]]],
) -> None:  # fmt: skip
    done(memgit("--store", sample, "index"))
    for name in ("codex", "gemini"):
        done(memgit("--store", sample, "install", name))
    codex, gemini = (sealed / ".codex" / "hooks.json", sealed / ".gemini" / "settings.json")
    rows = examined()
    assert [says.split(" hook, asked for")[0] for _, says, _ in rows if "answers in" in says] == [
        "Codex's", "Gemini CLI's"
    ]  # fmt: skip
    assert any("until you trust them" in says and "/hooks" in do for _, says, do in rows)
    config = codex.with_name("config.toml")
    config.write_text(
        "".join(f'[hooks.state."{codex}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n'
                for event in ("user_prompt_submit", "session_start"))
    )  # fmt: skip
    said = json.loads(gemini.read_text())
    gemini.write_text(json.dumps({**said, "hooksConfig": {"disabled": ["memgit"]}}))
    rows = examined()
    assert not any("until you trust them" in says for _, says, _ in rows)
    assert any(f"{gemini}: hooksConfig keeps our hooks" in says for _, says, _ in rows)
    config.write_text("[features]\nhooks = false\n")
    gemini.write_text(json.dumps(said).replace("session_start.py", "gone.py"))
    sample.rename(tmp_path / "moved")
    told = memgit("doctor", "--json").stdout
    assert "features.hooks = false" in told
    assert f"our hooks name what is not there: {Path(str(sample))}" in told
    assert "gone.py" in told
