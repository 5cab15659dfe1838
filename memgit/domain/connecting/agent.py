"""What connects Claude Code to a store: two hooks, and on wish its auto memory and the harvest.

The one rule: whatever is ours carries our mark, so that a second run finds it, and taking it away
leaves what the person wrote.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from memgit import __version__
from memgit.ports.claude_code import Hook, Json, hooks_of, settings_in
from memgit.ports.json_text import drop, load, put
from memgit.ports.settings_file import Edit, SettingsFile

MARK = "--memgit"
"""The argument that makes a hook ours; the version that wrote it follows. It is no key of its own,
because the agent takes unknown keys out whenever it writes its settings."""

BEFORE = "--before"
"""The argument of the session hook after which stands, as JSON, what we wrote over."""

PLUGIN = "memgit"
"""The name of our plugin."""

AUTO_MEMORY = "autoMemoryDirectory"
"""The agent's setting for where it keeps its own memories."""

PROMPT = "UserPromptSubmit"
START = "SessionStart"
ENDS = ("Stop", "PreCompact", "SessionEnd")
"""Events after which a session may have something to harvest."""

HARVEST = "--harvest"
"""The argument of the session hook with which sessions are harvested."""

TIMEOUT = 5
"""Seconds, as the agent counts. Our own deadline is far shorter; this is for a stuck machine."""


@dataclass(frozen=True)
class Wiring:
    """The programs and the store that the hooks name, all as absolute paths without links.

    `interpreter` is the bare one, which starts the hooks; `python` is the one that has memgit.
    Where `harvest` is None, it stays as it is.
    """

    store: str
    launchers: Path
    interpreter: str
    python: str
    auto_memory: bool = False
    harvest: bool | None = None

    def entry(self, event: str, *more: str) -> Json:
        """The hook's entry for an event, in exec form: no shell, no search of PATH."""
        words = [MARK, __version__, "--store", self.store]
        if event != PROMPT:
            words += ["--python", self.python]
        if event == START:
            words += [*more, *(["--save"] if self.auto_memory else [])]
            words += [HARVEST] if self.harvest else []
        names = {PROMPT: "recall.py", START: "session_start.py"}
        launcher = self.launchers / names.get(event, "session_event.py")
        return {
            "type": "command",
            "command": self.interpreter,
            "args": ["-I", "-S", str(launcher), *words],
            "timeout": TIMEOUT,
        }


def connect(file: SettingsFile, wiring: Wiring) -> Edit:
    """What has to change in a settings file; UsageError when it cannot be understood."""
    before = file.read()
    text = file.text(before or b"")
    settings = settings_in(text, file.path)
    after = connected(text, wiring).encode()
    keep = before is not None and not any(ours_in(settings))
    return Edit(file, before, before if after == before else after, keep)


def disconnect(file: SettingsFile) -> Edit:
    """What has to change so that the file is what it was; UsageError as for `connect`.

    Where nothing but ours was added since, that is to the byte what was kept, or no file at all.
    """
    before = file.read()
    text = file.text(before or b"")
    if not any(ours_in(settings_in(text, file.path))):
        return Edit(file, before, before)
    after = disconnected(text)
    kept = file.read_backup()
    if kept is not None and _is_same(after, file.text(kept)):
        return Edit(file, before, kept)
    return Edit(file, before, None if kept is None and not load(after) else after.encode())


def connected(text: str, wiring: Wiring) -> str:
    """The settings with our hooks in them, once each; the same text when they are in it already.

    Auto memory that an earlier run pointed at a store stays ours, and goes along to a new store.
    """
    settings = load(text)
    earlier = auto_memory_of(settings)
    stays = earlier is not None and settings.get(AUTO_MEMORY) == earlier
    harvest = is_harvesting(settings) if wiring.harvest is None else wiring.harvest
    wiring = replace(wiring, auto_memory=wiring.auto_memory or stays, harvest=harvest)
    text = _with_entry(text, PROMPT, wiring.entry(PROMPT))
    before = _before(settings) if stays else _auto_memory(settings)
    noted = [BEFORE, json.dumps(before, ensure_ascii=False)] if wiring.auto_memory else []
    text = _with_entry(text, START, wiring.entry(START, *noted))
    for event in ENDS:
        text = _with_entry(text, event, wiring.entry(event)) if harvest else _without(text, event)
    if wiring.auto_memory and settings.get(AUTO_MEMORY) != wiring.store:
        text = put(text, (AUTO_MEMORY,), wiring.store)
    return text


