"""Whatever is wrong, the prompt goes on: exit code 0, nothing on stderr, nothing half said."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memgit.prompt.hook import LOG_SIZE

from .conftest import (
    BARE,
    PORT,
    ROOT,
    Ended,
    Hook,
    derived,
    log,
    prompt,
    read_only,
    said,
    without_rights,
    words,
)

LAUNCHER = str(ROOT / "hooks" / "recall.py")


def run(store: Path, event: object = None, **options: Any) -> Ended:
    """The recall hook with options of `subprocess.run`."""
    data = json.dumps(prompt() if event is None else event).encode()
    given = {"input": data, "capture_output": True, "timeout": 30, **options}
    return subprocess.run(words("recall", store), **given)


# ---------------------------------------------------------------------------- what it is told


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"   \n",
        b"not JSON",
        b'{"prompt": "' + PORT.encode(),
        b"\xff\xfe\x00",
        b"[]",
        b'["prompt"]',
        b"null",
        b"7",
        b"[" * 200_000,
    ],
    ids=[
        "empty",
        "space",
        "words",
        "cut",
        "bytes",
        "list",
        "list of one",
        "null",
        "number",
        "deep",
    ],
)
def test_an_event_that_is_none_is_a_line_in_the_log(
    indexed: Path, hook: Hook, event: bytes
) -> None:
    assert said(hook("recall", indexed, event)) == ""
    (line,) = log(indexed).splitlines()
    assert line[:4].isdecimal()
    assert "Error: " in line


@pytest.mark.parametrize(
    "text", ["", " \n\t", None, 7, ["a"], {"a": 1}, "👍", "🙂‍↔️", "\0", "\ud800"]
)
def test_a_prompt_without_words_needs_nothing(indexed: Path, hook: Hook, text: object) -> None:
    assert said(hook("recall", indexed, {"session_id": "s", "prompt": text})) == ""
    assert log(indexed) == ""


def test_an_event_without_a_prompt_needs_nothing(indexed: Path, hook: Hook) -> None:
    assert said(hook("recall", indexed, {"session_id": "s"})) == ""
    assert log(indexed) == ""


@pytest.mark.parametrize(
    "filler", ["x" * 63 + "\n", "長い行" * 20 + "\n", "=" * 63 + "\n", '\\"\n']
)
def test_ten_megabytes_end_in_time(indexed: Path, hook: Hook, filler: str) -> None:
    text = filler * (10_000_000 // len(filler.encode())) + PORT
    began = time.monotonic()
    done = hook("recall", indexed, prompt(text))
    assert time.monotonic() - began < 5
    assert said(done) or not done.stdout


def test_bytes_that_are_no_utf8_within_an_event_do_no_harm(indexed: Path, hook: Hook) -> None:
    event = json.dumps(prompt("X" + PORT)).encode().replace(b'"X', b'"\x93\xfa\x96{ ')
    assert "staging-database" in said(hook("recall", indexed, event))


def test_unknown_keys_and_odd_ids_do_no_harm(indexed: Path, hook: Hook) -> None:
    event = prompt(session_id=["s"], prompt_id={"a": 1}, hook_event_name=None, more=[1, 2])
    assert "staging-database" in said(hook("recall", indexed, event))


@pytest.mark.parametrize("launcher", ["recall", "session_start"])
def test_a_stdin_that_is_never_closed_is_not_waited_for(indexed: Path, launcher: str) -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(words(launcher, indexed), stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin
    process.stdin.write(b'{"prompt": "')
    process.stdin.flush()
    began = time.monotonic()
    assert process.wait(timeout=30) == 0
    assert time.monotonic() - began < 5
    process.stdin.close()
    assert process.stdout
    assert process.stderr
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert "TooLate: no answer within 0.15 s" in log(indexed)


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_is_no_fault(indexed: Path, closed: int) -> None:
    done = run(indexed, preexec_fn=lambda: os.close(closed))
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [[], ["--store"], ["--help"], ["--store", ""], ["x", "y"], ["--store", "a\nb"], ["-h"]],
)
def test_odd_arguments_never_refuse_a_prompt(tmp_path: Path, arguments: list[str]) -> None:
    command = [BARE, "-I", "-S", LAUNCHER, *arguments]
    data = json.dumps(prompt()).encode()
    done = subprocess.run(command, input=data, capture_output=True, cwd=tmp_path, timeout=30)
    assert said(done) == ""


# ---------------------------------------------------------------------------- the store


def test_a_store_that_is_gone_or_none_is_left_alone(tmp_path: Path, hook: Hook) -> None:
    plain, file = tmp_path / "plain", tmp_path / "file"
    plain.mkdir()
    file.write_text("")
    for store in (tmp_path / "gone", plain, file, Path("/dev/null"), Path("relative")):
        assert said(hook("recall", store, prompt())) == ""
    assert sorted(tmp_path.iterdir()) == sorted([plain, file, *tmp_path.glob("home*")])
    assert list(plain.iterdir()) == []


def damage_head(table: Path) -> None:
    (table / "head.json").write_bytes(b'{"segments": [{"file":')


def damage_list(table: Path) -> None:
    (table / "head.json").write_bytes(b"[]")


def damage_keys(table: Path) -> None:
    (table / "head.json").write_bytes(b'{"segments": []}')


def damage_segment(table: Path) -> None:
    for path in table.glob("*.segment"):
        path.write_bytes(Random(1).randbytes(path.stat().st_size))


def damage_end(table: Path) -> None:
    for path in table.glob("*.segment"):
        os.truncate(path, path.stat().st_size // 2)


def damage_all(table: Path) -> None:
    for path in table.iterdir():
        path.unlink()


def damage_kind(table: Path) -> None:
    damage_all(table)
    table.rmdir()
    table.write_text("")


@pytest.mark.parametrize(
    "damage",
    [damage_head, damage_list, damage_keys, damage_segment, damage_end, damage_all, damage_kind],
)
def test_a_table_that_cannot_be_read_is_a_line_in_the_log(
    indexed: Path, hook: Hook, damage: Any
) -> None:
    damage(derived(indexed) / "table")
    assert said(hook("recall", indexed, prompt())) == ""
    assert len(log(indexed).splitlines()) == 1


@pytest.mark.parametrize("seed", range(8))
def test_garbage_in_a_table_is_never_an_answer(indexed: Path, hook: Hook, seed: int) -> None:
    noise = Random(seed)
    for path in (derived(indexed) / "table").glob("*.segment"):
        data = bytearray(path.read_bytes())
        start = noise.randrange(len(data))
        data[start : start + 40_000] = noise.randbytes(len(data[start : start + 40_000]))
        path.write_bytes(data)
    answer = said(hook("recall", indexed, prompt()))
    assert answer == "" or "Recorded memories" in answer


def test_a_table_that_may_not_be_read_is_a_line_in_the_log(indexed: Path) -> None:
    (derived(indexed) / "table" / "head.json").chmod(0)
    assert said(run(indexed, preexec_fn=without_rights)) == ""
    assert "Permission denied" in log(indexed)


@pytest.mark.parametrize("file", ["head.json", "*.segment"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_table_that_would_block_is_not_waited_for(indexed: Path, file: str, kind: str) -> None:
    (path,) = (derived(indexed) / "table").glob(file)
    path.unlink()
    in_the_place_of(path, kind)
    assert said(run(indexed)) == ""
    assert "BrokenTable" in log(indexed)


def in_the_place_of(path: Path, kind: str) -> None:
    """Something that can be opened and would never end."""
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_log_that_would_block_is_not_written(indexed: Path, kind: str) -> None:
    in_the_place_of(derived(indexed) / "recall.log", kind)
    started = time.monotonic()
    assert said(run(indexed, "no event")) == ""
    assert "staging-database" in said(run(indexed))
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("name", ["sessions/s-1", "usage.log", "sessions/s-1 and usage.log"])
def test_notes_that_would_block_are_not_written(indexed: Path, name: str, kind: str) -> None:
    (derived(indexed) / "sessions").mkdir(exist_ok=True)
    for path in name.split(" and "):
        in_the_place_of(derived(indexed) / path, kind)
    assert "staging-database" in said(run(indexed))
    assert log(indexed).count("\n") == 1


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_git_folder_that_would_block_has_no_answer(indexed: Path, kind: str) -> None:
    (indexed / ".git").rename(indexed / "git")
    in_the_place_of(indexed / ".git", kind)
    started = time.monotonic()
    assert said(run(indexed)) == ""
    assert time.monotonic() - started < 5


# ---------------------------------------------------------------------------- the disk


def test_a_read_only_store_answers_without_a_note(indexed: Path) -> None:
    with read_only(indexed):
        for number in ("1", "2"):
            done = run(indexed, prompt(prompt_id=number), preexec_fn=without_rights)
            assert "staging-database" in said(done)
    assert not (derived(indexed) / "sessions").exists()


def test_where_only_notes_cannot_be_written_the_log_says_so(indexed: Path, hook: Hook) -> None:
    (derived(indexed) / "sessions").write_text("")
    assert "staging-database" in said(hook("recall", indexed, prompt()))
    assert "NotADirectoryError" in log(indexed)


def test_a_full_disk_answers_without_a_note(indexed: Path) -> None:
    (derived(indexed) / "sessions").mkdir()

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    assert "staging-database" in said(run(indexed, preexec_fn=full))


def test_the_log_starts_anew_when_it_is_full(indexed: Path, hook: Hook) -> None:
    path = derived(indexed) / "recall.log"
    path.write_text("old\n" * (LOG_SIZE // 4 + 1))
    hook("recall", indexed, b"not JSON")
    assert "old" not in log(indexed)
    assert len(log(indexed).splitlines()) == 1


# ---------------------------------------------------------------------------- the surroundings


def test_a_folder_that_is_gone_is_no_fault(indexed: Path, tmp_path: Path) -> None:
    gone = tmp_path / "work tree"
    gone.mkdir()

    def leave() -> None:
        os.chdir(gone)
        gone.rmdir()

    assert "staging-database" in said(run(indexed, preexec_fn=leave))


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp932"},
        {"LC_ALL": "ja_JP.SJIS", "PYTHONIOENCODING": "utf-16"},
        {
            "PYTHONPATH": "/nonexistent",
            "PYTHONSTARTUP": "/nonexistent",
            "PYTHONHOME": "/nonexistent",
        },
        {"GIT_DIR": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent"},
    ],
)
def test_the_environment_does_not_matter(indexed: Path, environment: dict[str, str]) -> None:
    event = prompt("ステージングのDB接続、ポートは何番だっけ?")
    assert "staging-database" in said(run(indexed, event, env=environment))


@pytest.mark.parametrize(
    ("package", "hooks"),
    [
        ("hooks/site-packages/memgit", "hooks/site-packages/memgit/hooks"),
        ("memgit/memgit", "memgit/hooks"),  # a checkout, called as `git clone` calls it
        ("memgit/site-packages/memgit", "memgit/site-packages/memgit/hooks"),
    ],
)
def test_the_hooks_run_from_a_checkout_and_from_within_the_installed_package(
    indexed: Path, tmp_path: Path, package: str, hooks: str
) -> None:
    shutil.copytree(ROOT / "memgit", tmp_path / package)
    shutil.copytree(ROOT / "hooks", tmp_path / hooks)
    for name, event, answers in (
        ("recall", prompt(), True),
        ("session_start", {"hook_event_name": "SessionStart"}, False),
        ("session_event", {"hook_event_name": "Stop"}, False),
    ):
        command = [BARE, "-I", "-S", str(tmp_path / hooks / f"{name}.py"), "--store", str(indexed)]
        data = json.dumps(event).encode()
        done = subprocess.run(command, input=data, capture_output=True, timeout=30)
        assert bool(said(done)) is answers


def test_modules_of_the_project_are_never_imported(indexed: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("memgit", "_json", "zlib", "math", "unicodedata", "encodings"):
        (project / f"{name}.py").write_text("raise SystemExit(2)\n")
    assert "staging-database" in said(run(indexed, cwd=project))


def test_a_harvest_run_of_our_own_is_not_answered(
    indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMGIT_HARVEST", "1")
    assert said(run(indexed)) == ""


def test_a_hook_that_is_interrupted_says_nothing_half(indexed: Path) -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(words("recall", indexed), stdin=pipe, stdout=pipe, stderr=pipe)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(json.dumps(prompt()).encode(), timeout=30)
    assert out == b"" or json.loads(out)
    assert err == b""


def test_a_hundred_prompts_leave_no_process_behind(indexed: Path, hook: Hook) -> None:
    before = children()
    for number in range(100):
        hook("recall", indexed, prompt(session=f"s-{number % 7}", prompt_id=str(number)))
    assert children() <= before


def children() -> set[str]:
    """The processes whose command line names a hook of ours; empty where there is no /proc."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if LAUNCHER.encode() in path.read_bytes():
                found.add(path.parent.name)
        except OSError:
            continue
    return found
