"""What connects an agent to a store: hooks, and where it has them its auto memory and the harvest.

The one rule: whatever is ours carries our mark, so that a second run finds it, and taking it away
leaves what the person wrote.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from memgit.domain.connecting.agent import MARK, Agent, Event, Wired, ours_in, words_of
from memgit.errors import UsageError
from memgit.ports.agent_settings import Hook, Json
from memgit.ports.interpreter import bare, full
from memgit.ports.json_text import InvalidJson, blanked, comments, drop, load, put
from memgit.ports.settings_file import Edit, SettingsFile
from memgit.ports.shipped import shipped

BEFORE = "--before"
"""The argument of the session hook after which stands, as JSON, what we wrote over."""

HARVEST = "--harvest"
"""The argument of the session hook with which sessions are harvested."""

SAVE = "--save"
"""The argument of the session hook with which it commits what the agent wrote into the store."""


@dataclass(frozen=True)
class Wiring:
    """The programs and the store that an agent's hooks name, all as absolute paths without links.

    `interpreter` is the bare one, which starts the hooks; `python` is the one that has memgit.
    Where `harvest` is None, it stays as it is.
    """

    agent: Agent
    store: str
    launchers: Path
    interpreter: str
    python: str
    auto_memory: bool = False
    harvest: bool | None = None

    def entry(self, hook: Wired, *more: str) -> Json:
        """The entry that stands in the settings for one of our hooks."""
        words = [MARK, self.agent.stamp, "--store", self.store]
        if hook.event is not Event.PROMPT:
            words += ["--python", self.python]
        if hook.event is Event.START:
            words += [*more, *([SAVE] if self.auto_memory else [])]
            words += [HARVEST] if self.harvest else []
        launcher = str(self.launchers / hook.launcher)
        return self.agent.form(self.interpreter, [launcher, *words, *hook.words])


def wired(agent: Agent, store: str, auto_memory: bool, harvest: bool | None) -> Wiring:
    """The wiring of an agent to a store, with the programs of this installation.

    Raises UsageError for a path that its settings cannot hold.
    """
    launchers = shipped("hooks")
    interpreter = bare(launchers / "recall.py")
    found = Wiring(agent, store, launchers, interpreter, full(), auto_memory, harvest)
    for path in map(str, (store, launchers, interpreter, found.python)):
        try:
            path.encode()
        except UnicodeEncodeError:
            raise UsageError(
                f"{path!a}: a path that is not UTF-8 cannot stand in settings", "rename the folder"
            ) from None
        if why := agent.unfit(path):
            raise UsageError(f"{path}: {why}", "rename the folder; nothing was changed")
    return found


def connect(file: SettingsFile, wiring: Wiring) -> Edit:
    """What has to change in a settings file; UsageError when it cannot be understood."""
    before = file.read()
    text = file.text(before or b"")
    settings = wiring.agent.read(text, file.path)
    after = _changed(file, lambda: connected(text, wiring)).encode()
    keep = before is not None and not any(ours_in(settings))
    return Edit(file, before, before if after == before else after, keep)


def disconnect(file: SettingsFile, agent: Agent) -> Edit:
    """What has to change so that the file is what it was; UsageError as for `connect`.

    Where nothing but ours was added since, that is to the byte what was kept, or no file at all.
    """
    before = file.read()
    text = file.text(before or b"")
    if not any(ours_in(agent.read(text, file.path))):
        return Edit(file, before, before)
    after = _changed(file, lambda: disconnected(text, agent))
    kept = file.read_backup()
    if kept is not None and _is_same(after, file.text(kept)):
        return Edit(file, before, kept)
    return Edit(file, before, None if kept is None and not _said(after) else after.encode())


def _changed(file: SettingsFile, change: Callable[[], str]) -> str:
    """What a change makes of a file. Raises UsageError where it would cost a person's comment."""
    try:
        return change()
    except InvalidJson as fault:
        where = f"{file.path}:{fault.line}:{fault.column}"
        raise UsageError(f"{where}: {fault}", "move it elsewhere; nothing was changed") from None


def connected(text: str, wiring: Wiring) -> str:
    """The settings with our hooks in them, once each; the same text when they are in it already.

    Auto memory that an earlier run pointed at a store stays ours, and goes along to a new store.
    """
    settings, agent = _said(text), wiring.agent
    key = agent.auto_memory
    earlier = auto_memory_of(settings)
    stays = earlier is not None and settings.get(key) == earlier
    harvest = is_harvesting(settings) if wiring.harvest is None else wiring.harvest
    wiring = replace(wiring, auto_memory=wiring.auto_memory or stays, harvest=harvest)
    before = _before(settings) if stays else {key: settings[key]} if key in settings else {}
    noted = [BEFORE, json.dumps(before, ensure_ascii=False)] if wiring.auto_memory else []
    for hook in agent.hooks:
        text = _with_entry(text, hook, wiring.entry(hook, *noted))
    for hook in agent.ends:
        text = _with_entry(text, hook, wiring.entry(hook)) if harvest else _without(text, hook.name)
    if wiring.auto_memory and settings.get(key) != wiring.store:
        text = put(text, (key,), wiring.store)
    return text


def disconnected(text: str, agent: Agent) -> str:
    """The settings without anything of ours, and with what it stood in place of."""
    settings, key = _said(text), agent.auto_memory
    store = auto_memory_of(settings)
    if store is not None and settings.get(key) == store:
        before = _before(settings)
        text = put(text, (key,), before[key]) if key in before else drop(text, (key,))
    for hook in reversed(list(ours_in(settings))):
        text = _without_entry(text, hook)
    return text


def auto_memory_of(settings: Json) -> str | None:
    """The store that an earlier run made the agent's auto memory; None where none did."""
    for hook in ours_in(settings):
        if SAVE in words_of(hook.entry):
            return _after(hook, "--store")
    return None


def is_harvesting(settings: Json) -> bool:
    """Whether an earlier run let sessions be harvested."""
    return any(HARVEST in words_of(hook.entry) for hook in ours_in(settings))


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
    return next((b for a, b in pairwise(words_of(hook.entry)) if a == word), None)


def _with_entry(text: str, hook: Wired, entry: Json) -> str:
    event = hook.name
    mine = [ours for ours in ours_in(_said(text)) if ours.event == event]
    for extra in reversed(mine[1:]):
        text = _without_entry(text, extra)
    if not mine:
        group = {**({"matcher": hook.matcher} if hook.matcher else {}), "hooks": [entry]}
        return put(text, ("hooks", event, len(_groups(text, event))), group)
    if mine[0].entry == entry:
        return text
    return put(text, ("hooks", event, mine[0].group, "hooks", mine[0].number), entry)


def _without(text: str, event: str) -> str:
    """The settings without our entries for an event."""
    mine = [hook for hook in ours_in(_said(text)) if hook.event == event]
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
    return text if _said(text)["hooks"] else drop(text, path[:1])


def _groups(text: str, event: str) -> list[Any]:
    groups: list[Any] = _said(text).get("hooks", {}).get(event, [])
    return groups


def _is_same(one: str, other: str) -> bool:
    """Whether two settings say the same in the same order, empty places for hooks aside."""
    said = [(json.dumps(_pruned(_said(text))), comments(text)) for text in (one, other)]
    return said[0] == said[1]


def _said(text: str) -> Any:
    """What settings say, comments aside."""
    return load(blanked(text))


def _pruned(settings: Json) -> Json:
    """The settings without places for hooks that hold none."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return settings
    kept = {event: groups for event, groups in hooks.items() if groups != []}
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return {**settings, "hooks": kept} if kept else rest