def disconnected(text: str) -> str:
    """The settings without anything of ours, and with what it stood in place of."""
    settings = load(text)
    store = auto_memory_of(settings)
    if store is not None and settings.get(AUTO_MEMORY) == store:
        before = _before(settings)
        if AUTO_MEMORY in before:
            text = put(text, (AUTO_MEMORY,), before[AUTO_MEMORY])
        else:
            text = drop(text, (AUTO_MEMORY,))
    for hook in reversed(list(ours_in(settings))):
        text = _without_entry(text, hook)
    return text


def is_ours(entry: Json) -> bool:
    """Whether a hook's entry is one of ours."""
    words = entry.get("args")
    return isinstance(words, list) and MARK in words


def ours_in(settings: Json) -> Iterator[Hook]:
    """Our own entries among the hooks."""
    return (hook for hook in hooks_of(settings) if is_ours(hook.entry))


def auto_memory_of(settings: Json) -> str | None:
    """The store that an earlier run made the agent's auto memory; None where none did."""
    for hook in ours_in(settings):
        if hook.event == START and "--save" in hook.entry["args"]:
            return _after(hook, "--store")
    return None


def is_harvesting(settings: Json) -> bool:
    """Whether an earlier run let sessions be harvested."""
    return any(hook.event == START and HARVEST in hook.entry["args"] for hook in ours_in(settings))


def plugins_in(settings: Json) -> list[str]:
    """The ids under which our plugin is switched on in the same file."""
    enabled = settings.get("enabledPlugins")
    rows = enabled.items() if isinstance(enabled, dict) else ()
    return [name for name, on in rows if on is True and name.partition("@")[0] == PLUGIN]


def _auto_memory(settings: Json) -> Json:
    return {AUTO_MEMORY: settings[AUTO_MEMORY]} if AUTO_MEMORY in settings else {}


def _before(settings: Json) -> Json:
    """What stood where our earlier run wrote over it."""
    for hook in ours_in(settings):
        if noted := _after(hook, BEFORE):
            try:
                found = json.loads(noted)
            except ValueError:
                continue
            return found if isinstance(found, dict) else {}
    return {}


def _after(hook: Hook, word: str) -> str | None:
    """The argument of a hook that follows a word."""
    return next((str(b) for a, b in pairwise(hook.entry["args"]) if a == word), None)


def _with_entry(text: str, event: str, entry: Json) -> str:
    mine = [hook for hook in ours_in(load(text)) if hook.event == event]
    for extra in reversed(mine[1:]):
        text = _without_entry(text, extra)
    if not mine:
        return put(text, ("hooks", event, len(_groups(text, event))), {"hooks": [entry]})
    if mine[0].entry == entry:
        return text
    return put(text, ("hooks", event, mine[0].group, "hooks", mine[0].number), entry)


def _without(text: str, event: str) -> str:
    """The settings without our entries for an event."""
    mine = [hook for hook in ours_in(load(text)) if hook.event == event]
    for hook in reversed(mine):
        text = _without_entry(text, hook)
    return text


def _without_entry(text: str, hook: Hook) -> str:
    """Cut one entry, and what it leaves empty."""
    path: tuple[str | int, ...] = ("hooks", hook.event, hook.group, "hooks", hook.number)
    text = drop(text, path)
    group = _groups(text, hook.event)[hook.group]
    if group["hooks"] or set(group) - {"hooks", "matcher"}:
        return text
    text = drop(text, path[:3])
    if _groups(text, hook.event):
        return text
    text = drop(text, path[:2])
    return text if load(text)["hooks"] else drop(text, path[:1])


def _groups(text: str, event: str) -> list[Any]:
    groups: list[Any] = load(text).get("hooks", {}).get(event, [])
    return groups


def _is_same(one: str, other: str) -> bool:
    """Whether two settings say the same in the same order, empty places for hooks aside."""
    return json.dumps(_pruned(load(one))) == json.dumps(_pruned(load(other)))


def _pruned(settings: Json) -> Json:
    """The settings without places for hooks that hold none."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return settings
    kept = {event: groups for event, groups in hooks.items() if groups != []}
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return {**settings, "hooks": kept} if kept else rest
