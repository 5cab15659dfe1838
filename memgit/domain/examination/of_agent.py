"""Checks of the agent's side: is a hook in its settings, may it run, and does it answer.

The one rule: a hook of ours is taken as it stands in the settings, and started for real.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

from memgit.domain import trial
from memgit.domain.connecting.agent import (
    ENDS,
    PROMPT,
    START,
    is_harvesting,
    is_ours,
    ours_in,
    plugins_in,
)
from memgit.domain.examination.finding import Finding, Scene, bad, ok, several, some, typed, warn
from memgit.domain.examination.of_programs import OURS, maker
from memgit.domain.store import Store
from memgit.errors import MemgitError
from memgit.ports.claude_code import Hook, Json, hooks_of, settings_file, settings_in
from memgit.ports.processes import run
from memgit.ports.settings_file import SettingsFile

MANAGED = (
    Path("/etc/claude-code/managed-settings.json"),
    Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
)
"""Where an administrator's settings lie; they go before all others."""

SILENT = "ok, go ahead"
"""A prompt that needs no memory of any store."""

CANDIDATES = 20
"""Memories that are asked for, one after the other, until one is recalled."""

SLOW = 0.1
"""Seconds: two thirds of the hook's own deadline."""

_PROGRAM = re.compile(
    r"(?:^|[\s;&|'\"])(?:(?P<python>[^\s;&|'\"]+)['\"]? -m )?"
    r"(?P<program>(?:[^\s;&|'\"]*/)?memgit)(?=$|[\s;&|'\"])"
)
"""A word that is a program named memgit, in a command of a shell or in a list of words."""

Said = tuple[Path, Json]
"""A settings file and what it says."""


def settings(scene: Scene) -> Iterator[Finding]:
    """What in the agent's settings keeps our hooks from running, or runs another memgit's."""
    said: list[Said] = []
    for path in _files(scene.here):
        try:
            said.append((path, _read(path)))
        except MemgitError as fault:
            yield bad(f"{fault}: the agent ignores the whole file", "mend that place in the file")
    for path, says in said:
        for switch in ("disableAllHooks", "allowManagedHooksOnly"):
            if says.get(switch):
                yield warn(f"{path} has {switch}: our hooks do not run", f"take {switch} out of it")
        for hook in hooks_of(says):
            if not is_ours(hook.entry) and (other := _other_memgit(hook)):
                yield warn(
                    f"{path}: a hook for {hook.event} starts a memgit that is not ours: {other}",
                    "take that hook out; `memgit install claude-code` writes ours",
                )
        yield from _wired(path, says)
    if any(_prompt_hooks(says) or plugins_in(says) for _, says in said):
        yield ok(
            "connected; in an interactive session hooks run once the folder is trusted",
            "say yes when the agent asks whether you trust a folder",
        )


def _wired(path: Path, says: Json) -> Iterator[Finding]:
    """Whether all of our hooks are there, and what they name too."""
    ours = list(ours_in(says))
    again = typed("install", "claude-code", "--settings", path)
    wanted = {PROMPT, START, *(ENDS if is_harvesting(says) else ())}
    if ours and (absent := wanted - {hook.event for hook in ours}):
        yield warn(f"{path}: our hook for {some(sorted(absent))} is missing", again)
    named = {word for hook in ours for word in _words(hook.entry) if word.startswith(os.sep)}
    if gone := sorted(word for word in named if not os.path.exists(word)):
        yield bad(f"{path}: our hooks name what is not there: {some(gone)}", again)


def recall(scene: Scene, store: Store) -> Iterator[Finding]:
    """The hook that is installed answers for a memory of this store, in time, and can be silent."""
    connect = typed("install", "claude-code", store=store)
    said = list(_readable(scene.here))
    commands = [(path, hook.entry) for path, says in said for hook in _prompt_hooks(says)]
    plugins = [name for _, says in said for name in plugins_in(says)]
    if not commands and not plugins:
        yield warn("no agent is connected to a store", connect)
        return
    for name in plugins:
        yield ok(f"the plugin {name} is on; the trial below starts the same program")
    if not commands:
        yield from _try(trial.hook_command(store.root), store, connect)
    for path, entry in commands:
        command = _words(entry)
        if not command:
            yield bad(f"{path}: our hook has no program and list of arguments", connect)
        elif (other := _store_of(command)) != os.path.realpath(store.root):
            yield warn(f"{path}: the agent asks another store, {other or 'not named'}", connect)
        else:
            yield from _try(command, store, connect)


