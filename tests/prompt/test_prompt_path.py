"""What a hook may touch: a short list of modules, its own notes, and nothing beyond.

The hooks run under an audit hook of the interpreter, which hears of every import, file, socket and
process, whoever asks for it.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .conftest import BARE, derived, log, prompt, start, words

ROOM = "memgit.prompt"
START = {
    "memgit",
    ROOM,
    "memgit.prompt.detached",
    "memgit.prompt.hook",
    "memgit.prompt.place",
    "memgit.prompt.profile",
    "memgit.prompt.session",
    "memgit.prompt.session_start",
    "memgit.prompt.table",
}
"""A session start needs no ranking."""

LIBRARY = {"_bisect", "_json", "fcntl", "gc", "math", "unicodedata", "zlib"}
"""Of the standard library: C modules only, each of which loads in well under a millisecond."""

OUTSIDE = ("socket", "subprocess", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system",
           "os.kill", "pty", "ctypes", "urllib", "http", "sqlite3")  # fmt: skip

WATCH = """
import _signal, posix, sys

_signal.setitimer = lambda which, seconds: None  # being watched takes longer
report, launcher = sys.argv[1:3]
before, heard, leave = set(sys.modules), [], posix._exit

def hear(event, arguments):
    if event == "open":
        heard.append((event, str(arguments[0]), arguments[2] or 0))
    else:
        heard.append((event, "", 0))

def end(code):
    seen, modules = list(heard), sorted(set(sys.modules) - before)
    import json
    with open(report, "w") as file:
        json.dump({"code": code, "modules": modules, "heard": seen}, file)
    leave(code)

posix._exit = end
sys.argv = sys.argv[2:]
with open(launcher) as file:
    program = compile(file.read(), launcher, "exec")
sys.addaudithook(hear)
exec(program, {"__name__": "__main__", "__file__": launcher})
"""


def watched(
    tmp_path: Path, launcher: str, store: Path, event: object, *options: str | Path
) -> dict[str, Any]:
    """What a hook did: the modules it loaded, the audit events it caused, its answer."""
    report = tmp_path / "report.json"
    _, *flags, script, option, path = words(launcher, store)
    # -B: in a fresh checkout the interpreter would write its cache of compiled modules.
    hook = [script, option, path, *map(str, options)]
    command = [BARE, *flags, "-B", "-c", WATCH, str(report), *hook]
    data = json.dumps(event).encode()
    done = subprocess.run(command, input=data, capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"")
    assert log(store) == ""
    return {**json.loads(report.read_text()), "answer": done.stdout}


def outside(seen: dict[str, Any]) -> list[str]:
    """The audit events of processes, sockets and the like."""
    return [event for event, _, _ in seen["heard"] if event.startswith(OUTSIDE)]


def written(seen: dict[str, Any]) -> set[str]:
    """The files that were opened for writing."""
    return {path for event, path, flags in seen["heard"] if event == "open" and flags & 3}


@pytest.mark.parametrize(
    ("event", "speaks"),
    [
        (prompt(), True),
        (prompt("ステージングのDB接続、ポートは何番だっけ?"), True),
        (prompt("ok, go ahead"), False),
        (prompt("word " * 5000), False),
        (prompt("", "s-2"), False),
    ],
    ids=["answer", "Japanese", "silence", "long", "empty"],
)
def test_recall_imports_little_and_starts_nothing(
    indexed: Path, tmp_path: Path, event: object, speaks: bool
) -> None:
    seen = watched(tmp_path, "recall", indexed, event)
    assert bool(seen["answer"]) is speaks
    others = {name for name in seen["modules"] if not f"{name}.".startswith(f"{ROOM}.")}
    assert others - {"memgit"} - LIBRARY == set()
    assert outside(seen) == []
    assert [path for path in written(seen) if not path.startswith(f"{derived(indexed)}/")] == []


@pytest.mark.parametrize(
    ("source", "speaks"),
    [("startup", True), ("resume", False), ("clear", True), ("compact", True)],
)
def test_session_start_imports_little_and_starts_nothing_when_all_is_current(
    indexed: Path, tmp_path: Path, source: str, speaks: bool
) -> None:
    watched(tmp_path, "recall", indexed, prompt())
    seen = watched(tmp_path, "session_start", indexed, start(source), "--python", "/bin/false")
    assert bool(seen["answer"]) is speaks
    assert set(seen["modules"]) - START - LIBRARY == set()
    assert outside(seen) == []
    assert [path for path in written(seen) if not path.startswith(f"{derived(indexed)}/")] == []


def test_session_start_starts_one_worker_and_nothing_else(sample: Path, tmp_path: Path) -> None:
    seen = watched(tmp_path, "session_start", sample, start("startup"), "--python", "/bin/false")
    assert set(seen["modules"]) - START - LIBRARY == set()
    assert outside(seen) == ["os.posix_spawn"]
    own = ("index.worker", "sessions/s-1")
    assert written(seen) == {str(derived(sample) / name) for name in own}


def test_the_watch_would_notice(tmp_path: Path, sample: Path) -> None:
    guilty = tmp_path / "hooks" / "guilty.py"
    guilty.parent.mkdir()
    guilty.write_text(
        "import posix, socket, subprocess\n"
        "socket.socket().close()\n"
        "subprocess.run(['true'])\n"
        "open('/dev/null', 'w').close()\n"
        "posix._exit(0)\n"
    )
    report = tmp_path / "report.json"
    subprocess.run([BARE, "-I", "-S", "-c", WATCH, report, guilty], check=True, timeout=30)
    seen = json.loads(report.read_text())
    assert {"socket", "subprocess"} <= set(seen["modules"])
    assert {"socket.__new__", "subprocess.Popen"} <= set(outside(seen))
    assert written(seen) == {"/dev/null"}
