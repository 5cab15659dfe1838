"""Probes of files: is it there, and does it hold these words.

The one rule: a file is refuted where it was, or where its folder is and nothing cuts the view; a
file that is not there is no evidence against what it was said to hold.
"""

import re

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.finding import Finder, Found, State
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Outcome, pending, refuted, supported, unknown

_ORDER = (
    (State.HERE, False), (State.ELSEWHERE, False), (State.GONE, False),
    (State.HERE, True), (State.GONE, True), (State.NEVER, False),
)  # fmt: skip
"""What counts first where roots differ: the very path before what only ends like it."""


def path_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a file or folder is there, and where git says that it went."""
    path = str(arguments["path"])
    found = [(one, one.find(path, scene.folder)) for one in scene.finders]
    for state, by_name in _ORDER:
        for finder, seen in found:
            told = (seen.state, seen.by_name) == (state, by_name)
            if told and (outcome := _said(path, finder, seen, scene)):
                return outcome
    for _, seen in found:
        if seen.state is State.OUTSIDE:
            return unknown(seen.why)
    return unknown(next((seen.why for _, seen in found if seen.why), "") if scene.projects
                   else scene.missing)  # fmt: skip


def _said(path: str, finder: Finder, seen: Found, scene: Scene) -> Outcome | None:
    """What one root's answer means; None where it is none."""
    root = finder.root
    if seen.state is State.HERE:
        return supported(seen.place)
    if seen.state is State.ELSEWHERE:
        return pending(f"on {seen.why}")
    if root.is_ignored(seen.place):
        return unknown("git is told to ignore it: it is made where it is needed")
    if seen.state is State.GONE:
        return refuted(f"gone from {root.label}", seen.moved_to)
    is_link = path.startswith(("./", "../"))
    if root.is_store and not is_link:
        return None  # its folders have the names of anything
    if root.checkout is not None and not root.knows_its_past:
        return unknown(f"only a part of {root.label} was cloned")
    if len(scene.projects) > 1 and not is_link:
        return unknown(f"in none of {len(scene.projects)} projects, and none is named")
    return refuted(f"not in {root.label}", seen.moved_to)


def path_contains(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a file holds a literal, a symbol, or so many lines."""
    path = str(arguments["path"])
    for finder in scene.finders:
        seen = finder.find(path, scene.folder)
        if seen.state is not State.HERE:
            continue
        text = finder.root.read(seen.place)
        if text is None:
            return unknown(f"{seen.place} is no text that can be read")
        return _holds(arguments, text, seen.place)
    return unknown(f"{path} is not there to be looked into" if scene.projects else scene.missing)


def _holds(arguments: Arguments, text: str, place: str) -> Outcome:
    if isinstance(line := arguments.get("line"), int):
        lines = text.count("\n") + (not text.endswith("\n"))
        if lines >= line:
            return supported(f"{place} has {lines} lines")
        return refuted(f"{place} has {lines} lines")
    if symbol := arguments.get("symbol"):
        last = re.split(r"\.|::", str(symbol))[-1]
        there = re.search(rf"(?<![\w]){re.escape(last)}(?![\w])", text)
        return supported(place) if there else refuted(f"not in {place}")
    wanted = str(arguments.get("text") or "")
    if not wanted:
        return unknown("names nothing to look for")
    held = re.search(_flexible(wanted), text) is not None
    return supported(place) if held else refuted(f"not in {place}")


def _flexible(wanted: str) -> str:
    """`name = value` however it is spaced and quoted in a file; else the words, freely spaced."""
    setting = re.fullmatch(r"([\w.-]+)\s*[=:]\s*(.+)", wanted)
    if setting:
        name = setting[1].rpartition(".")[2]
        value = re.escape(setting[2].strip().strip("\"'"))
        mark, gap = "[\"']?", r"\s{0,9}"
        key = rf"(?<![\w-]){mark}{re.escape(name)}{mark}{gap}(?::|=>?){gap}"
        return rf"{key}{mark}{value}(?![\w.])"
    return r"\s{1,9}".join(map(re.escape, wanted.split()))