def _try(command: Sequence[str], store: Store, connect: str) -> Iterator[Finding]:
    """Start the hook: for a memory, and for nothing."""
    paths = store.paths()
    if not paths:
        add = typed("add", "--body", "TEXT", store=store)
        yield warn("there is no memory that could be recalled", add)
        return
    for path in paths[:CANDIDATES]:
        memory = store.read(path)
        # Called by its name: whether it comes must not hang on how much its words say.
        event = trial.event(f"@{PurePosixPath(path).name} {memory.description}", store.root)
        ended = run(command, event, store.root)
        if trial.heard(ended) or trial.fault_of(ended):
            break
    done = trial.attempt(command, event, store.root)
    times = f"{1000 * done.seconds:.1f} ms ({done.factor:.1f} × its bare interpreter)"
    if done.fault:
        yield bad(f"the hook does not run: {done.fault}", connect)
    elif not done.text:
        asked = several(min(len(paths), CANDIDATES), "memory")
        yield bad(
            f"the hook recalled none of {asked} asked for by name and description",
            f"{typed('index', '--rebuild', store=store)}; see {store.derived / 'recall.log'}",
        )
    elif done.seconds > SLOW:
        yield warn(f"recall takes {times}, near its own deadline", "look what keeps the disk busy")
    else:
        yield ok(f"the hook, asked for {memory.name}, answers in {times}")
    silence = trial.attempt(command, trial.event(SILENT, store.root), store.root, rounds=1)
    if silence.text:
        yield warn(
            f'it speaks for "{SILENT}"',
            f"{typed('recall', '--prompt', SILENT, store=store)} shows what",
        )
    elif not done.fault:
        yield ok(f'it is silent for "{SILENT}"')


def _files(here: Path) -> list[Path]:
    """The agent's settings files that hold where one stands."""
    project = here / ".claude"
    return [*MANAGED, settings_file(), project / "settings.json", project / "settings.local.json"]


def _read(path: Path) -> Json:
    """What a settings file says, nothing where there is none. Raises MemgitError if invalid."""
    file = SettingsFile(path)
    data = file.read()
    return settings_in(file.text(data), path) if data else {}


def _readable(here: Path) -> Iterator[Said]:
    for path in _files(here):
        try:
            yield path, _read(path)
        except MemgitError:
            continue  # `settings` says so


def _prompt_hooks(says: Json) -> list[Hook]:
    return [hook for hook in ours_in(says) if hook.event == PROMPT]


def _words(entry: Json) -> list[str]:
    """The program of a hook in exec form and its arguments; empty where it is not that."""
    command, arguments = entry.get("command"), entry.get("args")
    words = [command, *arguments] if isinstance(arguments, list) else []
    return words if all(isinstance(word, str) for word in words) else []


def _store_of(command: Sequence[str]) -> str:
    """The store that a hook names, without links; "" where it names none."""
    after = dict(pairwise(command))
    return os.path.realpath(after["--store"]) if "--store" in after else ""


def _other_memgit(hook: Hook) -> str:
    """The program named memgit that a hook starts, unless it is ours; "" where it starts none."""
    arguments = hook.entry.get("args")
    words = [hook.entry.get("command"), *(arguments if isinstance(arguments, list) else ())]
    found = _PROGRAM.search(" ".join(word for word in words if isinstance(word, str)))
    if not found:
        return ""
    python, program = found["python"], found["program"]
    # What a Python would run with -m is told by the script that lies beside that Python.
    path = Path(shutil.which(python) or python) if python else None
    place = path.parent / program if path else Path(shutil.which(program) or program)
    return "" if maker(place)[0] == OURS else f"{python} -m memgit" if python else str(place)
