"""Checks of the agent's side: is a hook in its settings, may it run, and does it answer.

The one rule: a hook of ours is taken as it stands in the settings, and started for real.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

from memgit.domain import trial
from memgit.domain.connecting.agent import Agent, is_ours, ours_in, words_of
from memgit.domain.connecting.agents import AGENTS
from memgit.domain.connecting.agents.claude_code import plugins_in
from memgit.domain.connecting.wiring import is_harvesting
from memgit.domain.examination.finding import Finding, Scene, bad, ok, several, some, typed, warn
from memgit.domain.examination.of_programs import OURS, maker
from memgit.domain.store import Store
from memgit.errors import MemgitError
from memgit.ports.agent_settings import Hook, Json, hooks_of
from memgit.ports.processes import run
from memgit.ports.settings_file import SettingsFile

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


@dataclass(frozen=True)
class Said:
    """A settings file of an agent and what it says."""

    agent: Agent
    path: Path
    says: Json

    @property
    def prompt_hooks(self) -> list[Hook]:
        """Our hooks that answer prompts."""
        return [hook for hook in ours_in(self.says) if hook.event == self.agent.prompt.name]

    @property
    def again(self) -> str:
        """The command that puts our hooks into this file."""
        return typed("install", self.agent.name, "--settings", self.path)


def settings(scene: Scene) -> Iterator[Finding]:
    """What in agents' settings keeps our hooks from running, or runs another memgit's."""
    said: list[Said] = []
    for agent, path in _files(scene.here):
        try:
            said.append(_read(agent, path))
        except MemgitError as fault:
            yield bad(f"{fault}: the agent ignores the whole file", "mend that place in the file")
    for one in said:
        for says, do in one.agent.asleep(one.path, one.says):
            yield warn(says, do)
        for hook in hooks_of(one.says):
            if not is_ours(hook.entry) and (other := _other_memgit(hook)):
                yield warn(
                    f"{one.path}: a hook for {hook.event} starts a memgit that is not ours: "
                    f"{other}",
                    f"take that hook out; `memgit install {one.agent.name}` writes ours",
                )
        yield from _wired(one)
    for agent in AGENTS.values():
        if any(one.prompt_hooks or plugins_in(one.says) for one in said if one.agent is agent):
            yield ok(
                f"{agent.title} is connected; in an interactive session hooks run once the folder "
                "is trusted",
                "say yes when the agent asks whether you trust a folder",
            )


def _wired(one: Said) -> Iterator[Finding]:
    """Whether all of our hooks are there, and what they name too."""
    ours = list(ours_in(one.says))
    wanted = [*one.agent.hooks, *(one.agent.ends if is_harvesting(one.says) else ())]
    absent = {hook.name for hook in wanted} - {hook.event for hook in ours}
    if ours and absent:
        missing = some(sorted(absent))
        yield warn(f"{one.path}: our hook for {missing} is missing", one.again)
    named = {word for hook in ours for word in words_of(hook.entry) if word.startswith(os.sep)}
    if gone := sorted(word for word in named if not os.path.exists(word)):
        yield bad(f"{one.path}: our hooks name what is not there: {some(gone)}", one.again)


def recall(scene: Scene, store: Store) -> Iterator[Finding]:
    """The hook that is installed answers for a memory of this store, in time, and can be silent."""
    said = list(_readable(scene.here))
    commands = [(one, hook.entry) for one in said for hook in one.prompt_hooks]
    plugins = [name for one in said for name in plugins_in(one.says)]
    connect = typed("install", "claude-code", store=store)
    if not commands and not plugins:
        yield warn("no agent is connected to a store", connect)
        return
    for name in plugins:
        yield ok(f"the plugin {name} is on; the trial below starts the same program")
    if not commands:
        yield from _try(trial.hook_command(store.root), store, connect, "the hook")
    for one, entry in commands:
        command = words_of(entry)
        connect = typed("install", one.agent.name, store=store)
        if not command:
            yield bad(f"{one.path}: our hook has no program and list of arguments", connect)
        elif (other := _store_of(command)) != os.path.realpath(store.root):
            asked = other or "not named"
            yield warn(f"{one.path}: the agent asks another store, {asked}", connect)
        else:
            yield from _try(command, store, connect, f"{one.agent.title}'s hook")


def _try(command: Sequence[str], store: Store, connect: str, whose: str) -> Iterator[Finding]:
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
        yield bad(f"{whose} does not run: {done.fault}", connect)
    elif not done.text:
        asked = several(min(len(paths), CANDIDATES), "memory")
        yield bad(
            f"{whose} recalled none of {asked} asked for by name and description",
            f"{typed('index', '--rebuild', store=store)}; see {store.derived / 'recall.log'}",
        )
    elif done.seconds > SLOW:
        yield warn(f"{whose} takes {times}, near its own deadline", "look what keeps the disk busy")
    else:
        yield ok(f"{whose}, asked for {memory.name}, answers in {times}")
    silence = trial.attempt(command, trial.event(SILENT, store.root), store.root, rounds=1)
    if silence.text:
        yield warn(
            f'{whose} speaks for "{SILENT}"',
            f"{typed('recall', '--prompt', SILENT, store=store)} shows what",
        )
    elif not done.fault:
        yield ok(f'{whose} is silent for "{SILENT}"')


def _files(here: Path) -> Iterator[tuple[Agent, Path]]:
    """The agents' settings files that hold where one stands."""
    return ((agent, path) for agent in AGENTS.values() for path in agent.files(here))


def _read(agent: Agent, path: Path) -> Said:
    """What a settings file says, nothing where there is none. Raises MemgitError if invalid."""
    file = SettingsFile(path)
    data = file.read()
    return Said(agent, path, agent.read(file.text(data), path) if data else {})


def _readable(here: Path) -> Iterator[Said]:
    for agent, path in _files(here):
        try:
            yield _read(agent, path)
        except MemgitError:
            continue  # `settings` says so


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
